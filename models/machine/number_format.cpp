#include "models/machine/number_format.hpp"

#include "models/enum_array.hpp"

namespace dfsweep {

namespace {

using enum NumberFormat;

/// In the order of NumberFormat.
constexpr double number_bytes[] = {2, 2, 1, 1, 0.5, 0.5};
constexpr double scale_bytes = 1.0 / 16;  ///< one byte of scale for 16 numbers of 4 bits
constexpr MatrixFormat matrix_formats[] = {MatrixFormat::bits16, MatrixFormat::bits16, MatrixFormat::bits8,
                                           MatrixFormat::bits8,  MatrixFormat::bits4,  MatrixFormat::bits4};
/// Formats to try for each format, after itself; `count` ends a row.
constexpr NumberFormat wider[][3] = {{bf16, count, count}, {count, count, count}, {bf16, fp16, count},
                                     {bf16, fp16, count},  {fp8, bf16, fp16},     {int8, bf16, fp16}};

}  // namespace

double bytes_of_precision(NumberFormat format) {
  return number_bytes[index_of(format)];
}

double weight_bytes(NumberFormat format) {
  const double bytes = bytes_of_precision(format);
  return bytes < 1 ? bytes + scale_bytes : bytes;
}

MatrixFormat products_format(NumberFormat format) {
  return matrix_formats[index_of(format)];
}

NumberFormat usual_cache_format(NumberFormat products) {
  return products_format(products) == MatrixFormat::bits16 ? NumberFormat::bf16 : NumberFormat::fp8;
}

std::optional<NumberFormat> computed_format(NumberFormat asked, NumberFormats available) {
  if (available.has(asked)) return asked;
  for (const NumberFormat next : wider[index_of(asked)])
    if (next != count && available.has(next)) return next;
  return std::nullopt;
}

}  // namespace dfsweep
