/// Diagnosis: the constraint that makes a partition problem infeasible, and by how much.
#pragma once

#include <string>
#include <string_view>

#include "models/dataflow/search/partition_problem.hpp"

namespace dfsweep::dataflow {

enum class BindingConstraint : std::uint8_t {
  none,        ///< a mapping exists
  sram,        ///< SRAM of a partition
  live,        ///< DRAM for tensors between partitions
  count,       ///< number of partitions
  passes,      ///< forward and backward kernels may not share a partition
  capacities,  ///< SRAM and DRAM; each alone is already too small
  together,    ///< a combination: no mapping exists without any single one of the constraints
};

/// Why no mapping exists: the first constraint, in the order above, without which a mapping exists, and the limit that
/// it would need with all other constraints unchanged.
struct Infeasibility {
  BindingConstraint binding = BindingConstraint::none;
  double available = 0.0;  ///< B, or partitions
  double needed =
      0.0;  ///< least bytes; or the possible number of partitions nearest to the requested one, the lower on a tie
  std::size_t kernel = 0;  ///< sram: the kernel that needs most on its own
  bool alone = false;      ///< sram: this kernel does not fit even on its own
  // capacities: limits for tensors in DRAM with unlimited SRAM; the fields above are for SRAM with unlimited DRAM.
  double live_available = 0.0;
  double live_needed = 0.0;
  bool operator==(const Infeasibility&) const = default;
};

/// Exact; takes tens of searches for a first mapping. Pre: as PartitionSearch.
[[nodiscard]] Infeasibility diagnosis_of(const PartitionProblem& problem);

/// A sentence such as "FFN1 alone needs 655360000 B of SRAM, 155360000 B more than available". `kernel`: name of the
/// kernel in question.
[[nodiscard]] std::string text_of(const Infeasibility& infeasibility, std::string_view kernel);

}  // namespace dfsweep::dataflow
