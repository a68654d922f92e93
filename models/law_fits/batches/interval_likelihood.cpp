#include "models/law_fits/batches/interval_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

#include "models/statistics/distributions.hpp"
#include "models/statistics/least_squares.hpp"

namespace dfsweep::law_fits {

namespace {

using enum BatchNumber;

constexpr double least_probability = 1e-300;
constexpr int most_steps = 200;
constexpr double most_damping = 1e12;

double& of(BatchNumbers& numbers, BatchNumber number) {
  return numbers[static_cast<std::size_t>(number)];
}
double of(const BatchNumbers& numbers, BatchNumber number) {
  return numbers[static_cast<std::size_t>(number)];
}

double density(double z) {
  return std::isinf(z) ? 0.0 : std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
}

/// Phi(high) - Phi(low) without cancellation in the upper tail. Pre: low < high.
double probability(double low, double high) {
  if (low > 0.0) std::tie(low, high) = std::pair(-high, -low);
  return normal_cdf(high) - normal_cdf(low);
}

/// What one run adds to the cost and its derivatives.
struct RunTerms {
  double cost = 0.0;
  double by_location = 0.0;
  double by_ln_spread = 0.0;
};

RunTerms terms_of(const AlikeRuns& run, double location, double spread) {
  const double low = (run.ln_failed - location) / spread;
  const double high = (run.ln_reached - location) / spread;
  const double p = std::max(probability(low, high), least_probability);
  const auto moment = [](double z) { return std::isinf(z) ? 0.0 : z * density(z); };
  if (p == least_probability) {
    // Far from the interval the cost grows as the square of the distance, so that steps still know the direction.
    const double z = high < 0.0 ? high : low;
    return {-std::log(p) + 0.5 * z * z, -z / spread, -z * z};
  }
  return {-std::log(p), (density(high) - density(low)) / (spread * p), (moment(high) - moment(low)) / p};
}

double location_of(const AlikeRuns& run, const BatchNumbers& at) {
  return of(at, samples) + std::log1p(run.batch * std::exp(of(at, inverse_critical))) +
         (run.four_bits ? of(at, four_bits) : 0.0);
}

/// Second derivatives of the cost from differences of its gradient, of the numbers that are not held; the unit matrix
/// for the others.
std::array<double, batch_number_count * batch_number_count> curvature_at(std::span<const AlikeRuns> runs,
                                                                         const BatchNumbers& at,
                                                                         const HeldNumbers& held) {
  constexpr double difference = 1e-5;
  std::array<double, batch_number_count * batch_number_count> curvature{};
  for (std::size_t i = 0; i < batch_number_count; ++i) {
    if (held[i]) {
      curvature[i * batch_number_count + i] = 1.0;
      continue;
    }
    BatchNumbers up = at;
    BatchNumbers down = at;
    up[i] += difference;
    down[i] -= difference;
    const BatchNumbers above = likelihood(runs, up).gradient;
    const BatchNumbers below = likelihood(runs, down).gradient;
    for (std::size_t j = 0; j < batch_number_count; ++j)
      if (!held[j]) curvature[i * batch_number_count + j] = (above[j] - below[j]) / (2.0 * difference);
  }
  for (std::size_t i = 0; i < batch_number_count; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double& lower = curvature[i * batch_number_count + j];
      double& upper = curvature[j * batch_number_count + i];
      lower = upper = 0.5 * (lower + upper);
    }
  return curvature;
}

}  // namespace

LikelihoodValue likelihood(std::span<const AlikeRuns> runs, const BatchNumbers& at) {
  const double spread_now = std::exp(of(at, spread));
  const double inverse = std::exp(of(at, inverse_critical));
  const double deviation = (of(at, spread) - std::log(usual_spread)) / width_of_ln_spread;
  LikelihoodValue value{0.5 * deviation * deviation, {}};
  of(value.gradient, spread) = deviation / width_of_ln_spread;
  for (const AlikeRuns& run : runs) {
    const RunTerms terms = terms_of(run, location_of(run, at), spread_now);
    value.cost += run.count * terms.cost;
    const double by_location = run.count * terms.by_location;
    of(value.gradient, samples) += by_location;
    of(value.gradient, inverse_critical) += by_location * run.batch * inverse / (1.0 + run.batch * inverse);
    if (run.four_bits) of(value.gradient, four_bits) += by_location;
    of(value.gradient, spread) += run.count * terms.by_ln_spread;
  }
  return value;
}

double location_score(const AlikeRuns& runs, const BatchNumbers& at) {
  return terms_of(runs, location_of(runs, at), std::exp(of(at, spread))).by_location;
}

Minimum least_cost(std::span<const AlikeRuns> runs, const BatchNumbers& start, const HeldNumbers& held) {
  BatchNumbers at = start;
  LikelihoodValue now = likelihood(runs, at);
  double damping = 1.0;
  for (int step = 0; step < most_steps && damping < most_damping; ++step) {
    auto matrix = curvature_at(runs, at, held);
    for (std::size_t i = 0; i < batch_number_count; ++i) {
      double& diagonal = matrix[i * batch_number_count + i];
      diagonal = std::abs(diagonal) * (1.0 + damping) + 1e-9 * damping;
    }
    BatchNumbers change = now.gradient;
    for (std::size_t i = 0; i < batch_number_count; ++i)
      if (held[i]) change[i] = 0.0;
    BatchNumbers next = at;
    const bool solved = solve_positive(matrix, change);
    for (std::size_t i = 0; i < batch_number_count; ++i) next[i] -= std::clamp(change[i], -1.0, 1.0);
    const LikelihoodValue there = solved ? likelihood(runs, next) : now;
    if (!solved || !(there.cost < now.cost)) {
      damping = damping * 8.0 + 1e-6;
      continue;
    }
    const bool converged = now.cost - there.cost < 1e-12 * (1.0 + std::abs(now.cost));
    at = next;
    now = there;
    damping *= 0.1;
    if (converged) break;
  }
  return {at, now.cost};
}

}  // namespace dfsweep::law_fits
