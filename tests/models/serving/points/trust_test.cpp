/// Expected errors of a calibrated stack: by what was measured with it.
#include "models/trust.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"
#include "tests/support/serving_sweep.hpp"

BOOST_AUTO_TEST_SUITE(trust_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;

namespace {

struct ErrorCase {
  const char* why;
  std::vector<std::string> systems;  ///< with measured runs of the stack
  std::vector<std::string> models;
  double error;
};

const ErrorCase error_cases[] = {
    {"both were measured", {"node"}, {"seven"}, 0.1}, {"the stack lists no models", {"node"}, {}, 0.1},
    {"another system", {"other"}, {"seven"}, 0.2},    {"another model", {"node"}, {"other"}, 0.3},
    {"neither", {"other"}, {"other"}, 0.3},
};

}  // namespace

BOOST_DATA_TEST_CASE(expected_errors_follow_the_lists, bdata::make(error_cases)) {
  Entry stack;
  stack.name = "stack";
  stack.text_lists["measured_on"] = sample.systems;
  if (!sample.models.empty()) stack.text_lists["measured_models"] = sample.models;
  stack.numbers = {{"expected_error", 0.1}, {"expected_error_other_system", 0.2}, {"expected_error_other_model", 0.3}};
  testing::EstimatorSweep sweep = testing::serving_sweep();
  sweep.set("software", stack);
  BOOST_TEST(sweep.evaluate()["expected_error"] == sample.error);
}

BOOST_AUTO_TEST_CASE(one_error_is_that_of_all_combinations) {
  const Trust trust{.expected_error = 0.1};
  BOOST_TEST(expected_error_of(trust, Unmeasured::system) == 0.1);
  BOOST_TEST(expected_error_of(trust, Unmeasured::model) == 0.1);
}

BOOST_AUTO_TEST_SUITE_END()
