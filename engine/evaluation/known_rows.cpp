/// Points with known rows and the rest of a range.
#include "engine/evaluation/known_rows.hpp"

#include <algorithm>

namespace dfsweep {
namespace {

/// The points at these places.
void select(const PointBuffer& points, const std::vector<std::size_t>& places, PointBuffer& selected) {
  const auto gather = [&](const auto& from, auto& to) {
    to.resize(places.size());
    std::transform(places.begin(), places.end(), to.begin(), [&](std::size_t place) { return from[place]; });
  };
  gather(points.points, selected.points);
  selected.codes.resize(points.codes.size());
  for (std::size_t c = 0; c < points.codes.size(); ++c) gather(points.codes[c], selected.codes[c]);
  selected.columns.assign(selected.codes.begin(), selected.codes.end());
}

}  // namespace

void RestEvaluation::evaluate(const PointBuffer& points, EstimateBuffer& estimates, Tally& tally,
                              const Wanted& wanted) {
  const std::size_t count = points.points.size();
  resize_estimates(*spec_->estimator, wanted, count, estimates);
  is_known_.resize(count);
  known_->fill(points, estimates, is_known_);
  places_.clear();
  for (std::size_t i = 0; i < count; ++i)
    if (is_known_[i] == 0) places_.push_back(i);
  if (places_.size() == count) return evaluate_range(*spec_->estimator, *prepared_, points, estimates, tally, wanted);

  select(points, places_, rest_);
  evaluate_range(*spec_->estimator, *prepared_, rest_, rest_estimates_, tally, wanted);
  for (std::size_t k = 0; k < places_.size(); ++k) estimates.status[places_[k]] = rest_estimates_.status[k];
  for (MetricIndex m = 0; m < estimates.metrics.size(); ++m) {
    std::vector<double>& column = estimates.metrics[m];
    if (column.empty()) continue;
    for (std::size_t k = 0; k < places_.size(); ++k) column[places_[k]] = rest_estimates_.metrics[m][k];
  }
  std::vector<std::uint8_t> known;
  for (std::size_t i = 0; i < count; ++i)
    if (is_known_[i] != 0) known.push_back(estimates.status[i]);
  tally.add_points(known);
  tally.taken += known.size();
}

}  // namespace dfsweep
