/// KnownRows: estimates that an earlier result has, so that they are not computed again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/evaluation/range_evaluation.hpp"

namespace dfsweep {

/// Rows of a grid, or reported points of a search. What is known has the bits that an evaluation gives. Thread-safe.
class KnownRows {
 public:
  KnownRows() = default;
  KnownRows(const KnownRows&) = delete;
  KnownRows& operator=(const KnownRows&) = delete;
  virtual ~KnownRows() = default;
  /// Fills `estimates` at the points whose rows are known, and `is_known` with 1 there and 0 elsewhere. Pre:
  /// `estimates` has columns for the metrics of the sweep, each with at least as many elements as there are points.
  virtual void fill(const PointBuffer& /*points*/, EstimateBuffer& /*estimates*/,
                    std::span<std::uint8_t> is_known) const {
    std::fill(is_known.begin(), is_known.end(), std::uint8_t{0});
  }
  /// Fills `groups` with what a search gives for the groups from `first` on; nothing where that is not known. A
  /// candidate has the metrics that the sweep writes, in its precision, and no value.
  virtual void find_groups(std::uint64_t /*first*/, std::span<std::optional<GroupResult>> groups) const {
    std::fill(groups.begin(), groups.end(), std::nullopt);
  }
};

/// Evaluation of the points whose rows are not known. Holds buffers, so each thread needs its own.
class RestEvaluation {
 public:
  /// Pre: all arguments outlive the evaluation; the sweep has no search.
  RestEvaluation(const SweepSpec& spec, const PreparedSweep& prepared, const KnownRows& known)
      : spec_(&spec), prepared_(&prepared), known_(&known) {}

  /// As evaluate_range(); known points count as taken in `tally`.
  void evaluate(const PointBuffer& points, EstimateBuffer& estimates, Tally& tally, const Wanted& wanted);

 private:
  const SweepSpec* spec_;
  const PreparedSweep* prepared_;
  const KnownRows* known_;
  std::vector<std::uint8_t> is_known_;  ///< [point]
  std::vector<std::size_t> places_;     ///< of the points of `rest_`
  PointBuffer rest_;
  EstimateBuffer rest_estimates_;
};

}  // namespace dfsweep
