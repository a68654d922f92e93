/// Blocks of the dataflow estimator: grids, point lists and sweeps too large for tables give the bits of single points.
#include <bit>
#include <boost/test/unit_test.hpp>
#include <random>

#include "models/dataflow/estimator.hpp"
#include "tests/support/dataflow_point.hpp"

BOOST_AUTO_TEST_SUITE(blocks_test)

using namespace dfsweep;
using namespace dfsweep::dataflow;
using namespace dfsweep::testing;

namespace {

const std::unique_ptr<Estimator>& estimator() {
  static const std::unique_ptr<Estimator> it = make_dataflow_estimator();
  return it;
}

DataflowPoint base_point() {
  DataflowPoint point = sixteen_chips();
  point.set("model", transformer_entry(64, 4, 8, 16, 64));
  return point;
}

std::size_t index_of(std::string_view name) {
  const auto infos = estimator()->parameters();
  return static_cast<std::size_t>(
      std::find_if(infos.begin(), infos.end(), [&](const ParameterInfo& info) { return info.name == name; }) -
      infos.begin());
}

ParameterValue number(double value) {
  return {.number = value, .text = {}};
}

ParameterValue text(const char* value) {
  return {.text = value};
}

/// A sweep and its points as code columns.
struct Sweep {
  SweepValues values;
  std::vector<std::vector<std::uint32_t>> codes;

  void axis(std::string_view name, std::vector<ParameterValue> axis_values) {
    values.column_sizes.push_back(axis_values.size());
    values.parameters[index_of(name)] = {std::move(axis_values), values.column_sizes.size() - 1};
  }
  void random_points(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    codes.assign(values.column_sizes.size(), {});
    for (std::size_t c = 0; c < codes.size(); ++c)
      for (std::size_t i = 0; i < count; ++i)
        codes[c].push_back(static_cast<std::uint32_t>(random() % values.column_sizes[c]));
  }
  /// The sweep with all parameters fixed at point `i`.
  SweepValues fixed_at(std::size_t i) const {
    SweepValues fixed;
    for (const SweepValues::Parameter& p : values.parameters)
      fixed.parameters.push_back(
          {{p.values[p.column == SweepValues::fixed ? 0 : codes[p.column][i]]}, SweepValues::fixed});
    return fixed;
  }
};

Estimates evaluate(const SweepValues& values, std::span<const std::vector<std::uint32_t>> codes, std::size_t count) {
  return estimates_of(*estimator()->prepare(values), estimator()->metrics().size(), codes, count);
}

/// Number of points that are ok.
std::size_t check_against_single_points(const Sweep& sweep) {
  const std::size_t count = sweep.codes[0].size();
  const Estimates block = evaluate(sweep.values, sweep.codes, count);
  std::size_t oks = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Estimates single = evaluate(sweep.fixed_at(i), {}, 1);
    BOOST_TEST(block.status[i] == single.status[0]);
    for (std::size_t m = 0; m < block.metrics.size(); ++m)
      BOOST_TEST(std::bit_cast<std::uint64_t>(block.metrics[m][i]) ==
                 std::bit_cast<std::uint64_t>(single.metrics[m][0]));
    oks += block.status[i] == status_ok;
  }
  return oks;
}

std::vector<ParameterValue> numbers(std::initializer_list<double> values) {
  std::vector<ParameterValue> result;
  for (const double value : values) result.push_back(number(value));
  return result;
}

Sweep varied_sweep() {
  static const DataflowPoint point = base_point();
  Sweep sweep{point.values(), {}};
  sweep.axis("tensor_parallel", numbers({1, 2, 4}));
  sweep.axis("pipeline_parallel", numbers({1, 2, 4}));
  sweep.axis("data_parallel", numbers({2, 4, 8}));
  sweep.axis("phase", {text("train"), text("prefill")});
  sweep.axis("convention", {text("physical"), text("dfmodel-g1"), text("dfmodel-g2"), text("dfmodel-g3")});
  sweep.axis("mapping", {text("kernel_by_kernel"), text("single_partition")});
  sweep.axis("overlap", {text("perfect"), text("none"), text("network_exposed")});
  sweep.axis("sequence_length", {number(8), number(32), ParameterValue{}});
  sweep.axis("dram_bandwidth", {number(1e8), ParameterValue{}});
  sweep.axis("sram_capacity", {number(1e4), ParameterValue{}});
  sweep.axis("micro_batch", numbers({1, 2}));
  return sweep;
}

}  // namespace

