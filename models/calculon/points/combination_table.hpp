/// CombinationTable: what depends on some parameters of a sweep alone, computed once for each of their combinations.
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

#include "models/prepared/lazy_table.hpp"
#include "models/prepared/subspace.hpp"

namespace dfsweep::calculon {

/// Combinations are computed on first use. Sweeps with more of them than `most_kept` compute them at every point.
template <class Value>
class CombinationTable {
 public:
  CombinationTable(const SweepValues& values, std::span<const ParameterIndex> parameters) {
    constexpr std::uint64_t most_kept = std::uint64_t{1} << 25;
    if (Subspace(values, parameters).size() > most_kept) return;
    combinations_.emplace(values, parameters);
    kept_ = std::make_unique<LazyTable<Value>>(combinations_->size());
  }

  /// Numbers of the combinations of points from `first` on, as many as `out` holds. Equal numbers are equal values;
  /// where none are kept all numbers differ.
  void number(const PointColumns& points, std::size_t first, std::span<std::uint32_t> out) const {
    if (combinations_)
      combinations_->numbers(points, first, out);
    else
      std::iota(out.begin(), out.end(), static_cast<std::uint32_t>(first));
  }

  /// The value of a combination. `compute()` returns it; it may be kept in `own` until the next call with the same
  /// `own`.
  template <class Compute>
  const Value& at(std::uint32_t number, std::optional<Value>& own, Compute compute) const {
    if (!combinations_) return own.emplace(compute());
    return kept_->get(number, compute);
  }

 private:
  std::optional<DistinctSubspace> combinations_;
  std::unique_ptr<LazyTable<Value>> kept_;
};

}  // namespace dfsweep::calculon
