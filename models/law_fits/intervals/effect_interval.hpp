/// Effect intervals: intervals of a random-effect law, and the effect of one additional group on them.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/law_fits/intervals/random_effect.hpp"
#include "models/laws/law_entry.hpp"
#include "models/statistics/distributions.hpp"

namespace dfsweep::law_fits {

/// Interval methods for a random-effect regression with n groups, p coefficients, W = 1 / (tau^2 + v_g) and A =
/// (X'WX)^-1; a prediction x'b has the variance x'Ax.
enum class EffectInterval : std::uint8_t {
  normal,          ///< normal quantile: treats tau as known
  student,         ///< Student quantile with n - p degrees of freedom
  satterthwaite,   ///< degrees of freedom 2 (x'Ax)^2 / var(x'Ax), from the information about tau^2
  kenward_roger,   ///< as satterthwaite, with the variance inflated for the uncertainty of tau^2
  scaled,          ///< variance times q = sum W r^2 / (n - p), n - p degrees of freedom (Hartung and Knapp)
  scaled_at_least  ///< as scaled, with q at least 1
};
inline constexpr EffectInterval effect_intervals[] = {EffectInterval::normal,        EffectInterval::student,
                                                      EffectInterval::satterthwaite, EffectInterval::kenward_roger,
                                                      EffectInterval::scaled,        EffectInterval::scaled_at_least};
[[nodiscard]] std::string_view name_of(EffectInterval method);

/// `scaled` is recommended, because for groups without scatter tau^2 is truncated at 0 and methods without q become too
/// wide.
inline constexpr EffectInterval recommended_interval = EffectInterval::scaled;

/// Prediction of a law at a scale with its confidence interval.
struct EffectPrediction {
  double value = 0.0;
  double standard_error = 0.0;  ///< standard error of the value, by the method of the interval
  double degrees = 0.0;         ///< infinite for normal
  Interval interval;
  Interval of_one_group;  ///< prediction interval for the optimum of one group: includes the scatter between groups
};
[[nodiscard]] EffectPrediction predict(const RandomEffectLaw& law, const TrainingScale& scale, double confidence,
                                       EffectInterval method = recommended_interval);

/// Data to compute the recommended interval at any scale: C = q A plus the common error of the shape, transformed from
/// centred to raw features, and the Student quantile with n - p degrees of freedom.
[[nodiscard]] TargetUncertainty uncertainty(const RandomEffectLaw& law, double confidence);

/// Ratio of the variances of the value at `target` with and without an additional group at `added`, whose optimum has
/// the variance `added_variance`. tau is unchanged.
[[nodiscard]] double variance_ratio(const RandomEffectLaw& law, const TrainingScale& target, const TrainingScale& added,
                                    double added_variance);

}  // namespace dfsweep::law_fits
