/// Checks of columns and cells of measured tables.
#include "models/measured_tables/checks.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/absent.hpp"
#include "models/short_number.hpp"

namespace dfsweep {

namespace {

constexpr double largest_size = 4294967295.0;  // a collective of 4 GiB; counts are far below
constexpr std::string_view known_backends[] = {"FLASH_ATTENTION", "FLASHINFER", "FLASHINFER_UNPAGED",
                                               "FLASH_ATTN",      "XFORMERS",   "TORCH_SDPA"};
constexpr std::string_view truth_values[] = {"True", "False", "true", "false"};

bool is_whole(double value, double lowest) {
  return value >= lowest && value <= largest_size && value == std::floor(value);
}

bool holds(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_text_key(std::string_view column) {
  return column == column_names::collective || column == column_names::model_name;
}

/// Lower bound of a column: prefill rows may have an empty cache, decode rows have no chunk.
double lowest_of(std::string_view column) {
  return column == column_names::chunk || column == column_names::cached ? 0.0 : 1.0;
}

std::string shown_cell(const TableColumn& column, std::size_t row) {
  if (!column.texts.empty() && !column.texts[row].empty()) return "'" + column.texts[row].substr(0, 40) + "'";
  if (!is_given(column.numbers[row])) return "the cell is empty";
  return "it is " + short_number(column.numbers[row]);
}

bool is_text(const TableColumn& column, std::size_t row) {
  return !column.texts.empty() && !column.texts[row].empty();
}

/// One pass over one table.
class CellCheck {
 public:
  CellCheck(const Table& table, ProfileFile file, ProfileProblems& problems)
      : table_(table), file_(file), problems_(problems) {}

  bool keys() {
    bool usable = true;
    for (const std::string_view name : key_columns(file_)) {
      const TableColumn* column = table_.column(name);
      if (column == nullptr) {
        error(1, "", "column '" + std::string(name) + "' is missing", "it is a key of the rows");
        usable = false;
      } else if (is_text_key(name)) {
        usable = texts(*column) && usable;
      } else if (name == column_names::gated) {
        usable = truths(*column) && usable;
      } else {
        usable = whole_numbers(*column, lowest_of(name)) && usable;
      }
    }
    return usable;
  }

  void times() {
    for (const Operator op : operators_of(file_)) {
      const Statistic needed = op == Operator::ray_comm_time ? Statistic::mean : Statistic::median;
      if (time_column(table_, op, needed) == nullptr && !may_be_missing(op) && takes_part(op))
        error(1, "", "column '" + time_column_name(op, needed) + "' is missing", "every batch needs this operator");
      for (std::size_t s = 0; s < statistic_names.size(); ++s)
        if (const TableColumn* column = time_column(table_, op, static_cast<Statistic>(s))) times(*column);
      order(op);
      empty_cells(op, needed);
    }
  }

  void backends() {
    const TableColumn* column = table_.column(column_names::backend);
    if (column == nullptr || column->texts.empty()) return;
    std::string_view first;
    bool reported = false;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      const std::string_view name = backend_name(column->texts[row]);
      if (name.empty()) continue;
      if (!reported && !holds(known_backends, name)) {
        warn(row, column->name, "attention backend '" + std::string(name) + "' is unknown", "",
             "Its times are used unchanged");
        reported = true;
      }
      if (first.empty()) first = name;
      if (name != first)
        return error(table_.lines[row], column->name,
                     "attention backend '" + std::string(name) +
                         "' is not that of the "
                         "rows before",
                     "'" + std::string(first) + "'; one table mixes kernels of different speed");
    }
  }

 private:
  void error(std::size_t line, std::string_view column, std::string problem, std::string reason,
             std::string hint = {}) {
    problems_.errors.add(table_, line, column, std::move(problem), std::move(reason), std::move(hint));
  }
  void warn(std::size_t row, std::string_view column, std::string problem, std::string reason, std::string hint = {}) {
    problems_.warnings.add(table_, table_.lines[row], column, std::move(problem), std::move(reason), std::move(hint));
  }

  /// Whether a row needs the time of an operator: prefill and decode rows need only their own.
  bool takes_part(Operator op) const {
    const TableColumn* chunk = table_.column(column_names::chunk);
    if (chunk == nullptr || (op != Operator::attn_prefill && op != Operator::attn_decode)) return true;
    const bool decode = op == Operator::attn_decode;
    return std::any_of(chunk->numbers.begin(), chunk->numbers.end(),
                       [decode](double size) { return (size == 0.0) == decode; });
  }

  bool whole_numbers(const TableColumn& column, double lowest) {
    bool all = true;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      if (is_whole(column.numbers[row], lowest)) continue;
      all = false;
      error(table_.lines[row], column.name, column.name + " is not a whole number of at least " + short_number(lowest),
            shown_cell(column, row));
    }
    return all;
  }

