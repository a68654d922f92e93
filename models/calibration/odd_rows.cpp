#include "models/calibration/odd_rows.hpp"

#include <cmath>
#include <limits>
#include <map>

#include "models/calibration/error_summary.hpp"
#include "models/expect.hpp"

namespace dfsweep::calibration {

double RobustSpread::distance(double value) const {
  const double from_median = std::abs(value - median);
  if (deviation > 0.0) return from_median / deviation;
  return from_median > 0.0 ? std::numeric_limits<double>::infinity() : 0.0;
}

RobustSpread robust_spread(std::span<const double> values) {
  const double median = quantile(values, 0.5);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - median));
  return {median, 1.482602218505602 * quantile(distances, 0.5)};
}

std::vector<OddRow> odd_rows(std::span<const double> errors, std::span<const std::uint32_t> groups, double limit,
                             std::size_t least_rows) {
  DFSWEEP_EXPECT(groups.empty() || groups.size() == errors.size());
  std::map<std::uint32_t, std::vector<double>> by_group;
  for (std::size_t row = 0; row < groups.size(); ++row) by_group[groups[row]].push_back(errors[row]);
  const RobustSpread of_all = robust_spread(errors);
  std::map<std::uint32_t, RobustSpread> of_group;
  for (const auto& [group, values] : by_group)
    of_group[group] = values.size() < least_rows ? of_all : robust_spread(values);

  std::vector<OddRow> odd;
  for (std::size_t row = 0; row < errors.size(); ++row) {
    const double overall = of_all.distance(errors[row]);
    const double in_group = groups.empty() ? overall : of_group[groups[row]].distance(errors[row]);
    if (overall > limit && in_group > limit) odd.push_back({row, errors[row], overall, in_group});
  }
  return odd;
}

}  // namespace dfsweep::calibration
