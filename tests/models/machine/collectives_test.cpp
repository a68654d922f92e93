/// Collectives: closed forms against hand-computed values and against counting messages link by link.
#include "models/machine/collectives.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/dataflow_point.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(collectives_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;

namespace {

constexpr DimensionKind ring = DimensionKind::ring;
constexpr DimensionKind full = DimensionKind::fully_connected;
constexpr DimensionKind star = DimensionKind::switched;

struct CostCase {
  const char* why;
  CollectiveCost cost;
  DimensionKind kind;
  double chips;
  double expected;
};

const CostCase cost_cases[] = {
    {"one chip sends nothing", one_pass, ring, 1, 0},
    {"a ring pass moves all but one eighth", one_pass, ring, 8, 0.875},
    {"a switch likewise", one_pass, star, 8, 0.875},
    {"each of seven links carries an eighth", one_pass, full, 8, 0.125},
    {"seven foreign shards come in", gather_shards, ring, 8, 7},
    {"one shard per link", gather_shards, full, 8, 1},
    {"nothing to gather alone", gather_shards, star, 1, 0},
    {"as printed on a ring", published_all_to_all, ring, 8, 8},
    {"as printed through a switch", published_all_to_all, star, 8, 2},
    {"as printed fully connected", published_all_to_all, full, 8, 1},
    {"an even ring: 16 of 64 blocks cross each of 2 links", scheduled_all_to_all, ring, 8, 1.0},
    {"an odd ring: 6 of 25 blocks cross the nearest-to-half cut", scheduled_all_to_all, ring, 5, 0.6},
    {"a port sends all but its own block", scheduled_all_to_all, star, 8, 0.875},
    {"one block per link", scheduled_all_to_all, full, 8, 0.125},
};

/// Bytes on the busiest link when every chip of a ring sends 1/p to each other by the shorter way; halves of an even
/// ring's longest way go round both sides.
double busiest_ring_link(int p) {
  std::vector<double> clockwise(static_cast<std::size_t>(p), 0.0);
  for (int source = 0; source < p; ++source)
    for (int hops = 1; 2 * hops <= p; ++hops) {
      const double share = 2 * hops == p ? 0.5 : 1.0;
      for (int h = 0; h < hops; ++h) clockwise[static_cast<std::size_t>((source + h) % p)] += share / p;
    }
  return *std::max_element(clockwise.begin(), clockwise.end());
}

struct ExchangeCase {
  const char* why;
  ExchangeRule rule;
  const char* topology;
  const char* shape;
  double first;
  double outer;
};

const ExchangeCase exchange_cases[] = {
    {"2D torus: 32 links", last_dimension_exchange, "rr", "32x32", 0, 1.0 / (4 * 32)},
    {"3D torus: 64 links", last_dimension_exchange, "rrr", "8x8x16", 0, 1.0 / (4 * 64)},
    {"dragonfly: 256 links", last_dimension_exchange, "ff", "32x32", 0, 1.0 / (4 * 256)},
    {"DGX-1: 128 ports", last_dimension_exchange, "rs", "8x128", 0, 1.0 / (4 * 128)},
    {"DGX-2: 128 ports", last_dimension_exchange, "ss", "8x128", 0, 1.0 / (4 * 128)},
    {"one chip", last_dimension_exchange, "rr", "1x1", 0, 0},
    {"pairs: torus nearly as above", pairwise_exchange_quarter, "rr", "32x32", 1023.0 / 1024 / 128,
     1023.0 / 1024 / 128},
    {"pairs: DGX twice as above", pairwise_exchange_quarter, "ss", "8x128", 8.0 * 7 / (2.0 * 1024 * 1024 * 8),
     1023.0 / 1024 / 256},
    {"pairs: 496 links of 32 groups", pairwise_exchange_pairs, "ff", "32x32", 32.0 * 31 / (2.0 * 1024 * 1024 * 496),
     1024.0 * 1023 / (2.0 * 1024 * 1024 * 496)},
    {"bisection of a torus: 64 links a way, either cut", bisection_exchange, "rr", "32x32", 1.0 / 256, 1.0 / 256},
    {"bisection of a dragonfly: 256 links between halves", bisection_exchange, "ff", "32x32", 0.25 / 32 / (256 * 32),
     0.25 / 256},
    {"bisection of a switch of 128: 64 ports", bisection_exchange, "ss", "8x128", 0.25 / 128 / (4 * 128), 0.25 / 64},
    {"bisection of a single ring of 4: 2 links", bisection_exchange, "r", "4", 0.25 / 2, 0},
};

}  // namespace

BOOST_DATA_TEST_CASE(costs, bdata::make(cost_cases), c) {
  BOOST_TEST(c.cost(c.kind, c.chips) == c.expected, tt::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(all_to_all_of_a_ring_loads_the_busiest_link) {
  for (const int p : {2, 3, 4, 5, 6, 7, 8, 16, 31})
    BOOST_TEST(scheduled_all_to_all(ring, p) == busiest_ring_link(p), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(latencies) {
  BOOST_TEST(ring_all_reduce_steps(full, 8) == 14.0);
  BOOST_TEST(gather_steps(ring, 8) == 7.0);
  BOOST_TEST(gather_steps(star, 8) == 3.0);
  BOOST_TEST(gather_steps(star, 9) == 4.0);
  BOOST_TEST(gather_steps(full, 8) == 1.0);
  BOOST_TEST(all_reduce_steps(star, 8) == 6.0);
  BOOST_TEST(all_to_all_steps(ring, 9) == 4.0);
  BOOST_TEST(all_to_all_steps(star, 9) == 8.0);
  for (const CollectiveSteps steps :
       {ring_all_reduce_steps, gather_steps, all_reduce_steps, all_to_all_steps, no_steps})
    for (const DimensionKind kind : {ring, full, star}) BOOST_TEST(steps(kind, 1) == 0.0);
}

BOOST_DATA_TEST_CASE(exchanges, bdata::make(exchange_cases), c) {
  const Topology topology = decode_topology(dfsweep::testing::topology_entry(c.topology)).value;
  const ExchangeCost cost = c.rule(topology, *parse_shape(c.shape), 1);
  BOOST_TEST(cost.first == c.first, tt::tolerance(1e-12));
  BOOST_TEST(cost.outer == c.outer, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
