/// LeastTimes: a slow exhaustive search for best mappings, as a shortest path through all order ideals of the graph.
///
/// Every pair of nested ideals is a partition and is evaluated, without bounds. With the search that is tested, this
/// one shares only the problem and the definition of the cost.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tests/support/order_ideals.hpp"
#include "tests/support/shared_cores.hpp"

namespace dfsweep::testing {

/// Seconds of the best mapping by [PassMixing][Overlap]; infinite if no mapping is feasible.
using LeastTimes = std::array<std::array<double, 3>, 3>;

/// Solves problems on one graph under one phase order and the stricter ones.
class LeastTimesOfGraph {
 public:
  explicit LeastTimesOfGraph(const dataflow::PartitionProblem& problem);

  /// The least times in all overlap modes; the problem's own mode and limit of partitions are ignored. Times of phase
  /// orders looser than at construction are infinite. A sample of the partitions is compared with use_of(). Pre: edges,
  /// passes and mixing are those of construction.
  [[nodiscard]] LeastTimes solve(const dataflow::PartitionProblem& problem);

 private:
  /// What a partition uses while kernels are added to it, in seconds and bytes.
  struct Amounts {
    double compute = 0.0;  ///< unused in the cycle model
    double network = 0.0;
    double memory = 0.0;
    double sram = 0.0;
    double live = 0.0;
  };
  /// What a kernel adds to a partition without its producers, and its edges from producers, which change these amounts.
  struct Joining {
    Amounts amounts;
    double sram_alone = 0.0;
    std::vector<dataflow::PartitionEdge> arrivals;
  };

  void read(const dataflow::PartitionProblem& problem);
  void add(Amounts& amounts, dataflow::KernelSet inside, std::size_t kernel) const;
  /// Sets the amounts that need the whole partition: time on shared cores, and SRAM of a kernel that is alone.
  /// `number` counts partitions in their order.
  void complete(Amounts& amounts, dataflow::KernelSet inside, std::size_t number);
  /// Lowers the least times of `after` with the partition between `before` and `after`.
  void relax(OrderIdeals::Index before, OrderIdeals::Index after, const Amounts& amounts,
             const dataflow::PartitionProblem& problem);

  static bool is_use(const Amounts& amounts, const dataflow::PartitionUse& use,
                     const dataflow::PartitionProblem& problem);

  OrderIdeals ideals_;
  dataflow::KernelSet forward_ = 0;
  dataflow::KernelSet backward_ = 0;
  std::vector<char> in_order_;     ///< [ideal] it has no backward kernel unless it has all forward ones
  std::vector<LeastTimes> least_;  ///< [ideal] least times to execute its kernels
  std::vector<Joining> joining_;   ///< [kernel]
  bool shares_cores_ = false;
  SharedCores shared_;
  std::vector<double> computes_;  ///< [number of partition] from `shared_`, as far as computed
  std::uint64_t partitions_ = 0;  ///< evaluated so far
};

}  // namespace dfsweep::testing
