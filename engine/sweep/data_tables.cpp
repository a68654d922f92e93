/// Reads files on several threads. Tables keep only line numbers, so columns of errors are found by a second read.
#include "engine/sweep/data_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/parallel/threads.hpp"
#include "io/checksum.hpp"
#include "io/csv.hpp"
#include "io/file_system.hpp"
#include "io/toml.hpp"

namespace dfsweep {

namespace {

bool is_folder(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

/// The CSV files at or below a path, as sorted relative paths.
std::vector<std::string> csv_files(const std::filesystem::path& root, std::span<const std::string_view> names) {
  if (!is_folder(root)) return {root.filename().string()};
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator item(root, error), end; !error && item != end;
       item.increment(error)) {
    const bool is_wanted = names.empty()
                               ? item->path().extension() == ".csv"
                               : std::find(names.begin(), names.end(), item->path().filename().string()) != names.end();
    std::error_code ignored;
    if (is_wanted && item->is_regular_file(ignored))
      files.push_back(item->path().lexically_relative(root).generic_string());
  }
  if (error) throw IoError("list", root, error.value());
  std::sort(files.begin(), files.end());
  return files;
}

std::filesystem::path path_in(const DataPlace& place, const std::string& file) {
  return is_folder(place.path) ? place.path / file : place.path;
}

/// Result of reading one file.
struct DataFile {
  std::vector<Table> table;  ///< one table; empty after an error
  std::vector<InputFile> input;
  std::vector<Problem> problems;
  std::vector<Problem> warnings;
};

/// A file without a final line break may be truncated within a number, which would still parse.
Problem cut_off(const std::filesystem::path& path, const std::string& text) {
  const auto line = static_cast<std::uint32_t>(1 + std::count(text.begin(), text.end(), '\n'));
  return {{path.string(), line, 1}, "the last line does not end", "the file may have been cut off", ""};
}

DataFile read_file(const DataPlace& place, const std::string& file) {
  DataFile result;
  const std::filesystem::path path = path_in(place, file);
  try {
    std::string text = read_text_file(path, path.string(), max_table_bytes);
    result.input.push_back({place.name + "/" + file, xxh3_128_hex(std::as_bytes(std::span(text))), ""});
    if (is_git_lfs_pointer(text)) {
      result.warnings.push_back({{path.string(), 1, 1},
                                 "the table is not there",
                                 "this is a pointer of Git Large File Storage to it",
                                 "Fetch it with 'git lfs pull' where the file is from"});
      return result;
    }
    if (!text.empty() && text.back() != '\n') result.warnings.push_back(cut_off(path, text));
    CsvReader reader(std::move(text), path.string());
    result.table.push_back(as_table(file, read_csv_table(reader)));
    result.problems = reader.problems();
  } catch (const UserError& error) {
    result.problems = error.problems;
  }
  return result;
}

template <class T>
void append(std::vector<T>& all, std::vector<T>& more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

/// Positions of cells in one file: [line][column of the table].
using CharacterColumns = std::map<std::size_t, std::map<std::string, std::uint32_t>>;

/// Fills the positions of the `wanted` cells; 0 if the line cannot be found again.
void find_columns(const std::filesystem::path& path, CharacterColumns& wanted) {
  try {
    CsvReader reader(read_text_file(path, path.string(), max_table_bytes), path.string());
    const auto note = [&](std::size_t line, std::span<const CsvCell> cells) {
      const auto found = wanted.find(line);
      if (found == wanted.end()) return;
      for (std::size_t c = 0; c < cells.size(); ++c)
        if (const auto column = found->second.find(std::string(reader.header()[c].text)); column != found->second.end())
          column->second = cells[c].column;
    };
    note(reader.header_line(), reader.header());
    for (auto cells = reader.next(); !cells.empty(); cells = reader.next()) note(reader.line(), cells);
  } catch (const UserError&) {  // the file has changed; the line number is still useful
  }
}

}  // namespace

Table as_table(std::string path, CsvTable read) {
  Table table{std::move(path), {}, std::move(read.lines)};
  for (CsvColumn& column : read.columns)
    table.columns.push_back({std::move(column.name), std::move(column.numbers), std::move(column.texts)});
  return table;
}

DataTables read_data_tables(const DataPlace& place, std::span<const std::string_view> files, unsigned threads) {
  const std::vector<std::string> paths = csv_files(place.path, files);
  std::vector<DataFile> read(paths.size());
  parallel_for(paths.size(), threads, [&](std::size_t i) { read[i] = read_file(place, paths[i]); });
  DataTables result;
  for (DataFile& file : read) {
    append(result.tables, file.table);
    append(result.inputs, file.input);
    append(result.problems, file.problems);
    append(result.warnings, file.warnings);
  }
  return result;
}

std::vector<Problem> located(std::span<const DataProblem> problems, std::span<const DataPlace> places) {
  const auto path_of = [&](const DataProblem& problem) {
    const auto place =
        std::find_if(places.begin(), places.end(), [&](const auto& p) { return p.name == problem.data; });
    return place == places.end() ? std::filesystem::path(problem.path) : path_in(*place, problem.path);
  };
  std::map<std::filesystem::path, CharacterColumns> columns;
  for (const DataProblem& problem : problems)
    if (problem.line > 0) columns[path_of(problem)][problem.line].emplace(problem.column, 1);
  for (auto& [path, wanted] : columns) find_columns(path, wanted);
  std::vector<Problem> result;
  for (const DataProblem& problem : problems) {
    const std::filesystem::path path = path_of(problem);
    SourcePosition at{path.string(), static_cast<std::uint32_t>(problem.line), 0};
    if (problem.line > 0) at.column = columns[path][problem.line][problem.column];
    result.push_back({std::move(at), problem.problem, problem.reason, problem.hint});
  }
  return result;
}

}  // namespace dfsweep
