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
#include "models/absent.hpp"
#include "models/hash_step.hpp"
#include "models/open_addressing.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t max_problems = 100;  ///< a wrong column gives a problem in every line

constexpr std::uint32_t no_code = 0xffffffff;

/// An empty text means the default of the parameter.
std::optional<ParameterValue> value_or_default(const ParameterInfo& info, std::string_view text,
                                               const SourcePosition& at, ValueReader& values) {
  if (!text.empty() || info.absence == Absence::required) return values.from_text(info, text, at);
  if (info.absence == Absence::fallback) return values.from_text(info, info.fallback, at);
  return ParameterValue{};
}

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
        if (auto value = value_or_default(info_, cell.text, {file, line, cell.column}, values))
          code = code_of(std::move(*value), line, cell.column);
      }
      last_text_ = cell.text;
      last_code_ = code;
    }
    column_.codes.push_back(last_code_);
  }

 private:
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

/// The index of a parameter by its name. An unknown name gives a problem, and the number of parameters as the index.
ParameterIndex parameter_named(std::string_view name, std::string_view written, const Estimator& estimator,
                               const SourcePosition& at, const ValueReader& values, Problems& problems) {
  const auto infos = estimator.parameters();
  const auto found =
      std::find_if(infos.begin(), infos.end(), [&](const ParameterInfo& info) { return info.name == name; });
  if (found == infos.end())
    problems.add(at, fmt::format("unknown parameter '{}'", written),
                 fmt::format("estimator '{}' has no such parameter", estimator.name()),
                 unknown_parameter_hint(std::string(written), estimator, values.estimators()));
  return static_cast<ParameterIndex>(found - infos.begin());
}

std::optional<ParameterValue> value_in_memory(const ParameterInfo& info, double number, std::string_view text,
                                              const SourcePosition& at, ValueReader& values, Problems& problems) {
  if (!is_given(number)) return value_or_default(info, text, at, values);
  if (info.kind == ParameterKind::integer || info.kind == ParameterKind::real)
    return values.from_number(info, number, at);
  problems.add(at, fmt::format("'{}' must be a string, not a number", info.name));
  return std::nullopt;
}

/// Columns of the header that are parameters; records a problem for other columns that are not in `others`.
std::vector<PlacedColumn> columns_of(const CsvReader& reader, const Estimator& estimator,
                                     std::span<const std::string> others,
                                     std::span<const std::pair<std::string, std::string>> renamed,
                                     const ValueReader& values, Problems& problems) {
  std::vector<PlacedColumn> columns;
  for (std::size_t i = 0; i < reader.header().size(); ++i) {
    const CsvCell& cell = reader.header()[i];
    if (cell.text == index_column || std::find(others.begin(), others.end(), cell.text) != others.end()) continue;
    const auto change =
        std::find_if(renamed.begin(), renamed.end(), [&](const auto& names_of) { return names_of.first == cell.text; });
    const std::string_view name = change == renamed.end() ? std::string_view(cell.text) : change->second;
    const ParameterIndex parameter = parameter_named(
        name, cell.text, estimator, {reader.file(), reader.header_line(), cell.column}, values, problems);
    columns.push_back({{.parameter = parameter, .values = {}, .positions = {}, .codes = {}}, i});
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

PointFile read_points(const GivenPoints& points, const Estimator& estimator, ValueReader& values, Problems& problems) {
  const std::string source(GivenPoints::source);
  PointFile result;
  result.path = result.source = source;
  result.lines = points.count;
  for (std::size_t c = 0; c < points.columns.size(); ++c) {
    const GivenPoints::Column& given = points.columns[c];
    const auto place = static_cast<std::uint32_t>(c + 1);
    const std::size_t before = problems.count();
    const ParameterIndex parameter =
        parameter_named(given.name, given.name, estimator, {source, 0, place}, values, problems);
    if (parameter == estimator.parameters().size()) continue;
    const ParameterInfo& info = estimator.parameters()[parameter];
    PointFile::Column column{
        .parameter = parameter, .values = {}, .positions = {}, .codes = {given.codes.begin(), given.codes.end()}};
    for (std::size_t v = 0; v < given.numbers.size() && problems.count() < before + max_problems; ++v) {
      const SourcePosition at{source, static_cast<std::uint32_t>(v + 1), place};
      std::optional<ParameterValue> value =
          value_in_memory(info, given.numbers[v], given.texts[v], at, values, problems);
      if (!value) continue;  // the problems are raised before a code is used
      column.values.push_back(std::move(*value));
      column.positions.push_back({{}, at.line, at.column});
    }
    result.columns.push_back(std::move(column));
  }
  return result;
}

}  // namespace dfsweep
