#include "engine/calibration/overlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/kinds.hpp"
#include "io/number_format.hpp"
#include "io/quantity.hpp"
#include "io/toml.hpp"

namespace dfsweep {

namespace {

/// [field] source of each number in the original entry.
std::map<std::string, std::string> sources_of(const MeasuredSweep& sweep, const std::string& entry) {
  std::map<std::string, std::string> sources;
  for (const auto& file : sweep.spec.entries)
    if (file->entry.name == entry)
      for (const EntryField& field : file->fields) sources[field.path] = field.source;
  return sources;
}

std::string fitted_source(const CalibrationReport& report, std::size_t entry) {
  const MeasuredSweep& sweep = report.sweep;
  return fmt::format("fitted to {} of {} ({}); median error of rows left out by {}: {:.1f} %",
                     counted(report.kept.size(), "row"), sweep.table.path.filename().string(), sweep.table.checksum,
                     report.left_out.front().groups.of,
                     100 * error_of_entry(report, entry, ModelKind::dense)->error.median);
}

/// Whether the number was fitted to kernels before the fit to rows.
bool is_known(const MeasuredSweep& sweep, std::size_t entry, std::size_t number) {
  return std::any_of(sweep.known.begin(), sweep.known.end(),
                     [&](const KnownSpread& k) { return k.entry == entry && k.number == number; });
}

/// Sets the source of the fitted numbers of an entry to the table of rows.
void add_fitted_sources(std::map<std::string, std::string>& sources, std::size_t entry,
                        const CalibrationReport& report) {
  const MeasuredSweep& sweep = report.sweep;
  const std::string fitted = fitted_source(report, entry);
  for (const FittedCorrection& c : report.corrections) {
    const bool applies = c.correction.entry == Correction::all_entries || c.correction.entry == entry;
    if (c.displacement == 0.0 || !applies) continue;
    std::string& source = sources[std::string(sweep.spec.estimator->calibration()[c.correction.number].field)];
    // Two corrections may affect one number: do not quote the text of the first.
    if (source.starts_with(fitted)) continue;
    source = is_known(sweep, entry, c.correction.number) ? fitted + "; before that " + source : fitted;
  }
}

/// A field of an entry with an expected error.
struct ErrorField {
  std::string_view field;
  double value = 0.0;
  std::string source;
};

/// Names of the fields with the errors of a resource, for models of one kind.
struct ErrorFieldNames {
  Resource resource;
  ModelKind kind;
  std::string_view error, low, high;
};
constexpr ErrorFieldNames error_field_names[] = {
    {Resource::time, ModelKind::dense, "expected_error", "measured_low", "measured_high"},
    {Resource::time, ModelKind::experts, "expected_error_experts", "measured_low_experts", "measured_high_experts"},
    {Resource::memory, ModelKind::dense, "expected_memory_error", "memory_low", "memory_high"},
    {Resource::memory, ModelKind::experts, "expected_memory_error_experts", "memory_low_experts",
     "memory_high_experts"},
};

/// Errors of the resources about which the rows say something of this entry.
std::vector<ErrorField> error_fields(const Calibration& calibration, std::size_t entry) {
  std::vector<ErrorField> fields;
  for (const CalibrationReport& report : calibration.reports)
    for (const ErrorFieldNames& names : error_field_names) {
      if (names.resource != report.resource || !report.corrected[entry]) continue;
      const std::optional<EntryError> stated = error_of_entry(report, entry, names.kind);
      if (!stated) continue;
      const std::string of = fmt::format("rows left out by {}: {}", report.left_out.front().groups.of, stated->rows);
      fields.push_back({names.error, stated->error.median, of});
      fields.push_back({names.low, std::exp(-stated->error.log_errors.high), of});
      fields.push_back({names.high, std::exp(-stated->error.log_errors.low), of});
    }
  return fields;
}

/// Tables of rows and of kernels. Tables of an earlier calibration are kept if the errors of a resource still come from
/// them.
std::string calibrated_on(std::size_t entry, const MeasuredSweep& sweep, const Calibration& calibration) {
  const Entry& corrected = calibration.entries[entry];
  std::string tables = fmt::format("{}, {}", sweep.table.path.filename().string(), sweep.table.checksum);
  if (!sweep.kernel_tables.empty()) tables += "; " + tables_text(sweep.kernel_tables);
  const auto is_of = [entry](Resource resource) {
    return [=](const CalibrationReport& report) { return report.resource == resource && report.corrected[entry]; };
  };
  const auto& reports = calibration.reports;
  const bool keeps_times =
      corrected.has_number("expected_error") && std::none_of(reports.begin(), reports.end(), is_of(Resource::time));
  const bool keeps_memory = corrected.has_number("expected_memory_error") &&
                            std::none_of(reports.begin(), reports.end(), is_of(Resource::memory));
  if (keeps_times || keeps_memory) tables += "; before that " + corrected.text_or("calibrated_on", "other rows");
  return tables;
}

/// Indices of entries that a row names.
std::set<std::size_t> used_entries(const Calibration& calibration) {
  std::set<std::size_t> used;
  for (const CalibrationReport& report : calibration.reports) {
    const MeasuredSweep& sweep = report.sweep;
    const SweepValues::Parameter& named = sweep.spec.values.parameters[parameter_of_entries(*sweep.spec.estimator)];
    for (const std::size_t i : report.kept)
      used.insert(
          named.column == SweepValues::fixed ? 0 : sweep.spec.points->codes[named.column][sweep.observations[i].row]);
  }
  return used;
}

/// The line of a list of names; empty where the entry has no such list.
std::string entry_list_line(const Entry& entry, std::string_view field, std::string_view source) {
  const auto found = entry.text_lists.find(field);
  const bool has_names = found != entry.text_lists.end();
  if (!has_names && !entry.lists.contains(field)) return {};
  std::string names;
  if (has_names)
    for (const std::string& name : found->second) names += (names.empty() ? "" : ", ") + toml_quoted(name);
  return fmt::format("{} = {{ value = [{}], source = {} }}\n", field, names, toml_quoted(source));
}

}  // namespace

std::string entry_field_line(std::string_view field, double value, std::string_view unit, std::string_view source) {
  const std::string number = number_text(value);
  const std::string spelled = unit == "1" ? number : toml_quoted(number + " " + std::string(unit));
  return fmt::format("{} = {{ value = {}, source = {} }}\n", field, spelled, toml_quoted(source));
}

std::string tables_text(std::span<const InputFile> files) {
  std::vector<std::string> names;
  for (const InputFile& file : files)
    names.push_back(file.checksum.empty() ? file.name : file.name + " " + file.checksum);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::optional<EntryError> error_of_entry(const CalibrationReport& report, std::size_t entry, ModelKind kind) {
  const std::vector<EntryCopy>& copies = report.sweep.copies;
  const bool is_original =
      std::any_of(copies.begin(), copies.end(), [&](const EntryCopy& copy) { return copy.original == entry; });
  const RowClass row_class{is_original ? Measured::neither : Measured::stack, kind};
  const calibration::StatedError& of_class = report.of_class[index_of(row_class)];
  if (!std::isnan(of_class.coverage)) return EntryError{of_class, std::string(name_of(row_class))};
  if (kind == ModelKind::experts) return std::nullopt;
  return EntryError{report.of_all, "all rows"};
}

std::vector<OverlayEntry> overlay_entries(const Calibration& calibration) {
  const MeasuredSweep& sweep = calibration.reports.front().sweep;
  const Estimator& estimator = *sweep.spec.estimator;
  const ParameterIndex parameter = parameter_of_entries(estimator);
  std::set<std::size_t> used = used_entries(calibration);
  for (const EntryCopy& copy : sweep.copies) {
    if (!used.contains(copy.entry)) continue;
    used.insert(copy.original);
    if (calibration.entries[copy.entry].numbers == calibration.entries[copy.original].numbers) used.erase(copy.entry);
  }
  std::vector<OverlayEntry> entries;
  for (const std::size_t entry : used) {
    const std::string& name = calibration.entries[entry].name;
    entries.push_back({std::string(estimator.parameters()[parameter].catalogue),
                       name.empty() ? std::string(name_without_entry) : name, entry});
  }
  return entries;
}

std::string overlay_text(const OverlayEntry& entry, const std::string& name, const Calibration& calibration) {
  const MeasuredSweep& sweep = calibration.reports.front().sweep;
  const Entry& corrected = calibration.entries[entry.entry];
  std::map<std::string, std::string> sources = sources_of(sweep, corrected.name);
  for (const CalibrationReport& report : calibration.reports)
    if (report.corrected[entry.entry]) add_fitted_sources(sources, entry.entry, report);
  constexpr std::string_view calibrated = ", calibrated";
  const std::string description = corrected.text_or("description", "numbers that all stacks share");
  std::string text =
      fmt::format("name = {}\ndescription = {}\n", toml_quoted(name),
                  toml_quoted(description.ends_with(calibrated) ? description : description + std::string(calibrated)));
  text += fmt::format("calibrated_on = {}\n\n", toml_quoted(calibrated_on(entry.entry, sweep, calibration)));
  const std::vector<ErrorField> errors = error_fields(calibration, entry.entry);
  for (const FieldInfo& info : fields_of_kind(entry.kind)) {
    const auto is_error = [&](const ErrorField& error) { return error.field == info.path; };
    if (std::any_of(errors.begin(), errors.end(), is_error)) continue;
    if (const auto number = corrected.numbers.find(info.path); number != corrected.numbers.end())
      text += entry_field_line(info.path, number->second, info.unit, sources[std::string(info.path)]);
    if (info.type == FieldType::texts) text += entry_list_line(corrected, info.path, sources[std::string(info.path)]);
  }
  text += "\n";
  for (const ErrorField& error : errors) text += entry_field_line(error.field, error.value, "1", error.source);
  return text;
}

}  // namespace dfsweep
