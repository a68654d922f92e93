/// Partition: traffic, memory and communication of sets of kernels of a small layer, by hand.
#include "models/dataflow/cost/partition.hpp"

#include <boost/test/unit_test.hpp>

#include "models/dataflow/cost/mapped_workload.hpp"
#include "models/dataflow/cost/step.hpp"

BOOST_AUTO_TEST_SUITE(partition_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::dataflow;

namespace {

/// x (8 x 4) -> up: weight (16 x 8) -> act (16 x 4) -> down: weight (8 x 16) -> y, and x -> y; tiled along n = 4.
/// Two chips, two-byte words: up by m, act by m, down by k with an all-reduce of 8 x 4, x and y whole.
Workload block() {
  Workload w;
  const auto elementwise = [&w](const char* name, double m) {
    w.graph.kernels.push_back({.name = name, .m = m, .n = 4, .tiling = Tiling::n});
  };
  const auto product = [&w](const char* name, double m, double k) {
    w.graph.kernels.push_back(
        {.name = name, .type = KernelType::matrix, .m = m, .k = k, .n = 4, .weight_words = m * k, .tiling = Tiling::n});
  };
  elementwise("x", 8);
  product("up", 16, 8);
  elementwise("act", 16);
  product("down", 8, 16);
  elementwise("y", 8);
  w.graph.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}};
  w.tile_length = 4;
  w.flop = flop_of(w.graph);
  w.phase = Phase::prefill;
  return w;
}

using enum ShardDimension;
const std::vector<ShardDimension> sharding{none, m, m, k, none};
constexpr Split two_chips{.tensor = 2};
constexpr double x_bytes = 8 * 4 * 2;
constexpr double act_bytes = 8 * 4 * 2;  // of 16 rows, half on each chip

PartitionTerms terms_of(std::vector<std::size_t> kernels, SramAccounting sram, double num_tile = 1) {
  const Workload w = block();
  return PartitionModel(w, sharding, two_chips, {sram, WeightTraffic::unless_resident})
      .terms(kernels, num_tile, nullptr);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_sharding_is_the_best_one) {
  const Workload w = block();
  BOOST_TEST((best_sharding(w.graph, 2, 2, {}, SinkSharding::replicated) == sharding));
}

BOOST_AUTO_TEST_CASE(a_partition_of_one_kernel_moves_all_its_edges) {
  const PartitionTerms x = terms_of({0}, SramAccounting::paper);
  BOOST_TEST(x.flop.value() == 32.0);
  BOOST_TEST(x.activations.value() == 2 * x_bytes);  // stored once per consumer
  const PartitionTerms up = terms_of({1}, SramAccounting::paper);
  BOOST_TEST(up.flop.value() == 2 * 8 * 8 * 4.0);  // half of the rows
  BOOST_TEST(up.activations.value() == x_bytes + act_bytes);
  BOOST_TEST(up.weights.value() == 16 * 8 * 2 / 2.0);
  BOOST_TEST(up.network.traffic[Collective::all_reduce].count == 0.0);
  const PartitionTerms down = terms_of({3}, SramAccounting::paper);
  BOOST_TEST(down.network.traffic[Collective::all_reduce].count == 1.0);
  BOOST_TEST(down.network.traffic[Collective::all_reduce].bytes.value() == 8 * 4 * 2.0);
}

BOOST_AUTO_TEST_CASE(edges_inside_a_partition_never_leave_the_chip) {
  const PartitionTerms all = terms_of({0, 1, 2, 3, 4}, SramAccounting::paper);
  BOOST_TEST(all.activations.value() == 0.0);
  BOOST_TEST(all.flop.value() == 32 + 512 + 32 + 512 + 32.0);
  const PartitionTerms middle = terms_of({1, 2}, SramAccounting::paper);
  BOOST_TEST(middle.activations.value() == x_bytes + act_bytes);
}

BOOST_AUTO_TEST_CASE(sram_by_the_three_accountings) {
  // Inside {up, act}: one edge of 64 B, depth 2; at the border x -> up and act -> down of 64 B each; weights 128 B.
  BOOST_TEST(terms_of({1, 2}, SramAccounting::paper).sram.value() == 64.0);
  BOOST_TEST(terms_of({1, 2}, SramAccounting::code).sram.value() == 64 * 2 + 2 * (64 + 64) + 128.0);
  BOOST_TEST(terms_of({1, 2}, SramAccounting::split).sram.value() == 64 * 2 + 2 * (64 + 64) + 128.0);
  BOOST_TEST(terms_of({1, 2}, SramAccounting::code, 4).sram.value() == 64 * 2 / 4 + 2 * (64 + 64) / 4 + 128.0);
  // Alone, up may split its weights and output buffers in 8 pieces, one per row.
  BOOST_TEST(terms_of({1}, SramAccounting::paper).sram.value() == 0.0);
  BOOST_TEST(terms_of({1}, SramAccounting::code).sram.value() == 2 * 128 + 128.0);
  BOOST_TEST(terms_of({1}, SramAccounting::split).sram.value() == 128 + (128 + 128) / 8.0);
}

