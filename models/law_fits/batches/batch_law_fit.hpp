/// Fit of a batch law to runs that were evaluated now and then until they reached a target.
/// Source: docs/models/whole-run.md, fitting a batch law.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/whole_run/batch_law.hpp"

namespace dfsweep::law_fits {

/// A run: the target lies between the last evaluation that missed it and the first that reached it.
struct TargetRun {
  double batch = 0.0;  ///< global batch in sequences
  whole_run::EvaluationSchedule evaluations;
  double failed_at = 0.0;  ///< sequences at the last evaluation that missed the target; 0: there was none
  double reached_at = std::numeric_limits<double>::infinity();  ///< at the first that reached it; infinite: never
  MatrixFormat format = MatrixFormat::bits8;
  double learning_rate = absent;
  std::size_t system = 0;  ///< runs of one system are left out together
};

enum class BatchFitDefect : std::uint8_t { none, no_success };

struct BatchLawFit {
  BatchFitDefect defect = BatchFitDefect::none;
  whole_run::BatchLaw law;  ///< of the runs: numbers, intervals, ranges and how many they are
  /// Factor on the variance: by how much runs of one configuration deviate together; 1 where they are independent.
  double dispersion = 1.0;
  std::size_t configurations = 0;  ///< of batch, format, learning rate and system
  /// Whether some configuration ended at more than one evaluation; otherwise the spread is the prior's.
  bool spread_is_seen = false;
  [[nodiscard]] bool critical_is_identified() const;  ///< whether the interval of Bc has an upper end
};

/// Maximises the likelihood of the intervals (failed_at, reached_at] under ln E ~ normal(ln E(B), s), times the prior
/// of s. Intervals are profile likelihood with threshold 1.92 times the dispersion. Deterministic.
[[nodiscard]] BatchLawFit fit_batch_law(std::span<const TargetRun> runs);

/// One configuration of a system that was left out of the fit.
struct LeftOutConfiguration {
  std::size_t system = 0;
  double batch = 0.0;
  MatrixFormat format = MatrixFormat::bits8;
  std::size_t runs = 0;
  double predicted = absent;  ///< median sequences at the first evaluation that reaches the target
  double observed = absent;   ///< median of its runs
};

/// Every system is left out once; its configurations are predicted from the others, on their own grid of evaluations.
/// Runs that never reach the target are left out; configurations whose format the others lack are not predicted (NaN).
[[nodiscard]] std::vector<LeftOutConfiguration> left_out_systems(std::span<const TargetRun> runs);

/// Mean of |predicted / observed - 1| over predicted configurations; NaN without predicted configurations.
[[nodiscard]] double mean_error(std::span<const LeftOutConfiguration> configurations);

}  // namespace dfsweep::law_fits
