#include "engine/evaluation/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <optional>

#include "engine/catalogue/kinds.hpp"
#include "io/number_format.hpp"
#include "models/absent.hpp"

namespace dfsweep {
namespace {

constexpr double relative_step = 0.01;
constexpr double few_values = 8.0;         ///< ranges of at most this many whole numbers are tried completely
constexpr double min_elasticity = 0.5e-6;  ///< above the rounding errors of estimates

struct Outcome {
  std::uint8_t status = 0;
  std::vector<double> metrics;  ///< [requested metric]
};

/// One point with modified values.
class ChangedPoint {
 public:
  ChangedPoint(const SweepSpec& spec, std::span<const std::uint32_t> codes, std::span<const MetricIndex> metrics)
      : estimator_(*spec.estimator), metrics_(metrics), values_(spec.values) {
    for (SweepValues::Parameter& parameter : values_.parameters) {
      if (parameter.column == SweepValues::fixed) continue;
      parameter.values = {parameter.values[codes[parameter.column]]};
      parameter.column = SweepValues::fixed;
    }
    values_.column_sizes.clear();
  }

  [[nodiscard]] ParameterValue& operator[](ParameterIndex p) { return values_.parameters[p].values.front(); }

  /// Nothing if the estimator rejects the values.
  [[nodiscard]] std::optional<Outcome> evaluate() const {
    if (!estimator_.problems_of(values_).empty()) return std::nullopt;
    try {
      const std::unique_ptr<PreparedSweep> prepared = estimator_.prepare(values_);
      std::vector<double> all(estimator_.metrics().size(), absent);
      std::vector<std::span<double>> columns;
      for (double& metric : all) columns.emplace_back(&metric, 1);
      Outcome outcome;
      EstimateColumns out{std::span(&outcome.status, 1), columns};
      prepared->evaluate(PointColumns({}, 1), out);
      for (const MetricIndex m : metrics_) outcome.metrics.push_back(all[m]);
      return outcome;
    } catch (const InvalidValues&) {
      return std::nullopt;
    } catch (const std::exception&) {  // a defect of the estimator; in a run the point would get status `failed`
      return Outcome{status_failed, std::vector<double>(metrics_.size(), absent)};
    }
  }

