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

/// "learning_rate = { from = 1e-05, to = 0.001, scale = "log" }", a line.
std::string spelled(const ParameterInfo& info, const ContinuousRange& range) {
  const auto end = [&](double number) {
    ParameterValue value;
    value.number = number;
    return spelled(info, value);
  };
  return fmt::format("{} = {{ from = {}, to = {}, scale = \"{}\" }}\n", info.name, end(range.from), end(range.to),
                     range.scale == Scale::linear ? "linear" : "log");
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
  const std::size_t listed_axes = spec.axes.size() - (spec.sample && !spec.sample->ranges.empty() ? 1 : 0);
  const auto members = [&](const Axis& axis) {
    for (const ParameterIndex p : axis.parameters)
      text += fmt::format("{} = {}\n", infos[p].name, spelled(infos[p], spec.values.parameters[p].values));
  };
  // Axes of several parameters are written last, as [[together]]; a [[together]] of one parameter is written as a plain
  // axis.
  const auto is_linked = [](const Axis& axis) { return axis.parameters.size() > 1; };
  const auto listed_end = spec.axes.begin() + static_cast<std::ptrdiff_t>(listed_axes);
  const auto first_linked = std::find_if(spec.axes.begin(), listed_end, is_linked);
  std::for_each(spec.axes.begin(), first_linked, members);
  if (spec.sample)
    for (const ContinuousRange& range : spec.sample->ranges) text += spelled(infos[range.parameter], range);
  std::for_each(first_linked, listed_end, [&](const Axis& axis) {
    text += "\n[[together]]\n";
    members(axis);
  });
  return text;
}

/// An array of expressions under `key`; empty without expressions.
std::string expressions_text(std::string_view key, const std::vector<Filter>& expressions) {
  if (expressions.empty()) return {};
  std::string text = fmt::format("{} = [\n", key);
  for (const Filter& one : expressions) text += fmt::format("  {},\n", toml_quoted(one.expression));
  return text + "]\n";
}

/// The first parameters of axes as an array of names.
std::string axes_text(const SweepSpec& spec, const std::vector<std::size_t>& axes) {
  std::string text = "[";
  for (const std::size_t a : axes)
    text += fmt::format("{}\"{}\"", text.size() == 1 ? "" : ", ",
                        spec.estimator->parameters()[spec.axes[a].parameters.front()].name);
  return text + "]";
}

std::string search_text(const SweepSpec& spec) {
  std::string text = fmt::format("\n[search]\nover = {}\n", axes_text(spec, spec.search->axes));
  text += fmt::format("{} = \"{}\"\ntop = {}\n", spec.search->direction == Better::lower ? "minimize" : "maximize",
                      spec.estimator->metrics()[spec.search->metric].name, spec.search->top);
  if (spec.search->ties == SearchTies::one) text += "one_per_tie = true\n";
  return text + expressions_text("where", spec.search->conditions);
}

std::string_view method_name(DesignMethod method) {
  switch (method) {
    case DesignMethod::random:
      return "random";
    case DesignMethod::latin_hypercube:
      return "latin_hypercube";
    case DesignMethod::sobol:
      return "sobol";
  }
  return "";
}

std::string split_text(const SweepSpec& spec, const Split& split) {
  std::string text = "split = {";
  for (std::size_t part = 0; part < split.names.size(); ++part)
    text +=
        fmt::format("{} {} = {}", part > 0 ? "," : "", toml_quoted(split.names[part]), number_text(split.shares[part]));
  if (!split.axes.empty()) text += ", by = " + axes_text(spec, split.axes);
  return text + " }\n";
}

/// The section [sample]; its conditions are among the filters.
std::string sample_text(const SweepSpec& spec) {
  const Sample& sample = *spec.sample;
  std::string text = "\n[sample]\n";
  if (sample.count) text += fmt::format("count = {}\nmethod = \"{}\"\n", *sample.count, method_name(sample.method));
  text += fmt::format("seed = {}\n", sample.seed);
  if (!sample.strata.empty()) text += fmt::format("stratify = {}\n", axes_text(spec, sample.strata));
  return sample.split ? text + split_text(spec, *sample.split) : text;
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
  if (spec.sample) text += sample_text(spec);
  text += "\n[output]\nmetrics = [";
  for (const MetricIndex m : spec.metrics)
    text += fmt::format("{}\"{}\"", text.ends_with('[') ? "" : ", ", spec.estimator->metrics()[m].name);
  text += fmt::format("]\nprecision = \"{}\"\n", spec.precision == Precision::float64 ? "float64" : "float32");
  if (spec.compression_level)
    text += fmt::format("compression = \"deflate\"\ncompression_level = {}\n", *spec.compression_level);
  if (!spec.inputs.empty()) text += "\n# Inputs and their XXH3-128\n";
  for (const InputFile& input : spec.inputs) text += fmt::format("# {} {}\n", input.checksum, input.name);
  return text;
}

}  // namespace dfsweep
