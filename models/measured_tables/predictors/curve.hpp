/// Curve: time of an operator as a function of tokens, from measurements.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/measured_tables/predictors/prediction.hpp"

namespace dfsweep {

/// One measurement. Repetitions of a key are separate points.
struct CurvePoint {
  double tokens = 0.0;  ///< may be a fraction of a token (network tables count bytes)
  double seconds = 0.0;
  bool operator==(const CurvePoint&) const = default;
};

/// Maximum number of tokens of the table of a curve.
inline constexpr double last_tabulated_tokens = 262144.0;

/// Linear extrapolation beyond the last key of a table.
struct CurveTail {
  double seconds = 0.0;  ///< time at the last key
  double seconds_per_token = 0.0;
};

/// A function of a whole number of tokens. A call costs one load within the measured range; a copy is expensive.
class Curve {
 public:
  /// `seconds`, `coverage`: [tokens], from 0 to the last tabulated key. `relative_error`: [coverage]. Pre: `seconds`
  /// and `coverage` have equal length, at least 1.
  Curve(std::vector<double> seconds, std::vector<Coverage> coverage, const CurveTail& tail,
        const std::array<double, 4>& relative_error);

  [[nodiscard]] Prediction predict(std::uint32_t tokens) const;
  /// Only the time, and only the coverage.
  [[nodiscard]] double seconds(std::uint32_t tokens) const;
  [[nodiscard]] Coverage coverage(std::uint32_t tokens) const;
  /// Predicts all `tokens`; the three spans have equal length.
  void predict(std::span<const std::uint32_t> tokens, std::span<double> seconds, std::span<Coverage> coverage) const;
  /// Expected relative error of predictions with this coverage.
  [[nodiscard]] double relative_error(Coverage coverage) const;

 private:
  std::vector<double> seconds_;
  std::vector<Coverage> coverage_;
  CurveTail tail_;
  std::array<double, 4> relative_error_;
};

}  // namespace dfsweep
