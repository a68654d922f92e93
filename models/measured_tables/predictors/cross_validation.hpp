/// Cross-validation: how far fitted predictions and forests are off where nothing was measured.
///
/// The keys of a table are dealt into ten folds. The keys of a fold are predicted from all others by both methods, as
/// curves and surfaces do it, and every measured row of the fold is compared: |predicted - measured| / measured, or,
/// where 0 was measured, 0 for a prediction of 0 and 1 for any other. The error of a table is the mean over its rows,
/// that of an operator the mean over its tables.
///
/// Folds: the distinct keys in ascending order (of the first number, then of the second) are shuffled by sorting them
/// by (random_bits(7, k), k), k being the place of a key; the key at place r of the shuffled order is in fold r mod 10.
/// The forest has the settings of ForestSettings, so a table has the same folds and forests in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/measured_tables/predictors/curve.hpp"
#include "models/measured_tables/predictors/surface.hpp"

namespace dfsweep::inference {

inline constexpr std::size_t validation_folds = 10;

/// Sums over the rows of some folds of one table.
struct ValidationErrors {
  double fitted = 0.0;  ///< sum of relative errors
  double forest = 0.0;
  double rows = 0.0;
  ValidationErrors& operator+=(const ValidationErrors& other);
  bool operator==(const ValidationErrors&) const = default;
};

/// Means over rows; NaN without rows.
[[nodiscard]] double fitted_error(const ValidationErrors& errors);
[[nodiscard]] double forest_error(const ValidationErrors& errors);

/// [key] the fold of each of `keys` keys.
[[nodiscard]] std::vector<std::size_t> deal_folds(std::size_t keys);

/// Errors over the rows of one fold; no rows where the fold is empty or nothing would be left to predict it from.
/// Folds are independent pieces of work. Pre: fold < validation_folds; points as for make_curve and so on.
[[nodiscard]] ValidationErrors validate_fold(std::span<const CurvePoint> points, std::size_t fold);
[[nodiscard]] ValidationErrors validate_fold(std::span<const DecodePoint> points, std::size_t fold);
[[nodiscard]] ValidationErrors validate_fold(std::span<const PrefillPoint> points, std::size_t fold);

/// All folds one after the other.
[[nodiscard]] ValidationErrors cross_validate(std::span<const CurvePoint> points);
[[nodiscard]] ValidationErrors cross_validate(std::span<const DecodePoint> points);
[[nodiscard]] ValidationErrors cross_validate(std::span<const PrefillPoint> points);

}  // namespace dfsweep::inference