BOOST_AUTO_TEST_CASE(depth_counts_levels) {
  // x -> y spans levels 0 to 4, so five buffers of it are kept while the rest of the block runs.
  const PartitionTerms all = terms_of({0, 1, 2, 3, 4}, SramAccounting::code);
  BOOST_TEST(all.buffers.value() == 64 * (2 + 2 + 2 + 2 + 5.0));
}

BOOST_AUTO_TEST_CASE(layout_changes_are_charged_to_the_source) {
  const Workload w = block();
  const std::vector<ShardDimension> gathers{none, m, m, m, none};  // down by m wants all of act; y all of down
  const PartitionModel model(w, gathers, two_chips, {});
  const std::size_t act[] = {2};
  BOOST_TEST(model.terms(act, 1, nullptr).network.traffic[Collective::all_gather].count == 1.0);
  BOOST_TEST(model.terms(act, 1, nullptr).network.traffic[Collective::all_gather].bytes.value() == 64.0);
  const std::size_t y[] = {4};
  BOOST_TEST(model.terms(y, 1, nullptr).network.traffic[Collective::all_gather].count == 0.0);
}

BOOST_AUTO_TEST_CASE(a_mapped_workload_sums_its_partitions) {
  const Workload w = block();
  const PartitionModel model(w, sharding, two_chips, {});
  const Convention& g1 = convention_named("dfmodel-g1");
  MappingRequest request;
  request.assignment = {0, 0, 1, 1, 2};
  request.convention = &g1;
  const MappedWorkload mapped = mapped_workload(model, request);
  BOOST_TEST(mapped.problem == "");
  BOOST_TEST(mapped.partitions == 3.0);
  BOOST_TEST(mapped.traffic[Collective::all_reduce].count == 1.0);
  BOOST_TEST(mapped.state.value() == 128 + 128.0);
  // Alive in partition 1: act -> down until there, down -> y from there, x -> y throughout.
  BOOST_TEST(mapped.live.value() == 3 * 64.0);
  BOOST_REQUIRE(mapped.utilization_schedules.size() == 1u);
  BOOST_TEST(mapped.utilization_schedules[0].num_tile == 4.0);  // the most frugal
  request.num_tile = 3;
  BOOST_TEST(mapped_workload(model, request).problem != "");
  Device device;
  device.cores = 4;
  device.systolic_width = 1;
  device.systolic_height = 1;
  request.num_tile = 0;
  request.device = &device;
  BOOST_TEST(mapped_workload(model, request).cycle_schedules.size() == 3u);  // 1, 2 and 4 tiles
  request.assignment = {0, 0, 0, 0, 0};
  BOOST_TEST(mapped_workload(model, request).cycle_schedules.empty());  // five kernels on four cores
}

BOOST_AUTO_TEST_CASE(equal_partitions_are_counted_once) {
  Workload w = block();
  w.graph.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};  // now x and y touch one edge each
  const PartitionModel model(w, sharding, two_chips, {});
  MappingRequest request;
  request.assignment = {0, 1, 2, 3, 4};
  request.convention = &convention_named("dfmodel-g1");
  const MappedWorkload mapped = mapped_workload(model, request);
  BOOST_TEST(mapped.partitions == 5.0);
  BOOST_TEST(mapped.utilization_schedules[0].classes.size() == 4u);
  BOOST_TEST(mapped.networks.size() == 2u);
}

BOOST_AUTO_TEST_CASE(the_time_of_a_partition_is_what_a_search_adds_up) {
  PartitionTerms terms;
  terms.flop = Flop{100};
  terms.cycles = 50;
  terms.activations = Bytes{30};
  terms.weights = Bytes{40};
  terms.network.traffic[Collective::all_reduce].count = 1;
  StepInputs in;
  in.peak_flops = Throughput{20};
  in.compute_utilization = 0.5;
  in.frequency = Frequency{25};
  in.dram_bandwidth = Bandwidth{10};
  in.overlap = Overlap::network_exposed;
  NetworkRates rates{};
  rates[Collective::all_reduce].each = Seconds{8};
  const PassShares halves{.each = 0.5, .gradient = 0};
  const PartitionTimes streamed = partition_times(terms, rates, halves, in, Weights::streamed);
  BOOST_TEST(streamed.compute.value() == 10.0);
  BOOST_TEST(streamed.memory.value() == 5.0);  // half of the weights fall on this pass
  BOOST_TEST(streamed.network.value() == 4.0);
  BOOST_TEST(streamed.total.value() == 14.0);
  in.compute_utilization = 0;
  const PartitionTimes resident = partition_times(terms, rates, halves, in, Weights::resident);
  BOOST_TEST(resident.compute.value() == 2.0);
  BOOST_TEST(resident.memory.value() == 3.0);
  BOOST_TEST(resident.total.value() == 7.0);
}

BOOST_AUTO_TEST_SUITE_END()
