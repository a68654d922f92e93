#include "engine/commands/plan_drawing.hpp"

#include <fmt/format.h>

#include "io/number_format.hpp"

namespace dfsweep {
namespace {

std::string method_name(DesignMethod method) {
  switch (method) {
    case DesignMethod::random:
      return "at random";
    case DesignMethod::latin_hypercube:
      return "by a Latin hypercube";
    case DesignMethod::sobol:
      return "by a Sobol sequence";
  }
  return "";
}

}  // namespace

std::string axis_name(const SweepSpec& spec, const Axis& axis) {
  std::string name;
  for (const ParameterIndex p : axis.parameters)
    name += fmt::format("{}{}", name.empty() ? "" : "+", spec.estimator->parameters()[p].name);
  return name;
}

std::string drawing_lines(const SweepSpec& spec, const RowSource& rows) {
  if (!spec.sample) return "";
  const Sample& sample = *spec.sample;
  std::string text;
  if (sample.count) {
    const std::uint64_t population =
        sample.ranges.empty() ? rows.population() : rows.population() / spec.axes.back().size;
    text = fmt::format("drawn      {} of {}, {}, seed {}", rows.groups(),
                       counted(population, spec.search ? "reported point" : "kept point"), method_name(sample.method),
                       sample.seed);
    std::string names;
    for (const std::size_t axis : sample.strata)
      names += (names.empty() ? "" : ", ") + axis_name(spec, spec.axes[axis]);
    if (!names.empty()) text += fmt::format("; equally many for each {}", names);
    if (!sample.ranges.empty()) text += "; " + counted(sample.ranges.size(), "continuous range");
    text += "\n";
  }
  if (sample.split) {
    std::string parts;
    for (std::size_t part = 0; part < sample.split->names.size(); ++part)
      parts += fmt::format("{}{} {:.4g} %", parts.empty() ? "" : ", ", sample.split->names[part],
                           100.0 * sample.split->shares[part]);
    std::string by;
    for (const std::size_t axis : sample.split->axes)
      by += (by.empty() ? " by " : ", ") + axis_name(spec, spec.axes[axis]);
    text += fmt::format("split      {}{}\n", parts, by);
  }
  return text;
}

}  // namespace dfsweep
