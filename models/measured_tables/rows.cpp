/// Search for rows.
#include "models/measured_tables/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dfsweep {

namespace {

constexpr std::size_t keys_between = 4;

double distance_between(const SurfaceSample& sample, double u, double v) {
  return std::hypot(std::log1p(sample.u) - std::log1p(u), std::log1p(sample.v) - std::log1p(v));
}

/// End of the run of consecutive lines from `begin` on. Pre: sorted, begin < size.
std::size_t end_of_run(const std::vector<RowOrigin>& rows, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < rows.size() && rows[end].table == rows[begin].table && rows[end].line == rows[end - 1].line + 1) ++end;
  return end;
}

}  // namespace

std::vector<RowOrigin> rows_near(std::span<const CurveSample> samples, double x) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double below = -infinity;
  double above = infinity;
  for (const CurveSample& sample : samples) {
    if (sample.x <= x) below = std::max(below, sample.x);
    if (sample.x >= x) above = std::min(above, sample.x);
  }
  std::vector<RowOrigin> rows;
  for (const CurveSample& sample : samples)
    if (sample.x == below || sample.x == above) rows.push_back(sample.row);
  return rows;
}

std::vector<RowOrigin> rows_near(std::span<const SurfaceSample> samples, double u, double v) {
  std::vector<double> distances;
  for (const SurfaceSample& sample : samples) distances.push_back(distance_between(sample, u, v));
  std::vector<double> keys = distances;
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  if (keys.empty()) return {};
  const double farthest = keys.front() == 0.0 ? 0.0 : keys[std::min(keys_between, keys.size()) - 1];
  std::vector<RowOrigin> rows;
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (distances[i] <= farthest) rows.push_back(samples[i].row);
  return rows;
}

std::string places_of(std::vector<RowOrigin> rows, std::span<const Table> tables) {
  const auto place = [](const RowOrigin& row) { return std::pair(row.table, row.line); };
  std::sort(rows.begin(), rows.end(), [&](const RowOrigin& a, const RowOrigin& b) { return place(a) < place(b); });
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  std::string text;
  for (std::size_t i = 0; i < rows.size();) {
    const bool same_table = i > 0 && rows[i - 1].table == rows[i].table;
    if (i > 0) text += ", ";
    if (!same_table) text += tables[rows[i].table].path + ":";
    const std::size_t end = end_of_run(rows, i);
    text += std::to_string(rows[i].line);
    if (end - i > 2) text += " to " + std::to_string(rows[end - 1].line);
    i = end - i > 2 ? end : i + 1;
  }
  return text;
}

}  // namespace dfsweep
