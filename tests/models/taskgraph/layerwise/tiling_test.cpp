/// Tilings against all tiles and all partitions of the layers.
#include "models/taskgraph/layerwise/tiling.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

BOOST_AUTO_TEST_SUITE(tiling_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::taskgraph;

namespace {

/// Times of the kind that the strategies have: a sum of two rooflines, the second one with experts, and a transfer.
struct SomeTimes {
  double compute = 0.0;
  double weights = 0.0;
  double moved = 0.0;
  double expert = 0.0;  ///< time to read an expert
  double bend = 0.0;
  double link = 0.0;
  double latency = 0.0;
  [[nodiscard]] TileTimes operator()(double t) const {
    const double experts = bend > 0.0 ? expert * std::min(bend, t) : 0.0;
    return {Seconds{std::max(compute * t, weights + moved * t) + std::max(0.5 * compute * t, experts + moved * t)},
            Seconds{latency + link * t}};
  }
};

struct Problem {
  LayerChain chain;
  SomeTimes times;
};

Problem some_problem(std::mt19937_64& random, std::uint64_t most_tokens) {
  const auto draw = [&](std::uint64_t below) { return static_cast<double>(random() % below); };
  Problem p;
  p.times = {1 + draw(9), draw(60), draw(4), draw(20), draw(2) * draw(40), draw(12), draw(3) * draw(50)};
  const double layers = 1 + draw(12);
  const double tokens = 1 + draw(most_tokens);
  p.chain = {layers,
             1 + draw(static_cast<std::uint64_t>(layers)),
             tokens,
             1 + draw(static_cast<std::uint64_t>(std::min(tokens, 9.0))),
             Bytes{20 + draw(400)},
             Bytes{1 + draw(60)},
             Bytes{1 + draw(5)},
             p.times.bend};
  return p;
}

/// The best step of every number of groups up to `devices`, of every partition with them (its largest group decides)
/// and of every number of tiles; `fewest`: of the fewest groups that fit.
struct BestOfAll {
  double step = std::numeric_limits<double>::infinity();
  double fewest = 0.0;
  double step_of_fewest = std::numeric_limits<double>::infinity();
};

BestOfAll try_all(const Problem& p) {
  const LayerChain& c = p.chain;
  BestOfAll best;
  for (double groups = 1.0; groups <= c.devices; groups += 1.0)
    for (double largest = std::ceil(c.layers / groups); largest <= c.layers - groups + 1.0; largest += 1.0)
      for (double tiles = c.fewest_tiles; tiles <= c.tokens; tiles += 1.0) {
        const double tile = c.tokens / tiles;
        if (largest * c.resident + std::ceil(tile) * c.per_token > c.capacity) continue;
        const auto [layer, link] = p.times(tile);
        const Seconds slowest = std::max(largest * layer, groups > 1.0 ? link : Seconds{});
        const double step = (c.layers * layer + (groups - 1.0) * link + (tiles - 1.0) * slowest).value();
        best.step = std::min(best.step, step);
        if (best.fewest == 0.0) best.fewest = groups;
        if (best.fewest == groups) best.step_of_fewest = std::min(best.step_of_fewest, step);
      }
  return best;
}

void compare(const Problem& p, int& none) {
  const BestOfAll all = try_all(p);
  const Tiling fastest = fastest_groups(p.chain, p.times);
  const Tiling fewest = fewest_groups(p.chain, p.times);
  BOOST_TEST_REQUIRE((fastest.groups > 0.0) == (all.fewest > 0.0));
  BOOST_TEST_REQUIRE(fewest.groups == all.fewest);
  none += all.fewest == 0.0;
  if (all.fewest == 0.0) return;
  BOOST_TEST_REQUIRE(fastest.step.value() == all.step, tt::tolerance(1e-12));
  BOOST_TEST_REQUIRE(fewest.step.value() == all.step_of_fewest, tt::tolerance(1e-12));
  BOOST_TEST_REQUIRE(step_of(p.chain, fastest, p.times(p.chain.tokens / fastest.tiles)).value() ==
                     fastest.step.value());
}

}  // namespace

BOOST_AUTO_TEST_CASE(equals_the_best_of_all_tiles_and_partitions) {
  std::mt19937_64 random(11);
  int none = 0;
  for (int round = 0; round < 4000; ++round) compare(some_problem(random, 80), none);
  for (int round = 0; round < 40; ++round) compare(some_problem(random, 5000), none);
  BOOST_TEST(none > 100);
  BOOST_TEST(none < 3000);
}

BOOST_AUTO_TEST_CASE(more_memory_is_never_slower) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 2000; ++round) {
    Problem p = some_problem(random, 100000);
    Tiling before;
    for (int larger = 0; larger < 6; ++larger) {
      const Tiling tiling = fastest_groups(p.chain, p.times);
      BOOST_TEST_REQUIRE(tiling.groups >= std::min(before.groups, 1.0));
      if (tiling.groups > 0.0) BOOST_TEST_REQUIRE(tiling.step.value() <= before.step.value() * (1 + 1e-12));
      before = tiling;
      p.chain.capacity = 1.3 * p.chain.capacity;
    }
  }
}

