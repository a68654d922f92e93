#include "models/machine/tier_lines.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep {

namespace {

/// The dimensions of a tier, and the ranks of a group up to the end of the tier.
struct TierPart {
  std::size_t begin = 0;
  std::size_t end = 0;
  double ranks = 1.0;
};

TierPart part_of(const GroupPlace& group, const Dimensions& d, Tier tier) {
  switch (tier) {
    case Tier::inside:
      return {0, d.inside, group.in_node};
    case Tier::across:
      return {d.inside, d.in_pod, group.in_pod};
    case Tier::between_pods:
      return {d.in_pod, d.topology.count, group.ranks};
  }
  return {};
}

/// The largest divisor of `whole` that is at most `most`.
double divisor_within(double whole, double most) {
  double part = std::min(whole, std::max(1.0, std::floor(most)));
  while (part > 1 && std::fmod(whole, part) != 0.0) part -= 1;
  return part;
}

bool is_whole_ring(const RankLine& line) {
  return line.ranks * line.stride >= line.size;
}

Bandwidth pass_rate(const RankLine& line, Bandwidth dimension) {
  switch (line.kind) {
    case DimensionKind::ring:
      return (is_whole_ring(line) ? 1.0 : 0.5) / line.stride * dimension;
    case DimensionKind::fully_connected:
      return std::min(1.0, (line.ranks - 1) / (line.size - 1)) * dimension;
    case DimensionKind::switched:
      return dimension;
  }
  return dimension;
}

/// Bytes that a line carries per byte that a rank sends in an all-to-all.
double all_to_all_load(const RankLine& line) {
  switch (line.kind) {
    case DimensionKind::ring:
      return std::floor(line.ranks * line.ranks / 4) / line.ranks * line.stride * (is_whole_ring(line) ? 1.0 : 2.0);
    case DimensionKind::fully_connected:
      return (line.size - 1) / line.ranks;
    case DimensionKind::switched:
      return (line.ranks - 1) / line.ranks;
  }
  return 1.0;
}

double product_of_ranks(const TierLines& lines) {
  double product = 1.0;
  for (const RankLine& line : lines.all()) product *= line.ranks;
  return product;
}

}  // namespace

TierLines tier_lines(const GroupPlace& group, const Dimensions& d, Tier tier) {
  TierLines found;
  const TierPart part = part_of(group, d, tier);
  const double before = tier == Tier::inside ? 1.0 : tier == Tier::across ? group.in_node : group.in_pod;
  double left = part.ranks / before;
  double placed = before;
  double sharing = 0.0;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const double size = d.shape.sizes[i];
    if (size > 1) sharing += 1;
    const double joined = chips_inside(d.shape, i);
    const double step = std::max(joined, group.stride * placed);  // distance from one rank to the next, in devices
    const double ranks = i + 1 == part.end ? left : divisor_within(left, joined * size / step);
    if (ranks > 1) found.lines[found.count++] = {d.topology.kinds[i], size, ranks, step / joined};
    left /= ranks;
    placed *= ranks;
  }
  found.sharing = std::max(1.0, sharing);
  return found;
}

Bandwidth pass_bandwidth(const TierLines& lines, Bandwidth device) {
  if (lines.count == 0) return device;
  const Bandwidth dimension = device / lines.sharing;
  const double all = product_of_ranks(lines) - 1;
  Bandwidth least = device;
  for (unsigned set = 1; set < 1u << lines.count; ++set) {
    Bandwidth rate;
    double product = 1.0;
    for (std::size_t i = 0; i < lines.count; ++i) {
      if ((set >> i & 1u) == 0) continue;
      rate += pass_rate(lines.lines[i], dimension);
      product *= lines.lines[i].ranks;
    }
    least = std::min(least, all / (product - 1) * rate);
  }
  return least;
}

Bandwidth all_to_all_bandwidth(const TierLines& lines, Bandwidth device) {
  if (lines.count == 0) return device;
  const Bandwidth dimension = device / lines.sharing;
  const double ranks = product_of_ranks(lines);
  Bandwidth least = device;
  for (const RankLine& line : lines.all())
    least = std::min(least, (ranks - 1) / ranks / all_to_all_load(line) * dimension);
  return least;
}

Bandwidth next_bandwidth(const TierLines& lines, Bandwidth device) {
  const RankLine& line = lines.lines[0];
  const Bandwidth dimension = device / lines.sharing;
  if (line.kind == DimensionKind::ring) return 0.5 / line.stride * dimension;
  return line.kind == DimensionKind::switched ? dimension : 1 / (line.size - 1) * dimension;
}

double pass_hops(const TierLines& lines) {
  double hops = 0.0;
  for (const RankLine& line : lines.all()) {
    if (line.kind == DimensionKind::ring) hops += (line.ranks - 1) * line.stride;
    if (line.kind == DimensionKind::switched) hops += line.ranks - 1;
    if (line.kind == DimensionKind::fully_connected) hops += 1;
  }
  return hops;
}

double next_hops(const TierLines& lines) {
  return lines.lines[0].kind == DimensionKind::ring ? lines.lines[0].stride : 1.0;
}

}  // namespace dfsweep
