/// Tier lines: rates along rings, cliques and switches by hand, and against every link of a torus counted one by one.
#include "models/machine/tier_lines.hpp"

#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "models/machine/network.hpp"
#include "models/machine/tier_collectives.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(tier_lines_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

using enum DimensionKind;

constexpr auto exact = 1e-12;

/// All dimensions in one node.
Dimensions node_of(std::vector<DimensionKind> kinds, std::vector<double> sizes) {
  Dimensions d;
  d.topology.count = d.shape.count = d.inside = d.in_pod = kinds.size();
  std::copy(kinds.begin(), kinds.end(), d.topology.kinds.begin());
  std::copy(sizes.begin(), sizes.end(), d.shape.sizes.begin());
  return d;
}

TierLines lines_of(const Dimensions& d, double ranks, double stride) {
  return tier_lines(place(ranks, stride, {.node = chips_of(d.shape), .pod = 0}), d, Tier::inside);
}

struct RateCase {
  const char* why;
  Dimensions dimensions;
  double ranks;
  double stride;
  double pass;  ///< of 60 GB/s
  double all_to_all;
  double next;
  double hops;  ///< of a pass
};

const Dimensions ring_of_8 = node_of({ring}, {8});
const Dimensions clique_of_8 = node_of({fully_connected}, {8});
const Dimensions torus = node_of({ring, ring}, {4, 4});

const RateCase rate_cases[] = {
    {"a whole ring, both ways; 2 bytes on it for each sent", ring_of_8, 8, 1, 60, 0.875 / 2 * 60, 30, 7},
    {"half of a ring: its ends have one neighbour", ring_of_8, 4, 1, 30, 0.75 / 2 * 60, 30, 3},
    {"every second of a ring, which two groups share", ring_of_8, 4, 2, 30, 0.75 / 2 * 60, 15, 6},
    {"a pair two apart, part of a shared ring", ring_of_8, 2, 2, 15, 15, 15, 2},
    {"a switch gives all it has to a pair", node_of({switched}, {8}), 2, 1, 60, 60, 60, 1},
    {"a whole clique: seven links", clique_of_8, 8, 1, 60, 60, 60.0 / 7, 1},
    {"a pair in a clique: one of seven links", clique_of_8, 2, 1, 60.0 / 7, 60.0 / 7, 60.0 / 7, 1},
    {"a row of a torus has half of the links", torus, 4, 1, 30, 0.75 * 30, 15, 3},
    {"a column too", torus, 4, 4, 30, 0.75 * 30, 15, 3},
    {"a whole torus uses all links: 1 byte a row, 1 a column", torus, 16, 1, 60, 15.0 / 16 * 30, 15, 6},
    {"two rows: 30 along and half of 30 across", torus, 8, 1, 45, 7.0 / 8 * 30, 15, 4},
    {"rows of two ranks four apart: 7.5 must bring one of three shards", node_of({ring, ring}, {8, 2}), 4, 4, 22.5,
     0.75 / 2 * 30, 3.75, 5},
    {"three dimensions", node_of({ring, ring, ring}, {4, 4, 4}), 64, 1, 60, 63.0 / 64 * 20, 10, 9},
    {"a dimension of size one has no links", node_of({ring, ring}, {8, 1}), 8, 1, 60, 0.875 / 2 * 60, 30, 7},
};

}  // namespace

BOOST_DATA_TEST_CASE(rates_follow_the_links, bdata::make(rate_cases)) {
  const TierLines lines = lines_of(sample.dimensions, sample.ranks, sample.stride);
  const Bandwidth device{60e9};
  BOOST_TEST(pass_bandwidth(lines, device).value() == sample.pass * 1e9, tt::tolerance(exact));
  BOOST_TEST(all_to_all_bandwidth(lines, device).value() == sample.all_to_all * 1e9, tt::tolerance(exact));
  BOOST_TEST(next_bandwidth(lines, device).value() == sample.next * 1e9, tt::tolerance(exact));
  BOOST_TEST(pass_hops(lines) == sample.hops);
}

