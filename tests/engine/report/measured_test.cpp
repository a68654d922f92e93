/// Measured rows joined to nine rows, by hand.
#include "engine/report/measured.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "io/diagnostic.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep::report {

BOOST_AUTO_TEST_SUITE(measured_test)

namespace {

struct Nine {
  ScratchFile scratch{"result.h5"};
  DatasetReader file;
  Nine()
      : file([this] {
          nine_rows().write(scratch.path());
          return scratch.path();
        }()) {}
};

}  // namespace

BOOST_AUTO_TEST_CASE(rows_are_joined_by_their_parameters) {
  const Nine nine;
  const MeasuredRows found = join_measured(nine.file,
                                           "id,device,ways,device_count,time,remark,group\n"
                                           "first,a100,2,1024,1.6 s,\"a, b\",x\n"
                                           "second,h100,4,1024,2500 ms,,y\n"
                                           "not measured,a100,1,1024,,,x\n"
                                           "no such device,b200,1,1024,1,,x\n"
                                           "another number of devices,a100,1,512,1,,x\n"
                                           "no such row,a100,8,1024,1,,x\n"
                                           "rejected,h100,2,1024,1,,x\n",
                                           "rows.csv");
  BOOST_TEST(found.metric->name == "time");
  BOOST_REQUIRE_EQUAL(found.rows.size(), 6U);
  BOOST_TEST(found.rows[0].name == "first");
  BOOST_TEST(found.rows[0].measured == 1.6);
  BOOST_TEST(found.rows[0].predicted == 2.0);
  BOOST_TEST(found.rows[1].group == "y");
  BOOST_TEST(found.rows[1].measured == 2.5);
  BOOST_TEST(found.rows[1].predicted == 2.0);
  BOOST_TEST(found.rows[2].problem == "device = b200 is not in the result");
  BOOST_TEST(found.rows[3].problem == "device_count = 512 is not in the result");
  BOOST_TEST(found.rows[4].problem == "the result has no such row");
  BOOST_TEST(found.rows[5].problem == "the result has no value: out_of_memory");
  BOOST_TEST(found.joined() == 2U);
  BOOST_TEST(found.ignored == (std::vector<std::string>{"remark"}), boost::test_tools::per_element());
  BOOST_TEST(std::abs(found.error_at(0.5) - 0.2) < 1e-12);   // 2.0 against 2.5
  BOOST_TEST(std::abs(found.error_at(0.9) - 0.25) < 1e-12);  // 2.0 against 1.6
}

BOOST_AUTO_TEST_CASE(rows_that_mean_several_points_are_not_joined) {
  const Nine nine;
  const MeasuredRows found = join_measured(nine.file, "device,time\na100,1\n", "rows.csv");
  BOOST_TEST(found.rows[0].problem == "3 rows of the result have these parameters");
  BOOST_TEST(found.joined() == 0U);
  BOOST_TEST(std::isnan(found.error_at(0.5)));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_compared_is_an_error_with_its_place) {
  const Nine nine;
  BOOST_CHECK_THROW(static_cast<void>(join_measured(nine.file, "device,ways\na100,1\n", "rows.csv")), UserError);
  BOOST_CHECK_THROW(static_cast<void>(join_measured(nine.file, "id,time\na,1\n", "rows.csv")), UserError);
  try {
    static_cast<void>(join_measured(nine.file, "device,time\na100,fast\na100,2 parsec\n", "rows.csv"));
    BOOST_FAIL("a word is no number");
  } catch (const UserError& error) {
    BOOST_REQUIRE_EQUAL(error.problems.size(), 2U);
    BOOST_TEST(to_string(error.problems[0]) ==
               "rows.csv:2:6: 'fast' is not a number (column time). Write a number, or a number with its unit.");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::report
