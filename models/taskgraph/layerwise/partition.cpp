#include "models/taskgraph/layerwise/partition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/expect.hpp"

namespace dfsweep::taskgraph {

namespace {

constexpr Seconds no_limit{std::numeric_limits<double>::infinity()};

/// A group under construction, which grows layer by layer.
struct Growing {
  Bytes resident;
  Bytes per_token;
  Seconds time;
  [[nodiscard]] Growing with(const LayerNeeds& layer) const {
    return {resident + layer.resident, std::max(per_token, layer.per_token), time + layer.time};
  }
  [[nodiscard]] Bytes bytes(double tile) const { return resident + tile * per_token; }
};

struct Packing {
  std::size_t groups = 0;  ///< 0: impossible
  Seconds slowest;
};

/// Greedy packing: groups of as many layers as fit, each faster than `limit`, at most ends.size() groups.
Packing pack(std::span<const LayerNeeds> layers, const FastMemory& memory, Seconds limit,
             std::span<std::uint32_t> ends) {
  Packing packing;
  std::size_t layer = 0;
  while (layer < layers.size()) {
    Growing group;
    const std::size_t first = layer;
    for (; layer < layers.size(); ++layer) {
      const Growing larger = group.with(layers[layer]);
      if (larger.bytes(memory.tile) > memory.capacity || !(larger.time < limit)) break;
      group = larger;
    }
    if (layer == first || packing.groups == ends.size()) return {};
    ends[packing.groups++] = static_cast<std::uint32_t>(layer);
    packing.slowest = std::max(packing.slowest, group.time);
  }
  return packing;
}

}  // namespace

Bytes bytes_of_group(std::span<const LayerNeeds> layers, double tile) {
  Growing group;
  for (const LayerNeeds& layer : layers) group = group.with(layer);
  return group.bytes(tile);
}

std::size_t fewest_groups(std::span<const LayerNeeds> layers, const FastMemory& memory) {
  std::size_t groups = 0;
  for (std::size_t layer = 0; layer < layers.size(); ++groups) {
    Growing group;
    const std::size_t first = layer;
    for (; layer < layers.size(); ++layer) {
      group = group.with(layers[layer]);
      if (group.bytes(memory.tile) > memory.capacity) break;
    }
    if (layer == first) return 0;
  }
  return groups;
}

double largest_tile(std::span<const LayerNeeds> layers, Bytes capacity, std::size_t groups, double most) {
  const auto fits = [&](double tile) {
    const std::size_t needed = fewest_groups(layers, {capacity, tile});
    return needed > 0 && needed <= groups;
  };
  if (!fits(1.0)) return 0.0;
  if (fits(most)) return most;
  // Lower bound: with equal layers, devices take equal shares, and the tile fills the remaining memory.
  const auto share = layers.first((layers.size() + groups - 1) / groups);
  const Bytes free = capacity - bytes_of_group(share, 0.0);
  const double guess = std::floor(free / (bytes_of_group(share, 1.0) - bytes_of_group(share, 0.0)));
  if (guess >= 1.0 && guess < most && fits(guess) && !fits(guess + 1.0)) return guess;
  auto good = std::uint64_t{1};
  auto bad = static_cast<std::uint64_t>(most);
  while (bad - good > 1) {
    const std::uint64_t middle = good + (bad - good) / 2;
    (fits(static_cast<double>(middle)) ? good : bad) = middle;
  }
  return static_cast<double>(good);
}

std::size_t smallest_slowest(std::span<const LayerNeeds> layers, const FastMemory& memory, std::size_t groups,
                             std::span<std::uint32_t> ends) {
  DFSWEEP_EXPECT(ends.size() >= groups && !layers.empty());
  const std::span<std::uint32_t> room = ends.first(groups);
  Packing best = pack(layers, memory, no_limit, room);
  if (best.groups == 0) return 0;
  for (Seconds limit = best.slowest;;) {
    const Packing faster = pack(layers, memory, limit, room);
    if (faster.groups == 0) break;
    best = faster;
    limit = faster.slowest;
  }
  // The last, failed attempt overwrote `ends`, so compute the best packing again.
  const Seconds just_above{std::nextafter(best.slowest.value(), std::numeric_limits<double>::infinity())};
  return pack(layers, memory, just_above, room).groups;
}

}  // namespace dfsweep::taskgraph
