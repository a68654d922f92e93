/// OrderIdeals: every partition that may follow every set of finished kernels, as pairs of nested order ideals.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "models/dataflow/search/partition_problem.hpp"

namespace dfsweep::testing {

class OrderIdeals {
 public:
  using Index = std::uint32_t;  ///< of an ideal; those of fewer kernels come first

  /// By the edges and, unless mixing is free, with all forward kernels before the first backward one. Pre: whatever
  /// must be finished before a kernel has a lower number.
  explicit OrderIdeals(const dataflow::PartitionProblem& problem);

  [[nodiscard]] Index count() const { return static_cast<Index>(ideals_.size()); }
  [[nodiscard]] dataflow::KernelSet operator[](Index ideal) const { return ideals_[ideal].kernels; }

  /// Calls visit(after, inside, amounts) for every ideal `after` that holds ideal `before` and more, `inside` being
  /// what it holds more. `amounts` are those of the empty partition with add(amounts, inside, kernel) called for each
  /// kernel.
  template <class Amounts, class Add, class Visit>
  void for_each_after(Index before, const Amounts& amounts, const Add& add, const Visit& visit) const {
    grow(before, 0, amounts, ~dataflow::KernelSet{0}, add, visit);
  }

 private:
  struct Ideal {
    dataflow::KernelSet kernels = 0;
    dataflow::KernelSet ready = 0;  ///< kernels that may follow at once
    std::array<Index, 64> with{};   ///< [ready kernel] the ideal that holds it too
  };

  /// In ascending order of kernels, which is a topological one: every set once.
  template <class Amounts, class Add, class Visit>
  void grow(Index reached, dataflow::KernelSet inside, const Amounts& amounts, dataflow::KernelSet allowed,
            const Add& add, const Visit& visit) const {
    const Ideal& ideal = ideals_[reached];
    for (dataflow::KernelSet ready = ideal.ready & allowed; ready != 0; ready &= ready - 1) {
      const auto kernel = static_cast<std::size_t>(std::countr_zero(ready));
      const dataflow::KernelSet just = dataflow::KernelSet{1} << kernel;
      Amounts grown = amounts;
      add(grown, inside, kernel);
      visit(ideal.with[kernel], inside | just, grown);
      grow(ideal.with[kernel], inside | just, grown, ~(just | (just - 1)), add, visit);
    }
  }

  std::vector<Ideal> ideals_;
};

}  // namespace dfsweep::testing
