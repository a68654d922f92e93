#include "engine/calibration/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/calibration/extrapolation.hpp"
#include "engine/calibration/fit_rows.hpp"
#include "engine/calibration/left_out_ways.hpp"
#include "engine/calibration/levels.hpp"
#include "engine/parallel/threads.hpp"
#include "io/diagnostic.hpp"
#include "models/calibration/bootstrap.hpp"
#include "models/calibration/fit.hpp"
#include "models/calibration/identification.hpp"
#include "models/calibration/left_out.hpp"
#include "models/calibration/odd_rows.hpp"
#include "models/calibration/posterior.hpp"
#include "models/calibration/predictions.hpp"

namespace dfsweep {

namespace {

using namespace calibration;

std::vector<std::size_t> kept_observations(std::size_t all, std::span<const RefusedRow> refused) {
  std::vector<std::size_t> kept(all);
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  for (const RefusedRow& row : refused) std::erase(kept, row.observation);
  return kept;
}

/// Rows that share what only they do otherwise; nothing where all rows would.
std::optional<Groups> source_groups(const MeasuredSweep& sweep, const CalibrationOptions& options) {
  std::optional<Groups> groups = options.group.empty() ? std::nullopt : groups_by(sweep, options.group);
  return groups && groups->count() > 1 ? groups : std::nullopt;
}

std::vector<FittedCorrection> fitted_corrections(std::span<const Correction> corrections, const Level& level,
                                                 const Fit& fit, std::span<const Identification> identified,
                                                 const Posterior& posterior) {
  std::vector<FittedCorrection> all;
  for (std::size_t k = 0; k < corrections.size(); ++k) {
    if (level.spread_factors[k] <= 0.0) continue;
    FittedCorrection made{k, corrections[k], fit.values[k], posterior.intervals[k], {}, identified[k].identified, {}};
    if (identified[k].twin != no_twin) made.twin = corrections[identified[k].twin].name;
    all.push_back(std::move(made));
  }
  return all;
}

/// Intervals of the errors to expect, by resampling whole groups.
void add_intervals(CalibrationReport& report, const CalibrationProblem& problem, const FullFit& full,
                   const FitOptions& fitting, const CalibrationOptions& options) {
  if (options.replicates == 0) return;
  FitOptions two_steps = fitting;
  two_steps.steps = 2;
  two_steps.slopes = full.slopes;
  std::vector<Replicate> replicates(options.replicates);
  parallel_for(replicates.size(), options.threads, [&](std::size_t index) {
    replicates[index] =
        replicate(problem, index, options.seed, full.fit, report.left_out.front().log_errors, two_steps);
  });
  const BootstrapIntervals intervals = intervals_of(replicates);
  report.median_interval = intervals.median_left_out;
  report.percentile90_interval = intervals.percentile90_left_out;
  for (FittedCorrection& c : report.corrections) c.resampled = intervals.unknowns[c.place];
}

/// Nothing can be fitted. Throws UserError with the reason of every row.
[[noreturn]] void refuse_all(const MeasuredSweep& sweep, std::span<const RefusedRow> refused) {
  std::vector<Problem> problems;
  for (const RefusedRow& row : refused) {
    const Observation& o = sweep.observations[row.observation];
    problems.push_back({{sweep.table.path.string(), sweep.table.lines[o.row], sweep.table.measured[o.column].column},
                        "the row cannot be used",
                        row.reason,
                        {}});
  }
  throw UserError(std::move(problems));
}

void add_left_out(CalibrationReport& report, const CalibrationProblem& problem, std::span<Way> ways,
                  const FullFit& full, const FitOptions& fitting, const CalibrationOptions& options) {
  for (Way& way : ways) {
    std::vector<double> errors = left_out(problem, way, full, fitting, options.threads);
    report.left_out.push_back({std::move(way.groups), std::move(errors)});
  }
  for (const OddRow& row : odd_rows(report.left_out.front().log_errors, report.left_out.front().groups.numbers))
    report.odd.push_back(row.row);
  add_intervals(report, problem, full, fitting, options);
}

std::vector<Entry> corrected_entries(const CorrectableModel& model, std::span<const Correction> corrections,
                                     const Fit& fit) {
  const std::size_t numbers = model.number_count();
  std::vector<double> displacements(model.entries().size() * numbers, 0.0);
  for (std::size_t k = 0; k < corrections.size(); ++k)
    for (std::size_t e = 0; e < model.entries().size(); ++e)
      if (corrections[k].entry == Correction::all_entries || corrections[k].entry == e)
        displacements[e * numbers + corrections[k].number] += fit.values[k];
  return model.moved(displacements);
}

}  // namespace

CalibrationReport calibrate(const MeasuredSweep& sweep, const CalibrationOptions& options) {
  const CorrectableModel model(sweep);
  CalibrationReport report;
  report.refused = model.refused();
  report.kept = kept_observations(sweep.observations.size(), report.refused);
  if (report.kept.empty()) refuse_all(sweep, report.refused);
  const std::vector<Correction> corrections = model.corrections(options.fields);
  const std::optional<Groups> sources = source_groups(sweep, options);
  const FitRows rows(model, sweep, report.kept, corrections, sources);
  std::vector<Way> ways = ways_of(sweep, sources, report.kept);

  Chosen chosen =
      chosen_level(rows.get(), fit_levels(corrections, sweep.spec.estimator->calibration()), ways, options.threads);
  report.levels = std::move(chosen.tried);
  const CalibrationProblem problem = at_level(rows.get(), chosen.level);
  const MovingUnknowns moving = moving_unknowns(problem, chosen.level);
  report.is_held_by_priors = moving.are_held_by_priors;
  FitOptions fitting;
  fitting.fitted = moving.fitted;
  fitting.seed = options.seed;
  FitOptions first = fitting;
  first.starts = static_cast<int>(options.starts);
  const FullFit full = full_fit(problem, first);

  report.corrections = fitted_corrections(corrections, chosen.level, full.fit, moving.identified,
                                          posterior(problem, full.fit, {}, fitting));
  report.before = log_errors(problem, log_predictions(problem, std::vector<double>(corrections.size(), 0.0)));
  report.after = full.fit.log_errors;
  add_left_out(report, problem, ways, full, fitting, options);
  report.extrapolation = extrapolate(model, sweep, report.kept, corrections, sources, options.threads);
  report.entries = corrected_entries(model, corrections, full.fit);
  return report;
}

calibration::Coverage simulate_calibration(const MeasuredSweep& sweep, const CalibrationOptions& options,
                                           std::uint64_t sets) {
  const CorrectableModel model(sweep);
  const std::vector<std::size_t> kept = kept_observations(sweep.observations.size(), model.refused());
  const std::vector<Correction> corrections = model.corrections(options.fields);
  const std::optional<Groups> sources = source_groups(sweep, options);
  const FitRows rows(model, sweep, kept, corrections, sources);
  std::vector<SimulatedSet> simulated(sets);
  CoverageOptions simulation;
  simulation.seed = options.seed;
  parallel_for(simulated.size(), options.threads,
               [&](std::size_t set) { simulated[set] = simulate_set(rows.get(), set, simulation); });
  return coverage_of(simulated);
}

}  // namespace dfsweep
