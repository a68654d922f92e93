/// Words and suffixes of cells.
#include "engine/fit/runs/run_cells.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

#include "io/csv_blocks.hpp"
#include "models/absent.hpp"

namespace dfsweep::fit {

namespace {

constexpr std::array<std::string_view, 9> missing_words = {"n/a", "na", "#n/a", "null",   "none",
                                                           "-",   "--", "?",    "missing"};
constexpr std::array<std::string_view, 14> failure_words = {
    "oom",     "out of memory", "out_of_memory", "diverged", "divergence", "failed",    "failure",
    "crashed", "crash",         "error",         "timeout",  "killed",     "cancelled", "canceled"};

std::string_view bare_text(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

bool is_count(RunColumn column) {
  return column != RunColumn::learning_rate && column != RunColumn::loss && column != RunColumn::recipe &&
         column != RunColumn::step_time;
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

template <std::size_t count>
bool is_one_of(const std::array<std::string_view, count>& those, std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return std::find(those.begin(), those.end(), small) != those.end();
}

}  // namespace

RunCell run_cell(std::string_view text, RunColumn column) {
  const std::string_view bare = bare_text(text);
  if (bare.empty()) return {CellKind::missing, absent};
  if (const CsvNumber number = csv_number(bare); number.is_number) return {CellKind::number, number.value};
  if (const auto factor = factor_of(bare.back()); factor && is_count(column))
    if (const CsvNumber number = csv_number(bare_text(bare.substr(0, bare.size() - 1))); number.is_number)
      return {CellKind::number, number.value * *factor};
  if (is_one_of(missing_words, bare)) return {CellKind::missing, absent};
  if (column == RunColumn::loss && is_one_of(failure_words, bare)) return {CellKind::no_result, absent};
  return {CellKind::malformed, absent};
}

}  // namespace dfsweep::fit
