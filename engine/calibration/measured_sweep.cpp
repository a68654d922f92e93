#include "engine/calibration/measured_sweep.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engine/sweep/read_sweep.hpp"
#include "io/json.hpp"

namespace dfsweep {

namespace {

/// A text as TOML spells it: JSON strings are TOML strings.
std::string quoted(const std::string& text) {
  return to_text(Json(text));
}

/// A value as a sweep file spells it: numbers stay numbers.
std::string spelled_value(const std::string& text) {
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789+-.e") == std::string::npos &&
                         text.find_first_of("0123456789") != std::string::npos;
  return is_number ? text : quoted(text);
}

std::string sweep_of_rows(const MeasuredSweepOptions& options, const std::filesystem::path& rows) {
  std::string text = fmt::format("[sweep]\nname = \"measured\"\nestimator = {}\n[points]\nfile = {}\n[parameters]\n",
                                 quoted(std::string(options.estimator->name())), quoted(rows.string()));
  for (const auto& [name, value] : options.parameters) text += fmt::format("{} = {}\n", name, spelled_value(value));
  return text;
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
  sweep.table = read_measured_table(options.rows, *options.estimator);
  SweepReading reading;
  reading.catalogues = options.catalogues;
  reading.other_columns = sweep.table.other_columns(*options.estimator);
  const std::filesystem::path folder = options.rows.parent_path();
  sweep.spec = read_sweep_text(sweep_of_rows(options, options.rows.filename()), options.rows.string(), folder, reading);
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
