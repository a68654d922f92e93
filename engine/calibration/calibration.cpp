#include "engine/calibration/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/calibration/levels.hpp"
#include "engine/parallel/threads.hpp"
#include "models/calibration/fit.hpp"
#include "models/calibration/identification.hpp"
#include "models/calibration/left_out.hpp"
#include "models/calibration/posterior.hpp"
#include "models/calibration/predictions.hpp"

namespace dfsweep {

namespace {

using namespace calibration;

constexpr double factor_spread = 0.1;  ///< of the logarithm of what a source does otherwise
constexpr double split_devices = 64.0;
constexpr std::size_t fewest_of_side = 5;  ///< rows of few and of many devices, for an extrapolation
constexpr double odd_deviations = 3.5;     ///< robust standard deviations beyond which a row contradicts the rest

/// The kept observations of a sweep as a problem of the fit.
class FitRows {
 public:
  FitRows(const CorrectableModel& model, const MeasuredSweep& sweep, std::span<const std::size_t> kept,
          std::span<const Correction> corrections, const std::optional<Groups>& groups)
      : model_(model),
        all_(sweep.observations.size()),
        kept_(kept),
        quantities_(sweep.spec.estimator->calibration().size()) {
    problem_.quantities = quantities_;
    for (const std::size_t i : kept) {
      const Observation& o = sweep.observations[i];
      problem_.observed.push_back(o.sign * std::log(o.measured));
      problem_.groups.push_back(groups ? groups->numbers[i] : 0);
    }
    problem_.group_count = groups ? groups->count() : 1;
    problem_.group_spread = groups ? factor_spread : 0.0;
    for (const Correction& c : corrections) problem_.unknowns.push_back({c.number, 0.0, applies(c)});
    problem_.predict = [this](std::span<const double> displacements, std::span<double> out) {
      predict(displacements, out);
    };
  }
  FitRows(const FitRows&) = delete;
  FitRows& operator=(const FitRows&) = delete;

  [[nodiscard]] const CalibrationProblem& get() const { return problem_; }
  /// The same with other spreads.
  [[nodiscard]] CalibrationProblem with(std::span<const double> spreads) const {
    CalibrationProblem changed = problem_;
    for (std::size_t k = 0; k < spreads.size(); ++k) changed.unknowns[k].spread = spreads[k];
    return changed;
  }

 private:
  [[nodiscard]] std::vector<bool> applies(const Correction& c) const {
    std::vector<bool> rows;
    for (const std::size_t i : kept_)
      rows.push_back(c.entry == Correction::all_entries || model_.entry_of_observation()[i] == c.entry);
    return rows;
  }
  /// Observations that are not kept move as the others of their entry do, and are left out of what is returned.
  void predict(std::span<const double> displacements, std::span<double> out) const {
    std::vector<double> of_entries(model_.entries().size() * quantities_, 0.0);
    for (std::size_t k = kept_.size(); k-- > 0;)
      std::copy_n(
          displacements.begin() + static_cast<std::ptrdiff_t>(k * quantities_), quantities_,
          of_entries.begin() + static_cast<std::ptrdiff_t>(model_.entry_of_observation()[kept_[k]] * quantities_));
    const std::vector<double> predictions = model_.log_predictions(model_.moved(of_entries));
    for (std::size_t k = 0; k < kept_.size(); ++k) out[k] = predictions[kept_[k]];
  }