/// Convex sequences, flat ones and ones that fall or rise throughout; up to numbers beyond 2^53.
BOOST_AUTO_TEST_CASE(finds_the_least_of_convex_sequences) {
  for (const double range : {0.0, 1.0, 2.0, 7.0, 8.0, 9.0, 100.0, 12345.0})
    for (double least = 0.0; least <= range; least += std::max(1.0, std::floor(range / 37)))
      BOOST_TEST(least_of_convex(3.0, 3.0 + range, [&](double n) { return std::abs(n - 3.0 - least); }).number ==
                 3.0 + least);
  BOOST_TEST(least_of_convex(5.0, 500.0, [](double) { return 1.0; }).number == 5.0);
  const double found = least_of_convex(1.0, 1e18, [](double n) { return n / 1e6 + 1e12 / n; }).number;
  BOOST_TEST(found == 1e9, tt::tolerance(1e-6));
}

/// Four costs around a guess: the least of |n - 12.25| is at 12.
BOOST_AUTO_TEST_CASE(four_costs_show_the_least_number_or_nothing) {
  struct Row {
    double low, high, guess;
    double found;  ///< 0: nothing
    const char* why;
  };
  for (const Row& row : {Row{1, 100, 12.0, 12, "both neighbours are tried"},
                         {1, 100, 11.0, 12, "one above the guess"},
                         {1, 100, 13.9, 0, "the left neighbour of 12 is not tried"},
                         {1, 100, 10.1, 0, "11 is least of 9 to 12 but 12, whose right neighbour is not tried"},
                         {1, 100, 40.0, 0, "the least of those tried is their first, and not the lowest number"},
                         {13, 100, 2.0, 13, "the lowest number has no left neighbour"},
                         {1, 11, 60.0, 11, "the highest one has no right neighbour"},
                         {12, 13, 12.0, 12, "fewer than four numbers"},
                         {12, 12, 99.0, 12, "one number"},
                         {1, 1e13, 12.0, 0, "too many numbers for rounding to be excluded"}}) {
    const auto found = certain_least(row.low, row.high, row.guess, [](double n) { return std::abs(n - 12.25); });
    BOOST_TEST(found.has_value() == (row.found > 0.0), row.why);
    if (found) BOOST_TEST(found->number == row.found, row.why);
  }
  BOOST_TEST(!certain_least(1.0, 100.0, 50.0, [](double) { return 1.0; }).has_value());
  BOOST_TEST(!certain_least(1.0, 100.0, 50.0, [](double n) { return 1.0 + 1e-15 * std::abs(n - 50); }).has_value());
}

/// What four costs show is what the whole search finds. Here every second problem has its least number at a bend, which
/// lines do not find.
BOOST_AUTO_TEST_CASE(four_costs_agree_with_the_whole_search) {
  std::mt19937_64 random(13);
  int tried = 0;
  int shown = 0;
  for (int round = 0; round < 20000; ++round) {
    const Problem p = some_problem(random, 1000000);
    for (double groups = 1.0; groups <= p.chain.devices; groups += 1.0) {
      Tiling tiling;
      tiling.layers = std::ceil(p.chain.layers / groups);
      tiling.groups = std::ceil(p.chain.layers / tiling.layers);
      const auto step = [&](double tiles) {
        tiling.tiles = tiles;
        return step_of(p.chain, tiling, p.times(p.chain.tokens / tiles));
      };
      const double low = p.chain.fewest_tiles;
      const double high = p.chain.bend > 0.0 ? std::floor(p.chain.tokens / p.chain.bend) : p.chain.tokens;
      if (low > high) continue;
      ++tried;
      const double guess = tiles_by_lines(p.chain, tiling, p.times, p.chain.tokens / low);
      if (std::isnan(guess)) continue;
      const auto found = certain_least(low, high, guess, step);
      if (!found) continue;
      ++shown;
      const Least<Seconds> least = least_of_convex(low, high, step);
      BOOST_TEST_REQUIRE(found->number == least.number);
      BOOST_TEST_REQUIRE(found->cost.value() == least.cost.value());
    }
  }
  BOOST_TEST(tried > 20000);
  BOOST_TEST(shown > tried / 4);
}

BOOST_AUTO_TEST_SUITE_END()
