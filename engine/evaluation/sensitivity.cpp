#include "engine/evaluation/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "engine/parallel/threads.hpp"
#include "io/number_format.hpp"
#include "models/absent.hpp"

namespace dfsweep {
namespace {

constexpr double relative_step = 0.01;
constexpr double few_values = 8.0;         ///< ranges of at most this many whole numbers are tried completely
constexpr double min_elasticity = 0.5e-6;  ///< above the rounding errors of estimates

/// Central difference of the logarithms, or that of the step upwards at a bend: where only one step changes the metric.
double exponent_of(double more, double now, double less) {
  const double up = std::log1p(relative_step);
  const double down = -std::log1p(-relative_step);
  const auto slope = [](double ratio, double step) {
    return ratio > 0.0 && std::isfinite(ratio) ? std::log(ratio) / step : absent;
  };
  const bool is_bend = is_given(now) && (more == now) != (less == now);
  return is_bend ? slope(more / now, up) : slope(more / less, up + down);
}

/// Nothing if no metric changes, or if the estimator rejects a value.
std::optional<Elasticity> elasticity_of(const VariedPoint& point, const PointNumber& number, const PointOutcome& now) {
  constexpr double factors[] = {1.0 + relative_step, 1.0 - relative_step};
  const std::optional<std::vector<PointOutcome>> found = point.scaled(number, factors);
  if (!found) return std::nullopt;
  const std::vector<double>& more = (*found)[0].metrics;
  const std::vector<double>& less = (*found)[1].metrics;
  Elasticity result{number.name, number.value, number.unit, {}};
  bool matters = false;
  for (std::size_t m = 0; m < more.size(); ++m) {
    const double exponent = exponent_of(more[m], now.metrics[m], less[m]);
    result.of.push_back(std::abs(exponent) < min_elasticity ? 0.0 : exponent);
    matters = matters || std::abs(exponent) >= min_elasticity;
  }
  return matters ? std::optional(std::move(result)) : std::nullopt;
}

/// Other values to try; empty for a parameter that follows from others.
std::vector<ParameterValue> other_values(const ParameterInfo& info, const ParameterValue& value) {
  std::vector<ParameterValue> others;
  if (info.is_convention || value.is_best()) return others;
  if (info.kind == ParameterKind::choice) {
    for (const std::string_view choice : info.choices)
      if (choice != value.text) others.push_back({.number = absent, .text = std::string(choice)});
    return others;
  }
  if (info.kind != ParameterKind::integer || !is_given(value.number)) return others;
  std::vector<double> numbers;
  if (info.highest - info.lowest < few_values)
    for (double number = info.lowest; number <= info.highest; ++number) numbers.push_back(number);
  else
    numbers = {std::floor(value.number / 2.0), value.number * 2.0};
  for (const double number : numbers)
    if (number != value.number && number >= std::max(info.lowest, 0.0) && number <= info.highest &&
        (number > 0.0 || info.highest - info.lowest < few_values))
      others.push_back({.number = number, .text = ""});
  return others;
}

/// Another value of a parameter that will be tried.
struct OtherValue {
  ParameterIndex parameter = 0;
  ParameterValue value;
};

std::vector<OtherValue> all_other_values(const VariedPoint& point) {
  std::vector<OtherValue> all;
  const auto infos = point.estimator().parameters();
  for (ParameterIndex p = 0; p < infos.size(); ++p)
    for (ParameterValue& value : other_values(infos[p], point.value(p))) all.push_back({p, std::move(value)});
  return all;
}

std::string shown(const ParameterValue& value) {
  if (!value.text.empty()) return value.text;
  return is_given(value.number) ? shortest(value.number) : "(default)";
}

/// Nothing if nothing changes, or if the estimator rejects the value.
std::optional<Change> change_to(const VariedPoint& point, const OtherValue& other, const PointOutcome& now) {
  const std::optional<PointOutcome> then = point.with(other.parameter, other.value);
  if (!then) return std::nullopt;
  Change change{other.parameter, shown(point.value(other.parameter)), shown(other.value), then->status, {}};
  for (std::size_t m = 0; m < now.metrics.size(); ++m) {
    const double ratio = then->metrics[m] / now.metrics[m];
    change.ratio.push_back(std::isfinite(ratio) ? ratio : absent);
  }
  const bool is_same = then->status == now.status &&
                       std::all_of(change.ratio.begin(), change.ratio.end(), [](double r) { return !(r != 1.0); });
  return is_same ? std::nullopt : std::optional(std::move(change));
}

/// Those that have a value, in their order.
template <class Found>
std::vector<Found> found_ones(std::vector<std::optional<Found>> all) {
  std::vector<Found> found;
  for (std::optional<Found>& each : all)
    if (each) found.push_back(std::move(*each));
  return found;
}

}  // namespace

Sensitivity sensitivity_of(const SweepSpec& spec, std::span<const std::uint32_t> codes,
                           std::span<const MetricIndex> metrics, const SensitivityEffort& effort) {
  VariedPoint point(spec, codes, metrics);
  const std::optional<PointOutcome> now = point.evaluate_and_keep();
  if (!now) return {};
  const std::vector<PointNumber> numbers = point.numbers();
  const std::vector<OtherValue> others = all_other_values(point);
  std::vector<std::optional<Elasticity>> elasticities(numbers.size());
  std::vector<std::optional<Change>> changes(others.size());
  std::mutex progress;
  std::size_t done = 0;
  const std::size_t all = numbers.size() + others.size();
  parallel_for(all, effort.threads, [&](std::size_t i) {
    if (i < numbers.size())
      elasticities[i] = elasticity_of(point, numbers[i], *now);
    else
      changes[i - numbers.size()] = change_to(point, others[i - numbers.size()], *now);
    const std::lock_guard lock(progress);
    ++done;
    if (effort.progress) effort.progress(done, all);
  });
  Sensitivity found{found_ones(std::move(elasticities)), found_ones(std::move(changes)), point.kept()};
  const auto strength = [](const Elasticity& e) { return is_given(e.of.front()) ? std::abs(e.of.front()) : 0.0; };
  std::stable_sort(found.elasticities.begin(), found.elasticities.end(),
                   [&](const Elasticity& a, const Elasticity& b) { return strength(a) > strength(b); });
  return found;
}

}  // namespace dfsweep
