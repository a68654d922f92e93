/// Import: read everything, then write everything.
#include "engine/commands/import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/commands/describe_parts.hpp"
#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/foreign/calculon_files.hpp"
#include "engine/foreign/calculon_words.hpp"
#include "engine/foreign/huggingface_config.hpp"
#include "engine/foreign/load_generator.hpp"
#include "engine/foreign/measured_rows.hpp"
#include "io/atomic_file.hpp"
#include "io/csv_writer.hpp"
#include "io/json_document.hpp"
#include "io/number_format.hpp"
#include "io/text_file.hpp"
#include "io/toml.hpp"

namespace dfsweep {
namespace {

using namespace foreign;

/// Files read so far as what will be written.
class Import {
 public:
  explicit Import(const ImportCalculonOptions& options) : options_(options) {}

  void read(const std::filesystem::path& path) {
    const std::string shown = path.string();
    std::string text = read_text_file(path, shown);
    if (path.extension() == ".csv") return read_table(std::move(text), shown);
    const Document document = parse_json_document(text, shown, JsonNulls::dropped);
    switch (kind_of(document, shown)) {
      case DocumentKind::model:
        return add_model(document, path.stem().string(), shown);
      case DocumentKind::system:
        return add_system(document, path.stem().string(), shown);
      case DocumentKind::execution:
        return add_execution(document, shown);
    }
  }

  std::vector<ImportedFile> take() {
    if (points_ > 0) files_.push_back({options_.output / "points.csv", csv_.text()});
    return std::move(files_);
  }

 private:
  void read_table(std::string text, const std::string& shown) {
    const auto [kind, documents] = documents_of_table(std::move(text), shown);
    for (const NamedDocument& named : documents)
      kind == TableKind::models ? add_model(named.document, named.name, shown)
                                : add_system(named.document, named.name, shown);
  }
  void add_model(const Document& document, const std::string& theirs, const std::string& shown) {
    const std::string name = entry_name(theirs);
    files_.push_back({entry_path(options_.output / "models", name, shown), model_entry(document, name, shown)});
  }
  void add_system(const Document& document, const std::string& theirs, const std::string& shown) {
    const std::string name = entry_name(theirs);
    files_.push_back(
        {entry_path(options_.output / "calculon_systems", name, shown), system_entry(document, name, shown)});
  }
  void add_execution(const Document& document, const std::string& shown) {
    if (options_.model.empty() || options_.system.empty())
      throw UsageError(
          fmt::format("{} is an execution. Name its model and its system with --model and --system.", shown));
    const std::vector<std::string> values = execution_values(document, shown);
    if (points_++ == 0) {
      csv_.cell("model");
      csv_.cell("system");
      for (const ExecutionInput& input : execution_inputs()) csv_.cell(input.ours);
      csv_.end_line();
    }
    csv_.cell(entry_name(options_.model));
    csv_.cell(entry_name(options_.system));
    for (const std::string& value : values) csv_.cell(value);
    csv_.end_line();
  }

