/// Joins measured rows with the rows of a result that have the same parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/measurements/row_text.hpp"
#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

struct JoinedRow {
  std::uint64_t line = 0;  ///< line in the file
  std::string name;
  std::string group;  ///< "" if the file has no column of groups
  double measured = 0.0;
  double predicted = 0.0;        ///< NaN if the row could not be joined
  std::uint64_t result_row = 0;  ///< that it was joined with: the first one with its parameters that has values
  std::string problem;           ///< why the row could not be joined; "" if it was
};

/// The rows with a measurement of one metric, in the order of the file.
struct MeasuredMetric {
  std::string metric;
  std::string units;       ///< unit in the dataset: "s", "byte s-1", "1"
  std::string about = {};  ///< description of the rows; may be empty
  std::vector<JoinedRow> rows = {};
  [[nodiscard]] std::size_t joined() const;
};

struct MeasuredRows {
  std::vector<std::string> ignored;     ///< columns that are neither parameters, nor metrics, nor names
  std::vector<MeasuredMetric> metrics;  ///< at least one, in the order of the columns
  std::vector<MissingWord> missing;     ///< words in cells of measurements, which are left out: "OOM"
};

/// Columns with names of axes or fixed parameters select the row of the
/// result, columns with names of metrics are measurements; the column "name" or "id" names a row. `group`: the column
/// that groups rows (empty: "group" or "source", if there is one). Numbers may have units. Throws UserError with all
/// problems if the file is malformed, or has no such columns or no measurement.
[[nodiscard]] MeasuredRows join_measured(const DatasetReader& file, const RowText& rows, const std::string& group = {});

}  // namespace dfsweep
