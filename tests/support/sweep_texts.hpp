/// Sweeps of the toy estimator from text, for tests.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "engine/sweep/read_sweep.hpp"
#include "engine/sweep/resolved_text.hpp"
#include "engine/sweep/sweep.hpp"
#include "tests/support/toy_estimator.hpp"

namespace dfsweep {

inline const ToyEstimator& toy() {
  static const ToyEstimator estimator;
  return estimator;
}

inline SweepReading toy_reading() {
  static const std::array<const Estimator*, 1> known{&toy()};
  SweepReading reading;
  reading.estimators = known;
  return reading;
}

/// A sweep file with these sections after its heading.
inline std::string toy_text(std::string_view sections) {
  return "[sweep]\nname = \"toy\"\nestimator = \"toy\"\n" + std::string(sections);
}

inline SweepSpec toy_sweep(std::string_view sections, const std::filesystem::path& base = {}) {
  return read_sweep_text(toy_text(sections), "sweep.toml", base, toy_reading());
}

/// Values of a parameter, as labels joined by blanks.
inline std::string labels(const SweepSpec& spec, ParameterIndex parameter) {
  std::string text;
  for (const ParameterValue& value : spec.values.parameters[parameter].values)
    text += (text.empty() ? "" : " ") + label(spec.estimator->parameters()[parameter], value);
  return text;
}

}  // namespace dfsweep
