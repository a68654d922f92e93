/// Metrics of the best points of a search that compared one metric alone.
#include "engine/evaluation/search_reduction.hpp"

#include <algorithm>
#include <span>

#include "engine/evaluation/range_evaluation.hpp"

namespace dfsweep {
namespace {

constexpr std::size_t at_once = 4096;

PointBuffer points_of(std::span<Candidate* const> winners) {
  PointBuffer points;
  points.codes.resize(winners.front()->codes.size());
  for (const Candidate* winner : winners) {
    points.points.push_back(winner->point);
    for (std::size_t column = 0; column < points.codes.size(); ++column)
      points.codes[column].push_back(winner->codes[column]);
  }
  points.columns.assign(points.codes.begin(), points.codes.end());
  return points;
}

}  // namespace

bool fill_metrics(const Estimator& estimator, const PreparedSweep& prepared, std::vector<GroupResult>& groups) {
  std::vector<Candidate*> winners;
  for (GroupResult& group : groups)
    for (Candidate& candidate : group.best) winners.push_back(&candidate);
  EstimateBuffer estimates;
  for (std::size_t first = 0; first < winners.size(); first += at_once) {
    const auto part = std::span(winners).subspan(first, std::min(at_once, winners.size() - first));
    Tally tally;  // discarded: these points are counted already
    evaluate_range(estimator, prepared, points_of(part), estimates, tally);
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (estimates.status[i] != status_ok) return false;
      for (MetricIndex m = 0; m < estimates.metrics.size(); ++m) part[i]->metrics[m] = estimates.metrics[m][i];
    }
  }
  return true;
}

}  // namespace dfsweep
