/// Extrapolation test: predicts rows of many devices by a fit to rows of few devices.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/calibration/correctable_model.hpp"
#include "engine/calibration/groups.hpp"

namespace dfsweep {

struct Extrapolation {
  double few_devices = 0.0;               ///< largest number of devices of the fitted rows
  std::size_t fitted = 0;                 ///< number of fitted observations
  std::string level;                      ///< name of the level, chosen from the fitted rows only
  std::vector<std::size_t> observations;  ///< observations of more devices, ascending
  std::vector<double> log_errors;         ///< [observations] ln(predicted / measured)
  /// Share of them inside the 90 % interval of left-out rows of few devices.
  double coverage = 0.0;
};

/// Fit, choice of the level and interval use rows of few devices only. Nothing if there are too few rows on either
/// side. `kept`: observations that may be used.
[[nodiscard]] std::optional<Extrapolation> extrapolate(const CorrectableModel& model, const MeasuredSweep& sweep,
                                                       std::span<const std::size_t> kept,
                                                       std::span<const Correction> corrections,
                                                       const std::optional<Groups>& sources, unsigned threads);

}  // namespace dfsweep
