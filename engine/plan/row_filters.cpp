/// Maps codes of axes to the variables of an expression.
#include "engine/plan/row_filters.hpp"

#include <algorithm>

#include "engine/sweep/sections.hpp"

namespace dfsweep {

AxisFilter::AxisFilter(const SweepSpec& spec, const Filter& filter, const std::vector<std::size_t>& order)
    : filter_(filter), expression_(filter.expression, filter.at, filter_variables(spec)) {
  const auto infos = spec.estimator->parameters();
  const auto number = [&](std::size_t p, const ParameterValue& value) {
    const bool is_number = infos[p].kind == ParameterKind::integer || infos[p].kind == ParameterKind::real;
    return is_number ? value.number : expression_.number_of(value.text);
  };
  for (std::size_t position = 0; position < order.size(); ++position) {
    std::vector<Column> columns;
    for (const std::size_t p : expression_.used()) {
      const SweepValues::Parameter& parameter = spec.values.parameters[p];
      if (parameter.column != order[position]) continue;
      Column column{p, {}};
      for (const ParameterValue& value : parameter.values) column.values.push_back(number(p, value));
      columns.push_back(std::move(column));
    }
    if (columns.empty()) continue;
    positions_.push_back(position);
    columns_.push_back(std::move(columns));
  }
  for (const std::size_t p : expression_.used())
    if (spec.values.parameters[p].column == SweepValues::fixed)
      expression_.set(p, number(p, spec.values.parameters[p].values.front()));
}

void AxisFilter::set_code(std::size_t i, std::uint32_t code) {
  for (const Column& column : columns_[i]) expression_.set(column.variable, column.values[code]);
}

}  // namespace dfsweep
