/// ErrorCells: how large errors of predictions are, by the distance of the nearest key and the spread of the ratios.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace dfsweep::operators {

/// A prediction of a row that was left out.
struct KnownError {
  float distance = 0.0F;  ///< of the nearest key
  float spread = 0.0F;    ///< of the logarithms of the ratios
  float error = 0.0F;     ///< |predicted / measured - 1|
};

/// Errors that half, and nine tenths, of the predictions stay below.
struct ErrorQuantiles {
  float median = 0.0F;
  float ninth_decile = 0.0F;
};

/// Predictions in four cells by distance, each in four cells by spread, of equal numbers.
class ErrorCells {
 public:
  ErrorCells() = default;
  explicit ErrorCells(std::vector<KnownError> known);
  [[nodiscard]] ErrorQuantiles at(float distance, float spread) const;

 private:
  static constexpr std::size_t steps = 4;
  using Limits = std::array<float, steps - 1>;

  Limits distances_{};
  std::array<Limits, steps> spreads_{};
  std::array<std::array<ErrorQuantiles, steps>, steps> cells_{};  ///< [distance][spread]
};

/// The quantile of the errors at `level`, with the correction of conformal prediction: the smallest error that is not
/// below `level` (n + 1) of n. Pre: errors is not empty.
[[nodiscard]] float conformal_quantile(std::vector<float> errors, double level);

}  // namespace dfsweep::operators
