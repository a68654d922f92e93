/// LeastTimes: the slow way to best mappings, a shortest path through all order ideals of the graph.
///
/// Every pair of nested ideals is a partition and is looked at: there are no bounds, nothing is left out, and nothing
/// is taken from the search that is held against it but the problem and the cost that defines it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tests/support/order_ideals.hpp"
#include "tests/support/shared_cores.hpp"

namespace dfsweep::testing {

/// Seconds of the best mapping, infinite where there is none. [PassMixing][Overlap]
using LeastTimes = std::array<std::array<double, 3>, 3>;

/// Solves problems on one graph under one phase order and the stricter ones.
class LeastTimesOfGraph {
 public:
  explicit LeastTimesOfGraph(const dataflow::PartitionProblem& problem);

  /// In all overlap modes: that of the problem is not read, nor is a number of partitions. Phase orders looser than at
  /// construction are infinite. Every so many partitions one is compared with use_of(). Pre: edges, passes and mixing
  /// are those of construction.
  [[nodiscard]] LeastTimes solve(const dataflow::PartitionProblem& problem);

 private:
  /// Of a partition that is being grown; seconds and bytes.
  struct Amounts {
    double compute = 0.0;  ///< unused in the cycle model
    double network = 0.0;
    double memory = 0.0;
    double sram = 0.0;
    double live = 0.0;
  };
  /// Changes when a kernel joins a partition that none of its producers is in, and what those change.
  struct Joining {
    Amounts amounts;
    double sram_alone = 0.0;
    std::vector<dataflow::PartitionEdge> arrivals;
  };

  void read(const dataflow::PartitionProblem& problem);
  void add(Amounts& amounts, dataflow::KernelSet inside, std::size_t kernel) const;
  /// What growth leaves out: cores that are shared, and SRAM of kernels that are alone. `number`: of the partition.
  void complete(Amounts& amounts, dataflow::KernelSet inside, std::size_t number);
  /// Goes from ideal to ideal through a partition.
  void relax(OrderIdeals::Index before, OrderIdeals::Index after, const Amounts& amounts,
             const dataflow::PartitionProblem& problem);

  static bool is_use(const Amounts& amounts, const dataflow::PartitionUse& use,
                     const dataflow::PartitionProblem& problem);

  OrderIdeals ideals_;
  dataflow::KernelSet forward_ = 0;
  dataflow::KernelSet backward_ = 0;
  std::vector<char> in_order_;     ///< [ideal] no backward kernel before a forward one
  std::vector<LeastTimes> least_;  ///< [ideal] to finish it
  std::vector<Joining> joining_;   ///< [kernel]
  bool shares_cores_ = false;
  SharedCores shared_;
  std::vector<double> computes_;  ///< [number of partition] by `shared_`, as far as known
  std::uint64_t partitions_ = 0;  ///< met in all
};

}  // namespace dfsweep::testing
