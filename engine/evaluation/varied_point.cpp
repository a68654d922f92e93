#include "engine/evaluation/varied_point.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>

#include "engine/catalogue/kinds.hpp"
#include "models/absent.hpp"
#include "models/place_of_name.hpp"

namespace dfsweep {

namespace {

std::string unit_of(std::string_view kind, std::string_view field) {
  for (const FieldInfo& info : fields_of_kind(kind))
    if (info.path == field) return std::string(info.unit);
  return "1";
}

/// Layers, heads, devices: a 1 % change of a count is not an integer.
bool is_count(double value, std::string_view unit) {
  return unit == "1" && value >= 1.0 && value == std::floor(value);
}

/// Numbers of an entry that belong together, where they are.
struct EntryNumber {
  std::string name;
  std::string unit;
  std::vector<double*> places;  ///< several for a list
};

/// Adds the numbers of an entry and of its parts, except counts. `field`: path of the part in its entry, with a
/// trailing '.'.
void add_numbers(Entry& entry, std::string_view kind, const std::string& name, const std::string& field,
                 std::vector<EntryNumber>& all) {
  for (auto& [key, number] : entry.numbers)
    if (std::string unit = unit_of(kind, field + key); !is_count(number, unit))
      all.push_back({name + "." + key, std::move(unit), {&number}});
  for (auto& [key, numbers] : entry.lists) {
    EntryNumber list{name + "." + key, unit_of(kind, field + key), {}};
    for (double& number : numbers) list.places.push_back(&number);
    if (!list.places.empty()) all.push_back(std::move(list));
  }
  for (auto& [key, parts] : entry.parts)
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string label = parts[i].name.empty() ? std::to_string(i) : parts[i].name;
      add_numbers(parts[i], kind, name + "." + key + "[" + label + "]", field + key + ".", all);
    }
}

std::vector<EntryNumber> numbers_of(Entry& entry, const ParameterInfo& info) {
  std::vector<EntryNumber> numbers;
  add_numbers(entry, info.catalogue, std::string(info.name), "", numbers);
  return numbers;
}

bool can_be_scaled(double value) {
  return value != 0.0 && std::isfinite(value);
}

}  // namespace

VariedPoint::VariedPoint(const SweepSpec& spec, std::span<const std::uint32_t> codes,
                         std::span<const MetricIndex> metrics)
    : estimator_(spec.estimator), metrics_(metrics), values_(spec.values) {
  for (SweepValues::Parameter& parameter : values_.parameters) {
    if (parameter.column == SweepValues::fixed) continue;
    parameter.values = {parameter.values[codes[parameter.column]]};
    parameter.column = SweepValues::fixed;
  }
  values_.column_sizes.clear();
}

std::vector<PointNumber> VariedPoint::numbers() const {
  std::vector<PointNumber> all;
  const auto infos = estimator_->parameters();
  for (ParameterIndex p = 0; p < infos.size(); ++p) {
    if (infos[p].kind == ParameterKind::real && can_be_scaled(value(p).number))
      all.push_back({p, 0, std::string(infos[p].name), std::string(infos[p].unit), value(p).number});
    if (value(p).entry == nullptr) continue;
    Entry entry = *value(p).entry;
    const std::vector<EntryNumber> numbers = numbers_of(entry, infos[p]);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::vector<double*>& places = numbers[i].places;
      if (std::any_of(places.begin(), places.end(), [](const double* place) { return can_be_scaled(*place); }))
        all.push_back({p, i, numbers[i].name, numbers[i].unit, places.size() == 1 ? *places.front() : absent});
    }
  }
  return all;
}

std::optional<PointOutcome> VariedPoint::evaluate_whole(const SweepValues& values) const {
  if (!estimator_->problems_of(values).empty()) return std::nullopt;
  PointOutcome outcome{.status = status_failed, .metrics = std::vector<double>(estimator_->metrics().size(), absent)};
  try {
    const std::unique_ptr<PreparedSweep> prepared = estimator_->prepare(values);
    std::vector<std::span<double>> columns;
    for (double& metric : outcome.metrics) columns.emplace_back(&metric, 1);
    EstimateColumns out{std::span(&outcome.status, 1), columns};
    prepared->evaluate(PointColumns({}, 1), out);
    return outcome;
  } catch (const InvalidValues&) {
    return std::nullopt;
  } catch (const std::exception&) {  // a defect of the estimator; in a run the point would get status `failed`
    return PointOutcome{status_failed, std::vector<double>(estimator_->metrics().size(), absent)};
  }
}

