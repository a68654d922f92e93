/// Law basis: centred features of laws, which keep the normal equations well conditioned.
#pragma once

#include <array>
#include <span>

#include "models/laws/law.hpp"

namespace dfsweep::law_fits {

/// Maximum number of coefficients of one target: intercept and features.
inline constexpr std::size_t most_coefficients = law_feature_count + 1;

/// The features of one target as a row (1, f - mean f, ...) per group, and the conversion back to a law of raw
/// features.
class LawBasis {
 public:
  explicit LawBasis(FeatureSet features) {
    for (std::size_t f = 0; f < law_feature_count; ++f)
      if (features.has(static_cast<LawFeature>(f))) features_[size_++ - 1] = f;
  }
  /// Number of coefficients including the intercept.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::array<double, most_coefficients> row(const std::array<double, law_feature_count>& features,
                                                          const std::array<double, law_feature_count>& means) const {
    std::array<double, most_coefficients> values{1.0};
    for (std::size_t c = 1; c < size_; ++c) values[c] = features[features_[c - 1]] - means[features_[c - 1]];
    return values;
  }
  /// Converts coefficients of (1, f - mean f, ...), with values relative to `origin`, into a law.
  template <typename Coefficients>
  [[nodiscard]] PowerLaw law(const Coefficients& coefficients, const std::array<double, law_feature_count>& means,
                             double origin) const {
    PowerLaw law;
    law.intercept = origin + coefficients[0];
    for (std::size_t c = 1; c < size_; ++c) {
      law.exponent[features_[c - 1]] = coefficients[c];
      law.intercept -= coefficients[c] * means[features_[c - 1]];
    }
    return law;
  }
  /// Inverse of law().
  [[nodiscard]] std::array<double, most_coefficients> coefficients(const PowerLaw& law,
                                                                   const std::array<double, law_feature_count>& means,
                                                                   double origin) const {
    std::array<double, most_coefficients> values{law.intercept - origin};
    for (std::size_t c = 1; c < size_; ++c) {
      values[c] = law.exponent[features_[c - 1]];
      values[0] += values[c] * means[features_[c - 1]];
    }
    return values;
  }
  /// Conversion from and to coefficients of (1, f, ...).
  [[nodiscard]] PowerLaw law(std::span<const double> coefficients) const { return law(coefficients, {}, 0.0); }
  void store(const PowerLaw& law, std::span<double> coefficients) const {
    coefficients[0] = law.intercept;
    for (std::size_t c = 1; c < size_; ++c) coefficients[c] = law.exponent[features_[c - 1]];
  }
  /// LawFeature of coefficient c >= 1.
  [[nodiscard]] std::size_t feature(std::size_t c) const { return features_[c - 1]; }

 private:
  std::array<std::size_t, law_feature_count> features_{};
  std::size_t size_ = 1;
};

}  // namespace dfsweep::law_fits
