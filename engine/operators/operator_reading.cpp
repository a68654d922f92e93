/// Rows of a block are grouped by the texts that name their table; blocks are joined in their order.
#include "engine/operators/operator_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "engine/parallel/threads.hpp"
#include "io/csv.hpp"
#include "io/csv_blocks.hpp"
#include "io/file_system.hpp"

namespace dfsweep::operators {

namespace {

/// The names of a table before they are taken apart: system, backend, version, kernel, format, cache, variants.
constexpr std::size_t named_columns = 6;
constexpr std::array<std::string_view, 4> table_columns{"system", "backend", "version", "kernel_source"};
constexpr std::size_t absent_column = ~std::size_t{0};
/// Tables of one file: a column whose texts all differ would make a table of every row.
constexpr std::size_t most_tables = 10000;

/// Where the cells of a row are among the cells that are read.
struct ColumnPlaces {
  std::vector<std::size_t> wanted;  ///< columns of the file, ascending
  std::vector<std::size_t> names;   ///< of the names; absent_column: not in the file
  std::vector<std::size_t> keys;    ///< absent_column: the key is 1
  std::size_t time = 0;
  std::size_t window = absent_column;  ///< among the names
  std::array<std::string, 3> folders;  ///< system, backend, version where they are not columns
};

/// Texts of the names of a table.
using TableNames = std::vector<std::string>;

struct NamedRows {
  TableNames names;
  std::vector<float> keys;
  std::vector<float> seconds;
  std::uint32_t line = 0;  ///< of its first row, in its block
};

struct BlockRows {
  std::vector<NamedRows> tables;
  std::vector<CsvBlockProblem> problems;
  std::uint32_t lines = 0;
};

/// The names of the folders SYSTEM/FAMILY/BACKEND/VERSION above a file.
std::array<std::string, 3> names_of_folders(const std::filesystem::path& path) {
  std::vector<std::string> parts;
  for (const auto& part : std::filesystem::absolute(path).parent_path()) parts.push_back(part.string());
  if (parts.size() < 4) return {};
  return {parts[parts.size() - 4], parts[parts.size() - 2], parts[parts.size() - 1]};
}

class ColumnFinder {
 public:
  explicit ColumnFinder(const CsvFile& file) : file_(file) {}

  [[nodiscard]] std::size_t find(std::string_view name) {
    const auto at = std::find(file_.header().begin(), file_.header().end(), name);
    if (at == file_.header().end()) return absent_column;
    wanted_.push_back(static_cast<std::size_t>(at - file_.header().begin()));
    return wanted_.back();
  }
  [[nodiscard]] std::size_t require(std::string_view name) {
    const std::size_t found = find(name);
    if (found == absent_column) missing_ += fmt::format("{}'{}'", missing_.empty() ? "" : ", ", name);
    return found;
  }
  [[nodiscard]] const std::string& missing() const { return missing_; }
  [[nodiscard]] std::vector<std::size_t> wanted() const {
    std::vector<std::size_t> columns = wanted_;
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
  }

