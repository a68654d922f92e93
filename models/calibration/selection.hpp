/// How much to fit, chosen by the errors of rows left out.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/calibration/error_summary.hpp"
#include "models/calibration/fit.hpp"

namespace dfsweep::calibration {

/// A candidate: what is fitted, and how freely.
struct Level {
  std::string name;
  std::vector<double> spread_factors;  ///< [unknown] on its spread; 0: not fitted
  double group_spread_factor = 1.0;    ///< on the spread of the factors of groups; 0: there are none
};

/// The problem with the spreads of this level. Unknowns that it does not fit keep theirs.
[[nodiscard]] CalibrationProblem at_level(const CalibrationProblem& problem, const Level& level);
/// FitOptions::fitted of this level.
[[nodiscard]] std::vector<std::uint8_t> fitted_of(const Level& level);

/// Weights of median and 90th percentile in the score of a level: they count about alike where errors are normal with
/// these.
struct ScoreWeights {
  double median = 1.0;
  double percentile90 = 0.4;
};

/// How a level did on rows left out.
struct LevelErrors {
  std::string name;
  std::size_t unknowns = 0;          ///< that it fits
  std::vector<double> errors;        ///< [row] ln(predicted / measured) by fits that have not seen the row's fold
  double group_spread_factor = 1.0;  ///< of the level
};

/// Fits of one level, each without one fold.
[[nodiscard]] LevelErrors level_errors(const CalibrationProblem& problem, const Level& level,
                                       std::span<const std::uint32_t> folds, const FitOptions& options = {});

struct LevelScore {
  ErrorSummary left_out;
  double score = 0.0;           ///< weighted sum of those two
  double above_least = 0.0;     ///< of that score from the least one
  double standard_error = 0.0;  ///< of above_least, by resampling whole folds for both levels alike
};

struct Selection {
  std::size_t chosen = 0;
  std::size_t least = 0;           ///< of the least score
  std::vector<LevelScore> scores;  ///< [level]
};

/// Chooses, among the levels whose score is within one standard error of the least one, those with factors of groups
/// where there are any: without these, what only one group does enters the numbers. Of them that with the fewest
/// unknowns; of equally many that with the lower score, and then the earlier. Pre: at least one level; folds [row].
[[nodiscard]] Selection choose_level(std::span<const LevelErrors> levels, std::span<const std::uint32_t> folds,
                                     const ScoreWeights& weights = {}, std::uint64_t seed = 42);

/// All of that one level after the other.
[[nodiscard]] Selection select_level(const CalibrationProblem& problem, std::span<const Level> levels,
                                     std::span<const std::uint32_t> folds, const FitOptions& options = {},
                                     const ScoreWeights& weights = {});

}  // namespace dfsweep::calibration
