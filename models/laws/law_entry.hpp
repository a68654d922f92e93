/// A law as an entry of catalogue `laws`: the optimum at a scale, and the curvature of the loss around it.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/absent.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/laws/hessian.hpp"
#include "models/laws/law.hpp"
#include "models/laws/loss_law.hpp"

namespace dfsweep {

/// Inputs of a law of the catalogue: ln of N, Na, D, C and of the final loss L; NaN where unknown.
enum class ScaleLog : std::uint8_t { parameters, activated, tokens, compute, loss };
inline constexpr std::size_t scale_log_count = 5;
using ScaleLogs = std::array<double, scale_log_count>;

/// intercept + sum over logs of slope x ln quantity; a quantity that the law does not use may be NaN.
struct LogLinear {
  double intercept = 0.0;
  std::array<double, scale_log_count> slope{};  ///< [ScaleLog]
  [[nodiscard]] double at(const ScaleLogs& logs) const {
    double value = intercept;
    for (std::size_t i = 0; i < scale_log_count; ++i)
      if (slope[i] != 0.0) value += slope[i] * logs[i];
    return value;
  }
  bool operator==(const LogLinear&) const = default;
};

/// What the sum of a learning-rate law gives.
enum class RateScale : std::uint8_t {
  logarithm,  ///< ln lr: a power law
  plain       ///< lr itself, as in Kaplan et al.; not positive beyond some scale
};

/// Uncertainty of one target of a law at any scale.
///
/// The interval at a scale is value +- quantile sqrt(f' C f), where f = (1, the logarithms on which the target depends,
/// in the order N, Na, D, C, L).
struct TargetUncertainty {
  double quantile = 0.0;           ///< quantile of the distribution of (value - truth) / standard error
  std::vector<double> covariance;  ///< C as a lower triangle, row after row
  bool operator==(const TargetUncertainty&) const = default;
};

/// Intervals of both targets at any scale, in ln lr and ln B.
struct LawUncertainty {
  double confidence = 0.0;  ///< confidence of the interval of each target: 0.95
  TargetUncertainty learning_rate;
  TargetUncertainty batch_tokens;
  bool operator==(const LawUncertainty&) const = default;
};

/// Learning rates and tokens per step of the runs to which a law was fitted.
struct ChoiceRange {
  Interval learning_rate;
  Interval batch_tokens;
  bool operator==(const ChoiceRange&) const = default;
};

/// A loss law with the spread of the losses around it.
struct SpreadLossLaw {
  LossLaw law;
  double spread = absent;  ///< standard deviation of ln L of the fitted runs; NaN: unknown
  bool operator==(const SpreadLossLaw&) const = default;
};

struct EntryLaw {
  RateScale rate_scale = RateScale::logarithm;
  LogLinear learning_rate;
  LogLinear batch_tokens;            ///< ln B
  std::optional<Hessian> curvature;  ///< Hessian of ln L around the optimum
  std::optional<ScaleRange> range;   ///< range of the fitted runs
  std::optional<LawUncertainty> uncertainty;
  std::optional<ChoiceRange> choices = std::nullopt;  ///< range of the fitted runs
  std::optional<SpreadLossLaw> loss = std::nullopt;

  /// Whether it gives a learning rate and a batch; else it is a law of the loss alone.
  [[nodiscard]] bool has_recipe() const {
    return is_given(learning_rate.intercept) && is_given(batch_tokens.intercept);
  }
  /// The optimum at a scale; NaN for a target that needs an unknown quantity.
  [[nodiscard]] LogPoint at(const ScaleLogs& logs) const {
    const double rate = learning_rate.at(logs);
    return {rate_scale == RateScale::logarithm ? rate : std::log(rate), batch_tokens.at(logs)};
  }
  /// Whether a target depends on this quantity.
  [[nodiscard]] bool uses(ScaleLog log) const {
    const auto at = static_cast<std::size_t>(log);
    return learning_rate.slope[at] != 0.0 || batch_tokens.slope[at] != 0.0;
  }
  bool operator==(const EntryLaw&) const = default;
};

/// Fields: kind ("power", "plain_rate"), lr_intercept, lr_lnN, lr_lnNa, lr_lnD, lr_lnC, lr_lnL, the same with `batch_`,
/// curvature_xx, curvature_xy, curvature_yy (all three or no curvature), range_N, range_Na, range_D as pairs (all or no
/// range), range_lr and range_batch (both or none), loss_floor, loss_lnA, loss_alpha, loss_lnB, loss_beta (all or no
/// law of the loss, which needs a range) with loss_spread, and interval_confidence, lr_quantile, lr_covariance,
/// batch_quantile, batch_covariance (all or no interval). A law has both intercepts, or a law of the loss and neither.
[[nodiscard]] Decoded<EntryLaw> law_of(const Entry& entry);

/// The numeric fields of a law as names and values, for writing; slopes of 0 are left out.
[[nodiscard]] std::vector<std::pair<std::string, double>> fields_of(const EntryLaw& law);
/// The list fields of a law as names and values, for writing.
[[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> lists_of(const EntryLaw& law);

/// The interval of one target at a scale. Pre: `uncertainty` was decoded for `target`.
[[nodiscard]] Interval interval_at(const LogLinear& target, const TargetUncertainty& uncertainty,
                                   const ScaleLogs& logs);

/// Converts a fitted law into the form of an entry.
[[nodiscard]] EntryLaw entry_law(const ScalingLaw& law, std::optional<Hessian> curvature);

/// The learning rates whose loss excess is at most `excess` at a given batch: intersection of the line ln B = `y` with
/// the ellipse of the plateau. NaN where the batch alone exceeds `excess`. Pre: H is positive definite.
struct RateRange {
  double low = 0.0;   ///< ln lr
  double high = 0.0;  ///< ln lr
};
[[nodiscard]] RateRange plateau_rates(const Hessian& hessian, LogPoint optimum, double y, double excess);

}  // namespace dfsweep
