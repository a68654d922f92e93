#include "engine/commands/calibrate_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/commands/kernel_text.hpp"
#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/sweep/estimators.hpp"
#include "io/atomic_file.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

constexpr std::string_view estimator_of_kernels = "training";

Catalogue catalogue_for_kernels(const CalibrateOptions& options) {
  std::vector<std::filesystem::path> folders = default_catalogue_folders();
  folders.insert(folders.end(), options.catalogues.begin(), options.catalogues.end());
  return Catalogue(std::move(folders));
}

void check_options(const CalibrateOptions& options) {
  if (options.estimator != estimator_of_kernels)
    throw UsageError(fmt::format("--profiles: kernels tell numbers of the estimator {} only, not of {}.",
                                 estimator_of_kernels, options.estimator));
  if (options.measured_on.empty())
    throw UsageError(
        "--profiles: say on which systems the tables were measured: --measured-on FOLDER=SYSTEM,..., as in "
        "a100=dgx-a100-80g,a100_dgx=dgx-a100-80g.");
}

std::vector<training::KernelClass> classes_of(const CalibrateOptions& options) {
  std::vector<training::KernelClass> classes;
  const std::vector<std::string> names(training::kernel_class_names.begin(), training::kernel_class_names.end());
  for (const std::string& name : options.kernel_classes) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw UsageError(fmt::format("--kernels: no kernels are called '{}'. {}", name,
                                   did_you_mean(name, names, "There are: " + listed(names) + ".")));
    classes.push_back(static_cast<training::KernelClass>(found - names.begin()));
  }
  return classes;
}

std::vector<SystemKernels> kernels_of(const CalibrateOptions& options, const Catalogue& catalogue) {
  std::vector<MeasuredOn> places;
  for (const auto& [folder, system] : options.measured_on) places.push_back({folder, system});
  return read_system_kernels(options.profiles, places, catalogue,
                             options.threads == 0 ? allowed_cores() : options.threads);
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

}  // namespace

ExitStatus run_calibrate_kernels(const CalibrateOptions& options) {
  check_options(options);
  if (!options.fields.empty()) throw UsageError("--fit: without rows, --kernels says which numbers are fitted.");
  const std::vector<training::KernelClass> classes = classes_of(options);
  const Catalogue catalogue = catalogue_for_kernels(options);
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
                       kernel_entry_text(told_by_kernels(software, fits.back(), infos), name, fits.back()));
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

std::vector<KernelFit> kernels_for_rows(MeasuredSweep& sweep, const CalibrateOptions& options) {
  if (options.profiles.empty()) return {};
  check_options(options);
  const std::vector<training::KernelClass> classes = classes_of(options);
  return start_from_kernels(sweep, kernels_of(options, catalogue_for_kernels(options)), classes);
}

}  // namespace dfsweep