  const ImportCalculonOptions& options_;
  std::vector<ImportedFile> files_;
  CsvWriter csv_;
  std::size_t points_ = 0;
};

struct TakenName {
  std::string name;  ///< empty where no name can be made
  std::string note;  ///< where the program found a name that the model does not say
};

/// The name that the model says, else that of its file, or of the folder where the file has the name of all such files.
TakenName taken_name(const Document& document, const std::filesystem::path& config) {
  if (const std::string said = huggingface_name(document); !said.empty()) return {said, ""};
  const bool is_of_file = config.filename() != "config.json";
  const std::filesystem::path folder = std::filesystem::absolute(config).lexically_normal().parent_path();
  const std::string name = made_entry_name((is_of_file ? config.stem() : folder.filename()).string());
  return {name, fmt::format("The entry is named '{}' after its {}; --model gives another name.", name,
                            is_of_file ? "file" : "folder")};
}

/// How a sweep uses the entry at `path`.
std::string usage_note(const std::filesystem::path& path, const Document& document) {
  const std::optional<double> most = huggingface_positions(document);
  return fmt::format("In a sweep file in this folder: model = {}\nA sweep of 'training' also needs sequence_length{}",
                     toml_quoted(path.string()),
                     most ? fmt::format(": the model takes up to {} tokens.", *most) : std::string("."));
}

/// Results of load generators, or one table of rows. Throws UsageError for other numbers and mixtures.
MeasuredPoints measured_points(const ImportMeasuredOptions& options) {
  const Catalogue catalogue = catalogue_with(options.catalogues);
  std::vector<GeneratorFile> files;
  for (const std::filesystem::path& path : options.files)
    files.push_back({path.string(), path.stem().string(), read_text_file(path, path.string())});
  const auto is_result = [](const GeneratorFile& file) { return is_generator_file(file.text); };
  if (!files.empty() && std::all_of(files.begin(), files.end(), is_result))
    return points_of_generator_files(files, options.settings, catalogue);
  if (files.size() != 1) throw UsageError("give one table of measured rows, or results of load generators, as FILE");
  if (!options.settings.empty()) throw UsageError("--set: a table of measured rows has a column instead.");
  return points_of_measured_rows(std::move(files.front().text), files.front().shown, catalogue);
}

/// Asks for what every point needs and no column of the list gives; empty where nothing is missing.
std::string missing_columns_note(std::string_view points) {
  const std::string header = "," + std::string(points.substr(0, points.find('\n'))) + ",";
  const auto has = [&header](std::string_view name) {
    return header.find(fmt::format(",{},", name)) != std::string::npos;
  };
  std::vector<std::string> missing;
  if (!has("model")) missing.emplace_back("model");
  if (!has("system") && !has("device")) missing.emplace_back("system");
  if (missing.empty()) return {};
  std::string options;
  for (const std::string& name : missing) options += fmt::format(" --set {}=NAME", name);
  return fmt::format("the rows do not say {}, which every point needs: add{}", fmt::join(missing, " and "), options);
}

}  // namespace

ExitStatus run_import_calculon(const ImportCalculonOptions& options) {
  if (options.files.empty() == options.rows.empty())
    throw UsageError("give either files of models, systems and executions, or --rows with a table of executions");
  std::vector<ImportedFile> files;
  if (!options.rows.empty()) {
    const std::string shown = options.rows.string();
    foreign::PointList list = points_of_rows(read_text_file(options.rows, shown), shown);
    files.push_back({options.output, std::move(list.text)});
    if (options.verbosity == Verbosity::normal)
      write_message(fmt::format("{} in {}", counted(list.points, "point"), options.output.string()));
  } else {
    Import all(options);
    for (const std::filesystem::path& path : options.files) all.read(path);
    files = all.take();
  }
  write_entries(files, options.rows.empty() ? options.existing : Existing::replace);
  if (options.rows.empty() && options.verbosity == Verbosity::normal)
    for (const ImportedFile& file : files) write_message(file.path.string());
  return ExitStatus::complete;
}

ExitStatus run_import_huggingface(const ImportHuggingfaceOptions& options) {
  const std::string shown = options.config.string();
  const Document document = parse_json_document(read_text_file(options.config, shown), shown, JsonNulls::dropped);
  const auto [name, name_note] =
      options.model.empty() ? taken_name(document, options.config) : TakenName{options.model, ""};
  if (name.empty()) throw UsageError(fmt::format("{} has no _name_or_path. Name the entry with --model NAME.", shown));
  const Document& decoder = text_part(document);
  const ImportedFile file{entry_path(options.output / "models", name, shown), huggingface_entry(decoder, name, shown)};
  write_entries({&file, 1}, options.existing);
  if (options.verbosity == Verbosity::normal) {
    const EntryFile model = read_entry_file(file.path, file.path.string(), "models", Sources::required);
    if (!name_note.empty()) write_message(name_note);
    write_message(file.path.string() + "\n" + sizes_text(model, terminal_of(2, ColourChoice::automatic)) +
                  usage_note(file.path, decoder));
  }
  return ExitStatus::complete;
}

ExitStatus run_import_measured(const ImportMeasuredOptions& options) {
  const MeasuredPoints measured = measured_points(options);
  const std::string shown = options.files.front().string();
  std::vector<ImportedFile> models;
  for (const ModelFile& model : measured.models)
    models.push_back({entry_path(options.output.parent_path() / "models", model.name, shown), model.text});
  write_entries(models, options.existing);
  write_user_file(options.output, measured.points);
  write_user_file(std::filesystem::path(options.output).replace_extension(".notes.csv"), measured.notes);
  write_user_file(std::filesystem::path(options.output).replace_extension(".measured.csv"), measured.measured);
  if (options.verbosity == Verbosity::normal)
    write_message(
        fmt::format("{} of {} rows are points in {}", measured.expressed, measured.rows, options.output.string()));
  if (const std::string note = missing_columns_note(measured.points); measured.expressed > 0 && !note.empty())
    write_message(note);
  return ExitStatus::complete;
}

}  // namespace dfsweep
