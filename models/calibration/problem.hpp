/// CalibrationProblem: measured rows, what a model predicts for them, and the unknowns that a fit may move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace dfsweep::calibration {

/// A number that is fitted. It displaces one quantity in some of the rows: the displacement of a quantity in a row is
/// the sum of its unknowns. An unknown is normal around 0 before anything is measured.
struct Unknown {
  std::size_t quantity = 0;
  double spread = 0.1;        ///< standard deviation before anything is measured
  std::vector<bool> applies;  ///< [row]
};

/// ln(predicted) of every row, for displacements [row * quantities + quantity]. A row depends on its own displacements
/// alone. Must be safe to call from several threads at once.
using LogPredictions = std::function<void(std::span<const double> displacements, std::span<double> log_predictions)>;

struct CalibrationProblem {
  std::size_t quantities = 0;
  std::vector<Unknown> unknowns;
  std::vector<double> observed;       ///< [row] ln(measured)
  std::vector<std::uint32_t> groups;  ///< [row] rows of one source, which share a factor that is theirs alone
  std::size_t group_count = 0;
  double group_spread = 0.0;  ///< of the logarithm of those factors; 0: none
  double loss_scale = 0.08;   ///< errors beyond this count linearly, not by their square
  LogPredictions predict;
};

}  // namespace dfsweep::calibration
