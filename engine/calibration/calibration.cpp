#include "engine/calibration/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "engine/calibration/contradictions.hpp"
#include "engine/calibration/extrapolation.hpp"
#include "engine/calibration/fit_rows.hpp"
#include "engine/calibration/left_out_ways.hpp"
#include "engine/parallel/threads.hpp"
#include "io/diagnostic.hpp"
#include "io/number_format.hpp"
#include "models/calibration/bootstrap.hpp"
#include "models/calibration/fit.hpp"
#include "models/calibration/identification.hpp"
#include "models/calibration/left_out.hpp"
#include "models/calibration/odd_rows.hpp"
#include "models/calibration/posterior.hpp"
#include "models/calibration/predictions.hpp"
#include "models/expect.hpp"

namespace dfsweep {

namespace {

using namespace calibration;

/// The observations that are not refused. Pre: `refused` is in their order.
std::vector<std::size_t> kept_observations(std::size_t all, std::span<const RefusedRow> refused) {
  std::vector<std::size_t> kept;
  std::size_t next = 0;
  for (std::size_t i = 0; i < all; ++i) {
    if (next < refused.size() && refused[next].observation == i)
      ++next;
    else
      kept.push_back(i);
  }
  return kept;
}

/// Groups of rows that share a factor of their own; nothing if all rows are in one group.
std::optional<Groups> source_groups(const MeasuredSweep& sweep, const CalibrationOptions& options) {
  std::optional<Groups> groups = options.group.empty() ? std::nullopt : groups_by(sweep, options.group);
  return groups && groups->count() > 1 ? groups : std::nullopt;
}

/// Fills `before` and `after` if all corrected entries have the same value.
void add_values(FittedCorrection& made, const CorrectableModel& model) {
  const Correction& c = made.correction;
  const bool is_single = c.entry != Correction::all_entries;
  const std::size_t first = is_single ? c.entry : 0, end = is_single ? c.entry + 1 : model.entries().size();
  const double before = model.value_of(c.number, first);
  for (std::size_t e = first; e < end; ++e)
    if (model.value_of(c.number, e) != before) return;
  made.before = before;
  made.after = model.displaced_value(c.number, first, made.displacement);
}

std::vector<FittedCorrection> fitted_corrections(const CorrectableModel& model, std::span<const Correction> corrections,
                                                 const Level& level, const Fit& fit,
                                                 std::span<const Identification> identified, const Posterior& posterior,
                                                 std::span<const double> contradicted) {
  std::vector<FittedCorrection> all;
  for (std::size_t k = 0; k < corrections.size(); ++k) {
    if (level.spread_factors[k] <= 0.0) continue;
    FittedCorrection& made = all.emplace_back();
    made.place = k;
    made.correction = corrections[k];
    made.displacement = fit.values[k];
    made.interval = posterior.intervals[k];
    made.is_identified = identified[k].identified;
    made.contradicted = contradicted[k];
    if (identified[k].twin != no_twin) made.twin = corrections[identified[k].twin].name;
    add_values(made, model);
  }
  return all;
}

/// Intervals of the expected errors, by resampling whole groups.
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
  if (report.left_out.front().groups.count() > 1)  // resampling a single group gives it again
    report.left_out_intervals = {intervals.median_left_out, intervals.percentile90_left_out};
  for (FittedCorrection& c : report.corrections) c.resampled = intervals.unknowns[c.place];
}

/// Throws UserError with the reason why each row cannot be used.
[[noreturn]] void throw_refused(const MeasuredSweep& sweep, std::span<const RefusedRow> refused) {
  std::vector<Problem> problems;
  for (const RefusedRow& row : refused) {
    const Observation& o = sweep.observations[row.observation];
    problems.push_back({{sweep.table.path.string(), sweep.table.lines[o.row], sweep.table.measured[o.column].column},
                        "the row cannot be used",
                        row.reason,
                        row.hint});
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

/// [entry * numbers + number] Corrections of the entries that the kept rows name, and of the originals of copies.
/// Other entries stay as they are.
std::vector<double> displacements_of(const CorrectableModel& model, const std::vector<bool>& corrected,
                                     std::span<const Correction> corrections, const Fit& fit) {
  const std::size_t numbers = model.number_count();
  std::vector<double> displacements(model.entries().size() * numbers, 0.0);
  for (std::size_t k = 0; k < corrections.size(); ++k)
    for (std::size_t e = 0; e < model.entries().size(); ++e)
      if (corrected[e] && (corrections[k].entry == Correction::all_entries || corrections[k].entry == e))
        displacements[e * numbers + corrections[k].number] += fit.values[k];
  return displacements;
}

/// Corrects `entries`. What was fitted to memory is limited by the rows that ran.
void correct_entries(CalibrationReport& report, const CorrectableModel& model, std::span<const Correction> corrections,
                     const Fit& fit, std::vector<Entry>& entries) {
  report.corrected = model.entries_of_observations(report.kept);
  std::vector<double> displacements = displacements_of(model, report.corrected, corrections, fit);
  if (report.resource == Resource::memory) {
    LimitedCorrections limited = limited_by_runs(model, std::move(displacements));
    displacements = std::move(limited.displacements);
    report.feasibility = std::move(limited.feasibility);
  }
  entries = model.moved(displacements);
  const std::vector<double> predictions = model.log_predictions(entries);
  report.after.clear();
  for (const std::size_t i : report.kept) {
    const Observation& o = report.sweep.observations[i];
    report.after.push_back(predictions[i] - o.sign * std::log(o.measured));
  }
}

/// Removes rows that contradict what is known beforehand from the rows that are kept. All numbers of the resource are
/// uncertain, whether they are fitted or not.
void refuse_contradicted(CalibrationReport& report, const CorrectableModel& model,
                         const std::optional<Groups>& sources) {
  const std::vector<Correction> corrections = model.corrections({});
  const FitRows rows(model, report.sweep, report.kept, corrections, sources);
  for (RefusedRow& row : contradicted_observations(rows.get(), report.sweep, report.kept))
    report.refused.push_back(std::move(row));
  std::sort(report.refused.begin(), report.refused.end(),
            [](const RefusedRow& a, const RefusedRow& b) { return a.observation < b.observation; });
  report.kept = kept_observations(report.sweep.observations.size(), report.refused);
  if (report.kept.empty()) throw_refused(report.sweep, report.refused);
}

/// Says which of the levels is tried. Thread-safe.
class LevelsTried {
 public:
  LevelsTried(const CalibrationOptions& options, Resource resource, std::size_t levels)
      : options_(options), resource_(resource), levels_(levels) {
    say();
  }
  void operator()() {
    ++tried_;
    say();
  }

 private:
  void say() const {
    if (options_.say)
      options_.say(fmt::format("choosing what is fitted to {}, {} of {} choices tried", name_of(resource_),
                               tried_.load(), levels_));
  }
  const CalibrationOptions& options_;
  Resource resource_;
  std::size_t levels_;
  std::atomic<std::size_t> tried_ = 0;
};

/// Fits at the level that left-out rows choose, and fills what `report` says of the fit.
void fit_and_report(CalibrationReport& report, const CorrectableModel& model, std::span<const Correction> corrections,
                    const FitRows& rows, const std::optional<Groups>& sources, const CalibrationOptions& options,
                    std::vector<Entry>& entries) {
  const MeasuredSweep& sweep = report.sweep;
  std::vector<Way> ways = ways_of(sweep, sources, report.kept);
  const std::vector<Level> levels = fit_levels(corrections, sweep.spec.estimator->calibration(), sources.has_value());
  LevelsTried tried(options, report.resource, levels.size());
  Chosen chosen = chosen_level(rows.get(), levels, ways, options.threads, [&tried] { tried(); });
  report.levels = std::move(chosen.tried);
  if (options.say) options.say(fmt::format("fitting {}", name_of(report.resource)));
  const CalibrationProblem problem = at_level(rows.get(), chosen.level);
  const FittedUnknowns unknowns = fitted_unknowns(problem, chosen.level);
  report.is_held_by_priors = unknowns.are_held_by_priors;
  FitOptions first;
  first.fitted = unknowns.fitted;
  first.seed = options.seed;
  first.starts = static_cast<int>(options.starts);
  const UncontradictedFit found = uncontradicted_fit(rows.get(), problem, first, options.threads);
  FitOptions fitting = first;
  fitting.fitted = found.fitted;
  fitting.starts = 1;

  report.corrections = fitted_corrections(model, corrections, chosen.level, found.full.fit, unknowns.identified,
                                          posterior(problem, found.full.fit, {}, fitting), found.contradicted);
  report.before = log_errors(problem, log_predictions(problem, std::vector<double>(corrections.size(), 0.0)));
  if (options.say) options.say(fmt::format("predicting rows left out, {}", name_of(report.resource)));
  add_left_out(report, problem, ways, found.full, fitting, options);
  const LeftOut& first_way = report.left_out.front();
  report.classes = row_classes(sweep, report.kept, first_way.groups);
  report.of_class = stated_errors(report.classes, first_way.log_errors, first_way.groups);
  report.of_all = stated_error(first_way.log_errors, first_way.groups.numbers);
  correct_entries(report, model, corrections, found.full.fit, entries);
}

/// Fits the numbers of one resource and corrects `entries`.
CalibrationReport calibrate_resource(const MeasuredSweep& all, Resource resource, const CalibrationOptions& options,
                                     std::vector<Entry>& entries) {
  CalibrationReport report;
  report.resource = resource;
  report.sweep = measurements_of(all, resource);
  const MeasuredSweep& sweep = report.sweep;
  const CorrectableModel model(sweep, resource, entries);
  if (options.say) options.say(fmt::format("predicting {}", counted(sweep.observations.size(), "measurement")));
  report.refused = model.refused();
  report.kept = kept_observations(sweep.observations.size(), report.refused);
  if (report.kept.empty()) throw_refused(sweep, report.refused);
  const std::vector<Correction> corrections = model.corrections(options.fields);
  const std::optional<Groups> sources = source_groups(sweep, options);
  refuse_contradicted(report, model, sources);
  const FitRows rows(model, sweep, report.kept, corrections, sources);
  parallel_for(2, options.threads, [&](std::size_t part) {
    if (part == 0)
      fit_and_report(report, model, corrections, rows, sources, options, entries);
    else
      report.extrapolation = extrapolate(model, sweep, report.kept, corrections, sources, options.threads);
  });
  return report;
}

}  // namespace

std::vector<Resource> fitted_resources(const MeasuredSweep& sweep, const std::vector<std::string>& fields) {
  const Estimator& estimator = *sweep.spec.estimator;
  const auto is_fitted = [&](Resource resource) {
    const auto is_of = [&](const Observation& o) { return resource_of(estimator.metrics()[o.metric]) == resource; };
    const auto is_asked = [&](const CalibrationInfo& info) {
      const bool is_named = fields.empty() || std::find(fields.begin(), fields.end(), info.field) != fields.end();
      return info.resource == resource && is_named;
    };
    return std::any_of(sweep.observations.begin(), sweep.observations.end(), is_of) &&
           std::any_of(estimator.calibration().begin(), estimator.calibration().end(), is_asked);
  };
  std::vector<Resource> fitted;
  for (const Resource resource : {Resource::time, Resource::memory})
    if (is_fitted(resource)) fitted.push_back(resource);
  return fitted;
}

Calibration calibrate(const MeasuredSweep& sweep, const CalibrationOptions& options) {
  Calibration all;
  all.entries = entries_of(sweep);
  const std::vector<Resource> resources = fitted_resources(sweep, options.fields);
  DFSWEEP_EXPECT(!resources.empty());
  for (auto resource = resources.rbegin(); resource != resources.rend(); ++resource)
    all.reports.push_back(calibrate_resource(sweep, *resource, options, all.entries));
  std::reverse(all.reports.begin(), all.reports.end());
  return all;
}

SimulatedCalibration simulate_calibration(const MeasuredSweep& all, Resource resource,
                                          const CalibrationOptions& options, std::uint64_t sets) {
  const MeasuredSweep sweep = measurements_of(all, resource);
  const CorrectableModel model(sweep, resource, entries_of(sweep));
  const std::vector<std::size_t> kept = kept_observations(sweep.observations.size(), model.refused());
  const std::vector<Correction> corrections = model.corrections(options.fields);
  const std::optional<Groups> sources = source_groups(sweep, options);
  const FitRows rows(model, sweep, kept, corrections, sources);
  std::vector<SimulatedSet> simulated(sets);
  CoverageOptions simulation;
  simulation.seed = options.seed;
  parallel_for(simulated.size(), options.threads,
               [&](std::size_t set) { simulated[set] = simulate_set(rows.get(), set, simulation); });
  return {resource, corrections, coverage_of(simulated)};
}

}  // namespace dfsweep
