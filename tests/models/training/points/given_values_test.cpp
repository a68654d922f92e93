/// What a sweep gives: the machine of its points, and software that was calibrated.
#include "models/training/points/given_values.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <vector>

#include "models/training/estimator.hpp"
#include "models/training/points/published.hpp"
#include "tests/support/estimator_sweep.hpp"
#include "tests/support/named_rows.hpp"

namespace bdata = boost::unit_test::data;

namespace dfsweep::training {

BOOST_AUTO_TEST_SUITE(given_values_test)

namespace {

/// Entries without fields: they are not decoded here.
testing::EstimatorSweep sweep(const std::vector<std::string>& entries) {
  testing::EstimatorSweep s(make_training_estimator);
  s.set("model", Entry{}).set("device_count", 8);
  for (const std::string& parameter : entries) s.set(parameter, Entry{});
  return s;
}

struct HardwareCase {
  const char* why;
  std::vector<std::string> given;
  std::vector<std::string> missing;
};

const HardwareCase hardware_cases[] = {
    {"a system is a machine", {"system"}, {}},
    {"so are its parts", {"device", "memory", "interconnect"}, {}},
    {"links are one of the parts", {"device", "memory"}, {"interconnect"}},
    {"links across nodes are those inside", {"device", "memory", "outer_interconnect"}, {"interconnect"}},
    {"nothing", {}, {"device", "memory", "interconnect"}},
    {"a system and one part", {"system", "device"}, {}},
};

Entry calibrated(const std::map<std::string, double, std::less<>>& numbers) {
  Entry software;
  software.numbers = numbers;
  return software;
}

struct ErrorCase {
  const char* why;
  std::map<std::string, double, std::less<>> software;
  bool knows_time;
  bool knows_memory;
};

const ErrorCase error_cases[] = {
    {"not calibrated", {}, false, false},
    {"by measured times", {{"expected_error", 0.05}}, true, false},
    {"by measured memory", {{"expected_memory_error", 0.1}}, false, true},
    {"by both", {{"expected_error", 0.05}, {"expected_memory_error", 0.1}}, true, true},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_machine_is_needed, bdata::make(hardware_cases)) {
  std::vector<std::string> missing;
  for (const ValueProblem& problem : missing_hardware(sweep(sample.given).values()))
    missing.emplace_back(parameters()[problem.parameter].name);
  BOOST_TEST(missing == sample.missing, boost::test_tools::per_element());
}

// A value that could not be read is no value: what it was meant to give is not missing.
BOOST_AUTO_TEST_CASE(a_system_that_cannot_be_read_is_not_missing) {
  const testing::EstimatorSweep named = sweep({"system"});
  SweepValues values = named.values();
  values[Parameter::system].values.clear();
  BOOST_TEST(missing_hardware(values).empty());
}

BOOST_DATA_TEST_CASE(errors_are_known_of_calibrated_software, bdata::make(error_cases)) {
  testing::EstimatorSweep s = sweep({"system"});
  const SweepValues values = s.set("software", calibrated(sample.software)).values();
  for (MetricIndex m = 0; m < count_of<Metric>; ++m) {
    const bool is_of_time = m >= index_of(Metric::expected_error) && m <= index_of(Metric::step_time_high);
    const bool is_of_memory = m >= index_of(Metric::expected_memory_error);
    const bool expected = is_of_time ? sample.knows_time : is_of_memory ? sample.knows_memory : true;
    BOOST_TEST(is_known(m, values) == expected, metrics()[m].name);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::training
