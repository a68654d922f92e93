/// Product: a matrix product by its sizes, and its roofline on a device, Get_Time(m, k, n).
#pragma once

#include <algorithm>

#include "models/units.hpp"

namespace dfsweep {

/// `count` independent products of m x k and k x n numbers on one device. A count of 0 means no work.
struct Product {
  double count = 0.0;
  double m = 0.0;
  double k = 0.0;
  double n = 0.0;
};

[[nodiscard]] constexpr Flop flop_of(const Product& p) {
  return Flop{2.0 * p.count * p.m * p.k * p.n};
}

/// Numbers that the product reads and writes: count (m k + k n + m n).
[[nodiscard]] constexpr double words_of(const Product& p) {
  return p.count * (p.m * p.k + p.k * p.n + p.m * p.n);
}

/// `count` times the roofline Get_Time(m, k, n) in its two parts:
///
///     t = count max(2 m k n / R, (m k + k n + m n) w / B)
///
/// R: achieved FLOP/s, B: memory bandwidth, w: bytes per number. Source: [roofline].
struct ProductTimes {
  Seconds compute;
  Seconds memory;
  [[nodiscard]] constexpr Seconds total() const { return std::max(compute, memory); }
};

[[nodiscard]] constexpr ProductTimes product_times(const Product& product, Throughput rate, Bandwidth bandwidth,
                                                   Bytes word) {
  return {flop_of(product) / rate, words_of(product) * word / bandwidth};
}

}  // namespace dfsweep
