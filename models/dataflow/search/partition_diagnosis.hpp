/// Diagnosis: why a partition problem has no solution, and by how much it misses one.
#pragma once

#include <string>
#include <string_view>

#include "models/dataflow/search/partition_problem.hpp"

namespace dfsweep::dataflow {

enum class BindingConstraint : std::uint8_t {
  none,        ///< there is a mapping
  sram,        ///< of a partition
  live,        ///< DRAM for tensors between partitions
  count,       ///< of partitions
  passes,      ///< forward and backward kernels may not share a partition
  capacities,  ///< SRAM and DRAM, each of which alone would already be too little
  together,    ///< no constraint alone: with any one of them lifted there is still no mapping
};

/// Why there is no mapping: the first constraint, in the order above, without which there is one, and what it would
/// have to be, everything else as it is.
struct Infeasibility {
  BindingConstraint binding = BindingConstraint::none;
  double available = 0.0;  ///< B, or partitions
  double needed = 0.0;     ///< least bytes; the number of partitions nearest to the one asked for, the lower of two
  std::size_t kernel = 0;  ///< sram: the kernel that needs most alone
  bool alone = false;      ///< sram: that kernel does not fit even alone, and is the reason
  // capacities: the same for tensors in DRAM, SRAM being unlimited; the fields above are for SRAM, DRAM being
  // unlimited.
  double live_available = 0.0;
  double live_needed = 0.0;
  bool operator==(const Infeasibility&) const = default;
};

/// Exact; takes some tens of searches for any mapping. Pre: as PartitionSearch.
[[nodiscard]] Infeasibility diagnosis_of(const PartitionProblem& problem);

/// A sentence, e.g. "FFN1 alone needs 655360000 B of SRAM, 155360000 B more than there is". `kernel`: how to call the
/// kernel it names.
[[nodiscard]] std::string text_of(const Infeasibility& infeasibility, std::string_view kernel);

}  // namespace dfsweep::dataflow
