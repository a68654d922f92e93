#include "engine/commands/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/calibration/calibration.hpp"
#include "engine/calibration/entry_copies.hpp"
#include "engine/calibration/kernel_priors.hpp"
#include "engine/calibration/operator_kernels.hpp"
#include "engine/calibration/overlay.hpp"
#include "engine/commands/calibrate_output.hpp"
#include "engine/commands/calibrate_plan.hpp"
#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/run/waiting_line.hpp"
#include "engine/sweep/estimators.hpp"
#include "io/atomic_file.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

constexpr std::string_view estimator_of_kernels = "training";

void check_kernel_options(const CalibrateOptions& options, const Estimator& estimator) {
  if (estimator.name() != estimator_of_kernels)
    throw UsageError(
        fmt::format("--profiles: only numbers of the estimator {} can be fitted to kernels, not those of {}.",
                    estimator_of_kernels, estimator.name()));
  if (options.measured_on.empty() && options.operators.empty())
    throw UsageError(
        "--profiles: say on which systems the tables were measured: --measured-on FOLDER=SYSTEM,..., as in "
        "a100=dgx-a100-80g,a100_dgx=dgx-a100-80g.");
}

std::vector<KernelClass> classes_of(const CalibrateOptions& options) {
  std::vector<KernelClass> classes;
  const std::vector<std::string> names(kernel_class_names.begin(), kernel_class_names.end());
  for (const std::string& name : options.kernel_classes) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw UsageError(fmt::format("--kernels: no kernels are called '{}'. {}", name,
                                   did_you_mean(name, names, "There are: " + listed(names) + ".")));
    classes.push_back(static_cast<KernelClass>(found - names.begin()));
  }
  return classes;
}

std::vector<SystemKernels> kernels_of(const CalibrateOptions& options, const Catalogue& catalogue) {
  std::vector<MeasuredOn> places;
  for (const auto& [folder, system] : options.measured_on) places.push_back({folder, system});
  const unsigned threads = options.threads == 0 ? allowed_cores() : options.threads;
  return options.operators.empty() ? read_system_kernels(options.profiles, places, catalogue, threads)
                                   : read_operator_kernels(options.operators, places, catalogue, threads);
}

/// The stack of --set software=NAME, or the one that is usual on the system.
EntryFile software_of(const CalibrateOptions& options, const Catalogue& catalogue, const std::string& system) {
  std::string name = catalogue.load("systems", system).entry.text_or("software", "default");
  for (const auto& [parameter, value] : options.parameters) {
    if (parameter != "software")
      throw UsageError(fmt::format("--set {}: without rows only software=NAME can be set.", parameter));
    name = value;
  }
  const std::vector<std::string> known = catalogue.names("software");
  if (!catalogue.contains("software", name))
    throw UsageError(fmt::format("no software is called '{}'. {}", name,
                                 did_you_mean(name, known, "There are: " + listed(known) + ".")));
  EntryFile file = catalogue.load("software", name);
  if (!file.problems.empty()) throw UserError(file.problems);
  return file;
}

/// Entries of software from operator tables alone, without any measured run.
ExitStatus run_calibrate_kernels(const CalibrateOptions& options, const Estimator& estimator) {
  check_kernel_options(options, estimator);
  if (!options.fields.empty()) throw UsageError("--fit: without rows, --kernels says which numbers are fitted.");
  const std::vector<KernelClass> classes = classes_of(options);
  const Catalogue catalogue = catalogue_with(options.catalogues);
  const std::vector<SystemKernels> systems = kernels_of(options, catalogue);
  const bool is_file = options.output.extension() == ".toml";
  if (is_file && systems.size() != 1)
    throw UsageError(
        fmt::format("-o '{}' is one file, but there are {} systems. Name a folder: it becomes one of a "
                    "catalogue",
                    options.output.string(), systems.size()));
  const std::span<const CalibrationInfo> infos = find_estimator(estimator_of_kernels)->calibration();
  std::vector<KernelFit> fits;
  std::vector<std::pair<std::filesystem::path, std::string>> files;
  for (const SystemKernels& kernels : systems) {
    const EntryFile software = software_of(options, catalogue, kernels.system);
    fits.push_back(fit_kernels(kernels, software.entry, infos, classes));
    const std::string name = is_file ? options.output.stem().string() : kernels.system + "-kernels";
    files.emplace_back(is_file ? options.output : options.output / "software" / (name + ".toml"),
                       kernel_entry_text(with_kernel_numbers(software, fits.back(), infos), name, fits.back()));
  }
  if (options.form == OutputForm::json)
    write_results(to_text(JsonObject{{"kernels", kernel_json(fits)}}));
  else
    write_results(kernel_text(fits, terminal_of(1, options.colour)));
  if (options.output.empty()) return ExitStatus::complete;
  for (const auto& [path, text] : files) {
    write_user_file(path, text);
    if (options.verbosity == Verbosity::normal) write_message(path.string());
  }
  return ExitStatus::complete;
}

/// Numbers of the stacks of the rows, fitted to the tables; nothing where no tables are given.
std::vector<KernelFit> kernels_for_rows(MeasuredSweep& sweep, const CalibrateOptions& options) {
  if (options.profiles.empty() && options.operators.empty()) return {};
  check_kernel_options(options, *sweep.spec.estimator);
  const std::vector<KernelClass> classes = classes_of(options);
  return start_from_kernels(sweep, kernels_of(options, catalogue_with(options.catalogues)), classes);
}

const Estimator& estimator_of(const std::string& name) {
  const std::vector<std::string> names = correctable_estimators();
  const Estimator* estimator = find_estimator(name);
  if (estimator != nullptr && !estimator->calibration().empty()) return *estimator;
  const std::string known = "Estimators with such numbers: " + listed(names) + ".";
  throw UsageError(estimator == nullptr
                       ? fmt::format("no estimator is called '{}'. {}", name, did_you_mean(name, names, known))
                       : fmt::format("estimator '{}' has no numbers that measurements may correct. {}", name, known));
}

