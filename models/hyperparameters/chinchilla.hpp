/// The loss law L(N, D) = E + A N^-alpha + B D^-beta, and how well its constants are determined.
#pragma once

#include <span>
#include <vector>

#include "models/hyperparameters/surface.hpp"

namespace dfsweep {

struct LossPoint {
  double parameters = 0.0;    ///< N
  double train_tokens = 0.0;  ///< D
  double loss = 0.0;
};

struct LossLaw {
  double irreducible = 0.0;  ///< E
  double ln_a = 0.0;         ///< ln A
  double ln_b = 0.0;         ///< ln B
  double alpha = 0.0;
  double beta = 0.0;
  [[nodiscard]] double at(double parameters, double train_tokens) const;
};

struct LossLawFit {
  FitDefect defect = FitDefect::none;
  LossLaw law;
  double objective = 0.0;     ///< sum of Huber(delta 1e-3) of ln L residuals
  double max_residual = 0.0;  ///< greatest |predicted / observed - 1|
  double rms_residual = 0.0;
  /// Range of E that raises the objective by less than the identifiability factor, by profiling E.
  double irreducible_low = 0.0;
  double irreducible_high = 0.0;
  bool identifiable = false;  ///< that range is narrower than a fifth of the least loss
};

[[nodiscard]] LossLawFit fit_loss_law(std::span<const LossPoint> points);

}  // namespace dfsweep