 private:
  const CsvFile& file_;
  std::vector<std::size_t> wanted_;
  std::string missing_;
};

/// From columns of the file to indices among the wanted ones.
void renumber(std::vector<std::size_t>& columns, const std::vector<std::size_t>& wanted) {
  for (std::size_t& column : columns)
    if (column != absent_column)
      column = static_cast<std::size_t>(std::lower_bound(wanted.begin(), wanted.end(), column) - wanted.begin());
}

/// Finds the columns, or says which are missing.
std::optional<ColumnPlaces> places_of(const CsvFile& file, const std::filesystem::path& path,
                                      const OperatorLayout& layout, std::vector<Problem>& problems) {
  ColumnFinder finder(file);
  ColumnPlaces places;
  places.folders = names_of_folders(path);
  for (const std::string_view name : table_columns) places.names.push_back(finder.find(name));
  places.names.push_back(layout.format.empty() ? absent_column : finder.require(layout.format));
  places.names.push_back(layout.cache.empty() ? absent_column : finder.require(layout.cache));
  for (const std::string_view name : layout.variants) places.names.push_back(finder.require(name));
  if (!layout.window.empty()) {
    places.window = places.names.size();
    places.names.push_back(finder.require(layout.window));
  }
  for (const std::string_view name : layout.keys)
    places.keys.push_back(name.empty() ? absent_column : finder.require(name));
  std::vector<std::size_t> time{finder.require(layout.time)};
  for (std::size_t i = 0; i < places.folders.size(); ++i)
    if (places.names[i] == absent_column && places.folders[i].empty())
      static_cast<void>(finder.require(table_columns[i]));
  if (!finder.missing().empty()) {
    problems.push_back({{file.name(), file.header_line(), 0},
                        fmt::format("no column {}", finder.missing()),
                        fmt::format("a table of {} needs it", info_of(layout.family).name),
                        "Columns have the names of the source: docs/measured-operators.md"});
    return std::nullopt;
  }
  places.wanted = finder.wanted();
  renumber(places.names, places.wanted);
  renumber(places.keys, places.wanted);
  renumber(time, places.wanted);
  places.time = time[0];
  return places;
}

/// The number of a key: a number, or the exponent of a power law of routing.
std::optional<double> key_number(std::string_view cell, KeyInfo::Range range) {
  constexpr std::string_view law = "power_law_";
  if (cell == "balanced") return 0.0;
  if (cell.starts_with(law)) cell.remove_prefix(law.size());
  const CsvNumber number = csv_number(cell);
  const double least = range == KeyInfo::Range::from_zero ? 0.0 : 1e-30;
  constexpr double most = 1e18;
  if (!number.is_number || !(number.value >= least && number.value <= most)) return std::nullopt;
  return number.value;
}

/// Reads the lines of one block.
class BlockParser {
 public:
  BlockParser(const ColumnPlaces& places, const OperatorLayout& layout)
      : places_(places), layout_(layout), key_infos_(info_of(layout.family).keys) {}

  [[nodiscard]] BlockRows parse(const CsvFile& file, std::uint64_t index) {
    const std::string text = file.block(index);
    CsvBlockReader reader(text, file.header().size(), places_.wanted, file.separator());
    while (reader.next()) take(reader);
    rows_.problems.insert(rows_.problems.end(), reader.problems().begin(), reader.problems().end());
    rows_.lines = reader.line_count();
    return std::move(rows_);
  }

 private:
  void take(const CsvBlockReader& reader) {
    const auto cells = reader.cells();
    if (!layout_.selected.empty() && !cells[places_.names[named_columns]].starts_with(layout_.selected)) return;
    std::array<float, most_keys> keys{};
    for (std::size_t k = 0; k < places_.keys.size(); ++k) {
      if (places_.keys[k] == absent_column) {
        keys[k] = 1.0F;
        continue;
      }
      const std::optional<double> number = key_number(cells[places_.keys[k]], key_infos_[k].range);
      if (!number) return refuse(reader, places_.keys[k], "is not a size");
      keys[k] = static_cast<float>(*number);
    }
    const CsvNumber time = csv_number(cells[places_.time]);
    constexpr double longest = 1e9;
    if (!time.is_number || !(time.value >= 0.0 && time.value <= longest))
      return refuse(reader, places_.time, "is not a time",
                    cells[places_.time].empty() ? "an empty cell: fill it in, or leave out the line" : "");
    // Such a file is refused, so that its rows are not needed; the joiner names the table that is one too many.
    if (!rows_.problems.empty() || rows_.tables.size() > most_tables) return;
    NamedRows& rows = rows_named(cells, reader.line());
    rows.keys.insert(rows.keys.end(), keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(places_.keys.size()));
    rows.seconds.push_back(static_cast<float>(time.value * layout_.time_unit));
  }

  void refuse(const CsvBlockReader& reader, std::size_t cell, std::string_view what, std::string_view why = "") {
    constexpr std::size_t most_shown = 40;
    const std::string_view text = reader.cells()[cell].substr(0, most_shown);
    if (rows_.problems.size() < max_csv_problems)
      rows_.problems.push_back(
          {reader.line(), reader.column(cell), fmt::format("'{}' {}", text, what), std::string(why)});
  }

  /// Pre: the cell is a number >= 0.
  [[nodiscard]] static bool has_window(std::string_view cell) {
    return cell.find_first_not_of("0.") != std::string_view::npos;
  }

  [[nodiscard]] std::string_view name_at(std::span<const std::string_view> cells, std::size_t i) const {
    if (i == places_.window) return has_window(cells[places_.names[i]]) ? "window" : std::string_view();
    if (places_.names[i] != absent_column) return cells[places_.names[i]];
    return i < places_.folders.size() ? std::string_view(places_.folders[i]) : std::string_view();
  }

