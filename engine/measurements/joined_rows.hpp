/// Measured rows beside the rows of a result that have the same parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

struct JoinedRow {
  std::uint64_t line = 0;  ///< of the file
  std::string name;
  std::string group;  ///< "" if the file has nothing to group by
  double measured = 0.0;
  double predicted = 0.0;  ///< NaN if the row could not be joined
  std::string problem;     ///< why it could not
};

/// The rows in which one metric was measured, in the order of the file.
struct MeasuredMetric {
  std::string metric;
  std::string units;       ///< of the dataset: "s", "byte s-1", "1"
  std::string about = {};  ///< what the rows are; "" if that goes without saying
  std::vector<JoinedRow> rows = {};
  [[nodiscard]] std::size_t joined() const;
};

struct MeasuredRows {
  std::vector<std::string> ignored;     ///< columns that are neither parameters, nor metrics, nor names
  std::vector<MeasuredMetric> metrics;  ///< at least one, in the order of the columns
};

/// `text`: a CSV file, called `shown` in messages. Its columns named like axes or fixed parameters say which row of the
/// result is meant, those named like a metric what was measured; `name` or `id` names a row, the column `group` says
/// which rows belong together (empty: `group` or `source`, where there is one). Numbers may have units. Throws
/// UserError with every problem if the file is malformed, or has no such columns or no measurement.
[[nodiscard]] MeasuredRows join_measured(const DatasetReader& file, std::string text, const std::string& shown,
                                         const std::string& group = {});

}  // namespace dfsweep
