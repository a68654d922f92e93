/// Cross-validation: errors of fitted predictions and forests at keys without measurements.
///
/// The keys of a table are divided into ten folds. Both methods predict the keys of a fold from all others, and every
/// measured row of the fold is compared: |predicted - measured| / measured; where 0 was measured, the error is 0 for a
/// prediction of 0 and otherwise 1. The error of a table is the mean over its rows, that of an operator the mean over
/// its tables.
///
/// Folds: the distinct keys in ascending order (of the first number, then of the second) are shuffled by sorting them
/// by (random_bits(7, k), k), k: index of a key; the key at position r of the shuffled order is in fold r mod 10.
/// Forests use ForestSettings, so folds and forests of a table are the same in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/measured_tables/predictors/curve.hpp"
#include "models/measured_tables/predictors/surface.hpp"

namespace dfsweep {

inline constexpr std::size_t validation_folds = 10;

/// Sums of errors over the rows of some folds of one table.
struct ValidationErrors {
  double fitted = 0.0;  ///< sum of relative errors
  double forest = 0.0;
  double rows = 0.0;
  ValidationErrors& operator+=(const ValidationErrors& other);
  bool operator==(const ValidationErrors&) const = default;
};

/// Mean errors over rows; NaN without rows.
[[nodiscard]] double fitted_error(const ValidationErrors& errors);
[[nodiscard]] double forest_error(const ValidationErrors& errors);

/// [key] The fold of each of `keys` keys.
[[nodiscard]] std::vector<std::size_t> deal_folds(std::size_t keys);

/// Errors over the rows of one fold; zero rows where the fold or its training set is empty. Folds are independent
/// tasks. Pre: fold < validation_folds; points as for make_curve and so on.
[[nodiscard]] ValidationErrors validate_fold(std::span<const CurvePoint> points, std::size_t fold);
[[nodiscard]] ValidationErrors validate_fold(std::span<const DecodePoint> points, std::size_t fold);
[[nodiscard]] ValidationErrors validate_fold(std::span<const PrefillPoint> points, std::size_t fold);

/// Errors over all folds, computed in sequence.
[[nodiscard]] ValidationErrors cross_validate(std::span<const CurvePoint> points);
[[nodiscard]] ValidationErrors cross_validate(std::span<const DecodePoint> points);
[[nodiscard]] ValidationErrors cross_validate(std::span<const PrefillPoint> points);

}  // namespace dfsweep
