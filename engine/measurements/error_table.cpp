#include "engine/measurements/error_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/absent.hpp"
#include "models/calibration/error_summary.hpp"

namespace dfsweep {

namespace {

struct Joined {
  std::vector<double> errors;  ///< |predicted / measured - 1|
  std::vector<double> ratios;  ///< ln(predicted / measured)
};

double share_within(const Joined& joined, double factor) {
  const auto within = std::count_if(joined.ratios.begin(), joined.ratios.end(),
                                    [&](double ratio) { return std::abs(ratio) <= std::log(factor); });
  return static_cast<double>(within) / static_cast<double>(joined.ratios.size());
}

double geometric_mean(const Joined& joined) {
  double sum = 0.0;
  for (const double ratio : joined.ratios) sum += ratio;
  return std::exp(sum / static_cast<double>(joined.ratios.size()));
}

void add(Joined& joined, const JoinedRow& row) {
  const double ratio = row.predicted / row.measured;
  joined.errors.push_back(std::abs(ratio - 1.0));
  joined.ratios.push_back(std::log(ratio));
}

ErrorLine line_of(std::string group, std::size_t measured, const Joined& joined) {
  ErrorLine line{std::move(group), measured, joined.errors.size(), absent, absent, absent, absent, absent};
  if (joined.errors.empty()) return line;
  line.median = calibration::quantile(joined.errors, 0.5);
  line.percentile90 = calibration::quantile(joined.errors, 0.9);
  line.within_third = share_within(joined, 1.3);
  line.within_half = share_within(joined, 1.5);
  line.predicted_ratio = geometric_mean(joined);
  return line;
}

}  // namespace

std::vector<ErrorLine> error_lines(const MeasuredMetric& metric) {
  struct Group {
    std::string name;
    std::size_t measured = 0;
    Joined joined;
  };
  Joined all;
  std::vector<Group> groups;
  std::map<std::string, std::size_t> places;
  for (const JoinedRow& row : metric.rows) {
    const auto [at, is_new] = places.emplace(row.group, groups.size());
    if (is_new) groups.push_back({row.group, 0, {}});
    Group& group = groups[at->second];
    ++group.measured;
    if (!row.problem.empty()) continue;
    add(all, row);
    add(group.joined, row);
  }
  std::vector<ErrorLine> lines{line_of({}, metric.rows.size(), all)};
  if (groups.size() < 2) return lines;
  for (Group& group : groups) lines.push_back(line_of(std::move(group.name), group.measured, group.joined));
  return lines;
}

double error_at(const MeasuredMetric& metric, double share) {
  Joined joined;
  for (const JoinedRow& row : metric.rows)
    if (row.problem.empty()) add(joined, row);
  return joined.errors.empty() ? absent : calibration::quantile(joined.errors, share);
}

std::vector<std::size_t> worst_first(const MeasuredMetric& metric) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < metric.rows.size(); ++i)
    if (metric.rows[i].problem.empty()) places.push_back(i);
  const auto size = [&](std::size_t i) {
    return std::abs(std::log(metric.rows[i].predicted / metric.rows[i].measured));
  };
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  return places;
}

}  // namespace dfsweep
