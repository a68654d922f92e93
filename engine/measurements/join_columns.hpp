/// Assigns the columns of a measured file to parameters and metrics of a result.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/csv.hpp"
#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

/// A column that selects rows of the result by a parameter.
struct KeyColumn {
  const DatasetColumn* axis = nullptr;  ///< null: a fixed parameter
  const FixedValue* fixed = nullptr;
  std::vector<std::string> names;  ///< [stored value] names of the axis; empty: numbers
  std::size_t cell = 0;            ///< index of the cell in a line
};

struct JoinedMetric {
  const DatasetColumn* metric = nullptr;
  std::size_t cell = 0;
};

struct JoinColumns {
  std::vector<KeyColumn> keys;
  std::vector<JoinedMetric> metrics;
  std::optional<std::size_t> name_cell;
  std::optional<std::size_t> group_cell;
  std::vector<std::string> ignored;
};

/// `group`: name of the column that groups rows; empty: the column "group" or "source", if there is one. Throws
/// UserError if there is no column of a parameter, no column of a metric, or no column called `group`.
[[nodiscard]] JoinColumns join_columns(const DatasetReader& file, const CsvReader& csv, const std::string& group);

/// The stored value for a cell of an axis; nothing if the axis has no such value. NaN (no value) for an empty cell.
[[nodiscard]] std::optional<double> stored_value(const KeyColumn& key, std::string_view text);

/// Whether a cell equals the value of a fixed parameter. Pre: key.fixed is not null.
[[nodiscard]] bool is_fixed_value(const KeyColumn& key, std::string_view text);

}  // namespace dfsweep
