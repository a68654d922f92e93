/// Which values a convention does not read, and which entries a point needs.
#include "models/serving/points/conventions.hpp"
#include "tests/support/serving_sweep.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/estimator_sweep.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(conventions_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using testing::EstimatorSweep;

namespace {

Entry named_entry(const char* name) {
  Entry entry;
  entry.name = name;
  return entry;
}

EstimatorSweep sweep(const char* convention) {
  EstimatorSweep s(testing::make_serving);
  s.set("model", named_entry("model")).set("convention", convention);
  return s;
}

struct UnreadCase {
  const char* why;
  const char* convention;
  const char* parameter;
  double value;
  bool is_read;
};
const UnreadCase unread_cases[] = {
    {"passes of an all-reduce are the study's", "physical", "all_reduce_passes", 1, false},
    {"but its default is no problem", "physical", "all_reduce_passes", 2, true},
    {"the study has no users", "dfmodel", "concurrency", 8, false},
    {"nor chunks", "dfmodel", "chunk_tokens", 512, false},
    {"both have requests", "dfmodel", "requests", 512, true},
    {"both have prompts", "physical", "prompt_tokens", 512, true},
};

}  // namespace

BOOST_DATA_TEST_CASE(values_that_change_nothing_are_problems, bdata::make(unread_cases)) {
  EstimatorSweep s = sweep(sample.convention);
  s.set(sample.parameter, sample.value);
  BOOST_TEST(serving::problems_of_conventions(s.values()).empty() == sample.is_read);
}

BOOST_AUTO_TEST_CASE(missing_hardware_is_named) {
  const auto estimator = testing::make_serving();
  const std::vector<ValueProblem> physical = estimator->problems_of(sweep("physical").values());
  bool names_device = false;
  for (const ValueProblem& problem : physical) names_device |= problem.problem == "'device' is missing";
  BOOST_TEST(names_device);
}

BOOST_AUTO_TEST_CASE(several_devices_need_links) {
  const auto names_links = [](const EstimatorSweep& s) {
    for (const ValueProblem& problem : testing::make_serving()->problems_of(s.values()))
      if (problem.problem == "'interconnect' is missing") return true;
    return false;
  };
  EstimatorSweep several = sweep("physical");
  several.set("tensor_parallel", 2);
  BOOST_TEST(names_links(several));
  several.set("link_bandwidth", 1e11);
  BOOST_TEST(!names_links(several));
  BOOST_TEST(!names_links(sweep("physical")));
}

BOOST_AUTO_TEST_CASE(speculation_needs_a_draft) {
  EstimatorSweep s = sweep("physical");
  s.set("speculation", "tree");
  bool names_draft = false;
  for (const ValueProblem& problem : testing::make_serving()->problems_of(s.values()))
    names_draft |= problem.problem == "'draft_model' is missing";
  BOOST_TEST(names_draft);
}

BOOST_AUTO_TEST_SUITE_END()
