/// SharedCores: the compute time of kernels that share the cores of a chip, looked up level by level.
#pragma once

#include <vector>

#include "models/dataflow/search/partition_problem.hpp"

namespace dfsweep::testing {

class SharedCores {
 public:
  /// Whether the kernels and the chip of `problem` are those read last.
  [[nodiscard]] bool are_of(const dataflow::PartitionProblem& problem) const;
  void read(const dataflow::PartitionProblem& problem);
  /// Seconds; infinite where the kernels are more than the cores.
  [[nodiscard]] double compute(dataflow::KernelSet inside) const;

 private:
  double cores_ = 0.0;
  std::vector<std::vector<dataflow::CoreChoice>> choices_;  ///< [kernel]
  std::vector<double> levels_;                              ///< distinct times of all choices, ascending
  std::vector<double> cores_for_;  ///< [level][kernel] fewest cores with no more than that time
};

}  // namespace dfsweep::testing
