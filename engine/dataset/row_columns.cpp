#include "engine/dataset/row_columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "engine/sweep/resolved_text.hpp"
#include "engine/sweep/statuses.hpp"
#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t max_statuses = 250;

bool is_number(const ParameterInfo& info) {
  return info.kind == ParameterKind::integer || info.kind == ParameterKind::real;
}

/// Whether the value is that of an empty cell of a point list.
bool is_absent(const ParameterValue& value) {
  return !is_given(value.number) && value.text.empty() && value.entry == nullptr;
}

/// Numbers are stored as numbers, unless the list contains words ("best").
bool holds_numbers(const ParameterInfo& info, const std::vector<ParameterValue>& values) {
  return is_number(info) &&
         std::all_of(values.begin(), values.end(), [](const ParameterValue& value) { return value.text.empty(); });
}

ElementType integer_type(const std::vector<ParameterValue>& values) {
  const bool fits = std::all_of(values.begin(), values.end(), [](const ParameterValue& value) {
    return is_absent(value) || std::abs(value.number) <= std::numeric_limits<std::int32_t>::max();
  });
  return fits ? ElementType::int32 : ElementType::int64;
}

void append_number(std::vector<std::byte>& bytes, ElementType type, double number) {
  if (type == ElementType::int32) return append_value(bytes, static_cast<std::int32_t>(number));
  if (type == ElementType::int64) return append_value(bytes, static_cast<std::int64_t>(number));
  append_value(bytes, number);
}

std::vector<std::byte> absent_element(ElementType type) {
  std::vector<std::byte> bytes;
  if (type == ElementType::float64) append_value(bytes, absent);
  if (type == ElementType::int64) append_value(bytes, std::numeric_limits<std::int64_t>::lowest());
  if (type == ElementType::int32) append_value(bytes, std::numeric_limits<std::int32_t>::lowest());
  return bytes;
}

AxisColumn number_column(const ParameterInfo& info, const std::vector<ParameterValue>& values) {
  AxisColumn column;
  column.type = info.kind == ParameterKind::real ? ElementType::float64 : integer_type(values);
  column.absent = absent_element(column.type);
  for (const ParameterValue& value : values) {
    if (is_absent(value))
      column.values.insert(column.values.end(), column.absent.begin(), column.absent.end());
    else
      append_number(column.values, column.type, value.number);
  }
  return column;
}

AxisColumn label_column(const ParameterInfo& info, const std::vector<ParameterValue>& values) {
  AxisColumn column;
  const bool is_short = values.size() <= static_cast<std::size_t>(std::numeric_limits<std::int16_t>::max());
  column.type = is_short ? ElementType::int16 : ElementType::int32;
  const auto append_code = [&](std::vector<std::byte>& bytes, std::int32_t code) {
    return is_short ? append_value(bytes, static_cast<std::int16_t>(code)) : append_value(bytes, code);
  };
  append_code(column.absent, -1);
  // Linked axes may repeat a value: it gets one label and one code.
  std::unordered_map<std::string, std::int32_t> code_of;
  for (const ParameterValue& value : values) {
    if (is_absent(value)) {
      column.values.insert(column.values.end(), column.absent.begin(), column.absent.end());
      continue;
    }
    const auto [known, is_new] = code_of.emplace(label(info, value), static_cast<std::int32_t>(column.labels.size()));
    if (is_new) column.labels.push_back(known->first);
    append_code(column.values, known->second);
  }
  return column;
}

std::vector<AxisColumn> axis_columns(const SweepSpec& spec) {
  std::vector<AxisColumn> columns;
  const std::span<const ParameterInfo> parameters = spec.estimator->parameters();
  for (std::size_t axis = 0; axis < spec.axes.size(); ++axis) {
    for (const ParameterIndex parameter : spec.axes[axis].parameters) {
      const SweepValues::Parameter& varied = spec.values.parameters[parameter];
      AxisColumn column = holds_numbers(parameters[parameter], varied.values)
                              ? number_column(parameters[parameter], varied.values)
                              : label_column(parameters[parameter], varied.values);
      column.parameter = parameter;
      column.code_column = varied.column;
      column.has_gaps = std::any_of(varied.values.begin(), varied.values.end(), is_absent);
      column.is_searched =
          spec.search && std::find(spec.search->axes.begin(), spec.search->axes.end(), axis) != spec.search->axes.end();
      columns.push_back(std::move(column));
    }
  }
  return columns;
}

}  // namespace

RowColumns row_columns(const Plan& plan) {
  const SweepSpec& spec = plan.spec();
  RowColumns columns;
  columns.axes = axis_columns(spec);
  for (const MetricIndex metric : spec.metrics) {
    const bool is_flags = spec.estimator->metrics()[metric].type == MetricType::flags;
    const ElementType real = spec.precision == Precision::float32 ? ElementType::float32 : ElementType::float64;
    columns.metrics.push_back({metric, is_flags ? ElementType::uint8 : real});
  }
  columns.has_rank = spec.search.has_value();
  if (spec.sample && spec.sample->split) {
    columns.split.emplace(spec);
    columns.split_names = spec.sample->split->names;
  }
  columns.statuses.emplace_back("missing");
  columns.status_meanings.emplace_back("not evaluated yet; never in a result with all rows");
  for (const StatusInfo& status : statuses_of(spec)) {
    columns.statuses.emplace_back(status.name);
    columns.status_meanings.emplace_back(status.meaning);
  }
  DFSWEEP_EXPECT(columns.statuses.size() < max_statuses);
  columns.no_feasible = static_cast<std::uint8_t>(first_status + code_of(SearchStatus::no_feasible, *spec.estimator));
  return columns;
}

void encode_metric(double value, ElementType type, std::byte* element) {
  if (type == ElementType::float64) {
    std::memcpy(element, &value, sizeof value);
  } else if (type == ElementType::float32) {
    const auto narrow = static_cast<float>(value);
    std::memcpy(element, &narrow, sizeof narrow);
  } else {
    *element = !is_given(value) ? std::byte{absent_flag} : static_cast<std::byte>(static_cast<std::uint8_t>(value));
  }
}

}  // namespace dfsweep
