/// CoreTable: in the cycle model, the compute of sets of kernels by how many of each kind they hold.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/dataflow/search/core_levels.hpp"

namespace dfsweep::dataflow {

/// Kernels with the same choices are of one kind. How many of each kind a set holds decides the compute of a partition,
/// and also the least compute of all partitions that together hold the set: a shortest path over these numbers, for
/// which edges, traffic and SRAM do not matter. That bound knows what sharing cores in whole numbers costs.
class CoreTable {
 public:
  CoreTable() = default;

  /// The table stays empty where kernels are of so many kinds that it would cost more than it spares.
  CoreTable(const CoreLevels& levels, std::int64_t cores);

  [[nodiscard]] bool empty() const { return compute_.empty(); }
  /// What a kernel adds to the index of a set.
  [[nodiscard]] std::uint32_t step(std::size_t kernel) const { return steps_[kernel]; }
  /// Index of the set of all kernels.
  [[nodiscard]] std::uint32_t all() const { return static_cast<std::uint32_t>(compute_.size() - 1); }
  /// Compute of a partition that holds this set; `endless` where its kernels are more than the cores.
  [[nodiscard]] Ticks compute(std::uint32_t index) const { return compute_[index]; }
  /// Partitions that together hold this set have no less compute.
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

  std::vector<Kind> kinds_;  ///< those of the levels
  std::array<std::uint32_t, most_kernels> steps_{};
  std::vector<Ticks> compute_;  ///< [index]
  std::vector<Ticks> least_;    ///< [index]
};

}  // namespace dfsweep::dataflow
