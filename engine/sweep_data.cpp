/// Reading [data]: folders or files of measurements, as tables.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

#include "engine/sweep_sections.hpp"
#include "io/checksum.hpp"
#include "io/csv.hpp"
#include "io/quantity.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

/// Cells hold no NaN of their own.
double number_or_nan(std::string_view cell) {
  const auto number = parse_number(cell);
  return std::holds_alternative<double>(number) ? std::get<double>(number) : std::numeric_limits<double>::quiet_NaN();
}

Table table_of(const std::string& path, CsvReader& reader, Problems& problems) {
  Table table;
  table.path = path;
  std::vector<std::vector<std::string>> cells(reader.header().size());
  for (auto line = reader.next(); !line.empty(); line = reader.next()) {
    for (std::size_t c = 0; c < line.size(); ++c) cells[c].emplace_back(line[c].text);
    table.lines.push_back(reader.line());
  }
  problems.add(reader.problems());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    TableColumn column;
    column.name = reader.header()[c].text;
    bool is_text = false;
    for (const std::string& cell : cells[c]) {
      const auto number = cell.empty() ? std::numeric_limits<double>::quiet_NaN() : number_or_nan(cell);
      is_text = is_text || (!cell.empty() && std::isnan(number));
      column.numbers.push_back(number);
    }
    if (is_text) column.texts = std::move(cells[c]);
    table.columns.push_back(std::move(column));
  }
  return table;
}

/// The CSV files at or below a path, relative to it, sorted.
std::vector<std::string> csv_files(const std::filesystem::path& root) {
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator item(root, error), end; !error && item != end;
       item.increment(error))
    if (item->is_regular_file(error) && item->path().extension() == ".csv")
      files.push_back(item->path().lexically_relative(root).generic_string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string environment_name(std::string_view data) {
  std::string name = "DFSWEEP_";
  for (const char c : data) name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

struct DataPath {
  std::filesystem::path path;
  SourcePosition at;
};

void load_data(const std::string& name, const DataPath& given, SweepSpec& spec, Problems& problems) {
  std::error_code ignored;
  if (!std::filesystem::exists(given.path, ignored))
    return problems.add(given.at, fmt::format("data '{}' cannot be found", name), given.path.string());
  const bool is_folder = std::filesystem::is_directory(given.path, ignored);
  const std::vector<std::string> files =
      is_folder ? csv_files(given.path) : std::vector<std::string>{given.path.filename().string()};
  if (files.empty())
    problems.add(given.at, fmt::format("no data in '{}'", given.path.string()), "no CSV file below this folder");
  std::vector<InputFile> inputs;
  SweepValues::Data data{name, {}};
  for (const std::string& file : files) {
    const std::filesystem::path path = is_folder ? given.path / file : given.path;
    try {
      std::string text = read_text_file(path, path.string());
      inputs.push_back({name + "/" + file, xxh3_128_hex(std::as_bytes(std::span(text))), ""});
      CsvReader reader(std::move(text), path.string());
      data.tables.push_back(table_of(file, reader, problems));
    } catch (const UserError& error) {
      problems.add(error.problems);
    }
  }
  spec.inputs.insert(spec.inputs.end(), inputs.begin(), inputs.end());
  spec.values.data.push_back(std::move(data));
}

}  // namespace

void read_data(const TomlTable* section, const SourcePosition& at, const SweepReading& reading,
               const std::filesystem::path& base, SweepSpec& spec, Problems& problems) {
  std::vector<std::string> names;
  for (const DataInfo& info : spec.estimator->data()) names.emplace_back(info.name);
  std::map<std::string, DataPath> given;
  const std::size_t problems_before = problems.count();
  const auto known = [&](const std::string& name, const SourcePosition& where) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return true;
    problems.add(
        where, fmt::format("unknown data '{}'", name),
        names.empty() ? fmt::format("estimator '{}' uses none", spec.estimator->name()) : "data here: " + listed(names),
        did_you_mean(name, names));
    return false;
  };
  for (const std::string& name : names)
    if (const char* path = std::getenv(environment_name(name).c_str()); path != nullptr && *path != '\0')
      given[name] = {path, {environment_name(name), 0, 0}};
  if (section != nullptr)
    for (const TomlMember& member : section->members) {
      if (!known(member.key, member.at)) continue;
      if (member.value.text() == nullptr)
        problems.add(member.value.at, fmt::format("'{}' is {}", member.key, member.value.type_name()),
                     "a path is needed");
      else
        given[member.key] = {base / *member.value.text(), member.value.at};
    }
  for (const auto& [name, path] : reading.data)
    if (known(name, {"--" + name, 0, 0})) given[name] = {path, {"--" + name, 0, 0}};
  const bool names_are_right = problems.count() == problems_before;  // else what seems to be missing was misspelt
  for (const DataInfo& info : spec.estimator->data()) {
    const auto found = given.find(std::string(info.name));
    if (found != given.end())
      load_data(found->first, found->second, spec, problems);
    else if (info.required && names_are_right)
      problems.add(at, fmt::format("data '{}' is missing", info.name), std::string(info.meaning),
                   fmt::format("Give it in [data], with --data {}=PATH or {}", info.name, environment_name(info.name)));
  }
}

}  // namespace dfsweep
