/// CombinationTable: what depends on some parameters of a sweep alone, computed once for each of their combinations.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "models/prepared/lazy_table.hpp"
#include "models/prepared/subspace.hpp"

namespace dfsweep::training::calculon {

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

  /// The value of point `i`. `compute()` returns it; it may be kept in `own` until the next call with the same `own`.
  template <class Compute>
  const Value& at(const PointColumns& points, std::size_t i, std::optional<Value>& own, Compute compute) const {
    if (!combinations_) return own.emplace(compute());
    return kept_->get(combinations_->number(points, i), compute);
  }

 private:
  std::optional<DistinctSubspace> combinations_;
  std::unique_ptr<LazyTable<Value>> kept_;
};

}  // namespace dfsweep::training::calculon
