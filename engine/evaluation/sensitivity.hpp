/// Sensitivity: how metrics of one point answer to its numbers and to its choices, found by evaluating again.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// A number of the point: a real parameter, or a field of an entry ("memory.bandwidth").
struct Elasticity {
  std::string name;
  double value = 0.0;
  std::string unit;
  /// [metric asked for] d ln(metric) / d ln(value), by a step of 1 % to each side: -1 means that 1 % more of the number
  /// gives 1 % less of the metric. NaN where the metric is none, or 0, at one of the three.
  std::vector<double> of;
};

/// Another value of one parameter, all else as it was.
struct Change {
  ParameterIndex parameter = 0;
  std::string from;
  std::string to;
  std::uint8_t status = 0;
  std::vector<double> ratio;  ///< [metric asked for] new over old; NaN where either is none, or the old one is 0
};

struct Sensitivity {
  std::vector<Elasticity> elasticities;  ///< those that change a metric, the strongest on the first metric first
  std::vector<Change> changes;           ///< of whole numbers and choices, in the order of the parameters
};

/// Whole numbers are halved and doubled, or take all other values where there are few; choices take all others. What
/// the estimator refuses is left out. `codes`: [code column] of the point. Pre: the point has an estimate or a status.
[[nodiscard]] Sensitivity sensitivity_of(const SweepSpec& spec, std::span<const std::uint32_t> codes,
                                         std::span<const MetricIndex> metrics);

}  // namespace dfsweep
