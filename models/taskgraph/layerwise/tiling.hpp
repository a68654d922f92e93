/// Tiling: the best tiles and groups for a chain of equal layers that stream through fast memories.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/units.hpp"

namespace dfsweep::taskgraph {

/// A chain of equal layers, the tokens of a step, and the fast memory of each device. A group of k layers fits with
/// tiles of up to c tokens if
///
///     k resident + c per_token <= capacity
///
/// Source: docs/models/taskgraph.md, layerwise.
struct LayerChain {
  double layers = 1.0;
  double devices = 1.0;  ///< maximum number of groups
  double tokens = 1.0;   ///< of a step
  double fewest_tiles = 1.0;
  Bytes capacity;
  Bytes resident;     ///< weights and buffers of a layer, which stay for all tiles
  Bytes per_token;    ///< activations per token of the tile, released after the layer
  double bend = 0.0;  ///< tokens of a tile at which the times stop being convex; 0: they are convex everywhere
};

/// Times of one tile. Both grow with its tokens; per token they never grow. Below and above LayerChain::bend they are
/// convex: sums of rooflines and transfers are. Experts bend the times, because a token reads the weights of further
/// experts only as long as some have no work.
struct TileTimes {
  Seconds layer;
  Seconds link;  ///< from a group to the next
};

/// Groups of `layers` layers each, of which the last one may have fewer, and n equal tiles of tokens/n on average. The
/// largest tile has ceil(tokens/n) tokens, which must fit.
struct Tiling {
  double groups = 0.0;  ///< 0: the layers do not fit
  double layers = 0.0;
  double tiles = 0.0;
  Seconds step{std::numeric_limits<double>::infinity()};
};

/// Bytes of a group: the left side of the capacity rule.
[[nodiscard]] constexpr Bytes bytes_of_group(const LayerChain& chain, double layers, double tile) {
  return layers * chain.resident + tile * chain.per_token;
}

/// The most layers of a group with tiles of one token, up to all; 0 where not even one layer fits.
[[nodiscard]] inline double most_layers(const LayerChain& chain) {
  double most = std::floor((chain.capacity - chain.per_token) / chain.resident);
  if (bytes_of_group(chain, most, 1.0) > chain.capacity) most -= 1.0;  // rounding of the quotient
  return std::clamp(most, 0.0, chain.layers);
}

/// The fewest tiles with which groups of `layers` layers fit. Pre: they fit with tiles of one token.
[[nodiscard]] inline double fewest_tiles(const LayerChain& chain, double layers) {
  double tile = std::floor((chain.capacity - layers * chain.resident) / chain.per_token);
  if (bytes_of_group(chain, layers, tile) > chain.capacity) tile -= 1.0;
  return std::max(chain.fewest_tiles, std::ceil(chain.tokens / std::max(tile, 1.0)));
}

/// Makespan of n tiles through g groups, with a(t) and l(t) the times of a tile of t = tokens/n:
///
///     L a + (g-1) l + (n-1) max(k a, l)          L: layers, k: layers of the largest group
///
/// Stations::makespan gives the same for one round.
[[nodiscard]] inline Seconds step_of(const LayerChain& chain, const Tiling& tiling, const TileTimes& tile) {
  const Seconds slowest =
      tiling.groups > 1.0 ? std::max(tiling.layers * tile.layer, tile.link) : tiling.layers * tile.layer;
  return chain.layers * tile.layer + (tiling.groups - 1.0) * tile.link + (tiling.tiles - 1.0) * slowest;
}

/// The whole number in [low, high] with the least cost(n), for a convex `cost`; ties: the least number. A search by
/// golden sections: each step costs one evaluation and keeps 0.62 of the interval; the last few numbers are all tried.
/// Rounding errors of `cost` change the result only between numbers whose costs differ by no more than that.
template <class Cost>
[[nodiscard]] double least_of_convex(double low, double high, const Cost& cost) {
  constexpr double golden = 0.6180339887498949;
  constexpr int few = 8;
  const double resolution = 8.0 * std::numeric_limits<double>::epsilon() * high;
  double left = low + std::floor((1.0 - golden) * (high - low));
  double right = high - std::floor((1.0 - golden) * (high - low));
  auto at_left = cost(left);
  auto at_right = cost(right);
  while (high - low >= std::max<double>(few, resolution)) {
    if (at_left <= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = std::min(low + std::floor((1.0 - golden) * (high - low)), right - 1.0);
      at_left = cost(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = std::max(high - std::floor((1.0 - golden) * (high - low)), left + 1.0);
      at_right = cost(right);
    }
  }
  double best = low;
  auto least = cost(low);
  for (int i = 1; i < few && low + i <= high; ++i)
    if (const auto value = cost(low + i); value < least) {
      least = value;
      best = low + i;
    }
  return best;
}

/// The best tiles for `groups` groups of ceil(layers/groups) layers. `times(tokens)` gives the TileTimes of a tile.
///
/// Exact below and above the bend: with a(t) and l(t) convex, n a(tokens/n) is convex in n (the perspective of a), so
/// is a(tokens/n) because a grows, and step_of is the larger of two sums of such terms:
///
///     (L-k) a + k n a + (g-1) l    and    L a + (g-2) l + n l
template <class TimesOf>
[[nodiscard]] Tiling best_tiles(const LayerChain& chain, double groups, const TimesOf& times) {
  Tiling tiling;
  tiling.layers = std::ceil(chain.layers / groups);
  tiling.groups = std::ceil(chain.layers / tiling.layers);
  const auto step = [&](double tiles) {
    tiling.tiles = tiles;
    return step_of(chain, tiling, times(chain.tokens / tiles));
  };
  const double fewest = fewest_tiles(chain, tiling.layers);
  const double last_above = chain.bend > 0.0 ? std::floor(chain.tokens / chain.bend) : chain.tokens;
  Tiling best;
  const auto search = [&](double low, double high) {
    tiling.step = step(least_of_convex(low, high, step));
    if (best.groups == 0.0 || tiling.step < best.step) best = tiling;
  };
  if (last_above >= fewest) search(fewest, std::min(last_above, chain.tokens));
  if (last_above < chain.tokens) search(std::max(fewest, last_above + 1.0), chain.tokens);
  return best;
}

/// The fewest groups, with the best tiles for them.
template <class TimesOf>
[[nodiscard]] Tiling fewest_groups(const LayerChain& chain, const TimesOf& times) {
  const double most = most_layers(chain);
  const double groups = most == 0.0 ? 0.0 : std::ceil(chain.layers / most);
  return groups == 0.0 || groups > chain.devices ? Tiling{} : best_tiles(chain, groups, times);
}

/// The best tiles and groups; ties: the most groups. Of the numbers of groups with equal largest groups the fewest one
/// is best, because it has the fewest links, so at most 2 sqrt(layers) numbers are tried. The search ends at groups of
/// k layers where (L-k) a(1) + k n a(tokens/n), with the fewest tiles n, is no less than the best step: this lower
/// bound grows with k, because n a(tokens/n) never falls with n.
template <class TimesOf>
[[nodiscard]] Tiling fastest_groups(const LayerChain& chain, const TimesOf& times) {
  const double most = most_layers(chain);
  Tiling best;
  double layers = std::ceil(chain.layers / std::min(chain.devices, chain.layers));
  while (layers <= most) {
    const double groups = std::ceil(chain.layers / layers);
    const double tiles = fewest_tiles(chain, layers);
    const Seconds bound =
        (chain.layers - layers) * times(1.0).layer + layers * tiles * times(chain.tokens / tiles).layer;
    if (best.groups > 0.0 && !(bound < best.step)) break;
    const Tiling tiling = best_tiles(chain, groups, times);
    if (best.groups == 0.0 || tiling.step < best.step) best = tiling;
    if (groups == 1.0) break;
    layers = std::ceil(chain.layers / (groups - 1.0));
  }
  return best;
}

}  // namespace dfsweep::taskgraph
