/// Predictions: one evaluation of the closed form, and one search of the nearest keys.
#include "models/operators/table_predictor.hpp"

#include <algorithm>
#include <cmath>

#include "models/expect.hpp"
#include "models/operators/distinct_rows.hpp"

namespace dfsweep::operators {

TablePredictor::TablePredictor(const OperatorTable& table, const TableSetting& setting)
    : family_(table.family), setting_(setting) {
  const DistinctRows rows = distinct_rows(table);
  DFSWEEP_EXPECT(rows.size() > 0);
  const std::vector<FormRow> fitted = drawn_rows(rows, setting_, most_fitted_rows, any_row);
  numbers_ = fit_form(family_, fitted, start_of(family_, setting_), Pull::weak);
  lines_ = KeyLines(rows.places);
  lowest_ = highest_ = rows.places[0];
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double closed = form_time(family_, rows.keys[row], setting_, numbers_).value();
    log_ratios_.push_back(static_cast<float>(std::log(rows.seconds[row] / closed)));
    for (std::size_t axis = 0; axis < most_keys; ++axis) {
      lowest_[axis] = std::min(lowest_[axis], rows.places[row][axis]);
      highest_[axis] = std::max(highest_[axis], rows.places[row][axis]);
    }
  }
  learn_errors(rows);
}

void TablePredictor::learn_errors(const DistinctRows& rows) {
  std::vector<KnownError> known;
  for (const std::uint32_t row : shuffled(rows.size())) {
    if (known.size() == most_error_rows) break;
    const Nearest nearest =
        lines_.nearest(rows.places[row], [&](std::uint32_t other) { return rows.shapes[other] != rows.shapes[row]; });
    if (nearest.count() == 0) continue;
    const NearestRatio ratio = ratio_of(nearest, log_ratios_);
    known.push_back({ratio.distance, ratio.spread, std::abs(std::expm1(ratio.log_ratio - log_ratios_[row]))});
  }
  errors_ = ErrorCells(std::move(known));
}

Seconds TablePredictor::time(const Keys& keys) const {
  const float log_ratio = log_ratio_of(lines_.nearest(place_of(family_, keys)), log_ratios_);
  return std::exp(static_cast<double>(log_ratio)) * form_time(family_, keys, setting_, numbers_);
}

TablePrediction TablePredictor::predict(const Keys& keys) const {
  const Place place = place_of(family_, keys);
  const NearestRatio ratio = ratio_of(lines_.nearest(place), log_ratios_);
  const ErrorQuantiles errors = errors_.at(ratio.distance, ratio.spread);
  TablePrediction prediction;
  prediction.time = std::exp(static_cast<double>(ratio.log_ratio)) * form_time(family_, keys, setting_, numbers_);
  prediction.expected_error = static_cast<double>(errors.median);
  prediction.error_bound = static_cast<double>(errors.ninth_decile);
  prediction.distance = static_cast<double>(ratio.distance);
  bool is_inside = true;
  for (std::size_t axis = 0; axis < most_keys; ++axis)
    is_inside = is_inside && lowest_[axis] <= place[axis] && place[axis] <= highest_[axis];
  prediction.coverage = !(ratio.distance > 0.0F) ? TableCoverage::measured
                        : is_inside              ? TableCoverage::between
                                                 : TableCoverage::beyond;
  return prediction;
}

}  // namespace dfsweep::operators
