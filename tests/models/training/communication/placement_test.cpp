/// Placement: which ranks of a group share a node, and that no device of a node is counted twice.
#include "models/training/communication/placement.hpp"

#include <algorithm>
#include <cmath>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(placement_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

struct PlaceCase {
  const char* why;
  double ranks;
  double stride;
  Enclosures enclosures;
  double in_node;
  double in_pod;
};

const PlaceCase place_cases[] = {
    {"a group of neighbours fills the node", 8, 1, {8, 0}, 8, 8},
    {"a smaller group lies inside", 4, 1, {8, 0}, 4, 4},
    {"half of a larger group", 16, 1, {8, 0}, 8, 16},
    {"every fourth device: two in a node of eight", 16, 4, {8, 0}, 2, 16},
    {"one in each node", 16, 8, {8, 0}, 1, 16},
    {"no two of 12 neighbours share more than a divisor of 12", 12, 1, {8, 0}, 6, 12},
    {"9 neighbours: three nodes of three", 9, 1, {8, 0}, 3, 9},
    {"31 neighbours on four nodes, of which one has seven", 31, 1, {8, 0}, 7, 31},
    {"17 on three nodes, of which one has five", 17, 1, {8, 0}, 5, 17},
    {"7 replicas of pairs on two nodes, of which one has three", 7, 2, {8, 0}, 3, 7},
    {"a rack of 72 holds 64 neighbours", 64, 1, {72, 0}, 64, 64},
    {"pods of 64 hold an eighth", 64, 8, {8, 64}, 1, 8},
};

}  // namespace

BOOST_DATA_TEST_CASE(ranks_of_a_group_share_nodes_and_pods, bdata::make(place_cases)) {
  const GroupPlace place = dfsweep::place(sample.ranks, sample.stride, sample.enclosures);
  BOOST_TEST(place.in_node == sample.in_node);
  BOOST_TEST(place.in_pod == sample.in_pod);
}

// A job of one more or fewer replica has no wholly other nodes.
BOOST_AUTO_TEST_CASE(nodes_are_at_least_half_as_full_as_they_can_be) {
  for (const double node : {2.0, 8.0, 64.0, 72.0})
    for (double stride = 1; stride <= node; stride *= 2)
      for (double ranks = 1; ranks <= 600; ++ranks) {
        const double most = std::min(ranks, std::floor(node / stride));
        const GroupPlace place = dfsweep::place(ranks, stride, {node, 0});
        BOOST_TEST_REQUIRE(place.in_node <= most);
        BOOST_TEST_REQUIRE(2 * place.in_node >= std::floor(ranks / std::ceil(ranks / most)), ranks << " ranks");
      }
}

BOOST_AUTO_TEST_CASE(devices_of_a_node_are_counted_once) {
  const Enclosures node{8, 0};
  for (const double tensor : {1.0, 2.0, 4.0, 8.0, 16.0})
    for (const double context : {1.0, 2.0, 4.0})
      for (const double data : {1.0, 2.0, 8.0})
        for (const double pipeline : {1.0, 2.0, 4.0}) {
          Parallelism p;
          p.tensor = tensor;
          p.context = context;
          p.data = data;
          p.pipeline = pipeline;
          const Placement placed = place(p, node);
          const GroupPlace replicas = place(data, tensor * context, node);
          const double together =
              placed.tensor.in_node * placed.context.in_node * replicas.in_node * placed.pipeline.in_node;
          BOOST_TEST(together <= 8.0);
          BOOST_TEST(together == std::min(8.0, device_count(p)));  // all degrees are powers of two: nodes are full
        }
}

BOOST_AUTO_TEST_CASE(experts_spread_over_neighbours_of_all_three_kinds) {
  Parallelism p;
  p.tensor = 2;
  p.data = 16;
  p.expert = 8;
  const Placement placed = place(p, {8, 0});
  BOOST_TEST(placed.expert.in_node == 8);     // neighbours, whatever their tensor rank
  BOOST_TEST(placed.expert_data.ranks == 4);  // 2 * 16 / 8 replicas of every expert
  BOOST_TEST(placed.expert_data.in_node == 1);
  BOOST_TEST(placed.data_context.in_node == 4);  // every second device of the node
}

// Two ranks share an expert, side by side; the four ranks of an expert group are every second one.
BOOST_AUTO_TEST_CASE(ranks_that_share_an_expert_are_neighbours) {
  Parallelism p;
  p.tensor = 2;
  p.data = 16;
  p.expert = 4;
  p.expert_tensor = 2;
  const Placement placed = place(p, {8, 0});
  BOOST_TEST(placed.expert_tensor.ranks == 2);
  BOOST_TEST(placed.expert_tensor.in_node == 2);
  BOOST_TEST(placed.expert.in_node == 4);
  BOOST_TEST(placed.expert_data.ranks == 4);  // 2 * 16 / (4 * 2)
  BOOST_TEST(place(p, {4, 0}).expert.in_node == 2);
}

BOOST_AUTO_TEST_SUITE_END()
