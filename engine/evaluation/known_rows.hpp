/// KnownRows: estimates that an earlier result has, so that they are not computed again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/evaluation/range_evaluation.hpp"

namespace dfsweep {

class KnownRows {
 public:
  KnownRows() = default;
  KnownRows(const KnownRows&) = delete;
  KnownRows& operator=(const KnownRows&) = delete;
  virtual ~KnownRows() = default;
  /// Fills `estimates` at the points whose rows are known, and `is_known` with 1 there and 0 elsewhere. The estimates
  /// have the bits that an evaluation gives. Pre: `estimates` has columns for the metrics of the sweep, each with at
  /// least as many elements as there are points. Thread-safe.
  virtual void fill(const PointBuffer& points, EstimateBuffer& estimates, std::span<std::uint8_t> is_known) const = 0;
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
