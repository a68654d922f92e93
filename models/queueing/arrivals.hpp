/// Arrival times of open streams of requests.
#pragma once

#include <cstdint>

#include "models/queueing/workload.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep::queueing {

/// Times of the conversations 0, 1, 2 and so on, one after the other. The first comes one gap after time 0, but with
/// `burst` at time 0. Pre: the law is open.
class ArrivalTimes {
 public:
  /// `turns`: requests of a conversation; conversations come at the rate of requests over `turns`.
  ArrivalTimes(const Arrivals& arrivals, std::uint32_t turns, std::uint64_t seed);
  [[nodiscard]] Seconds next();

 private:
  [[nodiscard]] double gap();

  Arrivals arrivals_;
  double mean_gap_;
  CounterRandom random_;
  std::uint64_t count_ = 0;
  double now_ = 0.0;
};

/// A gamma number with mean 1 and this coefficient of variation: draw `k`, by rejection from further draws of the same
/// counter. Pre: variation > 0. Source: [marsaglia-tsang]
[[nodiscard]] double gamma_draw(const CounterRandom& random, std::uint64_t k, double variation);

}  // namespace dfsweep::queueing
