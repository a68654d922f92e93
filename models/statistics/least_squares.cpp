#include "models/statistics/least_squares.hpp"

#include <cmath>

#include "models/expect.hpp"

namespace dfsweep {

namespace {

/// Replaces the lower triangle of `a` by its Cholesky factor; false where a pivot vanishes.
bool factor(std::span<double> a, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    double* const row = a.data() + i * size;
    const double diagonal = row[i];
    for (std::size_t j = 0; j <= i; ++j) {
      const double* const other = a.data() + j * size;
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      if (j < i) {
        row[j] = sum / other[j];
      } else {
        if (!(sum > 1e-12 * diagonal)) return false;
        row[i] = std::sqrt(sum);
      }
    }
  }
  return true;
}

void substitute(std::span<const double> factor, std::span<double> b) {
  const std::size_t size = b.size();
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= factor[i * size + k] * b[k];
    b[i] /= factor[i * size + i];
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) b[i] -= factor[k * size + i] * b[k];
    b[i] /= factor[i * size + i];
  }
}

}  // namespace

bool solve_positive(std::span<double> a, std::span<double> b) {
  DFSWEEP_EXPECT(a.size() == b.size() * b.size());
  if (!factor(a, b.size())) return false;
  substitute(a, b);
  return true;
}

std::vector<double> inverse_positive(std::span<const double> a, std::size_t size) {
  DFSWEEP_EXPECT(a.size() == size * size);
  std::vector<double> triangle(a.begin(), a.end());
  if (!factor(triangle, size)) return {};
  std::vector<double> inverse(size * size);
  std::vector<double> column(size);
  for (std::size_t j = 0; j < size; ++j) {
    column.assign(size, 0.0);
    column[j] = 1.0;
    substitute(triangle, column);
    for (std::size_t i = 0; i < size; ++i) inverse[i * size + j] = column[i];
  }
  return inverse;
}

}  // namespace dfsweep
