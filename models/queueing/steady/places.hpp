/// The wait for a place of servers that slow each other down as they fill. Source: docs/models/queueing.md
#pragma once

#include <algorithm>
#include <cmath>

namespace dfsweep::queueing {

/// Requests that run in a replica, on average, of a stream with this rate, 1/s; and the same where no more can run.
/// Squared coefficients of variation.
struct PlaceDemand {
  double running = 0.0;
  double rate = 0.0;
  double full_running = 1.0;
  double full_rate = 1.0;
  double places = 1.0;
  double arrival_variation = 1.0;
  double service_variation = 0.0;
};

/// (Ca^2 + Cs^2)/2, and more where services are alike: by (Ca^2/2) (1 - Cs^2) of
///
///     (1 - u) (c - 1) (sqrt(4 + 5 c) - 2) / (16 u c)        at most 1
///
/// with c places and their use u. Source: [cosmetatos]
[[nodiscard]] inline double wait_variation(const PlaceDemand& d, double use) {
  const double c = d.places;
  const double alike = (1.0 - use) * std::max(0.0, c - 1.0) * (std::sqrt(4.0 + 5.0 * c) - 2.0) / (16.0 * use * c);
  return 0.5 * (d.arrival_variation * (1.0 + std::min(1.0, alike) * std::max(0.0, 1.0 - d.service_variation)) +
                d.service_variation);
}

/// Seconds until a place is free. The number N of those who run is that of arrivals at rate r and departures at
/// D(k) = k / (a + b k), the line through both points:
///
///     Q = exp(-integral of ln(D(k) / r) from n to c) sqrt(u) / ((1 - u) sqrt(2 pi n / (1 - b r)) Phi)
///     P(N >= c) = Q / (1 + Q)
///     wait = wait_variation P(N >= c) / (D(c) - r)        u = r / D(c)
///
/// Phi: of a normal distribution around n with this deviation, what is below c - 1/2. Infinite from the full rate on.
/// Pre: running > 0. Source: docs/models/queueing.md
[[nodiscard]] inline double wait_for_place(const PlaceDemand& d) {
  if (d.rate >= d.full_rate) return INFINITY;
  const double taken = d.running / d.full_running;
  const double slowed = taken < 1.0 ? std::clamp((d.rate / d.full_rate - taken) / (1.0 - taken), 0.0, 1.0 - 1e-9) : 0.0;
  const double n = d.running;
  const double y = d.places / n;
  const double slower = 1.0 - slowed + slowed * y;  // time of a request with all places taken over that with n
  const double use = slower / y;
  if (use >= 1.0) return INFINITY;
  const double growth = slowed > 1e-6 ? (slower * std::log(slower) - slower + 1.0) / slowed : 0.0;
  const double exponent = n * (y * std::log(y) - y + 1.0 - growth);
  constexpr double negligible = 50.0;
  if (exponent > negligible) return 0.0;
  const double deviation = std::sqrt(n / (1.0 - slowed));
  constexpr double root_of_two = 1.4142135623730951;
  constexpr double root_of_two_pi = 2.5066282746310002;
  const double below = 0.5 * std::erfc((0.5 + n - d.places) / (deviation * root_of_two));
  const double q = std::exp(-exponent) * std::sqrt(use) / ((1.0 - use) * deviation * root_of_two_pi * below);
  return wait_variation(d, use) * q / (1.0 + q) * use / (d.rate * (1.0 - use));
}

}  // namespace dfsweep::queueing
