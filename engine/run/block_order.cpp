#include "engine/run/block_order.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace dfsweep {

/// A stride of the golden ratio, made coprime with the number of blocks, visits each block once.
std::vector<BlockId> spread_evenly(const std::vector<BlockId>& blocks) {
  constexpr double golden = 0.6180339887498949;
  const std::uint64_t count = blocks.size();
  std::uint64_t step = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(golden * static_cast<double>(count)));
  while (std::gcd(step, count) > 1) ++step;
  std::vector<BlockId> spread;
  for (std::uint64_t i = 0; i < count; ++i) spread.push_back(blocks[i * step % count]);
  return spread;
}

std::vector<BlockId> in_order_of_evaluation(const Plan& plan, const std::vector<BlockId>& blocks) {
  constexpr double cheap_block_seconds = 10e-3;
  const double seconds = plan.spec().estimator->seconds_per_point(plan.spec().values);
  const bool is_cheap = seconds * static_cast<double>(plan.points_per_block()) < cheap_block_seconds;
  return plan.kind() == BlockKind::aligned && is_cheap ? blocks : spread_evenly(blocks);
}

}  // namespace dfsweep
