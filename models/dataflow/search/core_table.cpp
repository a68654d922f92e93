/// Computation of the core table.
#include "models/dataflow/search/core_table.hpp"
#include "models/dataflow/search/partition_point.hpp"

#include <algorithm>

namespace dfsweep::dataflow {

namespace {

/// Limit on the pairs of a set and a subset to process, a fraction of a millisecond.
constexpr double most_pairs = 300'000.0;

}  // namespace

CoreTable::CoreTable(const CoreLevels& levels, std::int64_t cores) {
  double pairs = 1.0;
  std::uint32_t size = 1;
  for (std::size_t kind = 0; kind < levels.kinds(); ++kind) {
    const std::uint32_t count = levels.members(kind);
    pairs *= (count + 1.0) * (count + 2.0) / 2.0;
    if (pairs > most_pairs) return;
    kinds_.push_back({count, size});
    size *= count + 1;
  }
  for (std::size_t k = 0; k < most_kernels; ++k) steps_[k] = kinds_[levels.kind_of(k)].step;
  compute_.resize(size);
  least_.resize(size);
  find_compute(levels, cores);
  find_least();
}

void CoreTable::find_compute(const CoreLevels& levels, std::int64_t cores) {
  std::vector<std::size_t> level_of(compute_.size(), 0);
  for (std::uint32_t index = 1; index < compute_.size(); ++index) {
    const auto lacks_cores = [&](std::size_t level) {
      std::int64_t sum = 0;
      for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
        sum += std::int64_t{held(index, kinds_[kind])} * levels.cores_for(level, kind);
      return sum > cores;
    };
    std::size_t low = 0;  // the level of a subset is a lower bound
    for (const Kind& kind : kinds_)
      if (held(index, kind) > 0) low = std::max(low, level_of[index - kind.step]);
    low = partition_point(low, levels.count(), lacks_cores);
    level_of[index] = low;
    compute_[index] = low < levels.count() ? levels.time(low) : int_infinity;
  }
}

/// least[r] = min over non-empty subsets a of r: compute[a] + least[r - a]
void CoreTable::find_least() {
  for (std::uint32_t set = 1; set < compute_.size(); ++set)
    least_[set] = std::min(least_with(set, 0, kinds_.size()), int_infinity);
}

/// The minimum over all subsets of `set` that agree with `part` in the kinds from `kind` on. For the whole set, compute
/// is used, because its least is not known yet.
Ticks CoreTable::least_with(std::uint32_t set, std::uint32_t part, std::size_t kind) const {
  Ticks least = int_infinity;
  const Kind& next = kinds_[kind - 1];
  const std::uint32_t most = held(set, next);
  if (kind > 1) {
    for (std::uint32_t i = 0; i <= most; ++i) least = std::min(least, least_with(set, part + i * next.step, kind - 1));
    return least;
  }
  for (std::uint32_t i = part == 0 ? 1 : 0; i <= most; ++i)
    least = std::min(least, compute_[part + i] + least_[set - part - i]);
  return least;
}

}  // namespace dfsweep::dataflow
