#include "engine/calibration/left_out_ways.hpp"

#include <algorithm>

#include "engine/parallel/threads.hpp"
#include "models/calibration/predictions.hpp"

namespace dfsweep {

namespace {

using namespace calibration;

constexpr std::ptrdiff_t few_unknowns = 12;
constexpr int steps_of_fold = 6;  ///< warm-started

/// Groups restricted to the kept observations.
Groups kept_groups(const Groups& groups, std::span<const std::size_t> kept) {
  Groups of_kept{groups.of, groups.names, {}};
  for (const std::size_t i : kept) of_kept.numbers.push_back(groups.numbers[i]);
  return of_kept;
}

/// Concatenated left-out errors of all ways.
std::vector<double> left_out_all_ways(const CalibrationProblem& problem, std::span<const Way> ways, const FullFit& full,
                                      const FitOptions& options, unsigned threads) {
  std::vector<double> all;
  for (const Way& way : ways) {
    const std::vector<double> errors = left_out(problem, way, full, options, threads);
    all.insert(all.end(), errors.begin(), errors.end());
  }
  return all;
}

/// Whether a fitted unknown affects some rows only: a deviation of single entries from the shared correction.
bool affects_some_rows_only(const CalibrationProblem& problem, std::span<const std::uint8_t> candidates) {
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const std::vector<bool>& applies = problem.unknowns[k].applies;
    if (candidates[k] != 0 && std::find(applies.begin(), applies.end(), false) != applies.end()) return true;
  }
  return false;
}

/// Fold numbers of all ways, distinct over the ways.
std::vector<std::uint32_t> folds_of(std::span<const Way> ways) {
  std::vector<std::uint32_t> folds;
  std::uint32_t first = 0;
  for (const Way& way : ways) {
    for (const std::uint32_t group : way.groups.numbers) folds.push_back(first + group);
    first += static_cast<std::uint32_t>(way.groups.count());
  }
  return folds;
}

}  // namespace

std::vector<Way> ways_of(const MeasuredSweep& sweep, const std::optional<Groups>& sources,
                         std::span<const std::size_t> kept) {
  std::vector<Way> ways;
  const GroupFactor of_source = sources ? GroupFactor::fitted : GroupFactor::unknown;
  if (sources) ways.push_back({kept_groups(*sources, kept), GroupFactor::unknown});
  if (const auto models = groups_by(sweep, "model"); models && models->count() > 1)
    ways.push_back({kept_groups(*models, kept), of_source});
  ways.push_back({kept_groups(ten_folds(sweep), kept), of_source});
  return ways;
}

FullFit full_fit(const CalibrationProblem& problem, const FitOptions& options, unsigned threads) {
  std::vector<Fit> fits(static_cast<std::size_t>(options.starts));
  parallel_for(fits.size(), threads, [&](std::size_t start) {
    FitOptions one = options;
    one.first_start = static_cast<int>(start);
    one.starts = 1;
    fits[start] = fit(problem, {}, one);
  });
  const auto is_lower = [](const Fit& a, const Fit& b) { return a.objective < b.objective; };
  FullFit full{std::move(*std::min_element(fits.begin(), fits.end(), is_lower)), {}};
  full.slopes = quantity_slopes(problem, full.fit.values, log_predictions(problem, full.fit.values));
  return full;
}

std::vector<double> left_out(const CalibrationProblem& problem, const Way& way, const FullFit& full,
                             const FitOptions& given, unsigned threads) {
  FitOptions options = given;
  options.slopes = full.slopes;
  options.steps = steps_of_fold;
  std::vector<double> errors(problem.observed.size(), 0.0);
  std::vector<std::uint8_t> has_rows(way.groups.count(), 0);
  for (const std::uint32_t group : way.groups.numbers) has_rows[group] = 1;
  parallel_for(way.groups.count(), threads, [&](std::size_t fold) {
    if (has_rows[fold] == 0) return;
    const std::vector<double> of_fold =
        errors_of_fold(problem, way.groups.numbers, static_cast<std::uint32_t>(fold), full.fit, options, way.factor);
    for (std::size_t i = 0; i < errors.size(); ++i)
      if (way.groups.numbers[i] == fold) errors[i] = of_fold[i];
  });
  return errors;
}

Chosen chosen_level(const CalibrationProblem& problem, std::span<const Level> levels, std::span<const Way> ways,
                    unsigned threads, const std::function<void()>& is_tried) {
  std::vector<LevelErrors> errors(levels.size());
  parallel_for(levels.size(), threads, [&](std::size_t l) {
    const CalibrationProblem scaled = at_level(problem, levels[l]);
    const std::vector<std::uint8_t> fitted = fitted_of(levels[l]);
    FitOptions options;
    options.fitted = fitted;
    const auto count = static_cast<std::size_t>(std::count(fitted.begin(), fitted.end(), std::uint8_t{1}));
    errors[l] = {levels[l].name, count, left_out_all_ways(scaled, ways, full_fit(scaled, options, 1), options, threads),
                 levels[l].group_spread_factor};
    if (is_tried) is_tried();
  });
  const Selection selection = calibration::choose_level(errors, folds_of(ways));
  Chosen chosen{levels[selection.chosen], {}};
  for (std::size_t l = 0; l < levels.size(); ++l)
    chosen.tried.push_back({errors[l].name, errors[l].unknowns,
                            calibration::summarize_relative_errors(errors[l].errors), l == selection.chosen});
  return chosen;
}

FittedUnknowns fitted_unknowns(const CalibrationProblem& problem, const Level& level) {
  FittedUnknowns found;
  const std::vector<std::uint8_t> candidates = fitted_of(level);
  FitOptions options;
  options.fitted = candidates;
  found.identified = identified_unknowns(problem, {}, options, Profile::linearised);
  const auto count = std::count(candidates.begin(), candidates.end(), std::uint8_t{1});
  found.are_held_by_priors = count > few_unknowns || affects_some_rows_only(problem, candidates);
  found.fitted = found.are_held_by_priors ? candidates : fitted_of(found.identified);
  return found;
}

}  // namespace dfsweep
