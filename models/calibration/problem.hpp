/// CalibrationProblem: measured rows, the predictions of a model for them, and the unknowns of a fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace dfsweep::calibration {

/// A fitted number. It displaces one quantity in some of the rows; the displacement of a quantity in a row is the sum
/// of its unknowns. The prior of an unknown is normal around 0.
struct Unknown {
  std::size_t quantity = 0;
  double spread = 0.1;        ///< standard deviation of the prior
  std::vector<bool> applies;  ///< [row] whether the unknown acts on the row
};

/// ln(predicted) of every row, for displacements [row * quantities + quantity]. A row depends on its own displacements
/// only. Must be thread-safe.
using LogPredictions = std::function<void(std::span<const double> displacements, std::span<double> log_predictions)>;

struct CalibrationProblem {
  std::size_t quantities = 0;
  std::vector<Unknown> unknowns;
  std::vector<double> observed;       ///< [row] ln(measured)
  std::vector<std::uint32_t> groups;  ///< [row] group of rows from one source, which share a factor
  std::size_t group_count = 0;
  double group_spread = 0.0;  ///< standard deviation of the logarithm of these factors; 0: no factors
  double loss_scale = 0.08;   ///< errors beyond it count linearly instead of quadratically
  LogPredictions predict;
};

}  // namespace dfsweep::calibration
