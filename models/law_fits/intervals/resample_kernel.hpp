/// Inner loop of bootstraps: draws items, sums their normal equations and solves both targets.
#pragma once

#include <cstdint>
#include <span>

#include "models/statistics/random.hpp"

namespace dfsweep::law_fits {

/// Doubles per item: the normal equations of two targets of `x_size` and `y_size` coefficients, each as the packed
/// lower triangle of sum row row' followed by sum row value, padded to an even number.
[[nodiscard]] std::size_t resample_stride(std::size_t x_size, std::size_t y_size);

/// Fills [replicate from `first`][x_size + y_size] with the solutions for `items` draws out of `items` items.
/// `sums`: [item][resample_stride]. A replicate without a solution is NaN.
/// Pre: 1 <= x_size, y_size <= most_coefficients.
void resample(std::span<const double> sums, std::size_t items, std::size_t x_size, std::size_t y_size,
              const CounterRandom& random, std::uint64_t first, std::span<double> coefficients);

/// Solves one sum of normal equations. `sum`: [resample_stride]; `coefficients`: [x_size + y_size].
void solve_resample(std::span<const double> sum, std::size_t x_size, std::size_t y_size,
                    std::span<double> coefficients);

}  // namespace dfsweep::law_fits
