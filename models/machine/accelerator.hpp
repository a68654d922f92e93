/// Accelerator: peak rates and memories of one device as its data sheet gives them.
/// Source: docs/models/training.md.
#pragma once

#include <optional>

#include "models/machine/number_format.hpp"
#include "models/machine/platform.hpp"
#include "models/units.hpp"

namespace dfsweep {

struct Accelerator {
  Throughput peak_16bit;  ///< dense products of 16-bit numbers
  Throughput peak_8bit;   ///< 0: not faster than the 16-bit rate
  Throughput peak_4bit;   ///< 0: not faster than the 8-bit rate
  Bandwidth memory_bandwidth;
  Bytes memory_capacity;                            ///< memory that a program can allocate
  Bandwidth host_bandwidth;                         ///< bandwidth to host memory, in one direction; 0: no offloading
  Bytes host_capacity;                              ///< host memory per device; 0: none
  NumberFormats formats = NumberFormats::all();     ///< that its matrix units multiply
  std::optional<Platform> platform = std::nullopt;  ///< nothing: unknown
};

/// Peak rate of products in a format.
[[nodiscard]] constexpr Throughput peak(const Accelerator& a, MatrixFormat format) {
  const Throughput eight = a.peak_8bit > Throughput{} ? a.peak_8bit : a.peak_16bit;
  if (format == MatrixFormat::bits16) return a.peak_16bit;
  if (format == MatrixFormat::bits8) return eight;
  return a.peak_4bit > Throughput{} ? a.peak_4bit : eight;
}

/// Rate of a format over the 16-bit rate where a chip states only the latter.
[[nodiscard]] constexpr double usual_speed(MatrixFormat format) {
  if (format == MatrixFormat::bits16) return 1.0;
  return format == MatrixFormat::bits8 ? 2.0 : 4.0;
}

/// Rate of a chip in a format: stated, or the usual multiple of the 16-bit rate where it states that alone.
[[nodiscard]] constexpr Throughput usual_peak(const Accelerator& a, MatrixFormat format) {
  const bool states = format == MatrixFormat::bits16 || a.peak_8bit > Throughput{} || a.peak_4bit > Throughput{};
  return states ? peak(a, format) : usual_speed(format) * a.peak_16bit;
}

/// The chip with this peak rate in a format, which it can then compute in. Its other rates are scaled by the same
/// factor, so that the rate that it has anyway changes nothing.
[[nodiscard]] Accelerator with_peak(Accelerator a, NumberFormat format, Throughput peak);

}  // namespace dfsweep
