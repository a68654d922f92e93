/// Conditions on rows: filter expressions with columns and fixed parameters as variables.
#include "engine/results/row_condition.hpp"

#include <algorithm>
#include <memory>

#include "engine/console/usage_error.hpp"
#include "engine/results/bare_numbers.hpp"
#include "engine/results/former_statuses.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/sweep/estimators.hpp"
#include "engine/sweep/filter.hpp"
#include "io/number_format.hpp"
#include "models/absent.hpp"

namespace dfsweep {
namespace {

constexpr double number_of_no_label = -2.0;  ///< differs from the number of every label in an expression

/// Column used in the filter and its label table.
struct UsedColumn {
  std::size_t variable = 0;
  std::vector<double> numbers;  ///< [code] number of its label; empty: values are numbers
};

struct Compiled {
  FilterExpression expression;
  std::vector<UsedColumn> columns;
  RowsDecided decided;
};

std::vector<FilterVariable> variables_of(const DatasetReader& file) {
  std::vector<FilterVariable> variables;
  for (const DatasetColumn& column : file.columns()) {
    FilterVariable variable{.name = column.name, .kind = VariableKind::number, .unit = column.units, .labels = {}};
    variable.labels = value_names(file, column);
    if (!variable.labels.empty()) variable.kind = VariableKind::label;
    variables.push_back(std::move(variable));
  }
  for (const FixedValue& fixed : file.fixed()) {
    const bool is_text = std::holds_alternative<std::string>(fixed.value);
    variables.push_back({fixed.name, is_text ? VariableKind::text : VariableKind::number, fixed.units, {}});
  }
  return variables;
}

std::string with_statuses_of(const DatasetReader& file, const std::string& expression) {
  const DatasetColumn* column = file.column("status");
  const Estimator* estimator = column == nullptr ? nullptr : find_estimator(file.attribute("estimator"));
  if (estimator == nullptr) return expression;
  return with_statuses_among(value_names(file, *column), estimator->statuses(), expression);
}

double number_of(const FixedValue& fixed, const FilterExpression& expression) {
  if (const auto* label = std::get_if<std::string>(&fixed.value)) return expression.number_of(*label);
  if (const auto* whole = std::get_if<std::int64_t>(&fixed.value)) return static_cast<double>(*whole);
  return std::get<double>(fixed.value);
}

double value_in_expression(const UsedColumn& column, double value) {
  if (column.numbers.empty()) return value;
  const bool has_label = value >= 0.0 && value < static_cast<double>(column.numbers.size());
  return has_label ? column.numbers[static_cast<std::size_t>(value)] : number_of_no_label;
}

void keep_rows(Compiled& compiled, std::span<const std::span<const double>> values, std::span<std::uint8_t> kept) {
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t c = 0; c < compiled.columns.size(); ++c)
      compiled.expression.set(compiled.columns[c].variable, value_in_expression(compiled.columns[c], values[c][i]));
    kept[i] = compiled.expression.keeps() ? 1 : 0;
    (kept[i] != 0 ? compiled.decided.some_kept : compiled.decided.some_dropped) = true;
  }
  for (std::size_t c = 0; c < compiled.columns.size(); ++c)
    if (const auto given = std::find_if(values[c].begin(), values[c].end(), [](double v) { return is_given(v); });
        given != values[c].end() && !is_given(compiled.decided.examples[c]))
      compiled.decided.examples[c] = *given;
}

}  // namespace

RowCondition row_condition(const DatasetReader& file, const std::string& expression) {
  if (expression.empty()) return {};
  const std::vector<FilterVariable> variables = variables_of(file);
  const SourcePosition at{.file = "--where", .line = 1, .column = 1};
  RowCondition condition;
  try {
    auto compiled = std::make_shared<Compiled>(
        Compiled{FilterExpression(with_statuses_of(file, expression), at, variables), {}, {}});
    for (const std::size_t variable : compiled->expression.used()) {
      if (variable >= file.columns().size()) {
        compiled->expression.set(variable,
                                 number_of(file.fixed()[variable - file.columns().size()], compiled->expression));
        continue;
      }
      UsedColumn used{.variable = variable, .numbers = {}};
      for (const std::string& label : variables[variable].labels)
        used.numbers.push_back(compiled->expression.number_of(label));
      compiled->columns.push_back(std::move(used));
      condition.filter.columns.push_back(&file.columns()[variable]);
      condition.names_status = condition.names_status || file.columns()[variable].name == "status";
    }
    compiled->decided.examples.assign(compiled->columns.size(), absent);
    condition.decided = {compiled, &compiled->decided};
    condition.filter.keep = [compiled](auto values, auto kept) { keep_rows(*compiled, values, kept); };
  } catch (const UserError& error) {
    throw UsageError(error.what());
  }
  return condition;
}

std::string unit_note(const RowCondition& condition, const std::string& expression) {
  if (condition.decided == nullptr || condition.decided->some_kept == condition.decided->some_dropped) return {};
  const RowsDecided& decided = *condition.decided;
  for (const BareComparison& comparison : bare_comparisons(expression))
    for (std::size_t c = 0; c < condition.filter.columns.size(); ++c) {
      const DatasetColumn& column = *condition.filter.columns[c];
      if (column.name != comparison.name || column.is_categorical()) continue;
      const NumberColumn printed = format_column({&decided.examples[c], 1}, column.units);
      std::string note = bare_number_note(comparison, shown_unit(column.units), printed.unit, decided.some_kept);
      if (!note.empty()) return note;
    }
  return {};
}

}  // namespace dfsweep
