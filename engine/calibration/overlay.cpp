#include "engine/calibration/overlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/catalogue/catalogue.hpp"
#include "io/number_format.hpp"
#include "io/quantity.hpp"
#include "io/toml.hpp"
#include "models/entry_field_tables.hpp"

namespace dfsweep {

namespace {

/// Sources of the fields of an entry as its author wrote them.
std::map<std::string, std::string> sources_of(const MeasuredSweep& sweep, const std::string& entry) {
  std::map<std::string, std::string> sources;
  for (const auto& file : sweep.spec.entries)
    if (file->entry.name == entry)
      for (const EntryField& field : file->fields) sources[field.path] = field.source;
  return sources;
}

std::string fitted_source(const MeasuredSweep& sweep, const CalibrationReport& report, const ExpectedError& error) {
  return fmt::format("fitted to {} rows of {} ({}); median error of rows left out by {}: {:.1f} %", report.kept.size(),
                     sweep.table.path.filename().string(), sweep.table.checksum, report.left_out.front().groups.of,
                     100 * error.median);
}

/// Whether kernels told the number before rows corrected it.
bool is_known(const MeasuredSweep& sweep, std::size_t entry, std::size_t number) {
  return std::any_of(sweep.known.begin(), sweep.known.end(),
                     [&](const KnownSpread& k) { return k.entry == entry && k.number == number; });
}

}  // namespace

std::string entry_field_line(std::string_view field, double value, std::string_view unit, std::string_view source) {
  const std::string number = number_text(value);
  const std::string spelled = unit == "1" ? number : toml_quoted(number + " " + std::string(unit));
  return fmt::format("{} = {{ value = {}, source = {} }}\n", field, spelled, toml_quoted(source));
}

std::string tables_text(std::span<const InputFile> files) {
  std::vector<std::string> names;
  for (const InputFile& file : files) names.push_back(file.name + " " + file.checksum);
  return fmt::format("{}", fmt::join(names, ", "));
}

ExpectedError expected_error(const CalibrationReport& report) {
  const std::vector<double>& errors = report.left_out.front().log_errors;
  const auto measured_over_predicted = [&](double share) { return std::exp(-calibration::quantile(errors, share)); };
  std::vector<double> sizes;
  for (const double error : errors) sizes.push_back(std::abs(std::expm1(error)));
  return {calibration::quantile(sizes, 0.5), measured_over_predicted(0.95), measured_over_predicted(0.05)};
}

std::vector<OverlayEntry> overlay_entries(const MeasuredSweep& sweep, const CalibrationReport& report) {
  const Estimator& estimator = *sweep.spec.estimator;
  const ParameterIndex parameter = parameter_of_entries(estimator);
  const SweepValues::Parameter& named = sweep.spec.values.parameters[parameter];
  std::set<std::uint32_t> used;
  for (const std::size_t i : report.kept)
    used.insert(named.column == SweepValues::fixed ? 0
                                                   : sweep.spec.points->codes[named.column][sweep.observations[i].row]);
  std::vector<OverlayEntry> entries;
  for (const std::uint32_t entry : used) {
    const std::string& name = report.entries[entry].name;
    entries.push_back(
        {std::string(estimator.parameters()[parameter].catalogue), name.empty() ? "calibrated" : name, entry});
  }
  return entries;
}

std::string overlay_text(const OverlayEntry& entry, const std::string& name, const MeasuredSweep& sweep,
                         const CalibrationReport& report) {
  const Entry& corrected = report.entries[entry.entry];
  std::map<std::string, std::string> sources = sources_of(sweep, corrected.name);
  const ExpectedError error = expected_error(report);
  const std::string fitted = fitted_source(sweep, report, error);
  for (const FittedCorrection& c : report.corrections)
    if (c.displacement != 0.0 && (c.correction.entry == Correction::all_entries || c.correction.entry == entry.entry)) {
      std::string& source = sources[std::string(sweep.spec.estimator->calibration()[c.correction.number].field)];
      // Two corrections may move one number: the text of the second must not quote that of the first.
      if (source.starts_with(fitted)) continue;
      source = is_known(sweep, entry.entry, c.correction.number) ? fitted + "; before that " + source : fitted;
    }
  std::string text =
      fmt::format("name = {}\ndescription = {}\n", toml_quoted(name),
                  toml_quoted(corrected.text_or("description", "numbers that all stacks share") + ", calibrated"));
  text += fmt::format("calibrated_on = {}\n\n",
                      toml_quoted(fmt::format("{}, {}", sweep.table.path.filename().string(), sweep.table.checksum) +
                                  (sweep.kernel_tables.empty() ? "" : "; " + tables_text(sweep.kernel_tables))));
  for (const FieldInfo& info : fields_of_kind(entry.kind))
    if (const auto number = corrected.numbers.find(info.path); number != corrected.numbers.end())
      text += entry_field_line(info.path, number->second, info.unit, sources[std::string(info.path)]);
  const std::string of = "rows left out by " + report.left_out.front().groups.of;
  text += "\n" + entry_field_line("expected_error", error.median, "1", of);
  text += entry_field_line("measured_low", error.measured_low, "1", of);
  return text + entry_field_line("measured_high", error.measured_high, "1", of);
}

}  // namespace dfsweep
