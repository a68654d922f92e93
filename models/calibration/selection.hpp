/// Model selection: which unknowns to fit, chosen by out-of-sample errors.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/calibration/error_summary.hpp"
#include "models/calibration/fit.hpp"

namespace dfsweep::calibration {

/// A candidate: the unknowns to fit, with factors on their spreads.
struct Level {
  std::string name;
  std::vector<double> spread_factors;  ///< [unknown] factor on its spread; 0: not fitted
  double group_spread_factor = 1.0;    ///< factor on the spread of group factors; 0: no group factors
};

/// The problem with the spreads of this level. Unknowns that are not fitted keep their spreads.
[[nodiscard]] CalibrationProblem at_level(const CalibrationProblem& problem, const Level& level);
/// FitOptions::fitted for this level.
[[nodiscard]] std::vector<std::uint8_t> fitted_of(const Level& level);

/// Weights of median and 90th percentile in the score of a level. For normal errors both terms are about equal.
struct ScoreWeights {
  double median = 1.0;
  double percentile90 = 0.4;
};

/// Out-of-sample errors of a level.
struct LevelErrors {
  std::string name;
  std::size_t unknowns = 0;          ///< number of fitted unknowns
  std::vector<double> errors;        ///< [row] ln(predicted / measured) by fits without the fold of the row
  double group_spread_factor = 1.0;  ///< as in Level
};

/// Cross-validation of one level: one fit per left-out fold.
[[nodiscard]] LevelErrors level_errors(const CalibrationProblem& problem, const Level& level,
                                       std::span<const std::uint32_t> folds, const FitOptions& options = {});

struct LevelScore {
  ErrorSummary left_out;
  double score = 0.0;           ///< weighted sum of median and 90th percentile
  double above_least = 0.0;     ///< difference from the least score
  double standard_error = 0.0;  ///< of above_least, by resampling whole folds, the same for both levels
};

struct Selection {
  std::size_t chosen = 0;
  std::size_t least = 0;           ///< index of the least score
  std::vector<LevelScore> scores;  ///< [level]
};

/// Applies the one-standard-error rule: among the levels whose score is within one standard error of the least, it
/// prefers levels with group factors (without them, effects of single groups distort the numbers), then the fewest
/// unknowns, then the lower score, then the earlier level. `folds`: [row]. Pre: at least one level.
[[nodiscard]] Selection choose_level(std::span<const LevelErrors> levels, std::span<const std::uint32_t> folds,
                                     const ScoreWeights& weights = {}, std::uint64_t seed = 42);

/// Cross-validates all levels in sequence, then chooses one.
[[nodiscard]] Selection select_level(const CalibrationProblem& problem, std::span<const Level> levels,
                                     std::span<const std::uint32_t> folds, const FitOptions& options = {},
                                     const ScoreWeights& weights = {});

}  // namespace dfsweep::calibration
