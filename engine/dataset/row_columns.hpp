/// RowColumns: the columns of the rows of a plan, their types, and the encoded values of every axis. Both the file
/// description and the block encoding use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/sweep/split.hpp"
#include "io/dataset.hpp"

namespace dfsweep {

/// The column of a varying parameter.
struct AxisColumn {
  ParameterIndex parameter = 0;
  std::size_t code_column = 0;
  ElementType type = ElementType::int16;
  std::vector<std::string> labels;  ///< distinct labels of the values; empty if the column holds numbers
  std::vector<std::byte> values;    ///< [code][element bytes]
  std::vector<std::byte> absent;    ///< element that means "no value": -1, NaN, or the lowest number of the type
  bool has_gaps = false;            ///< at least one line of a point list has no value
  bool is_searched = false;         ///< axis of the search: absent if no execution is feasible
};

struct MetricColumn {
  MetricIndex metric = 0;
  ElementType type = ElementType::float64;  ///< uint8 for flags
};

struct RowColumns {
  std::vector<AxisColumn> axes;       ///< in the order of the axes, linked parameters adjacent
  std::vector<MetricColumn> metrics;  ///< in the order of the estimator's table
  bool has_rank = false;              ///< true with a search
  std::optional<SplitRule> split;     ///< of a sample with a split
  std::vector<std::string> split_names;
  /// By code in the file: missing, then those of statuses_of() from first_status on.
  std::vector<std::string> statuses;
  std::vector<std::string> status_meanings;
  std::uint8_t no_feasible = 0;  ///< only with a search

  /// Columns that blocks fill: point, axes, split, rank, status, metrics, and with a search reported_point and
  /// rejections.
  [[nodiscard]] std::size_t first_axis() const { return 1; }
  [[nodiscard]] std::size_t split_column() const { return 1 + axes.size(); }           ///< Pre: split
  [[nodiscard]] std::size_t rank() const { return split_column() + (split ? 1 : 0); }  ///< Pre: has_rank
  [[nodiscard]] std::size_t status() const { return rank() + (has_rank ? 1 : 0); }
  [[nodiscard]] std::size_t first_metric() const { return status() + 1; }
  [[nodiscard]] std::size_t reported_point() const { return first_metric() + metrics.size(); }  ///< Pre: has_rank
  [[nodiscard]] std::size_t rejections() const { return reported_point() + 1; }                 ///< Pre: has_rank
  [[nodiscard]] std::size_t count() const { return reported_point() + (has_rank ? 2 : 0); }
};

/// Appends the bytes of one element to a column.
template <class T>
void append_value(std::vector<std::byte>& bytes, T value) {
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

[[nodiscard]] RowColumns row_columns(const Plan& plan);

/// Writes the element of a number in a metric column; in columns of flags NaN becomes absent_flag.
void encode_metric(double value, ElementType type, std::byte* element);

inline constexpr ElementType rank_type = ElementType::int32;
inline constexpr ElementType split_type = ElementType::int16;
inline constexpr std::int16_t absent_split = -1;  ///< of a row that was not evaluated
/// Codes in the file: a byte that was never written reads as missing; the estimator's code 0 (ok) is first_status.
inline constexpr std::uint8_t missing_status = 0;
inline constexpr std::uint8_t first_status = 1;
inline constexpr std::uint8_t absent_flag = 255;  ///< value in columns of flags if the metric is NaN

}  // namespace dfsweep
