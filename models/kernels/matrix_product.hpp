/// Time of a matrix product by size, and what converting its operands to narrow formats adds.
/// Source: docs/models/training.md.
#pragma once

#include "models/kernels/software.hpp"
#include "models/machine/accelerator.hpp"

namespace dfsweep {

/// `count` products of m x k and k x n numbers; grouped products share a launch.
struct MatrixProduct {
  double rows = 0.0;     ///< m, tokens
  double columns = 0.0;  ///< n
  double depth = 0.0;    ///< k
  double count = 1.0;
  bool grouped = false;   ///< products of routed experts
  const char* name = "";  ///< in explanations
};

[[nodiscard]] constexpr Flop flop(const MatrixProduct& p) {
  return Flop{2 * p.count * p.rows * p.columns * p.depth};
}

/// Time (Tc^4 + Tb^4)^(1/4) + launch, with
/// Tc = 2mnk / (P e) (1 + m0/m)(1 + n0/n)(1 + k0/k) c, c = `misaligned` for each of n, k that is not a multiple of 64,
/// Tb = 2 bytes (mk + nk + mn) / (B eb). The factor (1 + m0/m) models partly filled tiles and the fixed cost of a wave;
/// it tends to 1 for large products. Zero for empty products.
[[nodiscard]] Seconds product_time(const MatrixProduct& product, MatrixFormat format, const Accelerator& accelerator,
                                   const MatrixEfficiency& efficiency);

/// Time cast_bytes (m k) / B of one pass over the activations that converts them to 8 or 4 bits. Zero at 16 bits.
[[nodiscard]] Seconds cast_time(const MatrixProduct& product, MatrixFormat format, const Accelerator& accelerator,
                                const MatrixEfficiency& efficiency);

}  // namespace dfsweep
