/// What a design costs in every estimator that derives prices: more of any part never costs less, sums of parts are the
/// whole, and a lower limit of power is never faster.
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>

#include "models/training/estimator.hpp"
#include "tests/support/dataflow_point.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/profiled_sweep.hpp"
#include "tests/support/serving_sweep.hpp"
#include "tests/support/taskgraph_point.hpp"

BOOST_AUTO_TEST_SUITE(estimators_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using testing::EstimatorSweep;
using testing::NamedEstimate;

namespace {

Entry plain_chip() {
  Entry entry;
  entry.name = "plain";
  entry.numbers = {{"peak_flops", 1e15}, {"sram_capacity", 50e6}};
  return entry;
}
Entry plain_memory() {
  Entry entry;
  entry.name = "stack";
  entry.numbers = {{"bandwidth", 4e12}, {"capacity", 80e9}};
  return entry;
}
Entry plain_links() {
  Entry entry;
  entry.name = "wires";
  entry.numbers = {{"bandwidth", 400e9}, {"latency", 1e-6}};
  return entry;
}

EstimatorSweep trained(bool names_system) {
  EstimatorSweep s(training::make_training_estimator);
  s.set("model", testing::serving_decoder("seven", 32, 4096)).set("sequence_length", 4096);
  s.set("device_count", 16).set("tensor_parallel", 2).set("pipeline_parallel", 2).set("global_batch", 32);
  s.set("optimizer_sharding", 1).set("recompute", "full");
  if (names_system) return std::move(s.set("system", testing::serving_node()));
  s.set("device", plain_chip()).set("memory", plain_memory()).set("interconnect", plain_links());
  return s;
}

EstimatorSweep served(bool names_system) {
  EstimatorSweep s(testing::make_serving);
  s.set("model", testing::serving_decoder("seven", 32, 4096)).set("tensor_parallel", 2).set("batch", 8);
  s.set("prompt_tokens", 1000).set("output_tokens", 200);
  if (names_system) return std::move(s.set("system", testing::serving_node()));
  s.set("device", plain_chip()).set("memory", plain_memory()).set("interconnect", plain_links());
  return s;
}

EstimatorSweep mapped() {
  EstimatorSweep s = testing::sixteen_chips();
  s.set("model", testing::transformer_entry(1024, 8, 4, 128, 32)).set("device", plain_chip());
  s.set("memory", plain_memory()).set("interconnect", plain_links()).set("shape", "2x2x4");
  return s;
}

EstimatorSweep measured() {
  testing::ProfiledSweep s;
  s.set("decode_batch", 8).set("decode_context", 512).set("head", "none");
  return s;
}

/// An estimator, and what of its parts a sweep varies.
struct PricedCase {
  const char* why;
  EstimatorSweep (*sweep)();
  std::vector<std::pair<std::string, double>> parts;  ///< a parameter, and a usual value
  bool is_sum;                                        ///< no entry states a price, so that parts add up
};

const std::vector<std::pair<std::string, double>> machine_parts = {{"peak_flops", 1e15},
                                                                   {"dram_bandwidth", 4e12},
                                                                   {"dram_capacity", 80e9},
                                                                   {"device_link_bandwidth", 4e11},
                                                                   {"outer_link_bandwidth", 5e10}};

const PricedCase priced_cases[] = {
    {"training, a system", [] { return trained(true); }, machine_parts, false},
    {"training, a chip", [] { return trained(false); }, machine_parts, true},
    {"serving, a system", [] { return served(true); }, machine_parts, false},
    {"serving, a chip", [] { return served(false); }, machine_parts, true},
    {"dataflow",
     mapped,
     {{"peak_flops", 1e15},
      {"dram_bandwidth", 4e12},
      {"dram_capacity", 80e9},
      {"sram_capacity", 1e9},
      {"link_bandwidth", 4e11},
      {"outer_link_bandwidth", 5e10}},
     true},
    {"taskgraph",
     [] { return EstimatorSweep(testing::reference_point()); },
     {{"peak_flops", 1e15},
      {"dram_bandwidth", 4e12},
      {"cache_capacity", 50e6},
      {"link_bandwidth", 5e11},
      {"outer_link_bandwidth", 5e10}},
     true},
    {"profiled", measured, {{"peak_flops", 1e15}, {"dram_bandwidth", 4e12}, {"dram_capacity", 80e9}}, true},
};

/// Estimators whose clock falls with a limit.
struct LimitedCase {
  const char* why;
  EstimatorSweep (*sweep)();
  const char* time;
};
const LimitedCase limited_cases[] = {
    {"training, a system", [] { return trained(true); }, "step_time"},
    {"training, a chip", [] { return trained(false); }, "step_time"},
    {"serving, a system", [] { return served(true); }, "time_to_first_token"},
    {"serving, a chip", [] { return served(false); }, "time_to_first_token"},
    {"dataflow", mapped, "step_time"},
};

constexpr double rounding = 1e-12;

}  // namespace

BOOST_DATA_TEST_CASE(more_of_any_part_never_costs_less, bdata::make(priced_cases)) {
  for (const auto& [part, usual] : sample.parts) {
    double price = 0.0;
    double power = 0.0;
    for (double share = 1.0 / 8; share <= 64; share *= 2) {
      EstimatorSweep sweep = sample.sweep();
      const NamedEstimate found = sweep.set(part, share * usual).evaluate();
      if (std::isnan(found["system_cost"])) continue;  // too small a memory
      BOOST_TEST_CONTEXT(part << " times " << share) {
        BOOST_TEST(found["system_cost"] > price);
        BOOST_TEST(found["system_power"] >= power);
      }
      price = found["system_cost"];
      power = found["system_power"];
    }
    BOOST_TEST(price > 0.0);
  }
}

// Also of chips far from their entry, and under a limit of power.
BOOST_DATA_TEST_CASE(averages_are_within_the_nameplate, bdata::make(limited_cases)) {
  int compared = 0;
  for (const auto& [part, usual] : machine_parts)
    for (const double share : {1e-2, 1.0, 1e2, 1e5})
      for (const double limit : {1e12, 1000.0, 300.0}) {
        if (part == "device_link_bandwidth" && std::string_view(sample.why) == "dataflow") continue;
        EstimatorSweep sweep = sample.sweep();
        const NamedEstimate found = sweep.set(part, share * usual).set("power_limit", limit).evaluate();
        if (std::isnan(found["system_average_power"])) continue;
        ++compared;
        BOOST_TEST_CONTEXT(part << " times " << share << ", limit " << limit) {
          BOOST_TEST(found["system_average_power"] > 0);
          BOOST_TEST(found["system_average_power"] <= found["system_power"] * (1 + rounding));
          BOOST_TEST(found["device_average_power"] <= limit * (1 + rounding));
        }
      }
  BOOST_TEST(compared > 20);
}

// What a part takes away from the price when it is free adds up to the whole.
BOOST_DATA_TEST_CASE(sums_of_parts_are_the_whole, bdata::make(priced_cases)) {
  const NamedEstimate whole = sample.sweep().evaluate();
  double sum = 0.0;
  EstimatorSweep stated = sample.sweep();
  for (const char* part : {"device_price", "memory_price", "link_price", "host_price"}) {
    EstimatorSweep sweep = sample.sweep();
    sum += whole["system_cost"] - sweep.set(part, 0).evaluate()["system_cost"];
    stated.set(part, 10);
  }
  if (sample.is_sum) BOOST_TEST(sum == whole["system_cost"], tt::tolerance(1e-12));
  const NamedEstimate all = stated.evaluate();
  BOOST_TEST((whole["price_source"] == (sample.is_sum ? 1 : 0) && all["price_source"] == 0));
  BOOST_TEST(std::fmod(all["system_cost"], 40.0) == 0.0);  // 10 USD for each of four parts, of whole devices
}

BOOST_DATA_TEST_CASE(a_lower_limit_of_power_is_never_faster, bdata::make(limited_cases)) {
  const NamedEstimate free = sample.sweep().evaluate();
  EstimatorSweep high = sample.sweep();
  const NamedEstimate unlimited = high.set("power_limit", 1e9).evaluate();
  for (const auto& [name, value] : free.metrics)
    BOOST_TEST((unlimited[name] == value || std::isnan(value)), name << " changes with a limit that is never reached");
  double time = free[sample.time];
  double last_time = time;
  for (double limit = 2000; limit > 100; limit *= 0.995) {
    EstimatorSweep sweep = sample.sweep();
    const NamedEstimate found = sweep.set("power_limit", limit).evaluate();
    if (found.status != "ok") break;
    BOOST_TEST_CONTEXT("limit " << limit) {
      BOOST_TEST(found[sample.time] >= last_time * (1 - rounding));
      if (limit > 400) BOOST_TEST(found[sample.time] <= last_time * 1.05);  // the slope grows without end at idle power
      BOOST_TEST(found["device_average_power"] <= limit * (1 + rounding));
    }
    last_time = found[sample.time];
  }
  BOOST_TEST(last_time > time);
}

BOOST_AUTO_TEST_SUITE_END()
