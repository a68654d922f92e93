/// Former statuses: conditions that quote a status as another release spells it.
#include "engine/results/former_statuses.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <set>
#include <vector>

#include "engine/sweep/estimators.hpp"
#include "tests/support/named_rows.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(former_statuses_test)

namespace bdata = boost::unit_test::data;

namespace {

constexpr StatusInfo statuses[] = {{"ok", "runs"}, {"out_of_memory", "", "mem_tier1"}, {"no_batch", "", "batch"}};
const std::vector<std::string> present = {"ok", "out_of_memory", "no_batch"};
const std::vector<std::string> former = {"ok", "mem_tier1", "batch"};

struct ConditionCase {
  const char* why;
  const std::vector<std::string>& labels;
  const char* expression;
  const char* read;
};

const ConditionCase condition_cases[] = {
    {"a former name", present, "status == 'mem_tier1'", "status == 'out_of_memory'"},
    {"either quote", present, "status == \"mem_tier1\"", "status == \"out_of_memory\""},
    {"a present name in an old file", former, "status != 'out_of_memory'", "status != 'mem_tier1'"},
    {"the name of the file", former, "status == 'mem_tier1'", "status == 'mem_tier1'"},
    {"all of them", present, "status == 'batch' || status == 'batch'", "status == 'no_batch' || status == 'no_batch'"},
    {"what is no label stays", present, "batch > 8 && step_time < '1 s'", "batch > 8 && step_time < '1 s'"},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_status_is_found_by_either_name, bdata::make(condition_cases)) {
  BOOST_TEST(with_statuses_among(sample.labels, statuses, sample.expression) == sample.read);
}

// Otherwise a former name would be that of another status.
BOOST_AUTO_TEST_CASE(no_estimator_has_a_name_twice) {
  for (const Estimator* estimator : estimators()) {
    std::set<std::string_view> names;
    for (const StatusInfo& status : estimator->statuses()) {
      BOOST_TEST(names.insert(status.name).second, estimator->name() << ": " << status.name);
      if (!status.former.empty()) {
        BOOST_TEST(names.insert(status.former).second, estimator->name() << ": " << status.former);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