namespace {

/// A torus whose directed links count what crosses them, for groups of `ranks` devices that are `stride` apart.
class CountedTorus {
 public:
  CountedTorus(const Shape& shape, int ranks, int stride) : shape_(shape) {
    for (std::size_t d = 0; d < shape_.count; ++d) {
      std::set<int> places;
      for (int rank = 0; rank < ranks; ++rank) places.insert(place_of(rank * stride, d));
      const int apart = places.size() > 1 ? *std::next(places.begin()) : 0;
      goes_round_.push_back(static_cast<int>(places.size()) * apart == size_of(d));
    }
  }

  /// `bytes` from one device to another, dimension by dimension, the shorter way; both ways where they are as long.
  void send(int from, int to, double bytes) {
    for (std::size_t d = 0; d < shape_.count; ++d) {
      const int ahead = (place_of(to, d) - place_of(from, d) + size_of(d)) % size_of(d);
      if (ahead == 0) continue;
      const int back = size_of(d) - ahead;
      const bool both = goes_round_[d] && ahead == back;
      const bool forward = goes_round_[d] ? ahead < back : place_of(to, d) > place_of(from, d);
      if (forward || both) walk(from, d, 1, ahead, both ? bytes / 2 : bytes);
      if (!forward) walk(from, d, -1, back, both ? bytes / 2 : bytes);
      from += (place_of(to, d) - place_of(from, d)) * joined_by(d);
    }
  }
  [[nodiscard]] double most() const {
    double most = 0;
    for (const auto& [link, bytes] : crossed_) most = std::max(most, bytes);
    return most;
  }

 private:
  [[nodiscard]] int size_of(std::size_t d) const { return static_cast<int>(shape_.sizes[d]); }
  [[nodiscard]] int joined_by(std::size_t d) const { return static_cast<int>(chips_inside(shape_, d)); }
  [[nodiscard]] int place_of(int device, std::size_t d) const { return device / joined_by(d) % size_of(d); }
  void walk(int from, std::size_t d, int direction, int hops, double bytes) {
    for (int hop = 0; hop < hops; ++hop) {
      crossed_[{from, d, direction}] += bytes;
      const int at = place_of(from, d);
      from += ((at + direction + size_of(d)) % size_of(d) - at) * joined_by(d);
    }
  }
  Shape shape_;
  std::vector<bool> goes_round_;
  std::map<std::tuple<int, std::size_t, int>, double> crossed_;
};

struct TorusCase {
  const char* why;
  std::vector<double> sizes;
  double ranks;
  double stride;
};

const TorusCase torus_cases[] = {
    {"an even ring", {8}, 8, 1},
    {"an odd ring", {7}, 7, 1},
    {"part of a ring", {8}, 4, 1},
    {"a shared ring", {12}, 4, 3},
    {"a shared part", {12}, 2, 3},
    {"a torus", {4, 3}, 12, 1},
    {"a flat torus", {2, 6}, 12, 1},
    {"rows", {4, 3}, 4, 1},
    {"columns", {3, 5}, 5, 3},
    {"two rows of four", {3, 4}, 6, 1},
    {"three dimensions", {2, 3, 4}, 24, 1},
    {"planes", {2, 3, 4}, 12, 2},
};

}  // namespace

// Conservation: what all groups send at once crosses the busiest link in the time that the rate gives.
BOOST_DATA_TEST_CASE(an_all_to_all_is_what_crosses_the_busiest_link, bdata::make(torus_cases)) {
  const Dimensions d = node_of(std::vector(sample.sizes.size(), ring), sample.sizes);
  const TierLines lines = lines_of(d, sample.ranks, sample.stride);
  const int devices = static_cast<int>(chips_of(d.shape));
  const int stride = static_cast<int>(sample.stride);
  CountedTorus counted(d.shape, static_cast<int>(sample.ranks), stride);
  const int span = stride * static_cast<int>(sample.ranks);
  for (int from = 0; from < devices; ++from)
    for (int to = 0; to < devices; ++to)
      if (from / span == to / span && from % stride == to % stride) counted.send(from, to, 1.0 / sample.ranks);
  const double link = 1.0 / static_cast<double>(sample.sizes.size()) / 2;  // of a device that sends one byte a second
  const double sent = (sample.ranks - 1) / sample.ranks;
  BOOST_TEST(sent / all_to_all_bandwidth(lines, Bandwidth{1}).value() == counted.most() / link, tt::tolerance(exact));
}

