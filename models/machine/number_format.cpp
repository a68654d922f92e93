#include "models/machine/number_format.hpp"

#include <cstddef>

namespace dfsweep {

namespace {

/// Bytes in the order of the published choices: fp16, bf16, fp8, int8, fp4, int4.
constexpr double number_bytes[] = {2, 2, 1, 1, 0.5, 0.5};
constexpr double scale_bytes = 1.0 / 16;  ///< one byte of scale for 16 numbers of 4 bits
constexpr MatrixFormat formats[] = {MatrixFormat::bits16, MatrixFormat::bits16, MatrixFormat::bits8,
                                    MatrixFormat::bits8,  MatrixFormat::bits4,  MatrixFormat::bits4};

}  // namespace

double bytes_of_precision(double choice) {
  return number_bytes[static_cast<std::size_t>(choice)];
}

double weight_bytes(double choice) {
  const double bytes = bytes_of_precision(choice);
  return bytes < 1 ? bytes + scale_bytes : bytes;
}

MatrixFormat products_format(double choice) {
  return formats[static_cast<std::size_t>(choice)];
}

}  // namespace dfsweep
