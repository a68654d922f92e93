/// The closed form P: time of one matrix product of an inference engine on one device.
///
/// Every operand has its own bytes, and quantising the activations inside the kernel is part of the time. Fitted to
/// measured tables: docs/measured-operators.md.
#pragma once

#include "models/measured_tables/operator_work.hpp"
#include "models/units.hpp"

namespace dfsweep::operators {

/// A product of m x k by k x n numbers.
struct ProductShape {
  double m = 1.0;                 ///< rows: tokens
  double n = 1.0;                 ///< columns
  double k = 1.0;                 ///< depth
  double activation_bytes = 2.0;  ///< of one number of the m x k operand
  double weight_bytes = 2.0;      ///< of one number of the k x n operand
};

struct ProductNumbers {
  double share = 0.73;         ///< of the peak rate that large products reach
  double half_rows = 28.0;     ///< rows at which half of it is reached
  double memory_share = 0.88;  ///< of the memory bandwidth
  double launch = 2.35e-6;     ///< s
  double walk = 0.65e-9;       ///< s for a step along the depth, by the longest block
  double split = 2.95e-6;      ///< s: beyond it libraries cut the depth in pieces, 32 at most, and add them
  double exposed = 0.5;        ///< of the longest block: 0 where others overlap with it, 2 where all wait for it
  double written = 1.0;        ///< time to write a byte of the result over that to read one
  double cast = 0.0;           ///< times that the bytes of the activations are moved to quantise them
  double cast_row = 0.0;       ///< numbers that a row takes to quantise besides its own
};

/// launch + sqrt(longest^2 + exposed longest work + work^2) + cast 2 m (k + cast_row) / bandwidth with
///
///     work    = sqrt(compute^2 + traffic^2)
///     longest = min(walk k, split + walk k / 32)
///     compute = 2 m n k / (peak share) (1 + half_rows / m)
///     traffic = (a m k + w k n + 2 written m n) / (bandwidth memory_share)
///
/// a, w: bytes of the operands; results have 16 bits. Continuous, never faster with more work, never slower with a
/// higher peak or bandwidth. Pre: all sizes and rates > 0.
/// Source: docs/measured-operators.md, closed forms.
[[nodiscard]] Seconds product_time(const ProductShape& shape, const DeviceRates& rates, const ProductNumbers& numbers);

/// FLOP and bytes of the product, each operand moved once.
[[nodiscard]] OperatorWork product_work(const ProductShape& shape);

}  // namespace dfsweep::operators