  const CorrectableModel& model_;
  std::size_t all_;
  std::span<const std::size_t> kept_;
  std::size_t quantities_;
  CalibrationProblem problem_;
};

std::vector<std::size_t> kept_observations(std::size_t all, std::span<const RefusedRow> refused) {
  std::vector<std::size_t> kept(all);
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  for (const RefusedRow& row : refused) std::erase(kept, row.observation);
  return kept;
}

/// The groups of the kept observations alone.
Groups kept_groups(const Groups& groups, std::span<const std::size_t> kept) {
  Groups of_kept{groups.of, groups.names, {}};
  for (const std::size_t i : kept) of_kept.numbers.push_back(groups.numbers[i]);
  return of_kept;
}

/// Errors of every row by fits that have not seen its group; slopes are those of the fit to all rows.
std::vector<double> left_out(const CalibrationProblem& problem, const Groups& groups, const Fit& full,
                             const FitOptions& given, unsigned threads) {
  const std::vector<double> slopes = quantity_slopes(problem, full.values, log_predictions(problem, full.values));
  FitOptions options = given;
  options.slopes = slopes;
  std::vector<std::vector<double>> of_fold(groups.count());
  parallel_for(groups.count(), threads, [&](std::size_t fold) {
    of_fold[fold] = errors_of_fold(problem, groups.numbers, static_cast<std::uint32_t>(fold), full, options);
  });
  std::vector<double> errors(problem.observed.size(), 0.0);
  for (std::size_t i = 0; i < errors.size(); ++i) errors[i] = of_fold[groups.numbers[i]][i];
  return errors;
}

/// What decides among levels: both the usual row and the bad one count.
double badness(const ErrorSummary& errors) {
  return errors.median + 0.5 * errors.percentile90;
}

struct Chosen {
  FitLevel level;
  std::vector<LevelError> tried;
};

Chosen choose_level(const FitRows& problem, std::span<const FitLevel> levels, const Groups& groups, unsigned threads) {
  Chosen chosen;
  std::size_t best = 0;
  for (const FitLevel& level : levels) {
    const CalibrationProblem scaled = problem.with(level.spreads);
    const Fit full = fit(scaled, {});
    const ErrorSummary errors = summarize_errors(left_out(scaled, groups, full, {}, threads));
    const auto fitted = static_cast<std::size_t>(
        std::count_if(level.spreads.begin(), level.spreads.end(), [](double spread) { return spread > 0.0; }));
    chosen.tried.push_back({level.name, fitted, errors, false});
    const bool is_better = badness(errors) < 0.99 * badness(chosen.tried[best].errors);
    if (is_better) best = chosen.tried.size() - 1;
  }
  chosen.tried[best].is_chosen = true;
  chosen.level = levels[best];
  return chosen;
}

std::vector<FittedCorrection> fitted_corrections(std::span<const Correction> corrections, const FitLevel& level,
                                                 const Fit& fit, std::span<const Identification> identified,
                                                 const Posterior& posterior) {
  std::vector<FittedCorrection> all;
  for (std::size_t k = 0; k < corrections.size(); ++k) {
    if (level.spreads[k] <= 0.0) continue;
    FittedCorrection made{corrections[k], fit.values[k], posterior.intervals[k], identified[k].identified, {}};
    if (identified[k].twin != no_twin) made.twin = corrections[identified[k].twin].name;
    all.push_back(std::move(made));
  }
  return all;
}

/// Places of rows whose left-out error lies far from the median of all.
std::vector<std::size_t> odd_rows(std::span<const double> errors) {
  const double middle = quantile(errors, 0.5);
  std::vector<double> sizes;
  for (const double error : errors) sizes.push_back(std::abs(error - middle));
  const double deviation = 1.4826 * quantile(sizes, 0.5);
  std::vector<std::size_t> odd;
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (sizes[i] > odd_deviations * deviation) odd.push_back(i);
  std::stable_sort(odd.begin(), odd.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  return odd;
}

}  // namespace

CalibrationReport calibrate(const MeasuredSweep& sweep, const CalibrationOptions& options) {
  const CorrectableModel model(sweep);
  CalibrationReport report;
  report.refused = model.refused();
  report.kept = kept_observations(sweep.observations.size(), report.refused);
  const std::vector<Correction> corrections = model.corrections(options.fields);
  const std::optional<Groups> sources = options.group.empty() ? std::nullopt : groups_by(sweep, options.group);
  const FitRows problem(model, sweep, report.kept, corrections, sources);

  std::vector<Groups> ways;
  if (sources && sources->count() > 1) ways.push_back(kept_groups(*sources, report.kept));
  if (const auto models = groups_by(sweep, "model"); models && models->count() > 1)
    ways.push_back(kept_groups(*models, report.kept));
  ways.push_back(kept_groups(ten_folds(sweep), report.kept));

  const std::vector<FitLevel> levels = fit_levels(corrections, sweep.spec.estimator->calibration());
  Chosen chosen = choose_level(problem, levels, ways.front(), options.threads);
  report.levels = std::move(chosen.tried);
  const CalibrationProblem scaled = problem.with(chosen.level.spreads);
  const std::vector<Identification> identified = identified_unknowns(scaled);
  const std::vector<std::uint8_t> fitted = fitted_of(identified);
  FitOptions fitting;
  fitting.fitted = fitted;
  fitting.seed = options.seed;
  FitOptions first = fitting;
  first.starts = static_cast<int>(options.starts);
  const Fit full = fit(scaled, {}, first);

  report.corrections =
      fitted_corrections(corrections, chosen.level, full, identified, posterior(scaled, full, {}, fitting));
  report.before = log_errors(scaled, log_predictions(scaled, std::vector<double>(corrections.size(), 0.0)));
  report.after = full.log_errors;
  for (Groups& groups : ways) {
    std::vector<double> errors = left_out(scaled, groups, full, fitting, options.threads);
    report.left_out.push_back({std::move(groups), std::move(errors)});
  }
  report.odd = odd_rows(report.left_out.front().log_errors);
  report.few_devices = split_devices;
  if (const auto few = few_devices(sweep, split_devices, fewest_of_side)) {
    std::vector<std::uint8_t> seen;
    for (const std::size_t i : report.kept) seen.push_back((*few)[i]);
    report.extrapolated = extrapolation_errors(scaled, seen, fitting);
  }
  std::vector<double> displacements(model.entries().size() * scaled.quantities, 0.0);
  for (std::size_t k = 0; k < corrections.size(); ++k)
    for (std::size_t e = 0; e < model.entries().size(); ++e)
      if (corrections[k].entry == Correction::all_entries || corrections[k].entry == e)
        displacements[e * scaled.quantities + corrections[k].number] += full.values[k];
  report.entries = model.moved(displacements);
  return report;
}

}  // namespace dfsweep
