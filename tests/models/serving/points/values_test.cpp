/// Which entries a point needs.
#include "models/serving/points/values.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"
#include "tests/support/serving_sweep.hpp"

BOOST_AUTO_TEST_SUITE(values_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using testing::EstimatorSweep;

namespace {

EstimatorSweep with_model() {
  EstimatorSweep s(testing::make_serving);
  s.set("model", testing::serving_decoder("seven", 32, 4096));
  return s;
}

bool complains(const EstimatorSweep& sweep, const std::string& problem) {
  for (const ValueProblem& found : serving::problems_of_values(sweep.values()))
    if (found.problem == problem) return true;
  return false;
}

struct MissingCase {
  const char* why;
  const char* given;
  double value;
  const char* problem;
  bool is_problem;
};
const MissingCase missing_cases[] = {
    {"neither system nor device", "tensor_parallel", 1, "'device' is missing", true},
    {"neither system nor memory", "tensor_parallel", 1, "'memory' is missing", true},
    {"a bandwidth is a memory", "dram_bandwidth", 1e12, "'memory' is missing", false},
    {"several devices need links", "tensor_parallel", 2, "'interconnect' is missing", true},
    {"so do stages", "pipeline_parallel", 2, "'interconnect' is missing", true},
    {"one device does not", "tensor_parallel", 1, "'interconnect' is missing", false},
    {"no speculation, no draft", "tensor_parallel", 1, "'draft_model' is missing", false},
};

}  // namespace

BOOST_DATA_TEST_CASE(missing_entries_are_named, bdata::make(missing_cases)) {
  EstimatorSweep s = with_model();
  s.set(sample.given, sample.value);
  BOOST_TEST(complains(s, sample.problem) == sample.is_problem);
}

BOOST_AUTO_TEST_CASE(a_bandwidth_is_a_link) {
  EstimatorSweep s = with_model();
  s.set("tensor_parallel", 2).set("link_bandwidth", 1e11);
  BOOST_TEST(!complains(s, "'interconnect' is missing"));
}

BOOST_AUTO_TEST_CASE(a_system_has_everything) {
  BOOST_TEST(serving::problems_of_values(testing::serving_sweep().values()).empty());
}

BOOST_AUTO_TEST_CASE(speculation_needs_a_draft) {
  EstimatorSweep s = with_model();
  s.set("speculation", "tree");
  BOOST_TEST(complains(s, "'draft_model' is missing"));
}

BOOST_AUTO_TEST_SUITE_END()
