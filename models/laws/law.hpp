/// Scaling laws of the optimal learning rate and batch size: features, forms and predictions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "models/statistics/distributions.hpp"

namespace dfsweep {

/// Inputs of a law (as natural logarithms), in the order of coefficients.
enum class LawFeature : std::uint8_t { parameters, activated, tokens, compute };
inline constexpr std::size_t law_feature_count = 4;
inline constexpr std::array<std::string_view, law_feature_count> law_feature_names = {"lnN", "lnNa", "lnD", "lnC"};

/// A set of features, iterated in the order of LawFeature.
class FeatureSet {
 public:
  constexpr FeatureSet() = default;
  constexpr FeatureSet(std::initializer_list<LawFeature> features) {
    for (const LawFeature feature : features) bits_ = static_cast<std::uint8_t>(bits_ | bit(feature));
  }
  [[nodiscard]] constexpr bool has(LawFeature feature) const { return (bits_ & bit(feature)) != 0; }
  [[nodiscard]] constexpr std::size_t size() const {
    std::size_t count = 0;
    for (std::size_t f = 0; f < law_feature_count; ++f) count += has(static_cast<LawFeature>(f)) ? 1 : 0;
    return count;
  }
  [[nodiscard]] constexpr FeatureSet united(FeatureSet other) const {
    FeatureSet all;
    all.bits_ = static_cast<std::uint8_t>(bits_ | other.bits_);
    return all;
  }
  constexpr bool operator==(const FeatureSet&) const = default;

 private:
  static constexpr std::uint8_t bit(LawFeature feature) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(feature));
  }
  std::uint8_t bits_ = 0;
};

/// A point in the plane of (ln learning rate, ln tokens per step).
struct LogPoint {
  double x = 0.0;  ///< ln lr
  double y = 0.0;  ///< ln B, B in tokens per step
  bool operator==(const LogPoint&) const = default;
};

/// Input of a law: the scale of a training run.
struct TrainingScale {
  double parameters = 0.0;            ///< N, without embeddings, with all experts
  double activated_parameters = 0.0;  ///< Na; equal to N in dense models
  double train_tokens = 0.0;          ///< D
  double flops_per_token = 0.0;       ///< M, used by laws of the compute C = M D; 0: unknown
  double loss = 0.0;                  ///< final loss, used by laws of the loss; 0: unknown
};

/// ln of N, Na, D, C; a feature that is unknown is NaN.
[[nodiscard]] std::array<double, law_feature_count> features_of(const TrainingScale& scale);

/// The features that each target of a law depends on.
struct LawForm {
  std::string_view name;
  FeatureSet learning_rate;
  FeatureSet batch_tokens;
  bool operator==(const LawForm&) const = default;
};

/// All forms: step, step_full (N also for the batch), compute (C only), params_only (N only), step_Na (Na in place of
/// N), unified (N for lr, Na for the batch).
[[nodiscard]] std::span<const LawForm> law_forms();
/// The form with this name, or null.
[[nodiscard]] const LawForm* find_law_form(std::string_view name);

/// ln value = intercept + sum over features of exponent x ln feature: the form of [steplaw] Eq. (1) with any features.
struct PowerLaw {
  double intercept = 0.0;
  std::array<double, law_feature_count> exponent{};  ///< [LawFeature], 0 where not a feature
  [[nodiscard]] double at(const std::array<double, law_feature_count>& features) const {
    double value = intercept;
    for (std::size_t f = 0; f < law_feature_count; ++f)
      if (exponent[f] != 0.0) value += exponent[f] * features[f];
    return value;
  }
  bool operator==(const PowerLaw&) const = default;
};

/// Power laws of both targets.
struct ScalingLaw {
  PowerLaw learning_rate;
  PowerLaw batch_tokens;
  [[nodiscard]] LogPoint at(const TrainingScale& scale) const {
    const auto features = features_of(scale);
    return {learning_rate.at(features), batch_tokens.at(features)};
  }
  bool operator==(const ScalingLaw&) const = default;
};

/// Minimum and maximum N, Na and D of the runs to which a law was fitted. Outside this range the law extrapolates.
struct ScaleRange {
  Interval parameters;
  Interval activated_parameters;
  Interval train_tokens;
  [[nodiscard]] bool contains(const TrainingScale& scale) const {
    return parameters.covers(scale.parameters) && activated_parameters.covers(scale.activated_parameters) &&
           train_tokens.covers(scale.train_tokens);
  }
  bool operator==(const ScaleRange&) const = default;
};

/// The smallest range that contains all `scales`. Pre: not empty.
[[nodiscard]] inline ScaleRange range_of(std::span<const TrainingScale> scales) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ScaleRange range{{infinity, 0.0}, {infinity, 0.0}, {infinity, 0.0}};
  const auto widen = [](Interval& interval, double value) {
    interval = {std::min(interval.low, value), std::max(interval.high, value)};
  };
  for (const TrainingScale& scale : scales) {
    widen(range.parameters, scale.parameters);
    widen(range.activated_parameters, scale.activated_parameters);
    widen(range.train_tokens, scale.train_tokens);
  }
  return range;
}

/// A law from the literature. A target is NaN where the law does not predict it or needs an unknown quantity.
struct PublishedLaw {
  std::string_view name;     ///< name on the command line: "published_mean"
  std::string_view formula;  ///< for people
  std::string_view source;
  LogPoint (*at)(const TrainingScale& scale);
};
[[nodiscard]] std::span<const PublishedLaw> published_laws();
[[nodiscard]] const PublishedLaw* find_published_law(std::string_view name);

}  // namespace dfsweep
