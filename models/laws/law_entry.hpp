/// A law as an entry of catalogue `laws`: the optimum at a scale, and how the loss rises around it.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/laws/hessian.hpp"
#include "models/laws/law.hpp"

namespace dfsweep::hyperparameters {

/// What a law of the catalogue is asked with: ln of N, Na, D, C and of the final loss; NaN where unknown.
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

/// Of what the sum of a learning rate's law is the value.
enum class RateScale : std::uint8_t {
  logarithm,  ///< ln lr: a power law
  plain       ///< lr itself, as Kaplan et al. have it; not positive beyond some scale
};

/// How well one target of a law is known at any scale.
///
/// The value at a scale is within  value +- quantile sqrt(f' C f),  f = (1, those ln quantities that the target depends
/// on, in the order N, Na, D, C, L).
struct TargetUncertainty {
  double quantile = 0.0;           ///< of the distribution of (value - truth) / standard error
  std::vector<double> covariance;  ///< C as a lower triangle, row after row
  bool operator==(const TargetUncertainty&) const = default;
};

/// Intervals of both targets at any scale, in ln lr and ln B.
struct LawUncertainty {
  double confidence = 0.0;  ///< of each target's interval: 0.95
  TargetUncertainty learning_rate;
  TargetUncertainty batch_tokens;
  bool operator==(const LawUncertainty&) const = default;
};

struct EntryLaw {
  RateScale rate_scale = RateScale::logarithm;
  LogLinear learning_rate;
  LogLinear batch_tokens;            ///< ln B
  std::optional<Hessian> curvature;  ///< of ln L around the optimum
  std::optional<ScaleRange> range;   ///< of the runs that it was fitted to
  std::optional<LawUncertainty> uncertainty;

  /// NaN in a target that cannot be told.
  [[nodiscard]] LogPoint at(const ScaleLogs& logs) const {
    const double rate = learning_rate.at(logs);
    return {rate_scale == RateScale::logarithm ? rate : std::log(rate), batch_tokens.at(logs)};
  }
  /// Whether one of the targets has a slope with this quantity.
  [[nodiscard]] bool uses(ScaleLog log) const {
    const auto at = static_cast<std::size_t>(log);
    return learning_rate.slope[at] != 0.0 || batch_tokens.slope[at] != 0.0;
  }
  bool operator==(const EntryLaw&) const = default;
};

/// Fields: kind ("power", "plain_rate"), lr_intercept, lr_lnN, lr_lnNa, lr_lnD, lr_lnC, lr_lnL, the same with `batch_`,
/// curvature_xx, curvature_xy, curvature_yy (all three or none), range_N, range_Na, range_D as pairs (all or none) and
/// interval_confidence, lr_quantile, lr_covariance, batch_quantile, batch_covariance (all or none).
[[nodiscard]] Decoded<EntryLaw> law_of(const Entry& entry);

/// The fields of a law, for writing: names and values, slopes of 0 left out.
[[nodiscard]] std::vector<std::pair<std::string, double>> fields_of(const EntryLaw& law);
/// Its fields that are lists of numbers.
[[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> lists_of(const EntryLaw& law);

/// The interval of one target at a scale. Pre: `uncertainty` was decoded for `target`.
[[nodiscard]] Interval interval_at(const LogLinear& target, const TargetUncertainty& uncertainty,
                                   const ScaleLogs& logs);

/// A fitted law as an entry has it.
[[nodiscard]] EntryLaw entry_law(const ScalingLaw& law, std::optional<Hessian> curvature);

/// The learning rates at which the loss excess stays within `excess` at a batch: the line ln B = `y` cut with the
/// plateau's ellipse. NaN where the batch alone costs more. Pre: H is positive definite.
struct RateRange {
  double low = 0.0;   ///< ln lr
  double high = 0.0;  ///< ln lr
};
[[nodiscard]] RateRange plateau_rates(const Hessian& hessian, LogPoint optimum, double y, double excess);

}  // namespace dfsweep::hyperparameters
