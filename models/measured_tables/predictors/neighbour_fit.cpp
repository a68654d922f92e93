#include "models/measured_tables/predictors/neighbour_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "models/absent.hpp"

namespace dfsweep {

namespace {

// Found by cross-validation on tables of five devices; results change little with each of them.
constexpr double variance_of_distance = 0.01;  ///< per unit of position, where no neighbouring line has the difference
constexpr double plane_inflation = 2.0;        ///< factor on the variance of a plane, which is an in-sample error
constexpr double least_variance = 2e-5;        ///< of any estimate: repetitions differ by half a per cent
constexpr std::ptrdiff_t lines_around = 4;     ///< neighbouring lines used on each side
constexpr std::size_t plane_keys = 12;

double distance(const std::array<double, 2>& a, const std::array<double, 2>& b) {
  return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]);
}

}  // namespace

NeighbourFit::NeighbourFit(std::span<const double> us, std::span<const double> vs, const SurfaceForm& form,
                           NodeGrid<double> levels)
    : levels_(std::move(levels)), positions_{us.size(), vs.size(), {}} {
  for (std::size_t u = 0; u < us.size(); ++u)
    for (std::size_t v = 0; v < vs.size(); ++v) {
      positions_.values.push_back(form.position(us[u], vs[v]));
      if (is_given(levels_.at(u, v))) keys_.push_back({u * vs.size() + v, positions_.values.back(), levels_.at(u, v)});
    }
}

double NeighbourFit::level_at(std::ptrdiff_t u, std::ptrdiff_t v) const {
  if (u < 0 || v < 0) return absent;
  const auto i = static_cast<std::size_t>(u), j = static_cast<std::size_t>(v);
  return i < levels_.u_count && j < levels_.v_count ? levels_.at(i, j) : absent;
}

NeighbourFit::Estimate NeighbourFit::from_direction(std::size_t u, std::size_t v, std::ptrdiff_t step_u,
                                                    std::ptrdiff_t step_v) const {
  const auto here_u = static_cast<std::ptrdiff_t>(u), here_v = static_cast<std::ptrdiff_t>(v);
  std::ptrdiff_t there_u = here_u + step_u, there_v = here_v + step_v;
  const auto inside = [&] {
    return there_u >= 0 && there_v >= 0 && there_u < static_cast<std::ptrdiff_t>(levels_.u_count) &&
           there_v < static_cast<std::ptrdiff_t>(levels_.v_count);
  };
  while (inside() && !is_given(level_at(there_u, there_v))) {
    there_u += step_u;
    there_v += step_v;
  }
  if (!inside()) return {};

  double weights = 0.0, sum = 0.0, squares = 0.0, lines = 0.0;
  for (std::ptrdiff_t line = -lines_around; line <= lines_around; ++line) {
    if (line == 0) continue;
    const std::ptrdiff_t aside_u = step_v != 0 ? line : 0, aside_v = step_u != 0 ? line : 0;
    const double difference =
        level_at(here_u + aside_u, here_v + aside_v) - level_at(there_u + aside_u, there_v + aside_v);
    if (!is_given(difference)) continue;
    const double weight = 1.0 / std::abs(static_cast<double>(line));
    weights += weight;
    sum += weight * difference;
    squares += weight * difference * difference;
    lines += 1.0;
  }
  const double level = level_at(there_u, there_v);
  if (lines < 2.0) {
    const double apart = distance(positions_.at(u, v),
                                  positions_.at(static_cast<std::size_t>(there_u), static_cast<std::size_t>(there_v)));
    return {level, 1.0 / (variance_of_distance * apart + least_variance)};
  }
  const double mean = sum / weights;
  const double spread = std::max(0.0, squares / weights - mean * mean);
  return {level + mean, 1.0 / (spread * (1.0 + 2.0 / lines) + least_variance)};
}

NeighbourFit::Estimate NeighbourFit::from_differences(std::size_t u, std::size_t v) const {
  double precision = 0.0, sum = 0.0;
  for (const auto& [step_u, step_v] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
    const Estimate one = from_direction(u, v, step_u, step_v);
    precision += one.precision;
    sum += one.precision * one.level;
  }
  return precision > 0.0 ? Estimate{sum / precision, precision} : Estimate{};
}

NeighbourFit::Estimate NeighbourFit::from_plane(std::size_t u, std::size_t v) const {
  const std::array<double, 2>& here = positions_.at(u, v);
  const std::size_t node = u * levels_.v_count + v;
  struct Near {
    double squared = 0.0;
    const Key* key = nullptr;
  };
  std::array<Near, plane_keys> nearest;  // ascending; ties stay in the order of the nodes
  std::size_t count = 0;
  for (const Key& key : keys_) {
    const double dx = key.position[0] - here[0], dy = key.position[1] - here[1];
    const double squared = dx * dx + dy * dy;
    if (key.node == node || (count == plane_keys && squared >= nearest.back().squared)) continue;
    std::size_t at = count < plane_keys ? count++ : plane_keys - 1;
    for (; at > 0 && nearest[at - 1].squared > squared; --at) nearest[at] = nearest[at - 1];
    nearest[at] = {squared, &key};
  }
  if (count == 0) return {};

  const double reach = 1.2 * nearest[count - 1].squared;  // squared distance at which weights fall to zero
  if (!(reach > 0.0)) return {nearest[0].key->level, 1.0 / least_variance};
  const auto weight_of = [&](const Near& near) { return (1.0 - near.squared / reach) * (1.0 - near.squared / reach); };
  const auto place_of = [&](const Near& near) {
    return Eigen::Vector3d(1.0, (near.key->position[0] - here[0]) / std::sqrt(reach),
                           (near.key->position[1] - here[1]) / std::sqrt(reach));
  };
  Eigen::Matrix3d gram = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < count; ++i) {
    const Eigen::Vector3d place = place_of(nearest[i]);
    gram += weight_of(nearest[i]) * place * place.transpose();
    right += weight_of(nearest[i]) * place * nearest[i].key->level;
  }
  const double weights = gram(0, 0);
  gram(1, 1) += 0.05 * weights;  // regularisation: keys on one line do not determine the slope across it
  gram(2, 2) += 0.05 * weights;
  const Eigen::Vector3d plane = gram.ldlt().solve(right);
  double squares = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double residual = nearest[i].key->level - plane.dot(place_of(nearest[i]));
    squares += weight_of(nearest[i]) * residual * residual;
  }
  return {plane(0), 1.0 / (plane_inflation * squares / weights + least_variance)};
}

double NeighbourFit::estimate(std::size_t u, std::size_t v) const {
  const Estimate lines = from_differences(u, v);
  const Estimate plane = from_plane(u, v);
  const double precision = lines.precision + plane.precision;
  return precision > 0.0 ? (lines.precision * lines.level + plane.precision * plane.level) / precision : 0.0;
}

}  // namespace dfsweep
