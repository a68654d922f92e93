/// Draws of intervals and lengths.
#include "models/queueing/vidur/generators.hpp"

#include <algorithm>
#include <cmath>

#include "models/queueing/vidur/mersenne_twister.hpp"
#include "models/statistics/distributions.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep::vidur {

namespace {

/// -ln(1 - u) / rate, at most 3 / rate
double poisson_interval(MersenneTwister& random, double rate) {
  return std::min(-std::log(1.0 - random.uniform()) / rate, 3.0 / rate);
}

}  // namespace

std::vector<double> unit_arrivals(Arrivals arrivals, std::uint32_t count, double variation, std::uint32_t seed) {
  MersenneTwister random(seed);
  const CounterRandom counter(seed);
  const double shape = 1.0 / (variation * variation);
  const auto interval = [&](std::uint32_t i) {
    switch (arrivals) {
      case Arrivals::poisson:
        return poisson_interval(random, 1.0);
      case Arrivals::gamma:
        return gamma_quantile(counter.uniform(i), shape) / shape;
      case Arrivals::uniform:
        return 1.0;
      case Arrivals::burst:
        break;
    }
    return 0.0;
  };
  std::vector<double> times;
  times.reserve(count);
  double now = 0.0;
  for (std::uint32_t i = 0; i < count; ++i) times.push_back(now += interval(i));
  return times;
}

std::vector<std::uint32_t> lengths_in(const LengthRange& range, std::uint32_t count, std::uint32_t seed,
                                      std::uint32_t stream) {
  const double least = std::max(std::round(range.mean * (1.0 - range.spread)), 1.0);
  const double most = std::max(std::round(range.mean * (1.0 + range.spread)), least);
  const CounterRandom random(random_bits(seed, stream));
  std::vector<std::uint32_t> lengths;
  lengths.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i)
    lengths.push_back(static_cast<std::uint32_t>(least + std::floor(random.uniform(i) * (most - least + 1.0))));
  return lengths;
}

std::vector<OfferedRequest> poisson_requests(double rate, std::uint32_t count, const UniformTotals& totals,
                                             std::uint32_t seed) {
  MersenneTwister random(seed);
  std::vector<OfferedRequest> requests;
  requests.reserve(count);
  double now = 0.0;
  for (std::uint32_t i = 0; i < count; ++i) {
    now += poisson_interval(random, rate);
    const double total = totals.shortest + (totals.longest - totals.shortest) * random.uniform();
    const double output = std::ceil(total / (1.0 + totals.ratio));
    requests.push_back({Seconds{now}, static_cast<std::uint32_t>(total - output), static_cast<std::uint32_t>(output)});
  }
  return requests;
}

}  // namespace dfsweep::vidur
