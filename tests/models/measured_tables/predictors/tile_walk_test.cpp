/// TileWalk: between neighbours, across tiles and waves, with noise; by hand where two or three keys allow it.
#include "models/measured_tables/predictors/tile_walk.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <vector>

BOOST_AUTO_TEST_SUITE(tile_walk_test)

namespace tt = boost::test_tools;
using namespace dfsweep;

namespace {

std::vector<WalkKey> keys_of(const std::function<double(double)>& seconds) {
  std::vector<WalkKey> keys;
  for (double tokens = 8; tokens <= 1024; tokens += 8)
    keys.push_back({tokens, std::log(seconds(tokens)), 1.0, seconds(tokens)});
  return keys;
}

/// Smaller changes of a few per cent that follow no tile.
double wobble(double tokens) {
  return 1.0 + 0.02 * std::sin(tokens);
}

}  // namespace

BOOST_AUTO_TEST_CASE(variance_counts_doublings_and_borders) {
  WalkVariances variances;
  BOOST_TEST(walk_variance(variances, 8, 32) == 2.0, tt::tolerance(1e-5));
  variances.tile[3] = 5.0;  // tiles of 64
  BOOST_TEST(walk_variance(variances, 33, 64) == std::log2(64.0 / 33), tt::tolerance(1e-5));
  BOOST_TEST(walk_variance(variances, 64, 65) == 5.0 + std::log2(65.0 / 64), tt::tolerance(1e-5));
  variances.wave = 2.0;
  variances.wave_size = 108.0;
  BOOST_TEST(walk_variance(variances, 100, 110) == 2.0 + std::log2(1.1), tt::tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(level_between_goes_by_variance) {
  WalkVariances variances;
  BOOST_TEST(level_between(variances, 8, 1.0, 32, 5.0, 16) == 3.0, tt::tolerance(1e-5));
  variances.tile[3] = 1e6;
  BOOST_TEST(level_between(variances, 56, 1.0, 72, 5.0, 64) == 1.0, tt::tolerance(1e-5));
  BOOST_TEST(level_between(variances, 56, 1.0, 72, 5.0, 65) == 5.0, tt::tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(without_noise_keys_keep_their_levels) {
  const std::vector<WalkKey> keys = {{8, 1.0, 1, 1e-3}, {16, 7.0, 1, 1e-3}, {32, 3.0, 1, 1e-3}};
  const WalkLevels levels = walk_levels(keys, {});
  for (std::size_t k = 0; k < keys.size(); ++k) BOOST_TEST(levels.smoothed[k] == keys[k].level, tt::tolerance(1e-6));
  BOOST_TEST(levels.left_out[0] == 7.0, tt::tolerance(1e-6));  // the walk has no drift: the next key
  BOOST_TEST(levels.left_out[1] == 2.0, tt::tolerance(1e-6));  // half of two doublings
  BOOST_TEST(levels.left_out[2] == 7.0, tt::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(noise_draws_levels_to_their_neighbours) {
  // Precisions: key 2 measured with 1; from key 1 and from key 3 each 1 / (1 + 1). So (7 + (1 + 3) / 2) / (1 + 1).
  WalkVariances variances;
  variances.noise = 1.0;
  const std::vector<WalkKey> keys = {{8, 1.0, 1, 1e-3}, {16, 7.0, 1, 1e-3}, {32, 3.0, 1, 1e-3}};
  BOOST_TEST(walk_levels(keys, variances).smoothed[1] == 4.5, tt::tolerance(1e-5));
  // Four repeats have a quarter of the noise: (4 * 7 + 2) / 5.
  const std::vector<WalkKey> repeated = {{8, 1.0, 1, 1e-3}, {16, 7.0, 4, 1e-3}, {32, 3.0, 1, 1e-3}};
  BOOST_TEST(walk_levels(repeated, variances).smoothed[1] == 6.0, tt::tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(tiles_are_found) {
  const WalkVariances found =
      fit_walk(keys_of([](double tokens) { return 1e-4 * std::ceil(tokens / 128) * wobble(tokens); }));
  BOOST_TEST(found.tile[4] + found.tile[3] + found.tile[2] > 0.1);  // a tile of 128 ends where smaller ones do
  BOOST_TEST(found.wave == 0.0);
}

BOOST_AUTO_TEST_CASE(waves_are_found) {
  const WalkVariances found =
      fit_walk(keys_of([](double tokens) { return 1e-4 * std::ceil(tokens / 108) * wobble(tokens); }));
  BOOST_TEST(found.wave > 0.0);
  BOOST_TEST(std::abs(found.wave_size - 108.0) <= 1.0);  // keys are eight tokens apart
}

BOOST_AUTO_TEST_CASE(noise_alone_is_no_tile) {
  std::uint32_t state = 1;
  const WalkVariances found = fit_walk(keys_of([&](double tokens) {
    state = state * 1664525u + 1013904223u;
    return 1e-6 * tokens * (1.0 + 0.05 * (state >> 16) / 65536.0);
  }));
  for (const double tile : found.tile) BOOST_TEST(tile == 0.0);
  BOOST_TEST(found.wave == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
