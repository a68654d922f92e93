#include "engine/calibration/extrapolation.hpp"

#include <algorithm>

#include "engine/calibration/fit_rows.hpp"
#include "engine/calibration/left_out_ways.hpp"
#include "models/calibration/predictions.hpp"

namespace dfsweep {

namespace {

using namespace calibration;

constexpr double split_devices = 64.0;
constexpr std::size_t min_rows_per_side = 5;  ///< minimum number of rows on either side
constexpr double interval_share = 0.9;

double share_within(std::span<const double> errors, double low, double high) {
  const auto within = std::count_if(errors.begin(), errors.end(), [&](double e) { return low <= e && e <= high; });
  return static_cast<double>(within) / static_cast<double>(errors.size());
}

}  // namespace

std::optional<Extrapolation> extrapolate(const CorrectableModel& model, const MeasuredSweep& sweep,
                                         std::span<const std::size_t> kept, std::span<const Correction> corrections,
                                         const std::optional<Groups>& sources, unsigned threads) {
  const auto is_few = few_devices(sweep, split_devices, min_rows_per_side);
  if (!is_few) return std::nullopt;
  Extrapolation found;
  found.few_devices = split_devices;
  std::vector<std::size_t> few;
  for (const std::size_t i : kept) ((*is_few)[i] != 0 ? few : found.observations).push_back(i);
  if (few.size() < min_rows_per_side || found.observations.size() < min_rows_per_side) return std::nullopt;
  found.fitted = few.size();

  const FitRows rows(model, sweep, few, corrections, sources);
  const std::vector<Way> ways = ways_of(sweep, sources, few);
  const Chosen chosen = chosen_level(
      rows.get(), fit_levels(corrections, sweep.spec.estimator->calibration(), sources.has_value()), ways, threads, {});
  found.level = chosen.level.name;
  const CalibrationProblem problem = at_level(rows.get(), chosen.level);
  const FittedUnknowns unknowns = fitted_unknowns(problem, chosen.level);
  FitOptions fitting;
  fitting.fitted = unknowns.fitted;
  const FullFit full = full_fit(problem, fitting, threads);

  const FitRows many(model, sweep, found.observations, corrections, sources);
  found.log_errors = log_errors(many.get(), log_predictions(many.get(), full.fit.values));
  const std::vector<double> seen = left_out(problem, ways.front(), full, fitting, threads);
  found.coverage = share_within(found.log_errors, quantile(seen, (1.0 - interval_share) / 2.0),
                                quantile(seen, (1.0 + interval_share) / 2.0));
  return found;
}

}  // namespace dfsweep
