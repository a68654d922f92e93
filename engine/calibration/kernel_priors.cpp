#include "engine/calibration/kernel_priors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "engine/calibration/correctable_model.hpp"
#include "engine/calibration/groups.hpp"
#include "engine/calibration/overlay.hpp"
#include "engine/catalogue/kinds.hpp"
#include "engine/console/usage_error.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "io/toml.hpp"
#include "models/calibration/displacement.hpp"

namespace dfsweep {

namespace {

constexpr std::string_view kind_of_entries = "software";

std::string kernel_source(const KernelFit& kernels, const KernelClassFit& of_class) {
  const calibration::ErrorSummary errors = of_class.left_out.value_or(of_class.after);
  return fmt::format("fitted to {} ({}) of {} measured on {}; median error {}: {:.1f} %",
                     counted(of_class.kernels, "kernel"), name_of(of_class.kind),
                     counted(of_class.tables, "operator table"), kernels.system,
                     of_class.left_out ? "left out by group" : "of these kernels", 100 * errors.median);
}

void set_source(EntryFile& file, const std::string& field, std::string source) {
  const auto found =
      std::find_if(file.fields.begin(), file.fields.end(), [&](const EntryField& f) { return f.path == field; });
  EntryField& made = found == file.fields.end() ? file.fields.emplace_back(EntryField{field, {}, {}}) : *found;
  made.source = std::move(source);
}

/// [entry of the model] the index of its system, if its observations name exactly one system with kernels.
std::vector<std::optional<std::size_t>> systems_of_entries(const MeasuredSweep& sweep,
                                                           std::span<const SystemKernels> systems) {
  const CorrectableModel model(sweep, Resource::time, entries_of(sweep));
  const std::optional<Groups> named = groups_by(sweep, "system");
  std::vector<std::set<std::size_t>> found(model.entries().size());
  for (std::size_t i = 0; named && i < sweep.observations.size(); ++i)
    for (std::size_t s = 0; s < systems.size(); ++s)
      if (named->names[named->numbers[i]] == systems[s].system) found[model.entry_of_observation()[i]].insert(s);
  std::vector<std::optional<std::size_t>> only;
  for (const std::set<std::size_t>& of : found)
    only.push_back(of.size() == 1 ? std::optional(*of.begin()) : std::nullopt);
  return only;
}

/// The file of the entry that a parameter value names; an empty one if it names none.
EntryFile file_of(const MeasuredSweep& sweep, const ParameterValue& value) {
  for (const auto& file : sweep.spec.entries)
    if (&file->entry == value.entry) return *file;
  return EntryFile{Entry{}, EntryOrigin::catalogue, {}, EntryPlaces{}, {}, {}};
}

void replace_entry(MeasuredSweep& sweep, ParameterValue& value, EntryFile corrected) {
  auto& files = sweep.spec.entries;
  const auto made = std::make_shared<const EntryFile>(std::move(corrected));
  const auto old = std::find_if(files.begin(), files.end(), [&](const auto& f) { return &f->entry == value.entry; });
  if (old == files.end())
    files.push_back(made);
  else
    *old = made;
  value.entry = &made->entry;
}

void remember_spreads(MeasuredSweep& sweep, std::size_t entry, const KernelFit& kernels,
                      std::span<const CalibrationInfo> infos) {
  for (const KernelClassFit& of_class : kernels.classes)
    for (const KernelNumber& number : of_class.numbers)
      for (std::size_t n = 0; n < infos.size(); ++n)
        if (number.verdict == KernelVerdict::fitted && infos[n].field == number.field)
          sweep.known.push_back({entry, n, number.spread});
}

/// The fit for this entry: numbers that contradict the entry's own values, which may differ from the start of the fit,
/// become `contradicted`.
KernelFit mark_contradicted(KernelFit kernels, const Entry& software, std::span<const CalibrationInfo> infos) {
  for (KernelClassFit& of_class : kernels.classes)
    for (KernelNumber& number : of_class.numbers)
      for (const CalibrationInfo& info : infos)
        if (info.field == number.field && number.verdict == KernelVerdict::fitted) {
          const double own = software.number_or(info.field, info.usual);
          const double away = calibration::displacement_to(own, info.highest, number.after) / info.spread;
          if (!(std::abs(away) <= max_kernel_spreads)) number.verdict = KernelVerdict::contradicted;
        }
  return kernels;
}

/// Adds the entry to `kept_by` of the numbers that it keeps.
void add_keeper(KernelFit& fit, const KernelFit& of_entry, const std::string& entry) {
  for (std::size_t c = 0; c < fit.classes.size(); ++c)
    for (std::size_t n = 0; n < fit.classes[c].numbers.size(); ++n)
      if (fit.classes[c].numbers[n].verdict != of_entry.classes[c].numbers[n].verdict)
        fit.classes[c].numbers[n].kept_by.push_back(entry);
}

}  // namespace

EntryFile with_kernel_numbers(const EntryFile& software, const KernelFit& kernels,
                              std::span<const CalibrationInfo> infos) {
  EntryFile corrected = software;
  for (const KernelClassFit& of_class : kernels.classes)
    for (const KernelNumber& number : of_class.numbers) {
      if (number.verdict != KernelVerdict::fitted) continue;
      const bool is_known =
          std::any_of(infos.begin(), infos.end(), [&](const auto& info) { return info.field == number.field; });
      if (!is_known) continue;
      corrected.entry.numbers[number.field] = number.after;
      set_source(corrected, number.field, kernel_source(kernels, of_class));
    }
  return corrected;
}

std::string kernel_entry_text(const EntryFile& corrected, const std::string& name, const KernelFit& kernels) {
  std::string text =
      fmt::format("name = {}\ndescription = {}\n", toml_quoted(name),
                  toml_quoted(fmt::format("{}, kernels of {}", corrected.entry.text_or("description", "software"),
                                          kernels.system)));
  text += fmt::format("calibrated_on = {}\n\n", toml_quoted(tables_text(kernels.files)));
  for (const FieldInfo& info : fields_of_kind(kind_of_entries)) {
    const auto number = corrected.entry.numbers.find(info.path);
    if (number == corrected.entry.numbers.end()) continue;
    const auto field = std::find_if(corrected.fields.begin(), corrected.fields.end(),
                                    [&](const EntryField& f) { return f.path == info.path; });
    text += entry_field_line(info.path, number->second, info.unit,
                             field == corrected.fields.end() ? std::string{} : field->source);
  }
  return text;
}

std::vector<KernelFit> start_from_kernels(MeasuredSweep& sweep, std::span<const SystemKernels> systems,
                                          std::span<const KernelClass> classes) {
  const std::span<const CalibrationInfo> infos = sweep.spec.estimator->calibration();
  const std::vector<std::optional<std::size_t>> of_entries = systems_of_entries(sweep, systems);
  std::vector<ParameterValue>& values =
      sweep.spec.values.parameters[parameter_of_entries(*sweep.spec.estimator)].values;
  std::vector<KernelFit> fits;
  std::vector<std::string> asked;
  for (std::size_t s = 0; s < systems.size(); ++s) {
    asked.push_back(systems[s].system);
    std::optional<KernelFit> kernels;
    for (std::size_t e = 0; e < values.size(); ++e) {
      if (of_entries[e] != s) continue;
      const EntryFile file = file_of(sweep, values[e]);
      if (!kernels) kernels = fit_kernels(systems[s], file.entry, infos, classes);
      const KernelFit corrected = mark_contradicted(*kernels, file.entry, infos);
      add_keeper(*kernels, corrected, file.entry.name);
      replace_entry(sweep, values[e], with_kernel_numbers(file, corrected, infos));
      remember_spreads(sweep, e, corrected, infos);
    }
    if (!kernels) continue;
    sweep.kernel_tables.insert(sweep.kernel_tables.end(), kernels->files.begin(), kernels->files.end());
    fits.push_back(*std::move(kernels));
  }
  if (fits.empty())
    throw UsageError(
        fmt::format("--measured-on: no row is of {}. The tables say nothing about these rows", listed(asked)));
  return fits;
}

}  // namespace dfsweep