  bool truths(const TableColumn& column) {
    bool all = true;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      const double number = column.numbers[row];
      if (number == 0.0 || number == 1.0 || (is_text(column, row) && holds(truth_values, column.texts[row]))) continue;
      all = false;
      error(table_.lines[row], column.name, column.name + " is not True or False", shown_cell(column, row));
    }
    return all;
  }

  bool texts(const TableColumn& column) {
    bool all = true;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      if (is_text(column, row)) continue;
      all = false;
      error(table_.lines[row], column.name, column.name + " is not a name", shown_cell(column, row));
    }
    return all;
  }

  void times(const TableColumn& column) {
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      if (is_text(column, row))
        error(table_.lines[row], column.name, column.name + " is not a number", shown_cell(column, row));
      else if (column.numbers[row] < 0.0)
        error(table_.lines[row], column.name, column.name + " is negative", shown_cell(column, row));
    }
  }

  /// Warns where minimum, median, mean and maximum contradict each other, apart from rounding in the last digits.
  void order(Operator op) {
    constexpr double rounding = 1e-6;
    const TableColumn* low = time_column(table_, op, Statistic::min);
    const TableColumn* high = time_column(table_, op, Statistic::max);
    const auto is_beyond = [](double a, double b) { return a > b * (1.0 + rounding); };  // false for empty cells
    for (const Statistic middle : {Statistic::median, Statistic::mean}) {
      const TableColumn* column = time_column(table_, op, middle);
      if (column == nullptr) continue;
      for (std::size_t row = 0; row < table_.rows(); ++row) {
        const double value = column->numbers[row];
        const bool is_low = low != nullptr && is_beyond(low->numbers[row], value);
        const bool is_high = high != nullptr && is_beyond(value, high->numbers[row]);
        if (!is_low && !is_high) continue;
        warn(row, column->name, column->name + " is not between minimum and maximum",
             short_number(value) + (is_low ? " is below " : " is above ") +
                 short_number((is_low ? low : high)->numbers[row]));
        break;
      }
    }
  }

  /// Warns about empty cells. Decode rows need no prefill time and vice versa.
  void empty_cells(Operator op, Statistic statistic) {
    const TableColumn* column = time_column(table_, op, statistic);
    const TableColumn* chunk = table_.column(column_names::chunk);
    if (column == nullptr || (file_ == ProfileFile::attention && chunk == nullptr)) return;
    std::size_t empty = 0;
    std::size_t expected = 0;
    std::optional<std::size_t> first;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      if (op == Operator::attn_prefill && chunk->numbers[row] == 0.0) continue;
      if (op == Operator::attn_decode && chunk->numbers[row] != 0.0) continue;
      ++expected;
      if (is_given(column->numbers[row]) || is_text(*column, row)) continue;
      ++empty;
      if (!first) first = row;
    }
    if (first)
      warn(*first, column->name,
           std::to_string(empty) + " of " + std::to_string(expected) + " cells of " + column->name + " are empty", "",
           "The operator is predicted from the other cells");
  }

  const Table& table_;
  ProfileFile file_;
  ProfileProblems& problems_;
};

}  // namespace

bool check_cells(const Table& table, ProfileFile file, ProfileProblems& problems) {
  if (table.rows() == 0) {
    problems.errors.add(table, 1, "", "the table has no rows");
    return false;
  }
  CellCheck check(table, file, problems);
  const bool usable = check.keys();
  check.times();
  check.backends();
  return usable;
}

}  // namespace dfsweep
