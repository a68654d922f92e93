/// Small dense linear algebra: symmetric positive definite systems and ordinary least squares from sums.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace dfsweep {

/// Solves A x = b by Cholesky in place: `a` is row-major, its lower triangle is replaced by the factor; `b` is replaced
/// by x. False where A is not positive definite (a pivot below 1e-12 of its diagonal element).
[[nodiscard]] bool solve_positive(std::span<double> a, std::span<double> b);

/// As above for a size known at compile time, with `a` as a packed lower triangle by rows. Eigen's fixed-size
/// factorization takes 1.2 to 1.6 times as long, and most solutions differ in their last bits
/// (tests/bench/solve_bench.cpp).
template <std::size_t K>
[[nodiscard]] inline bool solve_packed(std::array<double, K*(K + 1) / 2>& a, std::array<double, K>& b) {
  std::array<double, K> inverse_pivot{};
  bool positive = true;
  for (std::size_t i = 0; i < K; ++i) {
    double* const row = a.data() + i * (i + 1) / 2;
    const double diagonal = row[i];
    for (std::size_t j = 0; j < i; ++j) {
      const double* const other = a.data() + j * (j + 1) / 2;
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k] * inverse_pivot[k];
      row[j] = sum;  // L_ij times the pivot of column j (LDL', no square roots)
    }
    double pivot = diagonal;
    for (std::size_t k = 0; k < i; ++k) pivot -= row[k] * row[k] * inverse_pivot[k];
    positive = positive && pivot > 1e-12 * diagonal;
    inverse_pivot[i] = 1.0 / pivot;
    for (std::size_t k = 0; k < i; ++k) b[i] -= row[k] * inverse_pivot[k] * b[k];
  }
  for (std::size_t i = K; i-- > 0;) {
    b[i] *= inverse_pivot[i];
    for (std::size_t k = 0; k < i; ++k) b[k] -= a[i * (i + 1) / 2 + k] * b[i];
  }
  return positive;
}

/// Inverse of a symmetric positive definite matrix, row-major; empty where it is not.
[[nodiscard]] std::vector<double> inverse_positive(std::span<const double> a, std::size_t size);

}  // namespace dfsweep
