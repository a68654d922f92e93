#include "models/queueing/arrivals.hpp"

#include <cmath>

#include "models/expect.hpp"
#include "models/queueing/portable_math.hpp"

namespace dfsweep::queueing {

namespace {

/// Draws of one gamma number: 2^8 counters, far more than rejection ever needs.
constexpr std::uint64_t draws_of_gamma = 256;

/// Uniform in (0, 1).
double inner_uniform(const CounterRandom& random, std::uint64_t k) {
  return (static_cast<double>(random.at(k) >> 12) + 0.5) * 0x1p-52;
}

}  // namespace

double gamma_draw(const CounterRandom& random, std::uint64_t k, double variation) {
  const double shape = 1.0 / (variation * variation);
  // A shape below 1 is a shape above 1 times a power of a uniform number.
  const double raised = shape < 1.0 ? shape + 1.0 : shape;
  const double d = raised - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  std::uint64_t counter = k * draws_of_gamma;
  const double boost =
      shape < 1.0 ? portable_exp(std::fmax(-690.0, portable_log(inner_uniform(random, counter++)) / shape)) : 1.0;
  for (const std::uint64_t end = (k + 1) * draws_of_gamma - 1; counter < end; counter += 2) {
    const double x = portable_normal_quantile(inner_uniform(random, counter));
    const double root = 1.0 + c * x;
    if (root <= 0.0) continue;
    const double v = root * root * root;
    const double log_u = portable_log(inner_uniform(random, counter + 1));
    if (log_u < 0.5 * x * x + d - d * v + d * portable_log(v)) return d * v * boost / shape;
  }
  return 1.0;
}

ArrivalTimes::ArrivalTimes(const Arrivals& arrivals, std::uint32_t turns, std::uint64_t seed)
    : arrivals_(arrivals), mean_gap_(turns / arrivals.rate.value()), random_(seed) {
  DFSWEEP_EXPECT(arrivals.law != ArrivalLaw::closed && arrivals.rate.value() > 0.0 && arrivals.variation > 0.0);
}

double ArrivalTimes::gap() {
  switch (arrivals_.law) {
    case ArrivalLaw::poisson:
      return -mean_gap_ * portable_log(inner_uniform(random_, count_));
    case ArrivalLaw::gamma:
      return mean_gap_ * gamma_draw(random_, count_, arrivals_.variation);
    case ArrivalLaw::burst: {
      const auto group = arrivals_.group;
      return group == 0 || count_ == 0 || count_ % group != 0 ? 0.0 : mean_gap_ * static_cast<double>(group);
    }
    case ArrivalLaw::uniform:
    case ArrivalLaw::closed:
      return mean_gap_;
  }
  broken_promise("a law of arrivals", __FILE__, __LINE__);
}

Seconds ArrivalTimes::next() {
  now_ += gap();
  ++count_;
  return Seconds{now_};
}

}  // namespace dfsweep::queueing