// Shares of a tensor go along the two lines in one order or the other: the best mix of both.
BOOST_AUTO_TEST_CASE(a_pass_over_two_lines_is_the_best_mix_of_their_orders) {
  for (const double ranks_0 : {2.0, 3.0, 8.0})
    for (const double ranks_1 : {2.0, 5.0, 16.0})
      for (const double stride : {1.0, 3.0, 40.0}) {
        TierLines lines;
        lines.lines = {RankLine{ring, ranks_0 * stride, ranks_0, stride}, RankLine{ring, ranks_1, ranks_1, 1}, {}};
        lines.count = 2;
        lines.sharing = 2;
        const double rate_0 = 1 / stride;
        double best = 1e30;
        for (int step = 0; step <= 20000; ++step) {
          const double first = step / 20000.0;  // share that goes along line 0 before line 1
          const double along_0 = (ranks_0 - 1) * (first + (1 - first) * ranks_1);
          const double along_1 = (ranks_1 - 1) * ((1 - first) + first * ranks_0);
          best = std::min(best, std::max(along_0 / rate_0, along_1));
        }
        BOOST_TEST((ranks_0 * ranks_1 - 1) / pass_bandwidth(lines, Bandwidth{2}).value() == best, tt::tolerance(1e-3));
      }
}

namespace {

/// 400 GB/s in nodes of 8, 50 GB/s across, 10 GB/s between pods of 64.
Network tiers() {
  Network n = testing::training_point().network;
  n.enclosures.pod = 64;
  n.between_pods = {Bandwidth{10e9}, Seconds{20e-6}};
  return n;
}

Network joined_by(std::array<DimensionKind, 3> kinds) {
  return arranged(tiers(), {kinds, 3}, {}, 512).value();
}

std::vector<GroupPlace> groups() {
  std::vector<GroupPlace> all;
  for (double stride = 1; stride <= 512; stride *= 2)
    for (double ranks = 1; ranks * stride <= 512; ranks *= 2) all.push_back(place(ranks, stride, tiers().enclosures));
  return all;
}

std::array<double, 5> times(const GroupPlace& group, const Network& n) {
  const LinkEfficiency links;
  const LinkTier next = next_link(group, n);
  return {one_pass_time(Bytes{1e9}, group, n, links).value(), all_to_all_time(Bytes{1e9}, group, n, links).value(),
          dispatch_time(Bytes{1e9}, 2, group, n, links).value(), 1 / next.bandwidth.value(), next.latency.value()};
}

}  // namespace

BOOST_AUTO_TEST_CASE(switches_everywhere_are_no_topology) {
  const Network switches = joined_by({switched, switched, switched});
  for (const GroupPlace& group : groups())
    BOOST_TEST(times(group, switches) == times(group, tiers()), tt::per_element());  // to the last bit
}

BOOST_AUTO_TEST_CASE(a_clique_in_a_node_is_direct_links) {
  Network direct = tiers();
  direct.node_links = NodeLinks::direct;
  const Network clique = joined_by({fully_connected, switched, switched});
  for (const GroupPlace& group : groups())
    BOOST_TEST(inside_bandwidth(group, clique).value() == inside_bandwidth(group, direct).value(),
               tt::tolerance(exact));
}

BOOST_AUTO_TEST_CASE(more_links_are_never_slower) {
  const std::array<DimensionKind, 3> kinds[] = {
      {ring, ring, ring}, {fully_connected, ring, switched}, {ring, fully_connected, fully_connected}};
  for (const auto& joined : kinds)
    for (const GroupPlace& group : groups()) {
      Network usual = joined_by({switched, switched, switched});
      usual.dimensions.topology.kinds = joined;
      Network faster = usual;
      for (LinkTier* tier : {&faster.inside, &faster.across, &faster.between_pods})
        tier->bandwidth = 1.5 * tier->bandwidth;
      Network switches = usual;
      switches.dimensions.topology.kinds = {switched, switched, switched};
      const auto slow = times(group, usual), fast = times(group, faster);
      for (std::size_t i = 0; i < slow.size(); ++i) BOOST_TEST(fast[i] <= slow[i] * (1 + exact));
      BOOST_TEST(ring_bandwidth(group, switches, {}).value() >= ring_bandwidth(group, usual, {}).value() * (1 - exact));
    }
}

BOOST_AUTO_TEST_SUITE_END()
