#include "models/calibration/selection.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "models/calibration/layout.hpp"
#include "models/calibration/left_out.hpp"
#include "models/expect.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep::calibration {

namespace {

constexpr std::uint64_t resamples = 200;

double score_of(const ErrorSummary& left_out, const ScoreWeights& weights) {
  return weights.median * left_out.median + weights.percentile90 * left_out.percentile90;
}

/// [fold] Rows of each fold.
std::vector<std::vector<std::size_t>> rows_of_folds(std::span<const std::uint32_t> folds) {
  std::map<std::uint32_t, std::vector<std::size_t>> by_number;
  for (std::size_t row = 0; row < folds.size(); ++row) by_number[folds[row]].push_back(row);
  std::vector<std::vector<std::size_t>> rows;
  for (auto& [fold, of] : by_number) rows.push_back(std::move(of));
  return rows;
}

/// [level] Scores of one resample; all levels use the same drawn folds.
std::vector<double> resampled_scores(std::span<const LevelErrors> levels,
                                     std::span<const std::vector<std::size_t>> folds, const ScoreWeights& weights,
                                     std::uint64_t seed, std::uint64_t resample) {
  const CounterRandom random(seed);
  std::vector<std::size_t> rows;
  for (std::size_t j = 0; j < folds.size(); ++j) {
    const std::vector<std::size_t>& fold = folds[random.index(resample, j, folds.size())];
    rows.insert(rows.end(), fold.begin(), fold.end());
  }
  std::vector<double> scores;
  std::vector<double> errors(rows.size());
  for (const LevelErrors& level : levels) {
    std::transform(rows.begin(), rows.end(), errors.begin(), [&](std::size_t row) { return level.errors[row]; });
    scores.push_back(score_of(summarize_errors(errors), weights));
  }
  return scores;
}

double standard_deviation(std::span<const double> values) {
  double mean = 0.0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

}  // namespace

CalibrationProblem at_level(const CalibrationProblem& problem, const Level& level) {
  DFSWEEP_EXPECT(level.spread_factors.size() == problem.unknowns.size());
  CalibrationProblem scaled = problem;
  scaled.group_spread *= level.group_spread_factor;
  for (std::size_t k = 0; k < scaled.unknowns.size(); ++k)
    if (level.spread_factors[k] > 0.0) scaled.unknowns[k].spread *= level.spread_factors[k];
  return scaled;
}

std::vector<std::uint8_t> fitted_of(const Level& level) {
  std::vector<std::uint8_t> fitted(level.spread_factors.size());
  std::transform(level.spread_factors.begin(), level.spread_factors.end(), fitted.begin(),
                 [](double factor) { return factor > 0.0 ? std::uint8_t{1} : std::uint8_t{0}; });
  return fitted;
}

LevelErrors level_errors(const CalibrationProblem& problem, const Level& level, std::span<const std::uint32_t> folds,
                         const FitOptions& options) {
  const CalibrationProblem scaled = at_level(problem, level);
  std::vector<std::uint8_t> fitted = fitted_of(level);
  for (std::size_t k = 0; k < options.fitted.size(); ++k)
    if (options.fitted[k] == 0) fitted[k] = 0;
  FitOptions of_level = options;
  of_level.fitted = fitted;
  return {level.name, layout_of(scaled, {}, fitted).unknowns.size(), left_out_errors(scaled, folds, of_level),
          level.group_spread_factor};
}

Selection choose_level(std::span<const LevelErrors> levels, std::span<const std::uint32_t> folds,
                       const ScoreWeights& weights, std::uint64_t seed) {
  DFSWEEP_EXPECT(!levels.empty());
  Selection selection;
  for (const LevelErrors& level : levels) {
    DFSWEEP_EXPECT(level.errors.size() == folds.size());
    const ErrorSummary left_out = summarize_errors(level.errors);
    selection.scores.push_back({left_out, score_of(left_out, weights), 0.0, 0.0});
  }
  const auto by_score = [](const LevelScore& a, const LevelScore& b) { return a.score < b.score; };
  selection.least = static_cast<std::size_t>(
      std::min_element(selection.scores.begin(), selection.scores.end(), by_score) - selection.scores.begin());

  const std::vector<std::vector<std::size_t>> rows = rows_of_folds(folds);
  std::vector<std::vector<double>> above(levels.size(), std::vector<double>(resamples));
  for (std::uint64_t resample = 0; resample < resamples; ++resample) {
    const std::vector<double> scores = resampled_scores(levels, rows, weights, seed, resample);
    for (std::size_t l = 0; l < levels.size(); ++l) above[l][resample] = scores[l] - scores[selection.least];
  }
  selection.chosen = selection.least;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    LevelScore& score = selection.scores[l];
    score.above_least = score.score - selection.scores[selection.least].score;
    score.standard_error = standard_deviation(above[l]);
    if (score.above_least > score.standard_error) continue;
    const auto rank = [&](std::size_t of) {
      const bool lacks_factors = levels[of].group_spread_factor == 0.0;
      return std::tuple(lacks_factors, levels[of].unknowns, selection.scores[of].score, of);
    };
    if (rank(l) < rank(selection.chosen)) selection.chosen = l;
  }
  return selection;
}

Selection select_level(const CalibrationProblem& problem, std::span<const Level> levels,
                       std::span<const std::uint32_t> folds, const FitOptions& options, const ScoreWeights& weights) {
  std::vector<LevelErrors> errors;
  for (const Level& level : levels) errors.push_back(level_errors(problem, level, folds, options));
  return choose_level(errors, folds, weights, options.seed);
}

}  // namespace dfsweep::calibration
