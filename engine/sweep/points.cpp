/// Each column of a point list is dictionary-encoded.
#include "engine/sweep/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <string>

#include "engine/sweep/other_words.hpp"
#include "engine/sweep/sections.hpp"
#include "io/checksum.hpp"
#include "io/csv.hpp"
#include "models/hash_step.hpp"
#include "models/open_addressing.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t max_problems = 100;  ///< a wrong column gives a problem in every line

constexpr std::uint32_t no_code = 0xffffffff;

/// A key and its code; `no_code` until it is set.
template <class Word>
struct CodedWord {
  Word word{};
  std::uint32_t code = no_code;
};

template <class Word>
struct CodedWords {
  using Key = Word;
  using Entry = CodedWord<Word>;
  static std::uint64_t hash(const Word& word) { return hash_step(0, std::hash<Word>{}(word)); }
  static const Word& key_of(const Entry& entry) { return entry.word; }
  static Entry entry_of(const Word& word) { return {word, no_code}; }
};

/// Hash table from keys to codes; fast, because a point list has millions of cells.
template <class Word>
class CodeTable {
 public:
  /// The code of `key`; `no_code` for a new key, which the caller has to replace. Valid until the next call.
  std::uint32_t& operator[](const Word& key) { return words_[words_.find_or_add(key)].code; }

 private:
  OpenAddressing<CodedWords<Word>> words_;
};

/// Encodes a column by the text of a cell, and then by value, because texts of equal values may differ ("8", "8.0").
class ColumnCoder {
 public:
  ColumnCoder(const ParameterInfo& info, PointFile::Column& column) : info_(info), column_(column) {}

  /// Appends the code of a cell, or records a problem.
  void take(const CsvCell& cell, std::uint32_t line, const std::string& file, ValueReader& values) {
    if (cell.text != last_text_ || last_code_ == no_code) {
      // Texts of cells are views into the file, which the reader keeps in memory.
      std::uint32_t& code = by_text_[cell.text];
      if (code == no_code) {
        if (auto value = value_of(cell, {file, line, cell.column}, values))
          code = code_of(std::move(*value), line, cell.column);
      }
      last_text_ = cell.text;
      last_code_ = code;
    }
    column_.codes.push_back(last_code_);
  }

 private:
  /// An empty cell means the default of the parameter.
  std::optional<ParameterValue> value_of(const CsvCell& cell, const SourcePosition& at, ValueReader& values) const {
    if (!cell.text.empty() || info_.absence == Absence::required) return values.from_text(info_, cell.text, at);
    if (info_.absence == Absence::fallback) return values.from_text(info_, info_.fallback, at);
    return ParameterValue{};
  }
  std::uint32_t code_of(ParameterValue value, std::uint32_t line, std::uint32_t column) {
    const auto fresh = static_cast<std::uint32_t>(column_.values.size());
    if (value.text.empty()) {
      std::uint32_t& code = by_number_[std::bit_cast<std::uint64_t>(value.number)];
      if (code != no_code) return code;
      code = fresh;
    }
    column_.values.push_back(std::move(value));
    column_.positions.push_back({{}, line, column});  // without the file name, to save memory
    return fresh;
  }

  const ParameterInfo& info_;
  PointFile::Column& column_;
  CodeTable<std::string_view> by_text_;
  CodeTable<std::uint64_t> by_number_;
  std::string_view last_text_;
  std::uint32_t last_code_ = no_code;
};

/// A column of the point list and the index of its cell in a line.
struct PlacedColumn {
  PointFile::Column column;
  std::size_t cell = 0;
};

/// Columns of the header that are parameters; records a problem for other columns that are not in `others`.
std::vector<PlacedColumn> columns_of(const CsvReader& reader, const Estimator& estimator,
                                     std::span<const std::string> others,
                                     std::span<const std::pair<std::string, std::string>> renamed,
                                     const ValueReader& values, Problems& problems) {
  std::vector<std::string> names;
  for (const ParameterInfo& info : estimator.parameters()) names.emplace_back(info.name);
  std::vector<PlacedColumn> columns;
  for (std::size_t i = 0; i < reader.header().size(); ++i) {
    const CsvCell& cell = reader.header()[i];
    if (cell.text == index_column || std::find(others.begin(), others.end(), cell.text) != others.end()) continue;
    const auto change =
        std::find_if(renamed.begin(), renamed.end(), [&](const auto& names_of) { return names_of.first == cell.text; });
    const std::string_view name = change == renamed.end() ? std::string_view(cell.text) : change->second;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      problems.add({reader.file(), reader.header_line(), cell.column}, fmt::format("unknown parameter '{}'", cell.text),
                   fmt::format("estimator '{}' has no such parameter", estimator.name()),
                   unknown_parameter_hint(cell.text, estimator, values.estimators()));
    columns.push_back(
        {{.parameter = static_cast<ParameterIndex>(found - names.begin()), .values = {}, .positions = {}, .codes = {}},
         i});
  }
  return columns;
}

}  // namespace

PointFile read_points(const Document& section, const SourcePosition& at, const std::filesystem::path& base,
                      const Estimator& estimator, std::span<const std::string> others,
                      std::span<const std::pair<std::string, std::string>> renamed, const PointText* in_memory,
                      ValueReader& values, Problems& problems) {
  const std::vector<std::string> keys{"file"};
  check_keys(section, "[points]", keys, problems);
  PointFile result;
  const Node* file = section.find("file");
  if (file == nullptr || file->text() == nullptr) {
    problems.add(file == nullptr ? at : file->at, "[points] needs a file", "", "Write file = \"points.csv\"");
    return result;
  }
  result.path = *file->text();
  const std::filesystem::path path = base / result.path;
  std::error_code ignored;
  if (in_memory == nullptr && !std::filesystem::exists(path, ignored)) {
    problems.add(file->at, fmt::format("point list '{}' does not exist", result.path), "",
                 "Paths are relative to the folder of the sweep file");
    return result;
  }
  result.source = path.string();
  try {
    std::string text = in_memory == nullptr ? read_text_file(path, path.string(), max_table_bytes) : in_memory->text;
    result.input = {result.path, xxh3_128_hex(std::as_bytes(std::span(text))), ""};
    CsvReader reader(std::move(text), path.string(), in_memory == nullptr ? 1 : in_memory->first_line);
    const std::size_t before = problems.count();
    std::vector<PlacedColumn> columns = columns_of(reader, estimator, others, renamed, values, problems);
    if (problems.count() > before) return result;
    std::vector<ColumnCoder> coders;
    coders.reserve(columns.size());
    for (PlacedColumn& placed : columns)
      coders.emplace_back(estimator.parameters()[placed.column.parameter], placed.column);
    for (auto cells = reader.next(); !cells.empty() && problems.count() < before + max_problems;
         cells = reader.next()) {
      if (in_memory != nullptr &&
          std::binary_search(in_memory->left_out.begin(), in_memory->left_out.end(), reader.line()))
        continue;
      for (std::size_t c = 0; c < columns.size(); ++c)
        coders[c].take(cells[columns[c].cell], reader.line(), reader.file(), values);
      ++result.lines;
    }
    for (PlacedColumn& placed : columns) result.columns.push_back(std::move(placed.column));
    problems.add(reader.problems());
    if (result.lines == 0 && problems.count() == before)
      problems.add({path.string(), reader.header_line(), 1}, "point list is empty");
  } catch (const UserError& error) {
    problems.add(error.problems);
  }
  return result;
}

}  // namespace dfsweep
