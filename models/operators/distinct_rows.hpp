/// DistinctRows: the rows of a measured table in the order of their keys, repeated keys as one row.
#pragma once

#include <cstdint>
#include <vector>

#include "models/operators/form_fit.hpp"
#include "models/operators/key_lines.hpp"
#include "models/operators/operator_table.hpp"

namespace dfsweep::operators {

struct DistinctRows {
  std::vector<Keys> keys;             ///< [row] ascending
  std::vector<double> seconds;        ///< [row] mean of the repetitions
  std::vector<Place> places;          ///< [row]
  std::vector<std::uint32_t> shapes;  ///< [row] index of the shape: rows that differ in sizes only have the same

  [[nodiscard]] std::size_t size() const { return seconds.size(); }
};
[[nodiscard]] DistinctRows distinct_rows(const OperatorTable& table);

/// Index of the size of each row: rows that differ in their shapes only have the same.
[[nodiscard]] std::vector<std::uint32_t> sizes_of(Family family, const DistinctRows& rows);

/// At most `count` of the rows that `is_wanted(row)` accepts, drawn without regard to their keys, for a fit.
template <class Wanted>
[[nodiscard]] std::vector<FormRow> drawn_rows(const DistinctRows& rows, const TableSetting& setting, std::size_t count,
                                              const Wanted& is_wanted);

/// Indices of 0 to size - 1 in a random order that depends on the size alone.
[[nodiscard]] std::vector<std::uint32_t> shuffled(std::size_t size);

template <class Wanted>
std::vector<FormRow> drawn_rows(const DistinctRows& rows, const TableSetting& setting, std::size_t count,
                                const Wanted& is_wanted) {
  std::vector<FormRow> drawn;
  for (const std::uint32_t row : shuffled(rows.size())) {
    if (drawn.size() == count) break;
    if (is_wanted(row)) drawn.push_back({rows.keys[row], rows.seconds[row], &setting});
  }
  return drawn;
}

}  // namespace dfsweep::operators