 private:
  const Estimator& estimator_;
  std::span<const MetricIndex> metrics_;
  SweepValues values_;
};

/// A number of the point, with its name and its locations.
struct PointNumber {
  std::string name;
  std::string unit;
  std::vector<double*> places;  ///< several for a list, whose elements are scaled together
};

std::string unit_of(std::string_view kind, std::string_view field) {
  for (const FieldInfo& info : fields_of_kind(kind))
    if (info.path == field) return std::string(info.unit);
  return "1";
}

/// Layers, heads, devices: a 1 % change of a count is not an integer.
bool is_count(double value, std::string_view unit) {
  return unit == "1" && value >= 1.0 && value == std::floor(value);
}

/// Adds the numbers of an entry and of its parts, except counts. `field`: path of the part in its entry, with a
/// trailing '.'.
void add_numbers(Entry& entry, std::string_view kind, const std::string& name, const std::string& field,
                 std::vector<PointNumber>& all) {
  for (auto& [key, number] : entry.numbers)
    if (std::string unit = unit_of(kind, field + key); !is_count(number, unit))
      all.push_back({name + "." + key, std::move(unit), {&number}});
  for (auto& [key, numbers] : entry.lists) {
    PointNumber list{name + "." + key, unit_of(kind, field + key), {}};
    for (double& number : numbers) list.places.push_back(&number);
    if (!list.places.empty()) all.push_back(std::move(list));
  }
  for (auto& [key, parts] : entry.parts)
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string label = parts[i].name.empty() ? std::to_string(i) : parts[i].name;
      add_numbers(parts[i], kind, name + "." + key + "[" + label + "]", field + key + ".", all);
    }
}

void scale(const PointNumber& number, const std::vector<double>& values, double factor) {
  for (std::size_t i = 0; i < values.size(); ++i) *number.places[i] = values[i] * factor;
}

/// Central difference of the logarithms; nothing if no metric changes, or if the estimator rejects a value.
std::optional<Elasticity> elasticity_of(const ChangedPoint& point, const PointNumber& number) {
  std::vector<double> values;
  for (const double* place : number.places) values.push_back(*place);
  if (std::all_of(values.begin(), values.end(), [](double v) { return v == 0.0 || !std::isfinite(v); }))
    return std::nullopt;
  scale(number, values, 1.0 + relative_step);
  const std::optional<Outcome> more = point.evaluate();
  scale(number, values, 1.0 - relative_step);
  const std::optional<Outcome> less = point.evaluate();
  scale(number, values, 1.0);
  if (!more || !less) return std::nullopt;
  const double step = std::log1p(relative_step) - std::log1p(-relative_step);
  Elasticity result{number.name, values.size() == 1 ? values.front() : absent, number.unit, {}};
  bool matters = false;
  for (std::size_t m = 0; m < more->metrics.size(); ++m) {
    const double ratio = more->metrics[m] / less->metrics[m];
    const double found = ratio > 0.0 && std::isfinite(ratio) ? std::log(ratio) / step : absent;
    result.of.push_back(std::abs(found) < min_elasticity ? 0.0 : found);
    matters = matters || std::abs(found) >= min_elasticity;
  }
  return matters ? std::optional(std::move(result)) : std::nullopt;
}

std::vector<Elasticity> elasticities(const SweepSpec& spec, ChangedPoint& point) {
  std::vector<Elasticity> all;
  const auto add = [&](const PointNumber& number) {
    if (std::optional<Elasticity> found = elasticity_of(point, number)) all.push_back(std::move(*found));
  };
  const auto infos = spec.estimator->parameters();
  for (ParameterIndex p = 0; p < infos.size(); ++p) {
    ParameterValue& value = point[p];
    const std::string name(infos[p].name);
    if (infos[p].kind == ParameterKind::real && is_given(value.number))
      add({name, std::string(infos[p].unit), {&value.number}});
    if (value.entry == nullptr) continue;
    const Entry* const original = value.entry;
    Entry changed = *original;
    value.entry = &changed;
    std::vector<PointNumber> numbers;
    add_numbers(changed, infos[p].catalogue, name, "", numbers);
    for (const PointNumber& number : numbers) add(number);
    value.entry = original;
  }
  const auto strength = [](const Elasticity& e) { return is_given(e.of.front()) ? std::abs(e.of.front()) : 0.0; };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Elasticity& a, const Elasticity& b) { return strength(a) > strength(b); });
  return all;
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

std::string shown(const ParameterValue& value) {
  if (!value.text.empty()) return value.text;
  return is_given(value.number) ? shortest(value.number) : "(default)";
}

std::vector<Change> changes(const SweepSpec& spec, ChangedPoint& point, const Outcome& now) {
  std::vector<Change> all;
  const auto infos = spec.estimator->parameters();
  for (ParameterIndex p = 0; p < infos.size(); ++p) {
    const ParameterValue original = point[p];
    for (const ParameterValue& other : other_values(infos[p], original)) {
      point[p] = other;
      const std::optional<Outcome> then = point.evaluate();
      if (!then) continue;
      Change change{p, shown(original), shown(other), then->status, {}};
      for (std::size_t m = 0; m < now.metrics.size(); ++m) {
        const double ratio = then->metrics[m] / now.metrics[m];
        change.ratio.push_back(std::isfinite(ratio) ? ratio : absent);
      }
      const bool is_same = then->status == now.status &&
                           std::all_of(change.ratio.begin(), change.ratio.end(), [](double r) { return !(r != 1.0); });
      if (!is_same) all.push_back(std::move(change));
    }
    point[p] = original;
  }
  return all;
}

}  // namespace

Sensitivity sensitivity_of(const SweepSpec& spec, std::span<const std::uint32_t> codes,
                           std::span<const MetricIndex> metrics) {
  ChangedPoint point(spec, codes, metrics);
  const std::optional<Outcome> now = point.evaluate();
  if (!now) return {};
  return {elasticities(spec, point), changes(spec, point, *now)};
}

}  // namespace dfsweep
