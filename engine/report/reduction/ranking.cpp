#include "engine/report/reduction/ranking.hpp"

#include <algorithm>
#include <span>

#include "engine/results/result_rows.hpp"
#include "engine/results/ties.hpp"
#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep::report {

namespace {

double expected_error(const Subject& subject, const DatasetColumn& metric, std::uint64_t row) {
  const DatasetColumn* column = expected_error_of(*subject.file, metric);
  if (column == nullptr) return absent;
  const RowCells cells = read_cells(*subject.file, *column, std::span(&row, 1));
  return cells.numbers.empty() ? absent : cells.numbers.front();
}

}  // namespace

double times_as_good(double best, double next) {
  if (!(best > 0.0) || !(next > 0.0)) return absent;
  return std::max(best, next) / std::min(best, next);
}

std::vector<Ranking> rankings(const Reduction& reduction, const Subject& subject, const Views& views) {
  DFSWEEP_EXPECT(views.decides.has_value());
  const SubjectMetric& metric = subject.metrics[*views.decides];
  const double sign = metric.better == Better::higher ? -1.0 : 1.0;
  std::vector<Ranking> all;
  for (std::size_t task = 0; task < reduction.ranked.size(); ++task) {
    Ranking ranking{.task = static_cast<std::uint32_t>(task), .rows = {}, .values = {}};
    for (const auto& [cost, row] : reduction.ranked[task].sorted()) {
      ranking.rows.push_back(row);
      ranking.values.push_back(sign * cost);
    }
    if (ranking.rows.empty()) continue;
    ranking.has_more = ranking.rows.size() >= ranked_rows(reduction.ranked.size() - 1);
    ranking.behind = ranking.has_runner_up() ? times_as_good(ranking.values[0], ranking.values[1]) : absent;
    ranking.error = expected_error(subject, *metric.column, ranking.rows.front());
    ranking.tied = tied_values(ranking.values, ranking.error);
    all.push_back(std::move(ranking));
  }
  return all;
}

}  // namespace dfsweep::report
