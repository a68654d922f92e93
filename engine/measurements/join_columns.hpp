/// What the columns of a measured file mean to a result.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/csv.hpp"
#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

/// A column that says which rows are meant.
struct KeyColumn {
  const DatasetColumn* axis = nullptr;  ///< null: a fixed parameter
  const FixedValue* fixed = nullptr;
  std::vector<std::string> names;  ///< of the axis by stored value; empty: numbers
  std::size_t cell = 0;            ///< place in a line
};

struct MetricColumn {
  const DatasetColumn* metric = nullptr;
  std::size_t cell = 0;
};

struct JoinColumns {
  std::vector<KeyColumn> keys;
  std::vector<MetricColumn> metrics;
  std::optional<std::size_t> name_cell;
  std::optional<std::size_t> group_cell;
  std::vector<std::string> ignored;
};

/// `group`: name of the column that groups rows; empty: `group` or `source`. Throws UserError if no column is named
/// like a parameter, or none like a metric, or none is called `group`.
[[nodiscard]] JoinColumns join_columns(const DatasetReader& file, const CsvReader& csv, const std::string& group);

/// The stored value that a cell of an axis means; nothing if the axis has no such value. NaN for an empty cell: no
/// value.
[[nodiscard]] std::optional<double> stored_value(const KeyColumn& key, std::string_view text);

/// Whether a cell means the one value of a fixed parameter. Pre: key.fixed is not null.
[[nodiscard]] bool is_fixed_value(const KeyColumn& key, std::string_view text);

}  // namespace dfsweep
