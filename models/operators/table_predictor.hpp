/// TablePredictor: times from one measured table, as the closed form fitted to it times measured over closed of the
/// nearest keys.
///
/// The error that it expects depends on how far the nearest key is and how much the six ratios differ; it comes from
/// predictions of rows whose shape was left out. Source: docs/measured-operators.md.
#pragma once

#include <cstdint>
#include <vector>

#include "models/operators/error_cells.hpp"
#include "models/operators/nearest_ratio.hpp"
#include "models/operators/operator_table.hpp"

namespace dfsweep::operators {

struct DistinctRows;

/// How near a predicted point is to what was measured.
enum class TableCoverage : std::uint8_t {
  measured,  ///< the key itself
  between,   ///< inside the ranges of all keys
  beyond,    ///< outside the range of a key
};

struct TablePrediction {
  Seconds time;
  double expected_error = 0.0;  ///< relative: half of the errors are below
  double error_bound = 0.0;     ///< relative: nine of ten errors are below
  double distance = 0.0;        ///< of the nearest measured key, in doublings
  TableCoverage coverage = TableCoverage::between;
};

/// Rows that a closed form is fitted to at most, and rows that the expected errors come from at most.
inline constexpr std::size_t most_fitted_rows = 1200;
inline constexpr std::size_t most_error_rows = 3000;

class TablePredictor {
 public:
  /// Pre: the table has a row; its times are > 0.
  TablePredictor(const OperatorTable& table, const TableSetting& setting);

  [[nodiscard]] TablePrediction predict(const Keys& keys) const;
  /// predict(keys).time alone.
  [[nodiscard]] Seconds time(const Keys& keys) const;

  [[nodiscard]] const Numbers& numbers() const { return numbers_; }
  [[nodiscard]] std::size_t rows() const { return log_ratios_.size(); }

 private:
  void learn_errors(const DistinctRows& rows);

  Family family_;
  TableSetting setting_;
  Numbers numbers_{};
  KeyLines lines_;
  std::vector<float> log_ratios_;  ///< [row] ln(measured / closed form)
  Place lowest_{};
  Place highest_{};
  ErrorCells errors_;
};

}  // namespace dfsweep::operators
