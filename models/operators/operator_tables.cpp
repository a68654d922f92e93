/// Tables are compared one by one: a folder has some hundreds.
#include "models/operators/operator_tables.hpp"

#include <algorithm>

namespace dfsweep::operators {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Takes the first word, up to a space, from a text.
std::string take_word(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  const std::size_t length = std::min(text.find(' '), text.size());
  std::string word(text.substr(0, length));
  text.remove_prefix(length);
  return word;
}

/// Takes the digits at the front of a text, without leading zeros.
std::string_view take_digits(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

/// Place of a table's format among those of the query; their number where it is not among them.
std::size_t format_place(const TableQuery& query, const OperatorTable& table) {
  const auto found = std::find(query.formats.begin(), query.formats.end(), table.format);
  return static_cast<std::size_t>(found - query.formats.begin());
}

bool has_word(const OperatorTable& table, std::string_view word) {
  return !word.empty() &&
         (table.kernel.find(word) != std::string::npos || table.format.find(word) != std::string::npos);
}

bool accepts(const TableQuery& query, const TableStack& stack, const OperatorTable& table,
             const TableSetting& setting) {
  return table.family == query.family && table.system == stack.system && table.cache == query.cache &&
         table.variant == query.variant && format_place(query, table) < query.formats.size() &&
         (stack.engine.empty() || table.engine == stack.engine) &&
         (stack.version.empty() || table.version == stack.version) &&
         (query.products <= 0.0 || setting.products == query.products);
}

/// Whether `a` is to be taken before `b`.
bool is_better(const TableQuery& query, const TableStack& stack, const OperatorTable& a, const OperatorTable& b) {
  if (has_word(a, stack.word) != has_word(b, stack.word)) return has_word(a, stack.word);
  if (format_place(query, a) != format_place(query, b)) return format_place(query, a) < format_place(query, b);
  if (a.engine == b.engine && a.version != b.version) return is_newer(a.version, b.version);
  return a.rows() > b.rows();
}

}  // namespace

std::optional<TableStack> table_stack(std::string_view text) {
  TableStack stack;
  stack.engine = take_word(text);
  if (stack.engine.empty()) return std::nullopt;
  stack.version = take_word(text);
  if (!stack.version.empty() && !is_digit(stack.version.front()))
    std::swap(stack.version, stack.word);
  else
    stack.word = take_word(text);
  if (!take_word(text).empty()) return std::nullopt;
  return stack;
}

bool is_newer(std::string_view version, std::string_view than) {
  while (!version.empty() && !than.empty()) {
    if (is_digit(version.front()) && is_digit(than.front())) {
      const std::string_view a = take_digits(version);
      const std::string_view b = take_digits(than);
      if (a.size() != b.size()) return a.size() > b.size();
      if (a != b) return a > b;
    } else if (version.front() != than.front()) {
      return version.front() > than.front();
    } else {
      version.remove_prefix(1);
      than.remove_prefix(1);
    }
  }
  return !version.empty();
}

OperatorTables::OperatorTables(std::vector<OperatorTable> tables, std::vector<TableSetting> settings)
    : tables_(std::move(tables)), settings_(std::move(settings)), predictors_(tables_.size()) {}

const TablePredictor& OperatorTables::predictor(std::size_t index) const {
  return predictors_.get(index, [&] { return TablePredictor(tables_[index], settings_[index]); });
}

std::optional<std::size_t> OperatorTables::find(const TableQuery& query, const TableStack& stack) const {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < tables_.size(); ++i)
    if (accepts(query, stack, tables_[i], settings_[i]) &&
        (!best || is_better(query, stack, tables_[i], tables_[*best])))
      best = i;
  return best;
}

bool OperatorTables::has_system(std::string_view system) const {
  return std::any_of(tables_.begin(), tables_.end(),
                     [&](const OperatorTable& table) { return table.system == system; });
}

}  // namespace dfsweep::operators
