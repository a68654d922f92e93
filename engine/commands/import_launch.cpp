/// Import of launch commands: each file becomes a line of a point list of `training`.
#include <fmt/format.h>

#include <algorithm>

#include "engine/catalogue/catalogue.hpp"
#include "engine/commands/import.hpp"
#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/foreign/launch_reading.hpp"
#include "engine/foreign/training_launch.hpp"
#include "io/atomic_file.hpp"
#include "io/csv_writer.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "io/text_file.hpp"

namespace dfsweep {

namespace {

using foreign::LaunchFlag;
using foreign::LaunchValues;

constexpr const char* kind_of_trainers_read = "trainers";

/// The trainer whose tables know most of the flags. Throws UserError where none knows two.
Entry trainer_of(const std::vector<LaunchFlag>& flags, const std::string& shown, const Catalogue& catalogue) {
  const std::vector<std::string> names = catalogue.names(kind_of_trainers_read);
  Entry best;
  std::size_t most = 1;
  for (const std::string& name : names) {
    EntryFile file = catalogue.load(kind_of_trainers_read, name);
    if (!file.problems.empty()) throw UserError(file.problems);
    if (const std::size_t known = foreign::known_flags(file.entry, flags); known > most) {
      most = known;
      best = std::move(file.entry);
    }
  }
  if (best.name.empty())
    throw UserError({{{shown, 0, 0},
                      "no flags of a program that trains",
                      fmt::format("two flags of one of {} are needed", listed(names)),
                      "A file in TOML or YAML needs the ending .toml, .yml or .yaml."}});
  return best;
}

/// Sizes of the model that flags count in: its layers, and whether it has experts.
void add_model_sizes(LaunchValues& known, const Catalogue& catalogue) {
  const auto model = known.find("model");
  if (model == known.end() || !catalogue.contains("models", model->second)) return;
  const Entry entry = catalogue.load("models", model->second).entry;
  for (const char* const size : {"layers", "experts"})
    if (entry.has_number(size)) known.emplace(fmt::format("model.{}", size), shortest(entry.number_or(size, 0.0)));
}

LaunchValues point_of_file(const std::filesystem::path& path, const ImportLaunchOptions& options,
                           const Catalogue& catalogue) {
  const std::string shown = path.string();
  const std::string text = read_text_file(path, shown);
  LaunchValues known(options.settings.begin(), options.settings.end());
  known.merge(foreign::values_of_comment(text));
  for (const char* const needed : {"model", "system"})
    if (!known.contains(needed) && !(std::string_view(needed) == "system" && known.contains("device")))
      throw UserError({{{shown, 0, 0},
                        fmt::format("no {}", needed),
                        "flags do not name entries of the catalogue",
                        fmt::format("Use --set {}=NAME.", needed)}});
  add_model_sizes(known, catalogue);
  const std::vector<LaunchFlag> flags = foreign::flags_of_file(text, shown);
  LaunchValues point = foreign::execution_of_flags(trainer_of(flags, shown, catalogue), flags, known);
  std::erase_if(point, [](const auto& value) { return value.first.find('.') != std::string::npos; });
  return point;
}

/// A line for each point. A parameter that a point lacks is an error: an empty cell would be no value.
std::string point_list(const std::vector<LaunchValues>& points, const std::vector<std::filesystem::path>& files) {
  CsvWriter csv;
  for (const auto& [parameter, value] : points.front()) csv.cell(parameter);
  csv.end_line();
  for (std::size_t p = 0; p < points.size(); ++p) {
    for (const auto& [parameter, value] : points.front()) {
      const auto found = points[p].find(parameter);
      if (found == points[p].end() || points[p].size() != points.front().size())
        throw UsageError(fmt::format("{} and {} give different parameters: import each to a list of its own",
                                     files.front().string(), files[p].string()));
      csv.cell(found->second);
    }
    csv.end_line();
  }
  return csv.text();
}

}  // namespace

ExitStatus run_import_launch(const ImportLaunchOptions& options) {
  if (options.files.empty()) throw UsageError("give files with launch commands or configurations as FILE");
  const Catalogue catalogue = catalogue_with(options.catalogues);
  std::vector<LaunchValues> points;
  for (const std::filesystem::path& path : options.files) points.push_back(point_of_file(path, options, catalogue));
  write_user_file(options.output, point_list(points, options.files));
  if (options.verbosity == Verbosity::normal)
    write_message(fmt::format("{} of training in {}", counted(points.size(), "point"), options.output.string()));
  return ExitStatus::complete;
}

}  // namespace dfsweep
