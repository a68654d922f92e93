/// Identification: which unknowns the rows determine, by profile likelihood, and which pairs they cannot distinguish.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/calibration/fit.hpp"

namespace dfsweep::calibration {

inline constexpr std::size_t no_twin = std::numeric_limits<std::size_t>::max();

/// Identification of one unknown.
struct Identification {
  bool identified = false;  ///< false: the unknown stays at its prior
  double rise = 0.0;  ///< rise of its profile, minimum of both sides; for a dropped unknown, the last value before
  std::size_t twin = no_twin;     ///< the most correlated unknown, if the correlation exceeds 0.95
  double twin_correlation = 0.0;  ///< correlation with the most correlated unknown, twin or not; -1 to 1
};

enum class Profile {
  linearised,  ///< with the slopes of one fit to all unknowns, without further predictions
  exact,       ///< with refits, for the unknowns left by linearised profiles
};

/// Required rise of the profile: the 95 % quantile of chi-square with one degree of freedom.
inline constexpr double rise_of_identified = 3.841458820694124;

/// Rise of the likelihood part of the objective when `unknown` is held 2 spreads from its value at `optimum` and the
/// other fitted unknowns are fitted again: the minimum over both sides, below 0 where only priors determine the
/// optimum. The terms of group factors belong to the likelihood. The distance is measured from the optimum, not from 0,
/// because a truth far from 0 can be well determined.
[[nodiscard]] double profile_rise(const CalibrationProblem& problem, std::span<const double> weights,
                                  const Fit& optimum, std::size_t unknown, const FitOptions& options = {});

/// [unknown] Backward elimination: drops the unknown with the least rise, fits the others again, and repeats until all
/// rises are at least rise_of_identified; first with linearised profiles, then with exact ones of `profile_steps`
/// steps. Of twins, the later one is dropped. Correlations of slopes are uncentred, with the row weights of the robust
/// loss. Arguments as for fit(); unknowns outside `options.fitted` are not identified.
[[nodiscard]] std::vector<Identification> identified_unknowns(const CalibrationProblem& problem,
                                                              std::span<const double> weights = {},
                                                              const FitOptions& options = {},
                                                              Profile profile = Profile::exact, int profile_steps = 3);

/// FitOptions::fitted for the identified unknowns.
[[nodiscard]] std::vector<std::uint8_t> fitted_of(std::span<const Identification> unknowns);

}  // namespace dfsweep::calibration
