#include "engine/calibration/kernel_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/calibration/displacement.hpp"
#include "models/calibration/fit.hpp"
#include "models/calibration/identification.hpp"
#include "models/calibration/posterior.hpp"
#include "models/calibration/predictions.hpp"
#include "models/kernels/software_table.hpp"
#include "models/place_of_name.hpp"

namespace dfsweep {

namespace {

using namespace calibration;

/// Rows of one table are not independent, because neighbouring sizes run the same code. A table has the weight of this
/// many rows.
constexpr double rows_of_table = 5.0;
constexpr double latency_spread = 0.5;  ///< prior standard deviation of the logarithm of a link's latency
constexpr int steps_near_full = 6;      ///< iterations of a fit without one group, which starts at the full fit
constexpr double median_of_normal = 0.6744897501960817;  ///< median of |x| for a standard normal x

/// Kernels of one class as a fit problem. The unknowns are the numbers of the class, then the latency of links.
class KernelRows {
 public:
  KernelRows(std::span<const KernelTable> tables, KernelClass kind, const System& system, const Entry& software,
             std::span<const CalibrationInfo> infos)
      : system_(system), software_(software) {
    for (const std::string_view field : numbers_of(kind)) {
      const auto info = std::find_if(infos.begin(), infos.end(), [&](const auto& i) { return i.field == field; });
      if (info != infos.end()) infos_.push_back(*info);
    }
    std::map<std::string, std::uint32_t> groups;
    for (const KernelTable& table : tables) {
      if (table.kind != kind) continue;
      ++tables_;
      const auto group = groups.emplace(table.group, static_cast<std::uint32_t>(groups.size())).first->second;
      const auto count = static_cast<double>(table.kernels.size());
      for (const TimedKernel& kernel : table.kernels) {
        kernels_.push_back(kernel);
        weights_.push_back(std::min(1.0, rows_of_table / count));
        problem_.observed.push_back(std::log(kernel.measured.value()));
        problem_.groups.push_back(group);
      }
    }
    problem_.group_count = groups.size();
    const bool has_latency = kind == KernelClass::inside_exchanges || kind == KernelClass::across_exchanges;
    problem_.quantities = infos_.size() + (has_latency ? 1 : 0);
    for (std::size_t q = 0; q < problem_.quantities; ++q)
      problem_.unknowns.push_back(
          {q, q < infos_.size() ? infos_[q].spread : latency_spread, std::vector<bool>(kernels_.size(), true)});
    problem_.predict = [this](std::span<const double> displacements, std::span<double> out) {
      predict(displacements, out);
    };
  }
  KernelRows(const KernelRows&) = delete;
  KernelRows& operator=(const KernelRows&) = delete;

  [[nodiscard]] const CalibrationProblem& problem() const { return problem_; }
  [[nodiscard]] std::span<const double> weights() const { return weights_; }
  [[nodiscard]] std::span<const CalibrationInfo> infos() const { return infos_; }
  [[nodiscard]] std::size_t tables() const { return tables_; }
  [[nodiscard]] bool has_latency() const { return problem_.quantities > infos_.size(); }
  [[nodiscard]] double value(std::size_t q, double x) const {
    return displaced(software_.number_or(infos_[q].field, infos_[q].usual), infos_[q].highest, x);
  }

 private:
  /// All kernels ran on one machine, so they share the displacements.
  void predict(std::span<const double> displacements, std::span<double> out) const {
    Entry moved = software_;
    for (std::size_t q = 0; q < infos_.size(); ++q)
      if (displacements[q] != 0.0) moved.numbers[std::string(infos_[q].field)] = value(q, displacements[q]);
    Network network = system_.network;
    if (has_latency()) {
      const double factor = std::exp(displacements[infos_.size()]);
      network.inside.latency = factor * network.inside.latency;
      network.across.latency = factor * network.across.latency;
    }
    const Software software = decode_software(moved).value;
    for (std::size_t row = 0; row < kernels_.size(); ++row)
      out[row] = std::log(kernel_time(kernels_[row].work, system_.accelerator, network, software).value());
  }

