/// Which unknowns the rows tell, by their profile likelihood, and which two they cannot tell apart.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/calibration/fit.hpp"

namespace dfsweep::calibration {

inline constexpr std::size_t no_twin = std::numeric_limits<std::size_t>::max();

/// What the rows tell of one unknown.
struct Identification {
  bool identified = false;        ///< otherwise it stays at its prior
  double rise = 0.0;              ///< of its profile, the lower of two sides; where it was dropped, before that
  std::size_t twin = no_twin;     ///< the unknown that acts most like it, where their correlation exceeds 0.95
  double twin_correlation = 0.0;  ///< of that unknown, whether or not it is a twin; -1 to 1
};

enum class Profile {
  linearised,  ///< the slopes of one fit to all unknowns serve: no further predictions
  exact,       ///< of what is left, with refits
};

/// By how much the likelihood must rise: the 95 % quantile of chi-square with one degree of freedom.
inline constexpr double rise_of_identified = 3.841458820694124;

/// By how much the likelihood part of the objective rises where unknown number `unknown` is held 2 spreads beside its
/// value at `optimum`, on either side, and the others that are fitted are fitted again: the lower of the two rises,
/// which is below 0 where only priors hold the optimum. Factors of groups belong to the likelihood: their terms count.
/// The distance is from the optimum, not from 0: a truth far from 0 is no reason to doubt what rows tell of it.
[[nodiscard]] double profile_rise(const CalibrationProblem& problem, std::span<const double> weights,
                                  const Fit& optimum, std::size_t unknown, const FitOptions& options = {});

/// [unknown] Drops the unknown whose likelihood rises least, fits the others again, and repeats until that of each one
/// left rises by at least rise_of_identified: with linearised profiles, then with exact ones of `profile_steps` steps.
/// Of twins, the later one is dropped. Slopes correlate about 0, over rows weighted as the robust loss does.
/// Arguments as of the fit; what `options.fitted` leaves out is not identified.
[[nodiscard]] std::vector<Identification> identified_unknowns(const CalibrationProblem& problem,
                                                              std::span<const double> weights = {},
                                                              const FitOptions& options = {},
                                                              Profile profile = Profile::exact, int profile_steps = 3);

/// FitOptions::fitted of those that are identified.
[[nodiscard]] std::vector<std::uint8_t> fitted_of(std::span<const Identification> unknowns);

}  // namespace dfsweep::calibration
