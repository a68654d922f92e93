/// Number formats by index of their choice: bytes of a number, and the format of matrix products.
/// Source: docs/models/serving.md.
#pragma once

#include <cstdint>

namespace dfsweep {

/// Formats of the operands of a layer's matrix products. The output layer and attention scores stay at 16 bits.
enum class MatrixFormat : std::uint8_t { bits16, bits8, bits4 };

/// Bytes of an operand in the format.
[[nodiscard]] constexpr double operand_bytes(MatrixFormat format) {
  return format == MatrixFormat::bits16 ? 2.0 : format == MatrixFormat::bits8 ? 1.0 : 0.5;
}

/// Bytes of a number without its scale: 2, 2, 1, 1, 0.5, 0.5.
[[nodiscard]] double bytes_of_precision(double choice);
/// Bytes of a weight including its scale: blocks of 16 numbers of 4 bits share one byte, so 0.5625 each.
[[nodiscard]] double weight_bytes(double choice);
[[nodiscard]] MatrixFormat products_format(double choice);

}  // namespace dfsweep
