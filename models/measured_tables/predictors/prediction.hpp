/// Prediction: a time from measured tables, with its coverage and expected error.
#pragma once

#include <cstdint>

#include "models/units.hpp"

namespace dfsweep {

/// How a prediction is supported by measurements, best first; for several predictions the largest value applies.
enum class Coverage : std::uint8_t {
  measured,      ///< the key was measured
  interpolated,  ///< the key is within the measured range
  extrapolated,  ///< the key is outside: extrapolated by the physical trend (forests: constant)
  analytical,    ///< no table: a model without measurements
};

struct Prediction {
  Seconds time;
  Coverage coverage = Coverage::measured;
  double relative_error = 0.0;  ///< expected |predicted - true| / true, from repetitions or cross-validation
};

/// Method that turns a table into a function of its keys.
enum class PredictionMethod : std::uint8_t {
  fitted,  ///< exact at measured keys, interpolated between them, extrapolated by a physical trend
  forest,  ///< a random forest as in [vidur]: a step function, constant outside the measured range
};

}  // namespace dfsweep
