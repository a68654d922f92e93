/// Curve: time of an operator over a number of tokens, made from measurements.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/measured_tables/predictors/prediction.hpp"

namespace dfsweep::inference {

/// One measurement. Repeats of a key are separate points.
struct CurvePoint {
  double tokens = 0.0;  ///< may be a fraction of a token (network tables count bytes)
  double seconds = 0.0;
  bool operator==(const CurvePoint&) const = default;
};

/// Curves hold no more numbers of tokens than up to this one.
inline constexpr double last_tabulated_tokens = 262144.0;

/// The physical trend beyond the last key of a table: time grows by a fixed amount per token.
struct CurveTail {
  double seconds = 0.0;  ///< at the last key
  double seconds_per_token = 0.0;
};

/// A function of a whole number of tokens. A call is cheap (one load within the measured range), a copy is expensive.
class Curve {
 public:
  /// `seconds`, `coverage`: [tokens], from 0 to the last key that is tabulated. `relative_error`: [coverage].
  /// Pre: both have one length, at least 1.
  Curve(std::vector<double> seconds, std::vector<Coverage> coverage, const CurveTail& tail,
        const std::array<double, 4>& relative_error);

  [[nodiscard]] Prediction predict(std::uint32_t tokens) const;
  /// The time alone, and what it rests on alone.
  [[nodiscard]] double seconds(std::uint32_t tokens) const;
  [[nodiscard]] Coverage coverage(std::uint32_t tokens) const;
  /// All of `tokens` at once; the three spans have one length.
  void predict(std::span<const std::uint32_t> tokens, std::span<double> seconds, std::span<Coverage> coverage) const;
  /// Expected relative error of predictions of that coverage.
  [[nodiscard]] double relative_error(Coverage coverage) const;

 private:
  std::vector<double> seconds_;
  std::vector<Coverage> coverage_;
  CurveTail tail_;
  std::array<double, 4> relative_error_;
};

}  // namespace dfsweep::inference
