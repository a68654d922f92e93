#include "models/laws/hessian.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "models/expect.hpp"

namespace dfsweep {

Eigenvalues eigenvalues(const Hessian& h) {
  const double middle = 0.5 * (h.xx + h.yy);
  const double radius = std::hypot(0.5 * (h.xx - h.yy), h.xy);
  return {middle - radius, middle + radius};
}

double ridge_slope(const Hessian& h) {
  const double low = eigenvalues(h).low;
  if (h.xy == 0.0) return h.xx <= h.yy ? 0.0 : std::numeric_limits<double>::infinity();
  return (low - h.xx) / h.xy;
}

LogPoint minus_inverse(const Hessian& h, LogPoint gradient) {
  const double determinant = h.determinant();
  return {-(h.yy * gradient.x - h.xy * gradient.y) / determinant,
          -(h.xx * gradient.y - h.xy * gradient.x) / determinant};
}

double loss_excess(const Hessian& h, LogPoint optimum, LogPoint point) {
  const double dx = point.x - optimum.x;
  const double dy = point.y - optimum.y;
  return std::expm1(0.5 * (h.xx * dx * dx + 2.0 * h.xy * dx * dy + h.yy * dy * dy));
}

Plateau plateau(const Hessian& h, double excess) {
  DFSWEEP_EXPECT(h.positive_definite());
  const double level = std::log1p(excess);
  const double determinant = h.determinant();
  return {std::sqrt(2.0 * level * h.yy / determinant), std::sqrt(2.0 * level * h.xx / determinant),
          2.0 * std::numbers::pi * level / std::sqrt(determinant)};
}

std::vector<LogPoint> plateau_border(const Hessian& h, LogPoint optimum, double excess, std::size_t count) {
  DFSWEEP_EXPECT(h.positive_definite());
  std::vector<LogPoint> border;
  border.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
    const double x = std::cos(angle);
    const double y = std::sin(angle);
    const double radius = std::sqrt(2.0 * std::log1p(excess) / (h.xx * x * x + 2.0 * h.xy * x * y + h.yy * y * y));
    border.push_back({optimum.x + radius * x, optimum.y + radius * y});
  }
  return border;
}

}  // namespace dfsweep
