#include "engine/sweep/resolved_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/quantity.hpp"
#include "io/toml.hpp"
#include "models/absent.hpp"

namespace dfsweep {

namespace {

/// A value as written in a sweep file, in base SI: 8, "2e12 B/s", "h100".
std::string spelled(const ParameterInfo& info, const ParameterValue& value) {
  if (!value.text.empty()) return toml_quoted(value.text);
  const std::string number = label(info, value);
  return info.unit == "1" ? number : fmt::format("\"{} {}\"", number, info.unit);
}

std::string spelled(const ParameterInfo& info, const std::vector<ParameterValue>& values) {
  std::string text = "[";
  for (const ParameterValue& value : values) text += (text.size() == 1 ? "" : ", ") + spelled(info, value);
  return text + "]";
}

bool is_absent(const ParameterValue& value) {
  return value.text.empty() && !is_given(value.number);
}

std::string parameters_text(const SweepSpec& spec) {
  const auto infos = spec.estimator->parameters();
  std::string text = "\n[parameters]\n";
  for (ParameterIndex p = 0; p < infos.size(); ++p) {
    const auto& parameter = spec.values.parameters[p];
    if (parameter.column == SweepValues::fixed && !is_absent(parameter.values.front()))
      text += fmt::format("{} = {}\n", infos[p].name, spelled(infos[p], parameter.values.front()));
  }
  if (spec.points) return text + fmt::format("\n[points]\nfile = {}\n", toml_quoted(spec.points->path));
  const auto members = [&](const Axis& axis) {
    for (const ParameterIndex p : axis.parameters)
      text += fmt::format("{} = {}\n", infos[p].name, spelled(infos[p], spec.values.parameters[p].values));
  };
  // Axes of several parameters are written last, as [[together]]; a [[together]] of one parameter is written as a plain
  // axis.
  bool linked = false;
  for (const Axis& axis : spec.axes) {
    linked = linked || axis.parameters.size() > 1;
    if (linked) text += "\n[[together]]\n";
    members(axis);
  }
  return text;
}

/// An array of expressions under `key`; empty without expressions.
std::string expressions_text(std::string_view key, const std::vector<Filter>& expressions) {
  if (expressions.empty()) return {};
  std::string text = fmt::format("{} = [\n", key);
  for (const Filter& one : expressions) text += fmt::format("  {},\n", toml_quoted(one.expression));
  return text + "]\n";
}

std::string search_text(const SweepSpec& spec) {
  const auto infos = spec.estimator->parameters();
  std::string text = "\n[search]\nover = [";
  for (const std::size_t a : spec.search->axes)
    text += fmt::format("{}\"{}\"", text.ends_with('[') ? "" : ", ", infos[spec.axes[a].parameters.front()].name);
  text += fmt::format("]\n{} = \"{}\"\ntop = {}\n", spec.search->direction == Better::lower ? "minimize" : "maximize",
                      spec.estimator->metrics()[spec.search->metric].name, spec.search->top);
  return text + expressions_text("where", spec.search->conditions);
}

}  // namespace

std::string label(const ParameterInfo& parameter, const ParameterValue& value) {
  if (!value.text.empty()) return value.text;
  if (!is_given(value.number)) return "";
  if (parameter.kind == ParameterKind::integer) return fmt::format("{}", static_cast<std::int64_t>(value.number));
  return number_text(value.number);
}

std::string conjunction_text(const std::vector<Filter>& conditions) {
  std::string text;
  for (const Filter& one : conditions) {
    const bool is_loose =
        one.expression.find("||") != std::string::npos || one.expression.find('?') != std::string::npos;
    const std::string part = is_loose && conditions.size() > 1 ? "(" + one.expression + ")" : one.expression;
    text += (text.empty() ? "" : " && ") + part;
  }
  return text;
}

std::string resolved_text(const SweepSpec& spec) {
  std::string text = fmt::format("[sweep]\nname = {}\nestimator = \"{}\"  # version {}\n", toml_quoted(spec.name),
                                 spec.estimator->name(), spec.estimator->version());
  if (!spec.description.empty()) text += fmt::format("description = {}\n", toml_quoted(spec.description));
  text += parameters_text(spec);
  if (!spec.filters.empty()) text += "\n[filter]\n" + expressions_text("keep", spec.filters);
  if (spec.search) text += search_text(spec);
  text += "\n[output]\nmetrics = [";
  for (const MetricIndex m : spec.metrics)
    text += fmt::format("{}\"{}\"", text.ends_with('[') ? "" : ", ", spec.estimator->metrics()[m].name);
  text += fmt::format("]\nprecision = \"{}\"\n", spec.precision == Precision::float64 ? "float64" : "float32");
  if (!spec.inputs.empty()) text += "\n# Inputs and their XXH3-128\n";
  for (const InputFile& input : spec.inputs) text += fmt::format("# {} {}\n", input.checksum, input.name);
  return text;
}

}  // namespace dfsweep
