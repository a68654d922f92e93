/// LossLaw: the loss of a run over its parameters and its tokens, and the best choice of both for given compute.
#pragma once

#include <cmath>

namespace dfsweep {

/// Loss of a run at its best learning rate and batch:
///     L(N, D) = E + A N^-alpha + B D^-beta.
/// Source: docs/models/hyperparameters.md, the law of the loss, from [hoffmann].
struct LossLaw {
  double irreducible = 0.0;  ///< E >= 0
  double ln_a = 0.0;         ///< ln A
  double ln_b = 0.0;         ///< ln B
  double alpha = 0.0;
  double beta = 0.0;
  [[nodiscard]] double at(double parameters, double train_tokens) const {
    return irreducible + std::exp(ln_a - alpha * std::log(parameters)) + std::exp(ln_b - beta * std::log(train_tokens));
  }
  /// The loss that this many parameters approach with ever more tokens: E + A N^-alpha.
  [[nodiscard]] double floor(double parameters) const {
    return irreducible + std::exp(ln_a - alpha * std::log(parameters));
  }
  bool operator==(const LossLaw&) const = default;
};

/// A model and its tokens, with the loss that they reach.
struct LossPoint {
  double parameters = 0.0;    ///< N
  double train_tokens = 0.0;  ///< D
  double loss = 0.0;
};

/// Of all N and D with 6 N D = C FLOP, those with the least loss:
///     N = (alpha A / (beta B))^(1 / (alpha + beta)) (C / 6)^(beta / (alpha + beta)),  D = C / (6 N),
/// where alpha A N^-alpha = beta B D^-beta. Source: docs/models/hyperparameters.md, the law of the loss. Pre: flops,
/// alpha and beta above 0.
[[nodiscard]] LossPoint compute_optimum(const LossLaw& law, double flops);

}  // namespace dfsweep
