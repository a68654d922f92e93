/// Reading [points]: one point per line of a CSV file, each column encoded by a dictionary of its values.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>

#include "engine/sweep_sections.hpp"
#include "io/checksum.hpp"
#include "io/csv.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t most_problems = 100;  ///< a wrong column would repeat itself in every line

/// The codes of a column as it is read: by the text of a cell, and by value, since texts may differ ("8", "8.0").
class ColumnCoder {
 public:
  ColumnCoder(const ParameterInfo& info, PointFile::Column& column) : info_(info), column_(column) {}

  /// False where the cell is wrong.
  bool take(const CsvCell& cell, const SourcePosition& line, ValueReader& values) {
    if (cell.text == last_text_ && last_code_ != none) {
      column_.codes.push_back(last_code_);
      return true;
    }
    // Texts of cells are views into the file, which the reader keeps until the end.
    const auto [found, is_new] = by_text_.try_emplace(cell.text, none);
    if (is_new) {
      SourcePosition at = line;
      at.column = cell.column;
      if (auto value = values.from_text(info_, cell.text, at)) found->second = code_of(std::move(*value), at);
    }
    if (found->second == none) return false;
    last_text_ = cell.text;
    last_code_ = found->second;
    column_.codes.push_back(last_code_);
    return true;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  std::uint32_t code_of(ParameterValue value, const SourcePosition& at) {
    const auto code = static_cast<std::uint32_t>(column_.values.size());
    const auto [found, is_new] = by_value_.try_emplace(label(info_, value), code);
    if (is_new) {
      column_.values.push_back(std::move(value));
      column_.positions.push_back(at);
    }
    return found->second;
  }

  const ParameterInfo& info_;
  PointFile::Column& column_;
  std::unordered_map<std::string_view, std::uint32_t> by_text_;
  std::unordered_map<std::string, std::uint32_t> by_value_;
  std::string_view last_text_;
  std::uint32_t last_code_ = none;
};

/// Columns of the header that name parameters; the others are problems.
std::vector<PointFile::Column> columns_of(const CsvReader& reader, const Estimator& estimator, Problems& problems) {
  std::vector<std::string> names;
  for (const ParameterInfo& info : estimator.parameters()) names.emplace_back(info.name);
  std::vector<PointFile::Column> columns;
  for (const CsvCell& cell : reader.header()) {
    const auto found = std::find(names.begin(), names.end(), cell.text);
    if (found == names.end())
      problems.add({reader.file(), reader.header_line(), cell.column}, fmt::format("unknown parameter '{}'", cell.text),
                   fmt::format("estimator '{}' has no such parameter", estimator.name()),
                   did_you_mean(cell.text, names, "Columns are named like parameters"));
    columns.emplace_back().parameter = static_cast<ParameterIndex>(found - names.begin());
  }
  return columns;
}

}  // namespace

PointFile read_points(const TomlTable& section, const SourcePosition& at, const std::filesystem::path& base,
                      const Estimator& estimator, ValueReader& values, Problems& problems) {
  const std::vector<std::string> keys{"file"};
  check_keys(section, "[points]", keys, problems);
  PointFile result;
  const TomlValue* file = section.find("file");
  if (file == nullptr || file->text() == nullptr) {
    problems.add(file == nullptr ? at : file->at, "[points] needs a file", "", "Write file = \"points.csv\"");
    return result;
  }
  result.path = *file->text();
  const std::filesystem::path path = base / result.path;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    problems.add(file->at, fmt::format("point list '{}' does not exist", result.path), "",
                 "Paths are relative to the folder of the sweep file");
    return result;
  }
  try {
    std::string text = read_text_file(path, path.string());
    result.input = {result.path, xxh3_128_hex(std::as_bytes(std::span(text))), ""};
    CsvReader reader(std::move(text), path.string());
    const std::size_t before = problems.count();
    result.columns = columns_of(reader, estimator, problems);
    if (problems.count() > before) return result;
    std::vector<ColumnCoder> coders;
    coders.reserve(result.columns.size());
    for (PointFile::Column& column : result.columns) coders.emplace_back(estimator.parameters()[column.parameter], column);
    for (auto cells = reader.next(); !cells.empty() && problems.count() < before + most_problems; cells = reader.next()) {
      const SourcePosition line{path.string(), reader.line(), 1};
      for (std::size_t c = 0; c < cells.size(); ++c) coders[c].take(cells[c], line, values);
      ++result.lines;
    }
    problems.add(reader.problems());
    if (result.lines == 0 && problems.count() == before) problems.add({path.string(), reader.header_line(), 1}, "point list is empty");
  } catch (const UserError& error) {
    problems.add(error.problems);
  }
  return result;
}

}  // namespace dfsweep
