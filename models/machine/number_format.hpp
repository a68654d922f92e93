/// Number formats by the place of their choice: bytes of a number, and the format of products.
#pragma once

#include "models/kernels/execution.hpp"

namespace dfsweep::serving {

/// Of a number that stands alone: 2, 2, 1, 1, 0.5, 0.5.
[[nodiscard]] double bytes_of_precision(double choice);
/// Of a weight: blocks of 16 numbers of 4 bits share a scale of one byte, 0.5625.
[[nodiscard]] double weight_bytes(double choice);
[[nodiscard]] training::MatrixFormat products_format(double choice);

}  // namespace dfsweep::serving
