#include "engine/report/report.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "engine/report/reduction/reduce.hpp"
#include "engine/results/scan.hpp"

namespace dfsweep::report {

namespace {

/// Bytes of base64 that carry this many.
std::size_t encoded(std::size_t bytes) {
  return (bytes + 2) / 3 * 4;
}

/// About the largest: points ascend with the rows, but for the ranks of a search.
std::uint64_t last_point(const Subject& subject) {
  if (subject.file->complete_count() == 0) return 0;
  const RowRange& range = subject.file->complete().back();
  std::uint64_t point = 0;
  subject.file->read(*subject.point, range.first + range.count - 1, std::span(&point, 1));
  return point;
}

constexpr std::size_t bytes_of_a_value = 12;

/// How many values an axis may have on a page: the values of all of them take at most half of the budget.
std::size_t most_values(const DatasetReader& file, std::size_t budget) {
  constexpr std::size_t share = 2;
  const std::size_t axes = std::max<std::size_t>(axis_columns(file).size(), 1);
  return std::clamp<std::size_t>(budget / (share * bytes_of_a_value * axes), frequent_names, most_axis_values);
}

/// How many bytes of the page rows and all else take, about.
PageRoom room_of(const Subject& subject, const Views& views, std::size_t budget) {
  const std::size_t point_bytes = last_point(subject) <= std::numeric_limits<std::uint32_t>::max() ? 4 : 8;
  constexpr std::size_t bytes_of_a_bin = 8;
  constexpr std::size_t all_else = 65536;
  std::size_t axes = 0;
  std::size_t values = 0;
  for (const SubjectAxis& axis : subject.axes) {
    axes += axis.codes() < 256 ? 1 : 2;
    values += axis.values.size() * bytes_of_a_value;
    for (const double code : axis.values)
      if (code >= 0.0 && code < static_cast<double>(axis.names.size()))
        values += axis.names[static_cast<std::size_t>(code)].size();
  }
  const auto statuses = static_cast<std::size_t>(std::count_if(subject.status_rows.begin(), subject.status_rows.end(),
                                                               [](std::uint64_t rows) { return rows != 0; }));
  const std::size_t fixed = values + all_else + views.metrics.size() * bin_count * bytes_of_a_bin;
  return {.bytes = budget > fixed ? budget - fixed : 0,
          .cell_bytes = encoded(4 * (statuses + views.objectives.size())),
          .kept_bytes = encoded(point_bytes + 1 + axes + 4 * views.metrics.size()),
          .sampled_bytes = encoded(point_bytes + axes + 2 * views.metrics.size())};
}

/// Axes that the cube lacks cannot split, order or filter rows.
void drop_absent_axes(Views& views, const std::vector<std::size_t>& axes) {
  const auto is_absent = [&](std::size_t axis) { return std::find(axes.begin(), axes.end(), axis) == axes.end(); };
  for (std::optional<std::size_t>* axis : {&views.facet, &views.y, &views.lines_x, &views.lines_series})
    if (*axis && is_absent(**axis)) axis->reset();
  std::erase_if(views.x, is_absent);
  views.cube_axes = axes;
}

}  // namespace

Report make_report(const DatasetReader& file, const ReportRequest& request,
                   const std::vector<std::string>& first_axes) {
  Subject subject = survey(file, candidate_metrics(file, request), request.threads, most_values(file, request.budget));
  Views views = choose_views(subject, request, first_axes);
  Reduction reduction = reduce(subject, views, request.threads);
  KeptRows kept = choose_rows(reduction, subject, room_of(subject, views, request.budget));
  std::vector<Ranking> ranked = views.decides ? rankings(reduction, subject, views) : std::vector<Ranking>();
  drop_absent_axes(views, reduction.axes);
  GatheredRows kept_rows = gather(subject, views.metrics, kept.rows, request.threads);
  GatheredRows sampled_rows = gather(subject, views.metrics, kept.sampled, request.threads);
  return {.subject = std::move(subject),
          .views = std::move(views),
          .reduction = std::move(reduction),
          .rankings = std::move(ranked),
          .kept = std::move(kept),
          .kept_rows = std::move(kept_rows),
          .sampled_rows = std::move(sampled_rows)};
}

}  // namespace dfsweep::report
