/// Suffixes of cells, and words for missing numbers.
#include "engine/fit/runs/run_cells.hpp"

#include <cctype>
#include <optional>
#include <string>

#include "engine/measurements/missing_cells.hpp"
#include "io/csv_blocks.hpp"
#include "models/absent.hpp"

namespace dfsweep::fit {

namespace {

bool is_count(RunColumn column) {
  return column != RunColumn::learning_rate && column != RunColumn::loss && column != RunColumn::recipe &&
         column != RunColumn::step_time && column != RunColumn::seed;
}

std::optional<double> factor_of(char suffix) {
  switch (std::tolower(static_cast<unsigned char>(suffix))) {
    case 'k':
      return 1e3;
    case 'm':
      return 1e6;
    case 'b':
    case 'g':
      return 1e9;
    case 't':
      return 1e12;
    default:
      return std::nullopt;
  }
}

/// "100,000,000" and "100_000_000" without what parts their groups of three digits; empty for other texts.
std::string without_group_marks(std::string_view text) {
  const char mark = text.find('_') != std::string_view::npos ? '_' : ',';
  std::string digits;
  std::size_t group = 0;  // digits since the last mark
  bool has_mark = false;
  for (const char c : text) {
    if (c == mark) {
      if (has_mark ? group != 3 : group == 0 || group > 3) return {};
      has_mark = true;
      group = 0;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      digits += c;
      ++group;
    } else {
      return {};
    }
  }
  return has_mark && group == 3 ? digits : std::string();
}

}  // namespace

RunCell run_cell(std::string_view text, RunColumn column) {
  const std::string_view bare = bare_text(text);
  if (bare.empty()) return {CellKind::missing, absent};
  if (const CsvNumber number = csv_number(bare); number.is_number) return {CellKind::number, number.value};
  if (const auto factor = factor_of(bare.back()); factor && is_count(column))
    if (const CsvNumber number = csv_number(bare_text(bare.substr(0, bare.size() - 1))); number.is_number)
      return {CellKind::number, number.value * *factor};
  if (const std::string digits = without_group_marks(bare); !digits.empty() && is_count(column))
    return {CellKind::number, csv_number(digits).value};
  const std::optional<MissingCell> missing = missing_cell(bare);
  if (missing == MissingCell::not_given) return {CellKind::missing, absent};
  if (missing == MissingCell::no_result && column == RunColumn::loss) return {CellKind::no_result, absent};
  return {CellKind::malformed, absent};
}

}  // namespace dfsweep::fit
