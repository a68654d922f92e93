/// CoreLevels: table of the cores that each kind of kernel needs for each time level, in the cycle model.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/dataflow/search/partition_problem.hpp"
#include "models/dataflow/search/ticks.hpp"

namespace dfsweep::dataflow {

/// A level is a compute time of some kernel choice. A partition can run at a level if its kernels together need at most
/// the cores of the chip for this time.
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

  /// Fewest cores with which a kernel of this kind finishes within the level; more than the cores of the chip where it
  /// cannot.
  [[nodiscard]] std::uint32_t cores_for(std::size_t level, std::size_t kind) const {
    return cores_for_[level * kinds() + kind];
  }
  /// Lowest level of a kernel of this kind that has the whole chip; count() where the cores are too few.
  [[nodiscard]] std::size_t level_alone(std::size_t kind) const;
  /// Lower bound on the contribution of a kernel of this kind to the total compute: min over levels of cores * time /
  /// (cores of the chip), since the cores in a partition sum to at most those of the chip.
  [[nodiscard]] Ticks least_share(std::size_t kind) const { return least_share_[kind]; }

 private:
  void find_kinds(std::span<const PartitionKernel> kernels);
  void read_choices(std::size_t kind, std::span<const CoreChoice> choices, std::span<const Ticks> times);

  std::int64_t cores_ = 0;
  std::array<std::uint8_t, most_kernels> kind_of_{};
  std::vector<std::size_t> first_;        ///< [kind] first kernel of the kind
  std::vector<std::uint32_t> members_;    ///< [kind]
  std::vector<Ticks> times_;              ///< [level] ascending
  std::vector<std::uint32_t> cores_for_;  ///< [level][kind]
  std::vector<Ticks> least_share_;        ///< [kind]
};

}  // namespace dfsweep::dataflow