PointOutcome VariedPoint::requested(const PointOutcome& whole) const {
  PointOutcome outcome{.status = whole.status, .metrics = {}};
  for (const MetricIndex m : metrics_) outcome.metrics.push_back(whole.metrics[m]);
  return outcome;
}

std::optional<PointOutcome> VariedPoint::evaluate(const SweepValues& values) const {
  const std::optional<PointOutcome> whole = evaluate_whole(values);
  return whole ? std::optional(requested(*whole)) : std::nullopt;
}

std::optional<PointOutcome> VariedPoint::evaluate_and_keep() {
  const std::optional<PointOutcome> whole = evaluate_whole(values_);
  kept_.clear();
  kept_names_.clear();
  if (!whole) return std::nullopt;
  if (whole->status != status_ok) return requested(*whole);
  const std::vector<double>& all = whole->metrics;
  const auto infos = estimator_->parameters();
  const auto metrics = estimator_->metrics();
  for (ParameterIndex p = 0; p < infos.size(); ++p) {
    if (!value(p).is_best()) continue;
    const auto place = place_of_name(metrics, "best_" + std::string(infos[p].name));
    if (!place || !is_given(all[*place])) continue;
    ParameterValue found{.number = all[*place], .text = ""};
    if (metrics[*place].type == MetricType::flags)
      found = {.number = absent, .text = std::string(metrics[*place].flags[static_cast<std::size_t>(all[*place])])};
    kept_.push_back({p, std::move(found)});
    kept_names_.emplace_back(infos[p].name);
  }
  return requested(*whole);
}

SweepValues VariedPoint::with_kept(SweepValues values) const {
  for (const Kept& kept : kept_)
    if (values.parameters[kept.parameter].values.front().is_best())
      values.parameters[kept.parameter].values.front() = kept.value;
  return values;
}

std::optional<std::vector<PointOutcome>> VariedPoint::scaled(const PointNumber& number,
                                                             std::span<const double> factors) const {
  const bool has_entry = value(number.parameter).entry != nullptr;
  const auto outcomes = [&](const SweepValues& base) -> std::optional<std::vector<PointOutcome>> {
    std::vector<PointOutcome> all;
    for (const double factor : factors) {
      SweepValues values = base;
      ParameterValue& changed = values.parameters[number.parameter].values.front();
      Entry entry;
      if (has_entry) {
        entry = *changed.entry;
        const std::vector<EntryNumber> numbers = numbers_of(entry, estimator_->parameters()[number.parameter]);
        for (double* place : numbers[number.place].places) *place *= factor;
        changed.entry = &entry;
      } else {
        changed.number *= factor;
      }
      std::optional<PointOutcome> outcome = evaluate(values);
      if (!outcome) return std::nullopt;
      all.push_back(std::move(*outcome));
    }
    return all;
  };
  if (!kept_.empty()) {
    std::optional<std::vector<PointOutcome>> kept = outcomes(with_kept(values_));
    const bool is_feasible = kept && std::all_of(kept->begin(), kept->end(), [](const PointOutcome& outcome) {
                               return outcome.status == status_ok;
                             });
    if (is_feasible) return kept;
  }
  return outcomes(values_);
}

std::optional<PointOutcome> VariedPoint::with(ParameterIndex parameter, const ParameterValue& value) const {
  SweepValues values = values_;
  values.parameters[parameter].values.front() = value;
  if (!kept_.empty()) {
    std::optional<PointOutcome> kept = evaluate(with_kept(values));
    if (kept && kept->status == status_ok) return kept;
  }
  return evaluate(values);
}

}  // namespace dfsweep