  [[nodiscard]] bool are_names_of(const NamedRows& rows, std::span<const std::string_view> cells) const {
    for (std::size_t i = 0; i < places_.names.size(); ++i)
      if (rows.names[i] != name_at(cells, i)) return false;
    return true;
  }

  NamedRows& rows_named(std::span<const std::string_view> cells, std::uint32_t line) {
    if (current_ < rows_.tables.size() && are_names_of(rows_.tables[current_], cells)) return rows_.tables[current_];
    TableNames names;
    for (std::size_t i = 0; i < places_.names.size(); ++i) names.emplace_back(name_at(cells, i));
    current_ = indices_.emplace(names, rows_.tables.size()).first->second;
    if (current_ == rows_.tables.size()) rows_.tables.push_back({std::move(names), {}, {}, line});
    return rows_.tables[current_];
  }

  const ColumnPlaces& places_;
  const OperatorLayout& layout_;
  std::span<const KeyInfo> key_infos_;
  BlockRows rows_;
  std::size_t current_ = absent_column;
  std::map<TableNames, std::size_t> indices_;
};

OperatorTable named_table(const TableNames& names, const OperatorLayout& layout) {
  OperatorTable table;
  table.family = layout.family;
  table.system = names[0];
  table.engine = names[1];
  table.version = names[2];
  table.kernel = names[3];
  table.format = names[4];
  table.cache = names[5];
  for (std::size_t i = named_columns; i < names.size(); ++i)
    if (!names[i].empty()) table.variant += (table.variant.empty() ? "" : " ") + names[i];
  if (!layout.part.empty()) table.variant += (table.variant.empty() ? "" : " ") + std::string(layout.part);
  return table;
}

/// Appends blocks in their order.
class TableJoiner {
 public:
  TableJoiner(const OperatorLayout& layout, const CsvFile& file)
      : layout_(layout), file_(file), line_(file.header_line() + 1) {}

  void add(BlockRows block) {
    for (const CsvBlockProblem& problem : block.problems)
      if (result.problems.size() < max_csv_problems)
        result.problems.push_back(
            {{file_.name(), line_ + problem.line, problem.column}, problem.problem, problem.reason, ""});
    const std::uint32_t first = std::exchange(line_, line_ + block.lines);
    for (NamedRows& rows : block.tables) {
      if (!result.problems.empty()) break;
      const std::size_t at = indices_.emplace(rows.names, result.tables.size()).first->second;
      if (at == result.tables.size()) result.tables.push_back(named_table(rows.names, layout_));
      if (result.tables.size() > most_tables) {
        result.problems.push_back(
            {{file_.name(), first + rows.line, 0},
             fmt::format("the row begins table {} of this file", result.tables.size()),
             "columns that name a table, such as 'system' and 'kernel_source', have a few texts each",
             ""});
      }
      OperatorTable& table = result.tables[at];
      table.keys.insert(table.keys.end(), rows.keys.begin(), rows.keys.end());
      table.seconds.insert(table.seconds.end(), rows.seconds.begin(), rows.seconds.end());
    }
  }

  /// Whether more blocks can change the result.
  [[nodiscard]] bool is_full() const {
    return result.problems.size() >= max_csv_problems || result.tables.size() > most_tables;
  }

  OperatorFile result;

 private:
  const OperatorLayout& layout_;
  const CsvFile& file_;
  std::uint32_t line_;
  std::map<TableNames, std::size_t> indices_;
};

}  // namespace

OperatorFile read_operator_file(const std::filesystem::path& path, const OperatorLayout& layout, unsigned threads) {
  constexpr std::uint64_t block_bytes = std::uint64_t{1} << 20;
  const CsvFile file(real_file_system(), path, block_bytes);
  TableJoiner joiner(layout, file);
  const std::optional<ColumnPlaces> places = places_of(file, path, layout, joiner.result.problems);
  if (!places) return std::move(joiner.result);
  const std::uint64_t at_once = std::uint64_t{8} * threads;  // bounds the rows that wait to be joined
  for (std::uint64_t begin = 0; begin < file.block_count() && !joiner.is_full(); begin += at_once) {
    std::vector<BlockRows> blocks(std::min(at_once, file.block_count() - begin));
    parallel_for(blocks.size(), threads,
                 [&](std::size_t i) { blocks[i] = BlockParser(*places, layout).parse(file, begin + i); });
    for (BlockRows& block : blocks) joiner.add(std::move(block));
  }
  return std::move(joiner.result);
}

}  // namespace dfsweep::operators
