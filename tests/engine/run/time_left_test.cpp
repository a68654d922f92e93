/// Estimates of the time left, for recorded and for computed costs: after a tenth of the time they are right within a
/// factor of two. The test reads no clock.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "engine/run/block_order.hpp"
#include "engine/run/time_left.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/toy_sweep.hpp"

BOOST_AUTO_TEST_SUITE(time_left_test)

namespace {

using namespace dfsweep;

/// Processor milliseconds of the points of a sweep in the order of its grid, one block each: the best mapping of
/// ["gpt3-175b", "gpt3-1t", "dlrm-793b", "gpt-100t"] on "stacked-20" and "stacked-60" with three memories, rings of 4
/// and 8, links of 1 and 3 TB/s, and both accountings of SRAM (compute_utilization 0, overlap "perfect", "dfmodel-g3").
const std::vector<double> mapping_milliseconds = {
    266.6, 256.2, 260.5, 259.7, 89.5,  85.8,  92.2,  86.8,  615.5, 620.0, 605.2, 584.5, 844.8, 780.3, 799.5, 754.4,
    546.8, 533.5, 545.6, 527.8, 844.6, 948.3, 947.5, 971.9, 46.3,  47.1,  47.6,  47.4,  36.7,  36.4,  36.1,  35.9,
    180.5, 184.0, 181.1, 176.5, 203.4, 199.6, 200.7, 202.3, 378.7, 385.0, 321.8, 364.6, 212.0, 224.2, 217.6, 218.2,
    74.7,  6.42,  59.6,  6.26,  183.4, 204.3, 201.8, 191.2, 462.0, 7.44,  469.9, 7.41,  707.9, 746.9, 699.9, 710.1,
    512.8, 6.92,  673.7, 6.03,  660.2, 722.5, 721.9, 589.5, 47.7,  11.7,  47.4,  12.7,  40.1,  11.7,  39.0,  9.72,
    183.5, 12.5,  235.2, 14.4,  176.4, 9.78,  148.5, 10.5,  331.7, 11.2,  292.0, 11.8,  346.0, 12.0,  271.5, 10.8,
    4.51,  4.3,   4.34,  4.31,  3.68,  4.15,  4.41,  4.47,  2.12,  2.04,  2.13,  2.17,  4.61,  4.45,  2.12,  2.15,
    2.2,   2.08,  2.02,  1.99,  4.38,  4.46,  2.14,  1.94,  1.02,  0.47,  0.87,  0.35,  0.88,  0.35,  0.94,  0.5,
    9.09,  0.42,  9.21,  0.58,  11.3,  0.63,  11.1,  0.58,  9.21,  0.54,  8.18,  0.54,  11.3,  0.63,  11.0,  0.62,
    13.1,  13.1,  13.4,  13.0,  31.1,  13.4,  31.4,  13.2,  13.7,  13.0,  13.5,  13.7,  85.5,  11.1,  76.9,  13.5,
    12.3,  11.5,  11.4,  11.3,  135.6, 13.2,  124.9, 11.0,  25.5,  28.3,  28.5,  27.7,  40.3,  27.4,  39.6,  26.4,
    27.5,  27.7,  27.5,  27.8,  49.1,  26.3,  48.6,  28.1,  29.2,  28.1,  27.4,  28.3,  81.2,  22.2,  75.0,  24.1};

/// Least and greatest ratio of the estimated to the true time left. Blocks of one point are evaluated one after the
/// other; the estimate is taken at every thousandth of the time, from a tenth to nine tenths.
struct Ratios {
  double least = std::numeric_limits<double>::infinity();
  double greatest = 0.0;
};
Ratios ratios_of(const std::vector<double>& seconds) {
  const double all = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  constexpr int ticks = 1000;
  TimeLeft time_left;
  Ratios ratios;
  std::uint64_t done = 0;
  double end_of_next = seconds.front();
  for (int tick = 1; tick <= ticks * 9 / 10; ++tick) {
    const double now = all * tick / ticks;
    while (done < seconds.size() && end_of_next <= now) end_of_next += ++done < seconds.size() ? seconds[done] : 0.0;
    time_left.note(now, done);
    if (tick < ticks / 10) continue;
    const double ratio = time_left.of(seconds.size() - done) / (all - now);
    ratios.least = std::min(ratios.least, ratio);
    ratios.greatest = std::max(ratios.greatest, ratio);
  }
  return ratios;
}

std::vector<double> in_order(const std::vector<double>& seconds, const std::vector<BlockId>& order) {
  std::vector<double> ordered;
  for (const BlockId block : order) ordered.push_back(seconds[block]);
  return ordered;
}

std::vector<BlockId> blocks_of(const std::vector<double>& seconds) {
  std::vector<BlockId> blocks(seconds.size());
  std::iota(blocks.begin(), blocks.end(), BlockId{0});
  return blocks;
}

}  // namespace

