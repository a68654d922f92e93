/// Tiling: the best tiles and groups for a chain of equal layers that stream through fast memories.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

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

/// A whole number and its cost.
template <class Value>
struct Least {
  double number = 0.0;
  Value cost;
};

/// The whole number in [low, high] with the least cost(n), for a convex `cost`; ties: the least number. A search by
/// golden sections: each step costs one evaluation and keeps 0.62 of the interval; the last few numbers are all tried.
/// Rounding errors of `cost` change the result only between numbers whose costs differ by no more than that.
template <class Cost>
[[nodiscard]] auto least_of_convex(double low, double high, const Cost& cost) -> Least<decltype(cost(low))> {
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
  const auto known = [&](double number) {
    if (number == left) return at_left;
    return number == right ? at_right : cost(number);
  };
  Least<decltype(at_left)> least{low, known(low)};
  for (int i = 1; i < few && low + i <= high; ++i)
    if (const auto value = known(low + i); value < least.cost) least = {low + i, value};
  return least;
}

/// The number that least_of_convex() finds, where four costs around `guess` show which one it is: its neighbours cost
/// more by ten times what rounding changes, so that by convexity every comparison of the search leads to it.
/// Nothing where they do not show it. Pre: rounding changes a cost by less than 1e-14 of it.
template <class Cost>
[[nodiscard]] auto certain_least(double low, double high, double guess, const Cost& cost)
    -> std::optional<Least<decltype(cost(low))>> {
  constexpr double clearly = 1.0 + 1e-13;
  constexpr double most = 1e12;  // beyond, neighbours far from the least number may differ by rounding alone
  constexpr int around = 4;
  if (!(high < most)) return std::nullopt;
  const double first = std::clamp(std::floor(guess) - 1.0, low, std::max(low, high - (around - 1)));
  decltype(cost(low)) costs[around];
  int tried = 0;
  for (; tried < around && first + tried <= high; ++tried) costs[tried] = cost(first + tried);
  const int least = static_cast<int>(std::min_element(costs, costs + tried) - costs);
  const auto is_clear = [&](int neighbour) {
    const double number = first + neighbour;
    if (number < low || number > high) return true;
    return neighbour >= 0 && neighbour < tried && costs[neighbour] > clearly * costs[least];
  };
  if (!is_clear(least - 1) || !is_clear(least + 1)) return std::nullopt;
  return Least<decltype(cost(low))>{first + least, costs[least]};
}

/// Tiles for which step_of() would be least if the times of a tile were lines through those of `tokens` and of half as
/// many: a whole step is (L-k) a + n k a + (g-1) l or L a + (g-2) l + n l, whichever is more, and with a = A t + G the
/// first one is least at n^2 = ((L-k) A + (g-1) A_l) T / (k G), the second one likewise. NaN or infinite where the
/// lines have no such place.
template <class TimesOf>
[[nodiscard]] double tiles_by_lines(const LayerChain& chain, const Tiling& tiling, const TimesOf& times,
                                    double tokens) {
  const TileTimes whole = times(tokens);
  const TileTimes half = times(tokens / 2.0);
  const auto slope = [&](Seconds of_whole, Seconds of_half) { return 2.0 * (of_whole - of_half).value(); };
  const auto start = [](Seconds of_whole, Seconds of_half) {
    return std::max(0.0, (2.0 * of_half - of_whole).value());
  };
  // Per token of the tile, times its tokens: the part that falls with the number of tiles.
  const double layer = slope(whole.layer, half.layer) / tokens * chain.tokens;
  const double link = slope(whole.link, half.link) / tokens * chain.tokens;
  const double layer_start = start(whole.layer, half.layer);
  const double link_start = start(whole.link, half.link);
  const double k = tiling.layers;
  const double by_layers = std::sqrt(((chain.layers - k) * layer + (tiling.groups - 1.0) * link) / (k * layer_start));
  if (tiling.groups <= 1.0) return by_layers;
  // Where a group takes as long as a link: (k layer - link) / n + k layer_start - link_start = 0.
  const double falling = k * layer - link;
  const double rest = k * layer_start - link_start;
  if (falling / by_layers + rest >= 0.0) return by_layers;
  const double by_links = std::sqrt((chain.layers * layer + (tiling.groups - 2.0) * link) / link_start);
  if (falling / by_links + rest <= 0.0) return by_links;
  return -falling / rest;
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
    const double guess = tiles_by_lines(chain, tiling, times, chain.tokens / low);
    const auto certain = std::isnan(guess) ? std::nullopt : certain_least(low, high, guess, step);
    const Least<Seconds> found = certain ? *certain : least_of_convex(low, high, step);
    tiling.tiles = found.number;
    tiling.step = found.cost;
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
