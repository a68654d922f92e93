/// Measured rows joined to nine rows, by hand.
#include "engine/measurements/joined_rows.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <tuple>

#include "engine/measurements/error_table.hpp"
#include "io/diagnostic.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(joined_rows_test)

namespace {

RowText csv(const char* text) {
  return {text, "rows.csv", {}};
}

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
  const MeasuredRows all = join_measured(nine.file, csv("id,device,ways,device_count,time,remark,group\n"
                                                        "first,a100,2,1024,1.6 s,\"a, b\",x\n"
                                                        "second,h100,4,1024,2500 ms,,y\n"
                                                        "not measured,a100,1,1024,,,x\n"
                                                        "no such device,b200,1,1024,1,,x\n"
                                                        "another number of devices,a100,1,512,1,,x\n"
                                                        "no such row,a100,8,1024,1,,x\n"
                                                        "rejected,h100,2,1024,1,,x\n"));
  BOOST_REQUIRE_EQUAL(all.metrics.size(), 1U);
  const MeasuredMetric& found = all.metrics.front();
  BOOST_TEST(found.metric == "time");
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
  BOOST_TEST(all.ignored == (std::vector<std::string>{"remark"}), boost::test_tools::per_element());
  BOOST_TEST(std::abs(error_at(found, 0.5) - 0.225) < 1e-12);  // 2.0 against 2.5, and 2.0 against 1.6
}

BOOST_AUTO_TEST_CASE(rows_that_mean_several_points_are_not_joined) {
  const Nine nine;
  const MeasuredRows all = join_measured(nine.file, csv("device,time\na100,1\n"));
  const MeasuredMetric& found = all.metrics.front();
  BOOST_TEST(found.rows[0].problem == "3 rows of the result have these parameters");
  BOOST_TEST(found.joined() == 0U);
  BOOST_TEST(std::isnan(error_at(found, 0.5)));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_compared_is_an_error_with_its_place) {
  const Nine nine;
  BOOST_CHECK_THROW(static_cast<void>(join_measured(nine.file, csv("device,ways\na100,1\n"))), UserError);
  BOOST_CHECK_THROW(static_cast<void>(join_measured(nine.file, csv("id,time\na,1\n"))), UserError);
  try {
    static_cast<void>(join_measured(nine.file, csv("device,time\na100,fast\na100,2 parsec\n")));
    BOOST_FAIL("a word is no number");
  } catch (const UserError& error) {
    BOOST_REQUIRE_EQUAL(error.problems.size(), 2U);
    BOOST_TEST(
        to_string(error.problems[0]) ==
        "rows.csv:2:6: 'fast' is not a valid time ('fast' is not a quantity). Write a number, a space and a unit");
  }
}

BOOST_AUTO_TEST_CASE(every_metric_is_joined_for_itself) {
  const Nine nine;
  const MeasuredRows all = join_measured(nine.file,
                                         csv("device,ways,time,speed,lab\n"
                                             "a100,1,4,5 FLOP/s,north\n"
                                             "h100,4,2,7,south\n"
                                             "tpu-v4,1,,8,north\n"),
                                         "lab");
  BOOST_REQUIRE_EQUAL(all.metrics.size(), 2U);
  const auto& [time, speed] = std::tie(all.metrics[0], all.metrics[1]);
  BOOST_REQUIRE_EQUAL(time.rows.size(), 2U);  // the third was not measured
  BOOST_REQUIRE_EQUAL(speed.rows.size(), 3U);
  BOOST_TEST(speed.rows[0].measured == 5.0);
  BOOST_TEST(speed.rows[0].predicted == 10.0);
  BOOST_TEST(speed.rows[0].group == "north");
  BOOST_TEST(time.rows[1].predicted == 2.0);
  BOOST_TEST(speed.rows[1].problem == "speed does not apply");
  BOOST_TEST(all.ignored.empty());
}

BOOST_AUTO_TEST_CASE(a_parameter_may_group_rows_too) {
  const Nine nine;
  const MeasuredRows all = join_measured(nine.file, csv("device,ways,time\na100,1,4\nh100,1,4\n"), "device");
  BOOST_TEST(all.metrics[0].rows[1].group == "h100");
  BOOST_CHECK_THROW(static_cast<void>(join_measured(nine.file, csv("device,ways,time\na100,1,4\n"), "lab")), UserError);
}

namespace {

struct Refusal {
  const char* why;
  const char* text;
  const char* message;
};

const Refusal refusals[] = {
    {"nothing was measured", "device,ways\na100,1\n",
     "rows.csv:1: no column is named like a metric (nothing would be compared). "
     "Metrics of the result: time, speed, memory, method."},
    {"no row is meant", "id,time\na,1\n",
     "rows.csv:1: no column is named like a parameter (rows of the result could not be selected)."},
    {"there are no rows", "device,time\n", "rows.csv:1: no row has a measurement (nothing would be compared)."},
    {"bytes are no time", "device,time\na100,1 GB\n", "rows.csv:2:6: '1 GB' has the wrong unit (time is given in s)."},
    {"times are above zero", "device,time\na100,0\n",
     "rows.csv:2:6: '0' is not a valid time (measurements are above zero)."},
};

}  // namespace

BOOST_AUTO_TEST_CASE(refusals_say_why_and_where) {
  const Nine nine;
  for (const Refusal& refusal : refusals) try {
      static_cast<void>(join_measured(nine.file, csv(refusal.text)));
      BOOST_ERROR(refusal.why);
    } catch (const UserError& error) {
      BOOST_TEST(to_string(error.problems.front()) == refusal.message, refusal.why);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
