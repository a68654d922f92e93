/// MeasuredTable: a table of measured runs, whose columns are parameters, measured metrics and labels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/measurements/row_text.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

/// A column with the name of a metric: numbers in the unit of the metric, or with their own unit.
struct MeasuredColumn {
  MetricIndex metric = 0;
  std::vector<double> values;  ///< [row] in the unit of the metric; NaN if the cell is empty
  std::uint32_t column = 0;    ///< position of its name in the header, for messages
};

/// A column that is neither a parameter nor a metric.
struct LabelColumn {
  std::string name;
  std::vector<std::string> cells;  ///< [row]
};

struct MeasuredTable {
  std::filesystem::path path;
  std::string checksum;  ///< XXH3-128 of the file
  std::vector<MeasuredColumn> measured;
  std::vector<LabelColumn> labels;
  std::vector<std::uint32_t> lines;           ///< [row] line in the file, from 1
  std::vector<std::uint32_t> left_out;        ///< ascending; lines whose cells say why there is no measurement: "OOM"
  std::vector<MissingWord> missing;           ///< these words
  std::vector<ColumnPair> lookalike_columns;  ///< labels that look like parameters that the table does not have

  [[nodiscard]] std::size_t rows() const { return lines.size(); }
  /// Nothing if no column has this name.
  [[nodiscard]] const LabelColumn* label(std::string_view name) const;
  /// Names of the columns that are not parameters.
  [[nodiscard]] std::vector<std::string> other_columns(const Estimator& estimator) const;
};

/// The estimator of which most columns of the table are metrics; the first one on a tie. Pre: there are estimators.
/// Throws UserError where the file is no table.
[[nodiscard]] const Estimator& estimator_of_table(const RowText& rows, std::span<const Estimator* const> estimators);

/// Rows whose measured cells are words such as "OOM" or "n/a" are left out and counted. Throws UserError with all
/// problems: no measured column, a cell that is not a positive number, a wrong unit, a row whose measured cells are all
/// empty.
[[nodiscard]] MeasuredTable read_measured_table(const RowText& rows, const Estimator& estimator);

}  // namespace dfsweep
