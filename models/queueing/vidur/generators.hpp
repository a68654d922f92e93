/// Generators of requests: times of arrival and lengths, as Vidur draws them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/queueing/vidur/request.hpp"

namespace dfsweep::vidur {

/// How requests arrive at rate 1/s, in units of the mean interval.
enum class Arrivals : std::uint8_t {
  poisson,  ///< exponential intervals, cut at 3: the mean is 1 - e^-3
  gamma,    ///< intervals with a given coefficient of variation
  uniform,  ///< equal intervals
  burst,    ///< everything at time zero
};
inline constexpr std::string_view arrivals_names[] = {"poisson", "gamma", "uniform", "burst"};

/// Times of arrival at rate 1; those at another rate are the quotients. The first request does not arrive at zero,
/// except in a burst. `variation`: standard deviation over mean of the intervals of `gamma`. The intervals of `poisson`
/// are those of Vidur for this seed. Pre: variation > 0. Source: [vidur] request_generator/
[[nodiscard]] std::vector<double> unit_arrivals(Arrivals arrivals, std::uint32_t count, double variation,
                                                std::uint32_t seed);

/// Lengths around a mean: uniform whole numbers in [mean (1 - spread), mean (1 + spread)], at least 1.
struct LengthRange {
  double mean = 1.0;
  double spread = 0.0;
};
/// `stream` separates the draws for prompts from those for outputs.
[[nodiscard]] std::vector<std::uint32_t> lengths_in(const LengthRange& range, std::uint32_t count, std::uint32_t seed,
                                                    std::uint32_t stream);

/// The synthetic requests of Vidur: Poisson intervals and, from the same generator, a total length uniform in
/// [shortest, longest], of which 1 / (1 + ratio) is output. Source: [vidur] uniform_request_length_generator.py
struct UniformTotals {
  double shortest = 1024.0;
  double longest = 4096.0;
  double ratio = 20.0;  ///< prompt over output
};
[[nodiscard]] std::vector<OfferedRequest> poisson_requests(double rate, std::uint32_t count,
                                                           const UniformTotals& totals, std::uint32_t seed);

}  // namespace dfsweep::vidur
