#include "models/whole_run/interruptions.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::whole_run {

namespace {

constexpr int most_newton_steps = 64;

/// The root x >= 0 of x + exp(-x) - 1 = share. Newton's method from above falls to the root, because the left side is
/// convex; it starts at share + sqrt(2 share), where the left side is at least `share`.
double spent_share(double share) {
  double x = share + std::sqrt(2.0 * share);
  for (int step = 0; step < most_newton_steps; ++step) {
    const double next = x - (x + std::expm1(-x) - share) / -std::expm1(-x);
    if (!(next < x)) break;
    x = next;
  }
  return x;
}

}  // namespace

Seconds time_between(double device_hours, double devices) {
  return Seconds{device_hours * seconds_per_hour / devices};
}

Seconds best_interval(const Interruptions& in) {
  if (in.save == Seconds{}) return Seconds{};
  if (std::isinf(in.between.value())) return in.between;
  const double share = in.save / in.between;
  return std::max(in.save, spent_share(share) * in.between - in.save);
}

double useful_share(const Interruptions& in, Seconds interval) {
  const Seconds segment = interval + in.save;
  if (std::isinf(interval.value())) return std::isinf(in.between.value()) ? 1.0 : 0.0;
  const double saving = segment == Seconds{} ? 1.0 : interval / segment;
  const double length = segment / in.between;
  const double lost = length == 0.0 ? 1.0 : length / std::expm1(length);
  return saving * lost * std::exp(-(in.restart / in.between));
}

}  // namespace dfsweep::whole_run
