/// CoreLevels: in the cycle model, how many cores each kind of kernel needs for each time that any kernel can take.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/dataflow/search/partition_problem.hpp"
#include "models/dataflow/search/ticks.hpp"

namespace dfsweep::dataflow {

/// A partition takes a level when the cores that its kernels need for that time are no more than the chip has.
class CoreLevels {
 public:
  CoreLevels() = default;
  /// Times are rounded to whole ticks. Pre: every kernel has choices; at most `most_kernels` kernels.
  CoreLevels(std::span<const PartitionKernel> kernels, std::int64_t cores, double seconds_per_tick);

  /// Number of levels: the distinct times of all choices.
  [[nodiscard]] std::size_t count() const { return times_.size(); }
  [[nodiscard]] Ticks time(std::size_t level) const { return times_[level]; }

  /// Kernels with the same choices are of one kind.
  [[nodiscard]] std::size_t kinds() const { return members_.size(); }
  [[nodiscard]] std::size_t kind_of(std::size_t kernel) const { return kind_of_[kernel]; }
  /// Number of kernels of a kind.
  [[nodiscard]] std::uint32_t members(std::size_t kind) const { return members_[kind]; }

  /// Fewest cores with which a kernel of this kind takes no longer than that level; more than the chip has where none
  /// are enough.
  [[nodiscard]] std::uint32_t cores_for(std::size_t level, std::size_t kind) const {
    return cores_for_[level * kinds() + kind];
  }
  /// Least level of a kernel of this kind that has the chip to itself; count() where the cores are too few for it.
  [[nodiscard]] std::size_t level_alone(std::size_t kind) const;
  /// What a kernel of this kind adds to the sum of all partitions' compute at least: min over levels of
  /// cores * time / (cores of the chip), since in a partition the sum of cores is at most that of the chip.
  [[nodiscard]] Ticks least_share(std::size_t kind) const { return least_share_[kind]; }

 private:
  void find_kinds(std::span<const PartitionKernel> kernels);
  void read_choices(std::size_t kind, std::span<const CoreChoice> choices, std::span<const Ticks> times);

  std::int64_t cores_ = 0;
  std::array<std::uint8_t, most_kernels> kind_of_{};
  std::vector<std::size_t> first_;        ///< [kind] its first kernel
  std::vector<std::uint32_t> members_;    ///< [kind]
  std::vector<Ticks> times_;              ///< [level] ascending
  std::vector<std::uint32_t> cores_for_;  ///< [level][kind]
  std::vector<Ticks> least_share_;        ///< [kind]
};

}  // namespace dfsweep::dataflow
