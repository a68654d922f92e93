/// Number formats: bytes of a number, the format of matrix products, and what a chip runs a format in that it lacks.
/// Source: docs/models/serving.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "models/name_set.hpp"

namespace dfsweep {

/// Formats of the operands of a layer's matrix products. The output layer and attention scores stay at 16 bits.
enum class MatrixFormat : std::uint8_t { bits16, bits8, bits4 };

/// Bytes of an operand in the format.
[[nodiscard]] constexpr double operand_bytes(MatrixFormat format) {
  return format == MatrixFormat::bits16 ? 2.0 : format == MatrixFormat::bits8 ? 1.0 : 0.5;
}

/// Formats of numbers; `serving` publishes its choices in this order.
enum class NumberFormat : std::uint8_t { fp16, bf16, fp8, int8, fp4, int4, count };
inline constexpr std::array<std::string_view, 6> number_format_names{"fp16", "bf16", "fp8", "int8", "fp4", "int4"};
using NumberFormats = NameSet<NumberFormat>;

/// Bytes of a number without its scale: 2, 2, 1, 1, 0.5, 0.5.
[[nodiscard]] double bytes_of_precision(NumberFormat format);
/// Bytes of a weight including its scale: blocks of 16 numbers of 4 bits share one byte, so 0.5625 each.
[[nodiscard]] double weight_bytes(NumberFormat format);
[[nodiscard]] MatrixFormat products_format(NumberFormat format);
/// The format of a cache of keys and values that is not given: of 8 bits beside products of 8 or 4, else bf16.
[[nodiscard]] NumberFormat usual_cache_format(NumberFormat products);

/// The format in which a chip that has units for `available` multiplies numbers of format `asked`: `asked` itself, or
/// the next one that holds its values: fp4 -> fp8 -> bf16 -> fp16, int4 -> int8 -> bf16 -> fp16, and fp16 -> bf16, as
/// XLA does on TPUs. Nothing where a chip has no such format: bf16 has the range of 32-bit numbers, which fp16 lacks.
[[nodiscard]] std::optional<NumberFormat> computed_format(NumberFormat asked, NumberFormats available);

}  // namespace dfsweep
