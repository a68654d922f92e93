/// Prediction: a time read from measured tables, with what it rests on and how far off it may be.
#pragma once

#include <cstdint>

#include "models/units.hpp"

namespace dfsweep::inference {

/// What a prediction rests on, best first; of several predictions the largest counts.
enum class Coverage : std::uint8_t {
  measured,      ///< the key itself was measured
  interpolated,  ///< the key lies within the measured range
  extrapolated,  ///< the key lies beyond it: the physical trend of the table continued (forests: the border, flat)
  analytical,    ///< no table: a model without measurements
};

struct Prediction {
  Seconds time;
  Coverage coverage = Coverage::measured;
  double relative_error = 0.0;  ///< expected |predicted - true| / true: repeats where measured, else cross-validation
};

/// How a table becomes a function of its keys.
enum class PredictionMethod : std::uint8_t {
  fitted,  ///< exact where measured, interpolated between, the physical trend beyond
  forest,  ///< a random forest as [vidur] trains it: steps, not exact where measured, flat beyond
};

}  // namespace dfsweep::inference
