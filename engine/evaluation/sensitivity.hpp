/// Sensitivity: how metrics of one point change with its numbers and choices, by repeated evaluation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/evaluation/varied_point.hpp"

namespace dfsweep {

/// A number of the point: a real parameter, or a field of an entry ("memory.bandwidth").
struct Elasticity {
  std::string name;
  double value = 0.0;
  std::string unit;
  /// [requested metric] d ln(metric) / d ln(value), by a step of 1 % to each side: -1 means that 1 % more of the number
  /// gives 1 % less of the metric. Where only one side changes the metric (a limit that is just reached), by the step
  /// upwards alone. NaN if the metric is NaN or 0 at one of the three points.
  std::vector<double> of;
};

/// Another value of one parameter; all other parameters are unchanged.
struct Change {
  ParameterIndex parameter = 0;
  std::string from;
  std::string to;
  std::uint8_t status = 0;
  std::vector<double> ratio;  ///< [requested metric] new / old; NaN if either is NaN, or the old one is 0
};

struct Sensitivity {
  std::vector<Elasticity> elasticities;  ///< numbers that change a metric, by effect on the first metric
  std::vector<Change> changes;           ///< of whole numbers and choices, in the order of the parameters
  /// Parameters whose search ("best") keeps what it found at the point wherever that is feasible. The derivatives are
  /// exact there: to first order, the best execution of a changed machine gains nothing over the one that was best
  /// before.
  std::vector<std::string> kept;
};

struct SensitivityEffort {
  unsigned threads = 1;
  /// Called with the trials that are done and their number, from any thread, one call at a time.
  std::function<void(std::size_t done, std::size_t all)> progress = {};
};

/// Whole numbers are halved and doubled, or try all other values of a small range; choices try all other values. Values
/// that the estimator rejects are left out. The number of evaluations is at most twice that of numbers and changes, or
/// four times where something is kept. `codes`: [code column] of the point. Pre: the point has an estimate or a status.
[[nodiscard]] Sensitivity sensitivity_of(const SweepSpec& spec, std::span<const std::uint32_t> codes,
                                         std::span<const MetricIndex> metrics, const SensitivityEffort& effort = {});

}  // namespace dfsweep
