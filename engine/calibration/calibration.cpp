#include "engine/calibration/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/calibration/fit_rows.hpp"
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

constexpr std::ptrdiff_t few_unknowns = 12;
constexpr int steps_of_fold = 6;  ///< warm-started
constexpr double split_devices = 64.0;
constexpr std::size_t fewest_of_side = 5;  ///< rows of few and of many devices, for an extrapolation

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

/// The groups of the kept observations alone.
Groups kept_groups(const Groups& groups, std::span<const std::size_t> kept) {
  Groups of_kept{groups.of, groups.names, {}};
  for (const std::size_t i : kept) of_kept.numbers.push_back(groups.numbers[i]);
  return of_kept;
}

/// A way of leaving rows out: group by group.
struct Way {
  Groups groups;
  GroupFactor factor = GroupFactor::unknown;  ///< of the source of the rows
};

/// The fit to all rows, and its slopes, which the fits to most rows share.
struct FullFit {
  Fit fit;
  std::vector<double> slopes;
};

FullFit full_fit(const CalibrationProblem& problem, const FitOptions& options) {
  FullFit full{fit(problem, {}, options), {}};
  full.slopes = quantity_slopes(problem, full.fit.values, log_predictions(problem, full.fit.values));
  return full;
}

/// Errors of every row by fits that have not seen its group.
std::vector<double> left_out(const CalibrationProblem& problem, const Way& way, const FullFit& full,
                             const FitOptions& given, unsigned threads) {
  FitOptions options = given;
  options.slopes = full.slopes;
  options.steps = steps_of_fold;
  std::vector<double> errors(problem.observed.size(), 0.0);
  parallel_for(way.groups.count(), threads, [&](std::size_t fold) {
    const std::vector<double> of_fold =
        errors_of_fold(problem, way.groups.numbers, static_cast<std::uint32_t>(fold), full.fit, options, way.factor);
    for (std::size_t i = 0; i < errors.size(); ++i)
      if (way.groups.numbers[i] == fold) errors[i] = of_fold[i];
  });
  return errors;
}

/// The same of several ways, one after the other.
std::vector<double> left_out(const CalibrationProblem& problem, std::span<const Way> ways, const FullFit& full,
                             const FitOptions& options, unsigned threads) {
  std::vector<double> all;
  for (const Way& way : ways) {
    const std::vector<double> errors = left_out(problem, way, full, options, threads);
    all.insert(all.end(), errors.begin(), errors.end());
  }
  return all;
}

/// Numbers of the folds of all ways, no two the same.
std::vector<std::uint32_t> folds_of(std::span<const Way> ways) {
  std::vector<std::uint32_t> folds;
  std::uint32_t first = 0;
  for (const Way& way : ways) {
    for (const std::uint32_t group : way.groups.numbers) folds.push_back(first + group);
    first += static_cast<std::uint32_t>(way.groups.count());
  }
  return folds;
}

struct Chosen {
  Level level;
  std::vector<LevelError> tried;
};

/// The level that predicts best what it has not seen, over all ways of leaving rows out; of nearly equal ones that with
/// fewer numbers.
Chosen chosen_level(const CalibrationProblem& problem, std::span<const Level> levels, std::span<const Way> ways,
                    unsigned threads) {
  std::vector<LevelErrors> errors;
  for (const Level& level : levels) {
    const CalibrationProblem scaled = at_level(problem, level);
    const std::vector<std::uint8_t> fitted = fitted_of(level);
    FitOptions options;
    options.fitted = fitted;
    const auto count = static_cast<std::size_t>(std::count(fitted.begin(), fitted.end(), std::uint8_t{1}));
    errors.push_back({level.name, count, left_out(scaled, ways, full_fit(scaled, options), options, threads)});
  }
  const Selection selection = calibration::choose_level(errors, folds_of(ways));
  Chosen chosen{levels[selection.chosen], {}};
  for (std::size_t l = 0; l < levels.size(); ++l)
    chosen.tried.push_back({errors[l].name, errors[l].unknowns, selection.scores[l].left_out, l == selection.chosen});
  return chosen;
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

/// By source, by model where there are several, and by ten folds.
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

void add_extrapolation(CalibrationReport& report, const MeasuredSweep& sweep, const CalibrationProblem& problem,
                       const FitOptions& fitting) {
  report.few_devices = split_devices;
  const auto few = few_devices(sweep, split_devices, fewest_of_side);
  if (!few) return;
  std::vector<std::uint8_t> seen;
  for (const std::size_t i : report.kept) {
    seen.push_back((*few)[i]);
    if ((*few)[i] == 0) report.extrapolated_observations.push_back(i);
  }
  report.extrapolated = extrapolation_errors(problem, seen, fitting);
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
  const std::vector<std::uint8_t> may_move = fitted_of(chosen.level);
  FitOptions moving;
  moving.fitted = may_move;
  const std::vector<Identification> identified = identified_unknowns(problem, {}, moving, Profile::linearised);
  // A few numbers that the rows cannot tell apart stay as they are and are named, so that the user can measure what
  // tells them. Among many each has a little to say: all move, and the prior holds those of which the rows say nothing.
  report.is_held_by_priors = std::count(may_move.begin(), may_move.end(), std::uint8_t{1}) > few_unknowns;
  const std::vector<std::uint8_t> fitted = report.is_held_by_priors ? may_move : fitted_of(identified);
  FitOptions fitting;
  fitting.fitted = fitted;
  fitting.seed = options.seed;
  FitOptions first = fitting;
  first.starts = static_cast<int>(options.starts);
  const FullFit full = full_fit(problem, first);

  report.corrections =
      fitted_corrections(corrections, chosen.level, full.fit, identified, posterior(problem, full.fit, {}, fitting));
  report.before = log_errors(problem, log_predictions(problem, std::vector<double>(corrections.size(), 0.0)));
  report.after = full.fit.log_errors;
  add_left_out(report, problem, ways, full, fitting, options);
  add_extrapolation(report, sweep, problem, fitting);
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
