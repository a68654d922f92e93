/// Exchanges: collectives over nodes and pods, and what layers and weights exchange, against values computed by hand.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/training/communication/data_exchange.hpp"
#include "models/training/communication/layer_exchange.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(exchange_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

constexpr auto exact = 1e-12;

/// 400 GB/s and 1 us in nodes of 8, 50 GB/s and 5 us across, 10 GB/s and 20 us between pods of 64.
Network network() {
  Network n = testing::training_point().network;
  n.enclosures.pod = 64;
  n.between_pods = {Bandwidth{10e9}, Seconds{20e-6}};
  return n;
}

struct PassCase {
  const char* why;
  GroupPlace group;
  double seconds;  ///< of one pass over 8 GB
};

const PassCase pass_cases[] = {
    {"alone", {1, 1, 1}, 0},
    {"in a node: 7/8 over 400 GB/s, 7 steps", {8, 8, 8}, 0.0175 + 7e-6},
    {"two nodes: 8 rings share 8 x 50 GB/s, as fast as inside", {16, 8, 16}, 15.0 / 16 * 0.02 + 7e-6 + 5e-6},
    {"two of a node: 2 x 50 GB/s", {16, 2, 16}, 15.0 / 16 * 0.08 + 1e-6 + 7 * 5e-6},
    {"one of a node: 50 GB/s", {4, 1, 4}, 0.12 + 3 * 5e-6},
    {"one of a node, two pods: the 50 GB/s of a node are less than 8 x 10", {16, 1, 8}, 0.15 + 7 * 5e-6 + 20e-6},
    {"two pods of a node each: 8 x 10 GB/s between them", {16, 8, 8}, 15.0 / 16 * 0.1 + 7e-6 + 20e-6},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_pass_takes_the_slowest_tier_and_its_steps, bdata::make(pass_cases)) {
  const LinkEfficiency links = testing::ideal_software().links;
  BOOST_TEST(one_pass_time(Bytes{8e9}, sample.group, network(), links).value() == sample.seconds, tt::tolerance(exact));
  BOOST_TEST(all_reduce_time(Bytes{8e9}, sample.group, network(), links).value() == 2 * sample.seconds,
             tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(direct_links_are_shared_out) {
  Network n = network();
  n.node_links = NodeLinks::direct;
  BOOST_TEST(inside_bandwidth({8, 8, 8}, n).value() == 400e9);      // all seven links
  BOOST_TEST(inside_bandwidth({2, 2, 2}, n).value() == 400e9 / 7);  // the one link of a pair
}

BOOST_AUTO_TEST_CASE(tokens_visit_distinct_nodes_once) {
  const LinkEfficiency links = testing::ideal_software().links;
  const Network n = network();
  BOOST_TEST(dispatch_time(Bytes{1e6}, 2, {1, 1, 1}, n, links).value() == 0);
  // inside: 2 copies, 7/8 of them to others
  BOOST_TEST(dispatch_time(Bytes{1e6}, 2, {8, 8, 8}, n, links).value() == 1.75e6 / 400e9 + 1e-6, tt::tolerance(exact));
  // two nodes, two visits: 2 (1 - 1/4) = 1.5 nodes, half of them the own one
  BOOST_TEST(
      dispatch_time(Bytes{1e6}, 2, {16, 8, 16}, n, links).value() == 1.75e6 / 400e9 + 1e-6 + 0.75e6 / 50e9 + 5e-6,
      tt::tolerance(exact));
}

// Rows of two experts a token, 2 * 4096/2 * 4096 bytes each, gathered and scattered by two ranks: half of twice the
// rows.
BOOST_AUTO_TEST_CASE(ranks_that_share_an_expert_gather_and_scatter_its_rows) {
  TrainingPoint point = testing::training_point();
  point.architecture = testing::small_expert_decoder();
  const LinkEfficiency links = testing::ideal_software().links;
  const auto time = [&] {
    const Placement placed = place(point.execution.parallel, point.network.enclosures);
    return expert_exchange(point.architecture, point.execution, placed, point.network, links).value();
  };
  BOOST_TEST(time() == 0);
  point.execution.parallel.expert_tensor = 2;
  const double rows = 2.0 * 4096 / 2 * point.architecture.hidden * 2;
  BOOST_TEST(time() == 2 * (0.5 * 2 * rows / 400e9 + 1e-6), tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(a_tensor_group_reduces_twice) {
  const TrainingPoint point = testing::training_point();
  const LinkEfficiency links = testing::ideal_software().links;
  // 2 all-reduces of 2 passes over half of 2 * 4096 * 4096 bytes, one step each
  const double expected = 4 * (0.5 * 2 * 4096 * 4096 / 400e9 + 1e-6);
  const Seconds time = tensor_exchange(point.architecture, point.execution, {2, 2, 2}, point.network, links);
  BOOST_TEST(time.value() == expected, tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(a_context_group_passes_keys_and_values) {
  TrainingPoint point = testing::training_point();
  Execution& e = point.execution;
  e.parallel.context = 4;
  const LinkEfficiency links = testing::ideal_software().links;
  const GroupPlace group{4, 4, 4};
  const auto time = [&] { return context_exchange(point.architecture, e, group, point.network, links).value(); };
  // ring: 3 steps of 2 bytes * 1024 tokens * 8 heads * 256 / TP 2
  BOOST_TEST(time() == 3 * 2.0 * 1024 * 8 * 128 / 400e9 + 3e-6, tt::tolerance(exact));
  e.context_exchange = ContextExchange::all_to_all;
  // 3/4 of queries, results (32 heads) and keys, values (8 heads)
  BOOST_TEST(time() == 0.75 * 2.0 * 1024 * 40 * 128 / 400e9 + 3e-6, tt::tolerance(exact));
}

namespace {

struct ShardingCase {
  const char* why;
  Sharding sharding;
  double group;
  double per_step;  ///< seconds, for 1e9 parameters, 4-byte gradients and 2-byte weights, 16 ranks, one in a node
  double per_micro_batch;
  double per_backward = 0;
};

// A pass over S bytes of p ranks takes S (p-1)/p / 50 GB/s; a gradient is 4 GB, a weight 2 GB.
const ShardingCase sharding_cases[] = {
    {"nothing sharded: all-reduce of gradients", Sharding::none, 0, 2 * 0.075, 0},
    {"optimizer: scatter gradients, gather weights", Sharding::optimizer, 0, 0.075 + 0.0375, 0},
    {"gradients: every other micro-batch scatters too", Sharding::gradients, 0, 0.075 + 0.0375, 0, 0.075},
    {"parameters: gathered twice, gradients scattered", Sharding::parameters, 0, 0, 2 * 0.0375 + 0.075},
    {"groups of 4: shards of 1 GB are reduced between 4 copies", Sharding::optimizer, 4, 0.06 + 0.03 + 2 * 0.015, 0},
    {"copies are reduced once", Sharding::gradients, 4, 0.06 + 0.03 + 2 * 0.015, 0, 0.06},
    {"the same with sharded parameters", Sharding::parameters, 4, 2 * 0.015, 2 * 0.03 + 0.06},
};

}  // namespace

BOOST_DATA_TEST_CASE(weights_are_exchanged_as_they_are_sharded, bdata::make(sharding_cases)) {
  LinkEfficiency links = testing::ideal_software().links;
  links.bucket = Bytes{1e12};
  Network n = testing::training_point().network;
  n.across.latency = Seconds{};
  const ReplicaGroups groups = replica_groups(16, 8, sample.group, n.enclosures);
  const DataExchange time = data_exchange(1e9, sample.sharding, groups, {4, 2}, n, links);
  BOOST_TEST(time.per_step.value() == sample.per_step, tt::tolerance(exact));
  BOOST_TEST(time.per_micro_batch.value() == sample.per_micro_batch, tt::tolerance(exact));
  BOOST_TEST(time.per_backward.value() == sample.per_backward, tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(every_bucket_pays_the_latency) {
  LinkEfficiency links = testing::ideal_software().links;
  links.bucket = Bytes{1e9};
  Network n = testing::training_point().network;
  const ReplicaGroups groups = replica_groups(16, 8, 0, n.enclosures);
  const DataExchange time = data_exchange(1e9, Sharding::none, groups, {4, 2}, n, links);
  BOOST_TEST(time.per_step.value() == 2 * (0.075 + 4 * 15 * 5e-6), tt::tolerance(exact));
}

BOOST_AUTO_TEST_SUITE_END()
