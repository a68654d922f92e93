#include "engine/commands/show_tie.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/results/result_rows.hpp"

namespace dfsweep {

std::string tie_note(const DatasetReader& file, const DatasetColumn& metric, std::span<const std::uint64_t> rows) {
  const DatasetColumn* error_column = file.column(metric.units == "byte" ? "expected_memory_error" : "expected_error");
  if (rows.size() < 2 || error_column == nullptr) return {};
  const RowCells values = read_cells(file, metric, rows);
  const RowCells errors = read_cells(file, *error_column, rows.first(1));
  if (values.numbers.empty() || !(errors.numbers.front() > 0.0)) return {};
  const double error = errors.numbers.front();
  const auto lies_within = [&](double value) {
    return std::abs(std::log(value / values.numbers.front())) <= std::log1p(error);
  };
  const auto beyond = std::find_if_not(values.numbers.begin(), values.numbers.end(), lies_within);
  const auto tied = beyond - values.numbers.begin();
  if (tied < 2) return {};
  return fmt::format("a tie: the first {} rows lie within {:.1f} %, the expected error", tied, 100 * error);
}

}  // namespace dfsweep
