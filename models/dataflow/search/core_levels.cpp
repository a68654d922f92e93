/// Conversion of the choices of kernels into levels.
#include "models/dataflow/search/core_levels.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "models/expect.hpp"

namespace dfsweep::dataflow {

CoreLevels::CoreLevels(std::span<const PartitionKernel> kernels, std::int64_t cores, double seconds_per_tick)
    : cores_(cores) {
  DFSWEEP_EXPECT(kernels.size() <= most_kernels);
  find_kinds(kernels);
  std::vector<std::vector<Ticks>> times(kinds());  // [kind][choice], descending
  std::vector<Ticks> merged;
  for (std::size_t kind = 0; kind < kinds(); ++kind) {
    for (const CoreChoice& choice : kernels[first_[kind]].choices)
      times[kind].push_back(whole_ticks(choice.time, seconds_per_tick));
    merged.clear();
    std::set_union(times_.begin(), times_.end(), times[kind].rbegin(), times[kind].rend(), std::back_inserter(merged));
    std::swap(times_, merged);
  }
  times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
  cores_for_.resize(times_.size() * kinds());
  least_share_.resize(kinds());
  for (std::size_t kind = 0; kind < kinds(); ++kind) read_choices(kind, kernels[first_[kind]].choices, times[kind]);
}

void CoreLevels::find_kinds(std::span<const PartitionKernel> kernels) {
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    DFSWEEP_EXPECT(!kernels[k].choices.empty());
    std::size_t kind = 0;
    while (kind < kinds() && kernels[first_[kind]].choices != kernels[k].choices) ++kind;
    if (kind == kinds()) {
      first_.push_back(k);
      members_.push_back(0);
    }
    ++members_[kind];
    kind_of_[k] = static_cast<std::uint8_t>(kind);
  }
}

/// Fills cores_for of a kind: higher levels (longer times) need fewer cores.
void CoreLevels::read_choices(std::size_t kind, std::span<const CoreChoice> choices, std::span<const Ticks> times) {
  const double chip = static_cast<double>(cores_);
  auto fewest = static_cast<std::uint32_t>(cores_ + 1);
  double least_area = std::numeric_limits<double>::infinity();
  std::size_t next = choices.size();
  for (std::size_t level = 0; level < times_.size(); ++level) {
    for (; next > 0 && times[next - 1] <= times_[level]; --next)
      fewest = static_cast<std::uint32_t>(std::min(choices[next - 1].cores, chip + 1.0));
    cores_for_[level * kinds() + kind] = fewest;
    if (fewest <= cores_) least_area = std::min(least_area, static_cast<double>(times_[level]) * fewest);
  }
  const double rounded_down = least_area / chip * (1.0 - 0x1p-50) - 1.0;
  if (std::isfinite(least_area)) least_share_[kind] = static_cast<Ticks>(std::max(rounded_down, 0.0));
}

std::size_t CoreLevels::level_alone(std::size_t kind) const {
  std::size_t level = 0;
  while (level < count() && cores_for(level, kind) > cores_) ++level;
  return level;
}

}  // namespace dfsweep::dataflow