  const System& system_;
  const Entry& software_;
  std::vector<CalibrationInfo> infos_;
  std::vector<TimedKernel> kernels_;
  std::vector<double> weights_;
  std::size_t tables_ = 0;
  CalibrationProblem problem_;
};

/// Cross-validation errors: each kernel is predicted by a fit without its group.
std::vector<double> left_out_kernels(const KernelRows& rows, const Fit& full, FitOptions options) {
  const CalibrationProblem& problem = rows.problem();
  const std::vector<double> start = start_from(full);
  const std::vector<double> slopes = quantity_slopes(problem, full.values, log_predictions(problem, full.values));
  options.start = start;
  options.slopes = slopes;
  options.steps = steps_near_full;
  std::vector<double> errors(problem.observed.size(), 0.0);
  for (std::uint32_t group = 0; group < problem.group_count; ++group) {
    std::vector<double> weights(rows.weights().begin(), rows.weights().end());
    for (std::size_t row = 0; row < weights.size(); ++row)
      if (problem.groups[row] == group) weights[row] = 0.0;
    const Fit others = fit(problem, weights, options);
    for (std::size_t row = 0; row < errors.size(); ++row)
      if (problem.groups[row] == group) errors[row] = others.log_errors[row];
  }
  return errors;
}

/// Repeats the fit without the number that contradicts its prior most, until no number does.
Fit fit_without_contradictions(const KernelRows& rows, std::vector<std::uint8_t>& fitted,
                               std::vector<KernelNumber>& numbers) {
  for (;;) {
    FitOptions options;
    options.fitted = fitted;
    Fit found = fit(rows.problem(), rows.weights(), options);
    std::size_t furthest = numbers.size();
    double most = max_kernel_spreads;
    for (std::size_t q = 0; q < numbers.size(); ++q) {
      const double away = std::abs(found.values[q]) / rows.problem().unknowns[q].spread;
      if (fitted[q] == 0 || away <= most) continue;
      most = away;
      furthest = q;
    }
    if (furthest == numbers.size()) return found;
    fitted[furthest] = 0;
    numbers[furthest].verdict = KernelVerdict::contradicted;
    numbers[furthest].displacement = found.values[furthest];
    numbers[furthest].after = rows.value(furthest, found.values[furthest]);
  }
}

KernelClassFit fit_class(const KernelRows& rows, KernelClass kind) {
  const CalibrationProblem& problem = rows.problem();
  KernelClassFit made;
  made.kind = kind;
  made.kernels = problem.observed.size();
  made.tables = rows.tables();
  made.groups = problem.group_count;
  const std::vector<double> unchanged(problem.quantities, 0.0);
  made.before = summarize_relative_errors(log_errors(problem, log_predictions(problem, unchanged)));
  std::vector<std::uint8_t> fitted = fitted_of(identified_unknowns(problem, rows.weights(), {}, Profile::linearised));
  FitOptions all;
  all.fitted = fitted;
  const Fit full = fit(problem, rows.weights(), all);
  made.after = summarize_relative_errors(full.log_errors);
  double unlike = made.after.median;  // the error for kernels of a model that was not fitted
  if (problem.group_count > 1) {
    made.left_out = summarize_relative_errors(left_out_kernels(rows, full, all));
    unlike = made.left_out->median;
  }
  for (std::size_t q = 0; q < rows.infos().size(); ++q)
    made.numbers.push_back({std::string(rows.infos()[q].field),
                            rows.value(q, 0.0),
                            rows.value(q, 0.0),
                            0.0,
                            problem.unknowns[q].spread,
                            KernelVerdict::undetermined,
                            {}});
  const Fit kept = fit_without_contradictions(rows, fitted, made.numbers);
  FitOptions options;
  options.fitted = fitted;
  const Posterior known = posterior(problem, kept, rows.weights(), options);
  for (std::size_t q = 0; q < made.numbers.size(); ++q) {
    if (fitted[q] == 0) continue;
    KernelNumber& number = made.numbers[q];
    number.verdict = KernelVerdict::fitted;
    number.displacement = kept.values[q];
    number.after = rows.value(q, kept.values[q]);
    number.spread = std::min(number.spread, std::hypot(known.standard_deviations[q], unlike / median_of_normal));
  }
  return made;
}

}  // namespace

KernelFit fit_kernels(const SystemKernels& kernels, const Entry& software, std::span<const CalibrationInfo> infos,
                      std::span<const KernelClass> classes) {
  KernelFit made{kernels.system, kernels.files, {}};
  for (std::size_t k = 0; k < kernel_class_names.size(); ++k) {
    const auto kind = static_cast<KernelClass>(k);
    if (!classes.empty() && std::find(classes.begin(), classes.end(), kind) == classes.end()) continue;
    const KernelRows rows(kernels.tables, kind, kernels.physical, software, infos);
    if (rows.problem().observed.empty() || rows.infos().empty()) continue;
    KernelClassFit of_class = fit_class(rows, kind);
    if (kind == KernelClass::attention) {
      const KernelRows square(kernels.square_attention, kind, kernels.physical, software, infos);
      KernelClassFit of_square = fit_class(square, kind);
      of_square.counts_square = true;
      if (of_square.after.median < of_class.after.median) of_class = of_square;
    }
    if (rows.has_latency()) {
      FitOptions free;
      const Fit found = fit(rows.problem(), rows.weights(), free);
      const Seconds latency = kind == KernelClass::inside_exchanges ? kernels.physical.network.inside.latency
                                                                    : kernels.physical.network.across.latency;
      of_class.latency = latency.value() * std::exp(found.values.back());
    }
    made.classes.push_back(std::move(of_class));
  }
  return made;
}

}  // namespace dfsweep
