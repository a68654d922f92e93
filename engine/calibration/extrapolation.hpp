/// How far a fit carries: rows of many devices predicted by a fit to rows of few.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/calibration/correctable_model.hpp"
#include "engine/calibration/groups.hpp"

namespace dfsweep {

struct Extrapolation {
  double few_devices = 0.0;               ///< rows of at most so many devices were fitted
  std::size_t fitted = 0;                 ///< observations of few devices
  std::string level;                      ///< what was fitted, chosen by rows of few devices alone
  std::vector<std::size_t> observations;  ///< of more devices, ascending
  std::vector<double> log_errors;         ///< of these: ln(predicted / measured)
  /// Share of these within the interval that holds nine of ten left-out rows of few devices.
  double coverage = 0.0;
};

/// Nothing of this sees a row of many devices before it is predicted: neither the fit, nor the choice of how much to
/// fit, nor the interval. Nothing where there are too few rows of few or of many devices. `kept`: observations that may
/// be used.
[[nodiscard]] std::optional<Extrapolation> extrapolate(const CorrectableModel& model, const MeasuredSweep& sweep,
                                                       std::span<const std::size_t> kept,
                                                       std::span<const Correction> corrections,
                                                       const std::optional<Groups>& sources, unsigned threads);

}  // namespace dfsweep
