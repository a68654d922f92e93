/// A range that is meant to contain an unknown value.
#pragma once

namespace dfsweep::hyperparameters {

struct Interval {
  double low = 0.0;
  double high = 0.0;
  [[nodiscard]] bool covers(double value) const { return low <= value && value <= high; }
  [[nodiscard]] double half_width() const { return 0.5 * (high - low); }
  bool operator==(const Interval&) const = default;
};

}  // namespace dfsweep::hyperparameters