BOOST_AUTO_TEST_CASE(grid_points_equal_single_points) {
  Sweep sweep = varied_sweep();
  sweep.random_points(300, 3);
  BOOST_TEST(check_against_single_points(sweep) > 20u);
}

BOOST_AUTO_TEST_CASE(mixed_models_of_compute_equal_single_points) {
  Sweep sweep = varied_sweep();
  sweep.axis("compute_utilization", numbers({0, 0.5}));
  sweep.axis("num_tile", numbers({0, 4}));
  sweep.random_points(150, 4);
  BOOST_TEST(check_against_single_points(sweep) > 5u);
}

BOOST_AUTO_TEST_CASE(least_time_depends_on_the_network_of_the_point) {
  Sweep sweep = varied_sweep();
  sweep.axis("sharding", {text("least_bytes"), text("least_time")});
  sweep.axis("link_latency", numbers({0, 1e-3}));
  sweep.random_points(150, 5);
  BOOST_TEST(check_against_single_points(sweep) > 5u);
}

/// A diamond of five kernels, uneven in work and tensors: which stage executes what depends on all rates.
BOOST_AUTO_TEST_CASE(stages_depend_on_the_rates_of_the_point) {
  Entry graph;
  graph.name = "diamond";
  graph.texts["kind"] = "graph";
  graph.numbers["global_batch"] = 16;
  for (int k = 0; k < 5; ++k) {
    Entry part;
    part.texts = {{"name", "k" + std::to_string(k)}, {"type", "matrix"}};
    part.numbers = {{"m", 64}, {"k", 10 + 7 * k * k % 31}, {"n", 16 << (k % 3)}, {"weight_words", 640.0 * k}};
    graph.parts["kernel"].push_back(part);
  }
  const std::pair<int, int> edges[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {0, 4}};
  for (const auto& [from, to] : edges) {
    Entry part;
    part.texts = {{"from", "k" + std::to_string(from)}, {"to", "k" + std::to_string(to)}};
    graph.parts["edge"].push_back(part);
  }
  static const Entry kept = graph;
  Sweep sweep = varied_sweep();
  ParameterValue model;
  model.entry = &kept;
  sweep.values.parameters[index_of("model")] = {{model}, SweepValues::fixed};
  sweep.axis("mapping", {text("kernel_by_kernel"), text("single_partition"), text("best")});
  sweep.axis("data_parallel", numbers({1, 2, 4}));
  sweep.axis("tensor_parallel", numbers({1, 2}));
  sweep.axis("device_count", numbers({4, 8}));
  sweep.axis("link_bandwidth", numbers({1e5, 1e7, 1e9}));
  sweep.axis("compute_utilization", numbers({0, 0.001, 0.5}));
  sweep.random_points(400, 8);
  BOOST_TEST(check_against_single_points(sweep) > 30u);
}

BOOST_AUTO_TEST_CASE(lines_of_a_point_list_equal_single_points) {
  Sweep grid = varied_sweep();
  grid.random_points(200, 6);
  Sweep list{base_point().values(), {std::vector<std::uint32_t>(200)}};
  list.values = grid.values;  // the same parameters, now all on one column with a code per line
  list.values.column_sizes = {200};
  for (std::size_t p = 0; p < list.values.parameters.size(); ++p) {
    const SweepValues::Parameter& from = grid.values.parameters[p];
    if (from.column == SweepValues::fixed) continue;
    SweepValues::Parameter& to = list.values.parameters[p];
    to = {{}, 0};
    for (std::size_t i = 0; i < 200; ++i) to.values.push_back(from.values[grid.codes[from.column][i]]);
  }
  for (std::uint32_t i = 0; i < 200; ++i) list.codes[0][i] = i;
  BOOST_TEST(check_against_single_points(list) > 10u);
}

BOOST_AUTO_TEST_CASE(a_sweep_too_large_for_tables_equals_single_points) {
  Sweep sweep = varied_sweep();
  std::vector<ParameterValue> lengths;
  for (int length = 1; length <= 4000; ++length) lengths.push_back(number(length));
  sweep.axis("sequence_length", lengths);
  std::vector<ParameterValue> domains;
  for (int domain = 1; domain <= 32; ++domain) domains.push_back(number(domain));
  sweep.axis("high_bandwidth_domain", domains);
  sweep.random_points(60, 7);
  BOOST_TEST(check_against_single_points(sweep) > 2u);
}

BOOST_AUTO_TEST_SUITE_END()