/// The estimator of the option, or else of the columns of the rows; training where these decide nothing, and without
/// rows.
const Estimator& estimator_of(const CalibrateOptions& options, const RowText& rows) {
  const Estimator& usual = estimator_of(std::string(estimator_of_kernels));
  if (!options.estimator.empty()) return estimator_of(options.estimator);
  if (options.rows.empty()) return usual;
  std::vector<const Estimator*> estimators{&usual};
  for (const std::string& name : correctable_estimators()) estimators.push_back(find_estimator(name));
  return estimator_of_table(rows, estimators);
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
    throw UsageError(fmt::format("--copies-by: '{}' is not a column of {}", options.copies_by, options.rows.string()));
  copy_entries(sweep, options.copies_by);
}

/// The numbers that were asked for must be of a resource that was measured.
void check_measured(const MeasuredSweep& sweep, const CalibrateOptions& options) {
  const std::vector<Resource> fitted = fitted_resources(sweep, options.fields);
  for (const CalibrationInfo& info : sweep.spec.estimator->calibration()) {
    const bool is_asked = std::find(options.fields.begin(), options.fields.end(), info.field) != options.fields.end();
    if (!is_asked || std::find(fitted.begin(), fitted.end(), info.resource) != fitted.end()) continue;
    throw UsageError(fmt::format("--fit: '{}' is about {}, which {} does not contain. Add a column {}", info.field,
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

/// The text of a line that says what takes long; empty where none is wanted.
std::string line_text(std::string text, Verbosity verbosity) {
  return verbosity == Verbosity::normal ? std::move(text) : std::string();
}

/// The table as text, with the names of --columns; empty where no rows are given.
RowText text_of_rows(const CalibrateOptions& options) {
  if (options.rows.empty()) return {};
  RowText rows = read_row_text(options.rows);
  rename_columns(rows, column_pairs(options.columns));
  return rows;
}

MeasuredSweep rows_of(const CalibrateOptions& options, const Estimator& estimator, const RowText& rows) {
  const WaitingLine line(line_text("reading " + rows.shown, options.verbosity));
  return read_measured_sweep({&estimator, &rows, options.rows.parent_path(), options.parameters, options.catalogues});
}

/// Says which cells have no measurement, and which columns are not used though they look like parameters.
void write_remarks(const MeasuredTable& table) {
  if (!table.missing.empty()) write_message(missing_message(table.path.string(), table.missing));
  if (!table.lookalike_columns.empty())
    write_message(fmt::format("{}: unused columns resemble parameters or metrics; {} reads them", table.path.string(),
                              columns_option(table.lookalike_columns)));
}

Calibration calibrated_with_progress(const MeasuredSweep& sweep, CalibrationOptions options, Verbosity verbosity) {
  WaitingLine line(line_text("calibrating", verbosity));
  options.say = [&line](const std::string& text) { line.set_text(text); };
  return calibrate(sweep, options);
}

}  // namespace

ExitStatus run_calibrate(const CalibrateOptions& options) {
  if (options.task == CalibrateOptions::Task::plan) {
    return run_calibrate_plan({.system = options.system,
                               .rows = options.planned_rows,
                               .output = options.output,
                               .catalogues = options.catalogues,
                               .form = options.form,
                               .colour = options.colour});
  }
  if (!options.profiles.empty() && !options.operators.empty())
    throw UsageError("--profiles and --operators exclude each other.");
  const RowText rows = text_of_rows(options);
  const Estimator& estimator = estimator_of(options, rows);
  check_fields(estimator, options.fields);
  if (options.rows.empty()) {
    if (options.profiles.empty() && options.operators.empty())
      throw UsageError("name ROWS.csv, or operator tables with --profiles DIR or --operators DIR.");
    if (options.task != CalibrateOptions::Task::calibrate) throw UsageError("--self-test needs ROWS.csv.");
    return run_calibrate_kernels(options, estimator);
  }
  MeasuredSweep sweep = rows_of(options, estimator, rows);
  if (options.verbosity == Verbosity::normal) write_remarks(sweep.table);
  const bool has_group = sweep.table.label(options.group) != nullptr || groups_by(sweep, options.group).has_value();
  if (!has_group && options.group != "source" && options.group != "none")
    throw UsageError(fmt::format("--group: '{}' is not a column of {}", options.group, options.rows.string()));
  check_measured(sweep, options);
  add_copies(sweep, options);
  const std::vector<KernelFit> kernels = kernels_for_rows(sweep, options);
  const CalibrationOptions how{options.fields,
                               has_group ? options.group : std::string{},
                               options.starts,
                               options.seed,
                               options.replicates,
                               options.threads == 0 ? allowed_cores() : options.threads,
                               {}};
  if (options.task == CalibrateOptions::Task::self_test) {
    std::string text;
    for (const Resource resource : fitted_resources(sweep, how.fields))
      text += (text.empty() ? "" : "\n") +
              self_test_text(simulate_calibration(sweep, resource, how, options.sets), terminal_of(1, options.colour));
    write_results(text);
    return ExitStatus::complete;
  }
  const Calibration calibration = calibrated_with_progress(sweep, how, options.verbosity);
  if (options.form == OutputForm::json)
    write_results(calibration_json(calibration, kernels));
  else
    write_results(kernel_text(kernels, terminal_of(1, options.colour)) +
                  calibration_text(calibration, terminal_of(1, options.colour)));
  if (!options.output.empty()) write_overlay(calibration, options);
  return ExitStatus::complete;
}

}  // namespace dfsweep
