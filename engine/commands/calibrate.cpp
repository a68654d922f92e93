#include "engine/commands/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/calibration/calibration.hpp"
#include "engine/calibration/entry_copies.hpp"
#include "engine/calibration/overlay.hpp"
#include "engine/commands/calibrate_json.hpp"
#include "engine/commands/calibrate_kernels.hpp"
#include "engine/commands/calibrate_text.hpp"
#include "engine/commands/kernel_text.hpp"
#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/parallel/threads.hpp"
#include "io/atomic_file.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

const Estimator& estimator_of(const std::string& name) {
  const std::vector<std::string> names = correctable_estimators();
  const Estimator* estimator = find_estimator(name);
  if (estimator != nullptr && !estimator->calibration().empty()) return *estimator;
  const std::string known = "Estimators with such numbers: " + listed(names) + ".";
  throw UsageError(estimator == nullptr
                       ? fmt::format("no estimator is called '{}'. {}", name, did_you_mean(name, names, known))
                       : fmt::format("estimator '{}' has no numbers that measurements may correct. {}", name, known));
}

void check_fields(const Estimator& estimator, const std::vector<std::string>& fields) {
  std::vector<std::string> names;
  for (const CalibrationInfo& info : estimator.calibration()) names.emplace_back(info.field);
  for (const std::string& field : fields)
    if (std::find(names.begin(), names.end(), field) == names.end())
      throw UsageError(fmt::format(
          "--fit: '{}' cannot be corrected. {}", field,
          did_you_mean(field, names,
                       fmt::format("'dfsweep describe {} --calibration' lists what can", estimator.name()))));
}

/// Systems get their own copies of an entry that all rows name, unless one file is asked for.
void add_copies(MeasuredSweep& sweep, const CalibrateOptions& options) {
  constexpr std::string_view column_of_machines = "system";
  if (options.copies_by == "none") return;
  if (options.copies_by.empty()) {
    if (options.output.extension() != ".toml" && is_shared_entry(sweep, column_of_machines))
      copy_entries(sweep, column_of_machines);
    return;
  }
  if (!groups_by(sweep, options.copies_by))
    throw UsageError(fmt::format("--copies-by: '{}' is no column of {}", options.copies_by, options.rows.string()));
  copy_entries(sweep, options.copies_by);
}

/// The numbers that were asked for must be of a resource that was measured.
void check_measured(const MeasuredSweep& sweep, const CalibrateOptions& options) {
  const std::vector<Resource> fitted = fitted_resources(sweep, options.fields);
  for (const CalibrationInfo& info : sweep.spec.estimator->calibration()) {
    const bool is_asked = std::find(options.fields.begin(), options.fields.end(), info.field) != options.fields.end();
    if (!is_asked || std::find(fitted.begin(), fitted.end(), info.resource) != fitted.end()) continue;
    throw UsageError(fmt::format("--fit: '{}' is about {}, which {} does not tell. Add a column {}", info.field,
                                 name_of(info.resource), options.rows.string(),
                                 info.resource == Resource::time ? "of times or rates" : "memory_used"));
  }
  if (fitted.empty())
    throw UsageError(fmt::format("{} measures memory, and no number of '{}' is about memory", options.rows.string(),
                                 sweep.spec.estimator->name()));
}

void write_overlay(const Calibration& calibration, const CalibrateOptions& options) {
  const bool is_file = options.output.extension() == ".toml";
  const std::vector<OverlayEntry> entries = overlay_entries(calibration);
  if (is_file && entries.size() != 1)
    throw UsageError(
        fmt::format("-o '{}' is one file, but the rows name {} entries. Name a folder: it becomes one of a "
                    "catalogue",
                    options.output.string(), entries.size()));
  for (const OverlayEntry& entry : entries) {
    const std::filesystem::path path = is_file ? options.output : options.output / entry.kind / (entry.name + ".toml");
    const std::string name = is_file ? options.output.stem().string() : entry.name;
    write_user_file(path, overlay_text(entry, name, calibration));
    if (options.verbosity == Verbosity::normal) write_message(path.string());
  }
}

}  // namespace

ExitStatus run_calibrate(const CalibrateOptions& options) {
  const Estimator& estimator = estimator_of(options.estimator);
  check_fields(estimator, options.fields);
  if (options.rows.empty()) {
    if (options.profiles.empty()) throw UsageError("name ROWS.csv, or operator tables with --profiles DIR.");
    if (options.task != CalibrateOptions::Task::calibrate) throw UsageError("--self-test needs ROWS.csv.");
    return run_calibrate_kernels(options);
  }
  MeasuredSweep sweep = read_measured_sweep({&estimator, options.rows, options.parameters, options.catalogues});
  const bool has_group = sweep.table.label(options.group) != nullptr || groups_by(sweep, options.group).has_value();
  if (!has_group && options.group != "source" && options.group != "none")
    throw UsageError(fmt::format("--group: '{}' is no column of {}", options.group, options.rows.string()));
  check_measured(sweep, options);
  add_copies(sweep, options);
  const std::vector<KernelFit> kernels = kernels_for_rows(sweep, options);
  const CalibrationOptions how{options.fields,     has_group ? options.group : std::string{},
                               options.starts,     options.seed,
                               options.replicates, options.threads == 0 ? allowed_cores() : options.threads};
  if (options.task == CalibrateOptions::Task::self_test) {
    std::string text;
    for (const Resource resource : fitted_resources(sweep, how.fields))
      text += (text.empty() ? "" : "\n") +
              self_test_text(simulate_calibration(sweep, resource, how, options.sets), terminal_of(1, options.colour));
    write_results(text);
    return ExitStatus::complete;
  }
  const Calibration calibration = calibrate(sweep, how);
  if (options.form == OutputForm::json)
    write_results(calibration_json(calibration, kernels));
  else
    write_results(kernel_text(kernels, terminal_of(1, options.colour)) +
                  calibration_text(calibration, terminal_of(1, options.colour)));
  if (!options.output.empty()) write_overlay(calibration, options);
  return ExitStatus::complete;
}

}  // namespace dfsweep
