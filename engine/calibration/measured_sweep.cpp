#include "engine/calibration/measured_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/sweep/read_sweep.hpp"
#include "io/diagnostic.hpp"
#include "io/toml.hpp"

namespace dfsweep {

namespace {

/// A value as written in a sweep file: numbers without quotes.
std::string spelled_value(const std::string& text) {
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789+-.e") == std::string::npos &&
                         text.find_first_of("0123456789") != std::string::npos;
  return is_number ? text : toml_quoted(text);
}

/// Internal name of the generated sweep text; user_position() replaces it in messages.
constexpr const char* made_sweep = "--set";

/// The sweep text; its last lines are the options `--set`, one per line.
std::string sweep_of_rows(const MeasuredSweepOptions& options) {
  std::string text = fmt::format("[sweep]\nname = \"measured\"\nestimator = {}\n[points]\nfile = {}\n[parameters]\n",
                                 toml_quoted(std::string(options.estimator->name())), toml_quoted(options.rows->shown));
  for (const auto& [name, value] : options.parameters)
    text += fmt::format("{} = {}\n", toml_quoted(name), spelled_value(value));
  return text;
}

/// Maps a line of the generated sweep to the option it comes from, or to the table of rows.
SourcePosition user_position(const SourcePosition& at, const std::string& text, const MeasuredSweepOptions& options) {
  if (at.file != made_sweep) return at;
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  const std::size_t before = lines - options.parameters.size();
  if (at.line <= before || at.line > lines) return {options.rows->shown, 0, 0};
  const auto& [name, value] = options.parameters[at.line - before - 1];
  return {fmt::format("{} {}={}", made_sweep, name, value), 0, 0};
}

SweepSpec read_made_sweep(const MeasuredSweepOptions& options, const SweepReading& reading) {
  const std::string text = sweep_of_rows(options);
  try {
    SweepSpec spec = read_sweep_text(text, made_sweep, options.folder, reading);
    spec.source = options.rows->shown;
    return spec;
  } catch (UserError& error) {
    for (Problem& problem : error.problems) problem.at = user_position(problem.at, text, options);
    throw UserError(std::move(error.problems));
  }
}

}  // namespace

Resource resource_of(const MetricInfo& metric) {
  return metric.unit == "byte" ? Resource::memory : Resource::time;
}

MeasuredSweep measurements_of(const MeasuredSweep& sweep, Resource resource) {
  MeasuredSweep of_resource = sweep;
  std::erase_if(of_resource.observations, [&](const Observation& o) {
    return resource_of(sweep.spec.estimator->metrics()[o.metric]) != resource;
  });
  return of_resource;
}

MeasuredSweep read_measured_sweep(const MeasuredSweepOptions& options) {
  MeasuredSweep sweep;
  sweep.table = read_measured_table(*options.rows, *options.estimator);
  const PointText points{options.rows->text, options.rows->first_line, sweep.table.left_out};
  SweepReading reading;
  reading.catalogues = options.catalogues;
  reading.point_text = &points;
  reading.other_columns = sweep.table.other_columns(*options.estimator);
  sweep.spec = read_made_sweep(options, reading);
  for (std::size_t row = 0; row < sweep.table.rows(); ++row)
    for (std::size_t c = 0; c < sweep.table.measured.size(); ++c) {
      const MeasuredColumn& column = sweep.table.measured[c];
      if (std::isnan(column.values[row])) continue;
      const Better better = options.estimator->metrics()[column.metric].better;
      sweep.observations.push_back({row, c, column.metric, column.values[row], better == Better::higher ? -1.0 : 1.0});
    }
  return sweep;
}

}  // namespace dfsweep
