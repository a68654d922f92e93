/// Two passes over parsed lines: the names, then the cells.
#include "io/json_lines.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/csv_writer.hpp"
#include "io/diagnostic.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t most_malformed_lines = 100;

/// Texts of cells by number of the column.
using Cells = std::vector<std::pair<std::size_t, std::string>>;

class Columns {
 public:
  std::size_t number_of(const std::string& name) {
    const auto [found, is_new] = numbers_.try_emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return found->second;
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<std::string> names_;
};

void add_members(const JsonObject& object, const std::string& prefix, Columns& columns, Cells& cells) {
  for (const auto& [name, value] : object) {
    if (value.is_object()) {
      add_members(value.object(), prefix + name + ".", columns, cells);
    } else if (value.is_text()) {
      std::string text = value.text();
      std::replace(text.begin(), text.end(), '\n', ' ');
      cells.emplace_back(columns.number_of(prefix + name), std::move(text));
    } else if (!value.is_array()) {
      const std::string text = to_text(value, JsonStyle::one_line);
      cells.emplace_back(columns.number_of(prefix + name), text == "null" ? std::string() : text);
    }
  }
}

/// NaN and infinities, which JSON does not have and programs in Python write, as texts.
std::string with_numbers_as_texts(std::string_view line) {
  constexpr std::string_view words[] = {"-Infinity", "Infinity", "NaN"};
  std::string text;
  bool is_in_text = false;
  for (std::size_t at = 0; at < line.size();) {
    const auto word = std::find_if(std::begin(words), std::end(words),
                                   [&](std::string_view each) { return line.substr(at).starts_with(each); });
    if (!is_in_text && word != std::end(words)) {
      text += '"';
      text += *word;
      text += '"';
      at += word->size();
      continue;
    }
    if (line[at] == '"') is_in_text = !is_in_text;
    if (is_in_text && line[at] == '\\' && at + 1 < line.size()) text += line[at++];  // what it escapes follows
    text += line[at++];
  }
  return text;
}

bool has_such_numbers(std::string_view line) {
  return line.find("NaN") != std::string_view::npos || line.find("Infinity") != std::string_view::npos;
}

}  // namespace

bool is_json_lines(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

std::string csv_of_json_lines(std::string_view text, const std::string& name) {
  Columns columns;
  std::vector<Cells> rows;
  std::vector<Problem> problems;
  std::uint32_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    rows.emplace_back();
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      const Json object = has_such_numbers(line) ? parse_json(with_numbers_as_texts(line)) : parse_json(line);
      add_members(object.object(), "", columns, rows.back());
    } catch (const JsonError& error) {
      if (problems.size() < most_malformed_lines)
        problems.push_back({{name, number, 1}, "line is not a JSON object", error.what(), "Write one object a line"});
    }
  }
  if (!problems.empty()) throw UserError(std::move(problems));
  CsvWriter out;
  for (const std::string& each : columns.names()) out.cell(each);
  out.end_line();
  std::vector<std::string> cells(columns.names().size());
  for (const Cells& row : rows) {
    if (!row.empty()) {
      std::fill(cells.begin(), cells.end(), std::string());
      for (const auto& [column, value] : row) cells[column] = value;
      for (const std::string& each : cells) out.cell(each);
    }
    out.end_line();
  }
  return out.text();
}

}  // namespace dfsweep
