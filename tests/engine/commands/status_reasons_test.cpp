/// Reasons of stored points: what an explanation may be refused for, and that defects are not taken for that.
#include "engine/commands/status_reasons.hpp"

#include <boost/test/unit_test.hpp>
#include <new>

#include "engine/console/usage_error.hpp"
#include "io/dataset_contents.hpp"
#include "io/diagnostic.hpp"
#include "io/file_system.hpp"
#include "models/expect.hpp"

BOOST_AUTO_TEST_SUITE(status_reasons_test)

using namespace dfsweep;

BOOST_AUTO_TEST_CASE(what_is_explained_is_the_reason) {
  BOOST_TEST(reason_where_possible([] { return std::string("needs 2 GB of 1 GB"); }) == "needs 2 GB of 1 GB");
}

BOOST_AUTO_TEST_CASE(mistakes_and_missing_files_of_the_user_leave_the_reason_empty) {
  const std::pair<const char*, std::function<std::string()>> refusals[] = {
      {"measured tables were not given", []() -> std::string { throw UserError(std::vector<Problem>(1)); }},
      {"the tables are others", []() -> std::string { throw UsageError("others"); }},
      {"an estimator of another program", []() -> std::string { throw BadDataset("no estimator 'x'"); }},
      {"a table cannot be read", []() -> std::string { throw IoError("read", "tables/mlp.csv", 5); }}};
  for (const auto& [why, explain] : refusals) BOOST_TEST(reason_where_possible(explain).empty(), why);
}

BOOST_AUTO_TEST_CASE(defects_come_through) {
  BOOST_CHECK_THROW((void)reason_where_possible([]() -> std::string {
                      DFSWEEP_EXPECT(1 + 1 == 3);
                      return {};
                    }),
                    LogicError);
  BOOST_CHECK_THROW((void)reason_where_possible([]() -> std::string { throw std::bad_alloc(); }), std::bad_alloc);
}

BOOST_AUTO_TEST_SUITE_END()
