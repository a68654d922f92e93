/// A comparison of one metric with a number is a loop over its column; other conditions go through the parser.
#include "engine/evaluation/search_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "engine/sweep/sections.hpp"
#include "engine/sweep/statuses.hpp"
#include "io/number_format.hpp"
#include "models/absent.hpp"

namespace dfsweep {
namespace {

/// A comparison with NaN is false.
template <class Compare>
void compare_all(std::span<const double> values, double number, std::span<std::uint8_t> holds, const Compare& compare) {
  for (std::size_t i = 0; i < holds.size(); ++i)
    holds[i] = static_cast<std::uint8_t>(holds[i] & static_cast<std::uint8_t>(compare(values[i], number)));
}

void compare_all(std::span<const double> values, const FilterComparison& comparison, std::span<std::uint8_t> holds) {
  switch (comparison.sign) {
    case ComparisonSign::less:
      return compare_all(values, comparison.number, holds, std::less<>());
    case ComparisonSign::less_or_equal:
      return compare_all(values, comparison.number, holds, std::less_equal<>());
    case ComparisonSign::greater:
      return compare_all(values, comparison.number, holds, std::greater<>());
    case ComparisonSign::greater_or_equal:
      return compare_all(values, comparison.number, holds, std::greater_equal<>());
  }
}

std::string value_text(const MetricInfo& info, double value) {
  if (!is_given(value)) return "none";
  const bool is_flag = info.type == MetricType::flags && value >= 0.0 && value < static_cast<double>(info.flags.size());
  return is_flag ? std::string(info.flags[static_cast<std::size_t>(value)]) : with_unit(value, info.unit, 4);
}

}  // namespace

SearchCondition::SearchCondition(const SweepSpec& spec, const Filter& condition)
    : text_(condition.expression),
      expression_(condition.expression, condition.at, condition_variables(spec, filter_variables(spec))) {
  const auto infos = spec.estimator->parameters();
  const auto number = [&](ParameterIndex p, const ParameterValue& value) {
    const bool is_number = infos[p].kind == ParameterKind::integer || infos[p].kind == ParameterKind::real;
    return is_number ? value.number : expression_.number_of(value.text);
  };
  for (const std::size_t v : expression_.used()) {
    if (v >= infos.size()) {
      const MetricIndex metric = v - infos.size();
      metrics_.push_back(metric);
      Variable& variable = of_metrics_.emplace_back(Variable{v, metric, {}});
      for (const std::string_view flag : spec.estimator->metrics()[metric].flags)
        variable.numbers.push_back(expression_.number_of(flag));
      continue;
    }
    const SweepValues::Parameter& parameter = spec.values.parameters[v];
    if (parameter.column == SweepValues::fixed) {
      expression_.set(v, number(v, parameter.values.front()));
      continue;
    }
    Variable& variable = of_parameters_.emplace_back(Variable{v, parameter.column, {}});
    for (const ParameterValue& value : parameter.values) variable.numbers.push_back(number(v, value));
  }
  if (expression_.comparison() && expression_.comparison()->variable >= infos.size()) {
    comparison_ = expression_.comparison();
    comparison_->variable -= infos.size();
  }
}

bool SearchCondition::has_all_metrics(const EstimateBuffer& estimates, std::size_t point) const {
  return std::all_of(metrics_.begin(), metrics_.end(),
                     [&](MetricIndex metric) { return is_given(estimates.metrics[metric][point]); });
}

bool SearchCondition::holds_at(const PointColumns& points, const EstimateBuffer& estimates, std::size_t point) {
  if (!has_all_metrics(estimates, point)) return false;
  for (const Variable& variable : of_metrics_) {
    const double value = estimates.metrics[variable.column][point];
    expression_.set(variable.variable,
                    variable.numbers.empty() ? value : variable.numbers[static_cast<std::size_t>(value)]);
  }
  for (const Variable& variable : of_parameters_)
    expression_.set(variable.variable, variable.numbers[points.column(variable.column)[point]]);
  return expression_.keeps();
}

void SearchCondition::check(const PointColumns& points, const EstimateBuffer& estimates,
                            std::span<std::uint8_t> holds) {
  if (comparison_) return compare_all(estimates.metrics[comparison_->variable], *comparison_, holds);
  for (std::size_t i = 0; i < holds.size(); ++i)
    if (holds[i] != 0 && estimates.status[i] == status_ok) holds[i] = holds_at(points, estimates, i) ? 1 : 0;
}

SearchConditions::SearchConditions(const SweepSpec& spec) : spec_(&spec) {
  if (!spec.search) return;
  for (const Filter& condition : spec.search->conditions) conditions_.emplace_back(spec, condition);
}

void SearchConditions::apply(const PointBuffer& points, EstimateBuffer& estimates, Tally& tally) {
  if (conditions_.empty() || points.points.empty()) return;
  holds_.assign(points.points.size(), 1);
  for (SearchCondition& condition : conditions_) condition.check(points.view(), estimates, holds_);
  const std::uint8_t limit_not_met = code_of(SearchStatus::limit_not_met, *spec_->estimator);
  std::uint64_t violations = 0;
  for (std::size_t i = 0; i < holds_.size(); ++i) {
    if (holds_[i] != 0 || estimates.status[i] != status_ok) continue;
    estimates.status[i] = limit_not_met;
    ++violations;
  }
  tally.change(status_ok, limit_not_met, violations);
}

std::vector<std::string> SearchConditions::violated(std::span<const std::uint32_t> codes,
                                                    std::span<const double> metrics) {
  std::vector<std::span<const std::uint32_t>> columns;
  for (const std::uint32_t& code : codes) columns.emplace_back(&code, 1);
  EstimateBuffer estimates{.status = {status_ok}, .metrics = {}};
  for (const double metric : metrics) estimates.metrics.push_back({metric});
  std::vector<std::string> texts;
  for (SearchCondition& condition : conditions_) {
    std::uint8_t holds = 1;
    condition.check(PointColumns(columns, 1), estimates, std::span(&holds, 1));
    if (holds != 0) continue;
    std::string values;
    for (const MetricIndex metric : condition.metrics()) {
      const MetricInfo& info = spec_->estimator->metrics()[metric];
      values += fmt::format("{}{} {}", values.empty() ? "" : ", ", info.name, value_text(info, metrics[metric]));
    }
    texts.push_back(values.empty() ? condition.expression() : fmt::format("{} ({})", condition.expression(), values));
  }
  return texts;
}

std::vector<MetricIndex> metrics_of_conditions(const SweepSpec& spec) {
  std::vector<MetricIndex> metrics;
  if (!spec.search) return metrics;
  for (const Filter& condition : spec.search->conditions) {
    const SearchCondition compiled(spec, condition);
    metrics.insert(metrics.end(), compiled.metrics().begin(), compiled.metrics().end());
  }
  std::sort(metrics.begin(), metrics.end());
  metrics.erase(std::unique(metrics.begin(), metrics.end()), metrics.end());
  return metrics;
}

}  // namespace dfsweep
