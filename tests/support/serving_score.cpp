#include "tests/support/serving_score.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/support/measured_steps.hpp"

namespace dfsweep::testing {

namespace {

using Time = double ServingTimes::*;

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? absent : sum / static_cast<double>(values.size());
}

double ratio_of(const PredictedRow& row, Time time) {
  return row.times.*time / row.row->measured.*time;
}

std::vector<double> errors_of(std::span<const PredictedRow> rows, Time time) {
  std::vector<double> errors;
  for (const PredictedRow& row : rows)
    if (const double ratio = ratio_of(row, time); ratio > 0) errors.push_back(std::abs(ratio - 1));
  return errors;
}

/// The points of a curve beside its point of fewest users, of a repeated number of users one.
std::vector<double> shape_errors_of(std::span<const PredictedRow> rows, Time time) {
  using PointOfCurve = std::pair<double, double>;  // users, ratio
  std::map<std::string, std::vector<PointOfCurve>, std::less<>> curves;
  for (const PredictedRow& row : rows) {
    const MeasuredRow& cells = row.row->row->measured;
    const double ratio = ratio_of(row, time);
    if (ratio > 0 && cells.text("repeat") != "yes")
      curves[std::string(cells.text("curve"))].emplace_back(cells.number_or("concurrency", 0), ratio);
  }
  std::vector<double> errors;
  for (auto& [name, points] : curves) {
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 1; i < points.size(); ++i)
      errors.push_back(std::abs(points[i].second / points.front().second - 1));
  }
  return errors;
}

}  // namespace

LoadScore score_of(std::span<const PredictedRow> rows) {
  return {rows.size(), mean_of(errors_of(rows, &ServingTimes::output_token)),
          mean_of(shape_errors_of(rows, &ServingTimes::output_token)),
          mean_of(errors_of(rows, &ServingTimes::first_token)),
          mean_of(shape_errors_of(rows, &ServingTimes::first_token))};
}

double median_error(std::span<const PredictedRow> rows) {
  std::vector<double> errors = errors_of(rows, &ServingTimes::output_token);
  const std::vector<double> first = errors_of(rows, &ServingTimes::first_token);
  errors.insert(errors.end(), first.begin(), first.end());
  return quantile(errors, 0.5);
}

std::string cells_of(const LoadScore& score) {
  char text[80];
  std::snprintf(text, sizeof text, "| %zu | %.1f | %.1f | %.1f | %.1f |", score.rows, 100 * score.token,
                100 * score.token_shape, 100 * score.first, 100 * score.first_shape);
  return text;
}

}  // namespace dfsweep::testing