BOOST_AUTO_TEST_CASE(recorded_mappings_are_estimated_within_a_factor_of_two) {
  const std::vector<BlockId> grid = blocks_of(mapping_milliseconds);
  const Ratios spread = ratios_of(in_order(mapping_milliseconds, spread_evenly(grid)));
  BOOST_TEST(spread.least > 0.5);
  BOOST_TEST(spread.greatest < 2.0);
  // The first model costs a hundred times the third one: in the order of the grid the time left cannot be estimated.
  BOOST_TEST(ratios_of(mapping_milliseconds).greatest > 4.0);
}

struct Axes {
  const char* why;
  std::vector<std::uint64_t> sizes;  ///< the first varies slowest
  std::vector<double> factors;       ///< cost of the next value of an axis over that of the one before
  double first_use;                  ///< further cost of the first point with a value of the last axis
};
const std::vector<Axes> grids = {
    {"equal costs", {400}, {1.0}, 0.0},
    {"a costly end of the outer axis", {4, 100}, {5.0, 1.0}, 0.0},
    {"a cheap end of the outer axis", {4, 100}, {0.2, 1.0}, 0.0},
    {"a costly inner axis", {100, 4}, {1.0, 5.0}, 0.0},
    {"every axis matters", {4, 5, 2, 2, 6}, {2.0, 1.5, 2.0, 1.3, 0.7}, 0.0},
    {"a prime number of blocks", {13, 7}, {1.3, 0.8}, 0.0},
    {"tables filled on first use", {500, 20}, {1.0, 1.0}, 20.0},
};

BOOST_DATA_TEST_CASE(computed_costs_are_estimated_within_a_factor_of_two, boost::unit_test::data::make(grids), axes) {
  std::vector<double> seconds = {1.0};
  for (std::size_t a = 0; a < axes.sizes.size(); ++a) {
    std::vector<double> finer;
    for (const double outer : seconds)
      for (std::uint64_t i = 0; i < axes.sizes[a]; ++i)
        finer.push_back(outer * std::pow(axes.factors[a], static_cast<double>(i)));
    seconds = std::move(finer);
  }
  const std::vector<BlockId> order = spread_evenly(blocks_of(seconds));
  std::vector<double> evaluated = in_order(seconds, order);
  std::vector<bool> is_filled(axes.sizes.back());
  for (std::size_t i = 0; i < evaluated.size(); ++i) {
    const std::size_t value = order[i] % axes.sizes.back();
    if (!is_filled[value]) evaluated[i] += axes.first_use;
    is_filled[value] = true;
  }
  const Ratios ratios = ratios_of(evaluated);
  BOOST_TEST(ratios.least > 0.5);
  BOOST_TEST(ratios.greatest < 2.0);
}

BOOST_AUTO_TEST_CASE(nothing_evaluated_tells_nothing) {
  TimeLeft time_left;
  BOOST_TEST(std::isinf(time_left.of(10)));
  time_left.note(5.0, 0);
  BOOST_TEST(std::isinf(time_left.of(10)));
  time_left.note(5.0, 10);  // all at once, at the first look
  BOOST_TEST(time_left.of(10) == 5.0);
  BOOST_TEST(time_left.of(0) == 0.0);
}

BOOST_AUTO_TEST_CASE(any_part_of_the_order_meets_the_values_of_every_axis_alike) {
  std::vector<BlockId> grid(360);
  std::iota(grid.begin(), grid.end(), BlockId{0});
  const std::vector<BlockId> order = spread_evenly(grid);
  BOOST_TEST(std::is_permutation(order.begin(), order.end(), grid.begin()));
  constexpr std::size_t part = 36;
  for (std::size_t begin = 0; begin + part <= order.size(); ++begin)
    for (const std::size_t values : {2U, 3U, 4U, 5U, 6U}) {
      std::vector<int> outer(values);
      std::vector<int> inner(values);
      for (std::size_t i = begin; i < begin + part; ++i) {
        ++outer[order[i] * values / grid.size()];
        ++inner[order[i] % values];
      }
      const int fair = static_cast<int>(part / values);
      for (std::size_t v = 0; v < values; ++v) {
        BOOST_TEST(std::abs(outer[v] - fair) <= 2);
        BOOST_TEST(std::abs(inner[v] - fair) <= 2);
      }
    }
}

BOOST_AUTO_TEST_CASE(only_cheap_blocks_of_whole_pages_keep_the_order_of_the_file) {
  const auto is_in_order = [](const char* text) {
    const ToySweep sweep(text);
    std::vector<BlockId> blocks(sweep.plan.block_count());
    std::iota(blocks.begin(), blocks.end(), BlockId{0});
    BOOST_REQUIRE_GE(blocks.size(), 4U);
    return in_order_of_evaluation(sweep.plan, blocks) == blocks;
  };
  BOOST_TEST(is_in_order("[parameters]\nseed = { from = 1, to = 1000000, step = 1 }\n"));
  BOOST_TEST(!is_in_order("[parameters]\nseed = { from = 1, to = 1000, step = 1 }\n"));
  BOOST_TEST(!is_in_order("[parameters]\nseed = { from = 1, to = 200, step = 1 }\nwork = 1000000\n"));
}

BOOST_AUTO_TEST_SUITE_END()
