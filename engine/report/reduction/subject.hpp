/// Subject: what a report needs to know of a result before it reduces the rows: values of axes, ranges of metrics.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/dataset_reader.hpp"
#include "models/estimator.hpp"

namespace dfsweep::report {

/// Codes are of 16 bits, the last one says "no value".
inline constexpr std::size_t most_axis_values = 65534;
/// If an axis has more names than codes, this many of the most frequent ones have their own code.
inline constexpr std::size_t frequent_names = 1000;
/// What all other names are called.
inline constexpr const char* rest_name = "other";

struct SubjectAxis {
  const DatasetColumn* column = nullptr;
  std::vector<std::string> names;  ///< by stored value; empty where values are numbers
  std::vector<double> values;      ///< distinct, ascending; a code of the report is a place here
  bool lacks_values = false;       ///< some row has none
  bool is_searched = false;        ///< a search chose it for each row
  bool has_rest = false;           ///< there are more names than `values`; they share the code behind these
  [[nodiscard]] std::size_t codes() const { return values.size() + (has_rest ? 1 : 0); }
};

struct SubjectMetric {
  const DatasetColumn* column = nullptr;
  Better better = Better::neither;
  std::vector<std::string> names;  ///< of flags; empty where values are numbers
  double least = 0.0;              ///< of ok rows; NaN where none has a value
  double most = 0.0;
  std::uint64_t with_value = 0;  ///< ok rows that have one
  bool is_parameter = false;     ///< an axis with too many values for codes
};

struct Subject {
  const DatasetReader* file = nullptr;
  const DatasetColumn* point = nullptr;
  const DatasetColumn* status = nullptr;
  std::vector<std::string> statuses;                ///< names by code
  std::array<std::uint64_t, 256> status_rows = {};  ///< rows by code
  std::optional<std::uint8_t> missing;              ///< code of rows that were never evaluated; they are no rows
  std::vector<SubjectAxis> axes;
  std::vector<SubjectMetric> metrics;
  [[nodiscard]] std::uint64_t rows() const;  ///< complete ones
  [[nodiscard]] std::uint64_t ok_rows() const { return status_rows[status_ok]; }
};

/// Reads all axes and those metrics of the file. Rows outside complete() do not count. Axes of more than `most_values`
/// numbers become metrics; of more names, the most frequent `names` are kept.
[[nodiscard]] Subject survey(const DatasetReader& file, std::vector<const DatasetColumn*> metrics, unsigned threads,
                             std::size_t most_values = most_axis_values, std::size_t names = frequent_names);

}  // namespace dfsweep::report
