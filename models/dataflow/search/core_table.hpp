/// CoreTable: compute times of sets of kernels in the cycle model, indexed by the number of kernels of each kind.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/dataflow/search/core_levels.hpp"

namespace dfsweep::dataflow {

/// Kernels with the same choices are of one kind. The counts of each kind determine the compute time of a partition.
/// They also determine a lower bound on the total compute of any partitioning of a set: a shortest path over the
/// counts, which ignores edges, traffic and SRAM but respects whole numbers of cores.
class CoreTable {
 public:
  CoreTable() = default;

  /// The table stays empty where the kernels have too many kinds for it to pay off.
  CoreTable(const CoreLevels& levels, std::int64_t cores);

  [[nodiscard]] bool empty() const { return compute_.empty(); }
  /// Increment of the index of a set when a kernel joins.
  [[nodiscard]] std::uint32_t step(std::size_t kernel) const { return steps_[kernel]; }
  /// Index of the set of all kernels.
  [[nodiscard]] std::uint32_t all() const { return static_cast<std::uint32_t>(compute_.size() - 1); }
  /// Compute of a partition with this set; `int_infinity` where it has more kernels than the chip has cores.
  [[nodiscard]] Ticks compute(std::uint32_t index) const { return compute_[index]; }
  /// Lower bound on the total compute of all partitions of this set.
  [[nodiscard]] Ticks least(std::uint32_t index) const { return least_[index]; }

 private:
  struct Kind {
    std::uint32_t count;
    std::uint32_t step;
  };
  void find_compute(const CoreLevels& levels, std::int64_t cores);
  void find_least();
  [[nodiscard]] Ticks least_with(std::uint32_t set, std::uint32_t part, std::size_t kind) const;
  [[nodiscard]] std::uint32_t held(std::uint32_t index, const Kind& kind) const {
    return index / kind.step % (kind.count + 1);
  }

  std::vector<Kind> kinds_;  ///< as in CoreLevels
  std::array<std::uint32_t, most_kernels> steps_{};
  std::vector<Ticks> compute_;  ///< [index]
  std::vector<Ticks> least_;    ///< [index]
};

}  // namespace dfsweep::dataflow
