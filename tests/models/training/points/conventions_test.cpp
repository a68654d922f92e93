/// Conventions: one for a sweep, and no value of a parameter that it does not read.
#include "models/training/points/conventions.hpp"

#include <algorithm>
#include <array>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/training/estimator.hpp"
#include "models/training/points/published.hpp"
#include "tests/support/estimator_sweep.hpp"
#include "tests/support/named_rows.hpp"

namespace bdata = boost::unit_test::data;

namespace dfsweep::training {

BOOST_AUTO_TEST_SUITE(conventions_test)

namespace {

/// Only what has no default. Entries without fields: they are not decoded here.
testing::EstimatorSweep sweep(std::string_view convention) {
  testing::EstimatorSweep s(make_training_estimator);
  s.set("model", Entry{}).set("system", Entry{}).set("device_count", 8).set("convention", convention);
  return s;
}

struct UnreadCase {
  const char* why;
  const char* convention;
  const char* parameter;
  const char* value;  ///< of choices; null: `number`
  double number;
  const char* problem;  ///< "": none
};

const UnreadCase unread_cases[] = {
    {"placed by the model", "physical", "tensor_network", nullptr, 1, "'tensor_network' changes nothing"},
    {"the default as given", "physical", "tensor_network", nullptr, 0, ""},
    {"an open parameter", "physical", "data_network", nullptr, 0, "'data_network' changes nothing"},
    {"a choice", "physical", "tensor_comm", "reduce_scatter_all_gather", 0, "'tensor_comm' changes nothing"},
    {"the default choice", "physical", "tensor_comm", "all_reduce", 0, ""},
    {"both read it", "physical", "recompute", "full", 0, ""},
    {"both read it, too", "calculon", "recompute", "full", 0, ""},
    {"read by the tool", "calculon", "tensor_network", nullptr, 1, ""},
    {"not of the tool", "calculon", "context_parallel", nullptr, 2, "'context_parallel' changes nothing"},
    {"a choice that is not of the tool", "calculon", "schedule", "zero_bubble", 0, "'schedule' changes nothing"},
    {"text that is not of the tool", "calculon", "state_bytes", "2/4/12", 0, "'state_bytes' changes nothing"},
    {"weights cannot be sharded", "calculon", "optimizer_sharding", nullptr, 3, "optimizer_sharding 3"},
    {"the optimizer can", "calculon", "optimizer_sharding", nullptr, 1, ""},
};

}  // namespace

BOOST_DATA_TEST_CASE(values_that_change_nothing_are_refused, bdata::make(unread_cases)) {
  testing::EstimatorSweep s = sweep(sample.convention);
  if (sample.value != nullptr)
    s.set(sample.parameter, std::string_view(sample.value));
  else
    s.set(sample.parameter, sample.number);
  const std::vector<ValueProblem> problems = problems_of_conventions(s.values());
  BOOST_TEST(problems.size() == (*sample.problem == '\0' ? 0u : 1u));
  for (const ValueProblem& found : problems) BOOST_TEST(found.problem == sample.problem);
}

BOOST_AUTO_TEST_CASE(the_value_that_is_meant_is_named) {
  testing::EstimatorSweep s = sweep("physical");
  s.axis("tensor_network", {0, 2, 1});
  const std::vector<ValueProblem> problems = problems_of_conventions(s.values());
  BOOST_TEST_REQUIRE(problems.size() == 1u);
  BOOST_TEST(problems[0].parameter == index_of(Parameter::tensor_network));
  BOOST_TEST(problems[0].value == 1u);
}

BOOST_AUTO_TEST_CASE(conventions_are_not_mixed) {
  const testing::EstimatorSweep physical = sweep("physical");
  SweepValues values = physical.values();
  BOOST_TEST(is_physical(values));
  BOOST_TEST(problems_of_conventions(values).empty());
  ParameterValue other;
  other.text = "calculon";
  values[Parameter::convention].values.push_back(other);
  const std::vector<ValueProblem> problems = problems_of_conventions(values);
  BOOST_TEST_REQUIRE(problems.size() == 1u);
  BOOST_TEST(problems[0].value == 1u);
}

BOOST_AUTO_TEST_CASE(a_sweep_without_a_readable_convention_has_no_problem_here) {
  const testing::EstimatorSweep physical = sweep("physical");
  SweepValues values = physical.values();
  values[Parameter::convention].values.clear();
  BOOST_TEST(!is_physical(values));
  BOOST_TEST(problems_of_conventions(values).empty());
}

// One problem instead of a list of missing fields.
BOOST_AUTO_TEST_CASE(a_system_of_the_other_convention_is_said_to_be_one) {
  Entry engines;
  engines.parts["engine"] = {Entry{}};
  Entry peak;
  peak.numbers["peak_flops"] = 1e15;
  for (const auto& [convention, system] : {std::pair{"physical", &engines}, {"calculon", &peak}}) {
    testing::EstimatorSweep s = sweep(convention);
    s.set("system", *system).set("model", Entry{}).set("global_batch", 8);
    const std::vector<ValueProblem> problems = make_training_estimator()->problems_of(s.values());
    const auto of_system = [](const ValueProblem& p) { return p.parameter == index_of(Parameter::system); };
    BOOST_TEST(std::count_if(problems.begin(), problems.end(), of_system) == 1);
    const auto found = std::find_if(problems.begin(), problems.end(), of_system);
    BOOST_TEST(found->problem.find("is described for convention") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(each_convention_has_its_metrics_and_those_of_both) {
  Entry software;
  software.numbers = {{"expected_error", 0.05}, {"expected_memory_error", 0.1}};
  testing::EstimatorSweep calibrated = sweep("physical");
  const SweepValues& physical = calibrated.set("software", software).values();
  BOOST_TEST(!applies_to_convention(index_of(Metric::expected_error), sweep("physical").values()));
  software.numbers.erase("expected_error");  // the errors of times and of memory are told apart
  testing::EstimatorSweep of_memory = sweep("physical");
  const SweepValues& weighed = of_memory.set("software", software).values();
  BOOST_TEST(!applies_to_convention(index_of(Metric::step_time_low), weighed));
  BOOST_TEST(applies_to_convention(index_of(Metric::memory_used_low), weighed));
  const SweepValues calculon = sweep("calculon").values();
  std::array<std::size_t, 3> counts{};  // of physical, of calculon, of both
  for (MetricIndex m = 0; m < metrics().size(); ++m) {
    const bool with_physical = applies_to_convention(m, physical);
    const bool with_calculon = applies_to_convention(m, calculon);
    BOOST_TEST((with_physical || with_calculon), metrics()[m].name);
    ++counts[with_physical && with_calculon ? 2 : with_physical ? 0 : 1];
  }
  BOOST_TEST(counts[0] == 19u);  // utilization by definition, exchanges, waiting, costs, what the law says, errors
  BOOST_TEST(counts[2] == 23u);
  BOOST_TEST(counts[1] == metrics().size() - 42u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::training
