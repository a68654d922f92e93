/// Intervals for the value of a law whose groups scatter about it, and what one more group would do to them.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/law_fits/intervals/random_effect.hpp"
#include "models/laws/law_entry.hpp"
#include "models/statistics/distributions.hpp"

namespace dfsweep::hyperparameters {

/// Ways to turn the regression into an interval. n groups, p coefficients, W = 1 / (tau^2 + v_g),
/// A = (X'WX)^-1, variance of a prediction x'b: x'Ax.
enum class EffectInterval : std::uint8_t {
  normal,          ///< normal quantile: takes tau for known
  student,         ///< quantile of n - p degrees of freedom
  satterthwaite,   ///< degrees of freedom 2 (x'Ax)^2 / var(x'Ax), from the information about tau^2
  kenward_roger,   ///< the same, with the variance widened for the uncertainty of tau^2
  scaled,          ///< variance times q = sum W r^2 / (n - p), n - p degrees of freedom (Hartung and Knapp)
  scaled_at_least  ///< the same with q not below 1
};
inline constexpr EffectInterval effect_intervals[] = {EffectInterval::normal,        EffectInterval::student,
                                                      EffectInterval::satterthwaite, EffectInterval::kenward_roger,
                                                      EffectInterval::scaled,        EffectInterval::scaled_at_least};
[[nodiscard]] std::string_view name_of(EffectInterval method);

/// Why `scaled` is the recommended one: where the groups do not scatter, tau^2 is cut off at 0 and every method that
/// trusts it becomes too wide; q says so.
inline constexpr EffectInterval recommended_interval = EffectInterval::scaled;

/// The law's value at a scale, with `confidence` that it is inside.
struct EffectPrediction {
  double value = 0.0;
  double standard_error = 0.0;  ///< of the law's value, by the method of the interval
  double degrees = 0.0;         ///< infinite for normal
  Interval interval;
  Interval of_one_group;  ///< where the optimum of one such group will be: the scatter between groups on top
};
[[nodiscard]] EffectPrediction predict(const RandomEffectLaw& law, const TrainingScale& scale, double confidence,
                                       EffectInterval method = recommended_interval);

/// What the recommended interval needs to be made at any scale: C = q A plus the common error of the shape, carried
/// from the means of the features to ln feature = 0, and Student's quantile of n - p degrees of freedom.
[[nodiscard]] TargetUncertainty uncertainty(const RandomEffectLaw& law, double confidence);

/// What one more group would do, by the model: variance of the law's value at `target` once a group at `added` with
/// `added_variance` (of its own located optimum) is there, divided by what it is now. The estimate of tau stays.
[[nodiscard]] double variance_ratio(const RandomEffectLaw& law, const TrainingScale& target, const TrainingScale& added,
                                    double added_variance);

}  // namespace dfsweep::hyperparameters
