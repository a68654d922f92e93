/// The likelihood of runs of which an interval of samples is known, and its maximum with some numbers held.
/// Source: docs/models/whole-run.md, fitting a batch law.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace dfsweep::law_fits {

/// Prior of the spread between seeds: ln s is normal about ln 0.04 with standard deviation 0.5. It decides where all
/// runs end at the same evaluation, which says nothing about the spread. Source: docs/models/whole-run.md.
inline constexpr double usual_spread = 0.04;
inline constexpr double width_of_ln_spread = 0.5;

/// Numbers of a batch law, as logarithms: E0, 1 / Bc, q and s.
enum class BatchNumber : std::uint8_t { samples, inverse_critical, four_bits, spread, count };
inline constexpr std::size_t batch_number_count = static_cast<std::size_t>(BatchNumber::count);
using BatchNumbers = std::array<double, batch_number_count>;
using HeldNumbers = std::array<bool, batch_number_count>;

/// Runs that agree in everything that the likelihood uses.
struct AlikeRuns {
  double batch = 0.0;
  double ln_failed = 0.0;   ///< -infinity: no evaluation missed the target
  double ln_reached = 0.0;  ///< infinite: none reached it
  bool four_bits = false;
  double count = 0.0;
  std::size_t configuration = 0;
};

struct LikelihoodValue {
  double cost = 0.0;  ///< minus the logarithm of likelihood times prior
  BatchNumbers gradient{};
};

/// With z = (ln E(B) limits - ln E0 - ln(1 + B / Bc) - ln q) / s, the cost of a run is
///     -ln(Phi(z_reached) - Phi(z_failed)).
/// Source: docs/models/whole-run.md, fitting a batch law.
[[nodiscard]] LikelihoodValue likelihood(std::span<const AlikeRuns> runs, const BatchNumbers& at);

/// Derivative of the cost of each kind of runs by ln E0, for one run.
[[nodiscard]] double location_score(const AlikeRuns& runs, const BatchNumbers& at);

struct Minimum {
  BatchNumbers at{};
  double cost = 0.0;
};
/// The least cost over the numbers that are not held, by damped Newton steps from `start`.
[[nodiscard]] Minimum least_cost(std::span<const AlikeRuns> runs, const BatchNumbers& start, const HeldNumbers& held);

}  // namespace dfsweep::law_fits
