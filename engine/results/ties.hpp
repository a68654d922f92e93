/// Ties: first rows of a ranking whose values differ by less than the expected error of the best one, and rows whose
/// values are nearly equal.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

/// The column with the expected relative error of a metric's values: the memory's own one for bytes, else that of
/// times. Null where the result has none.
[[nodiscard]] const DatasetColumn* expected_error_of(const DatasetReader& file, const DatasetColumn& metric);

/// How many of the first values v lie within the error e of the first value v0: |ln(v / v0)| <= ln(1 + e). Equal values
/// are always a tie, also where e is not positive or not known (NaN). Pre: best value first.
[[nodiscard]] std::size_t tied_values(std::span<const double> values, double error);

/// Values that differ by less are one value to `show --one-per-tie`: executions that differ in what costs nothing.
inline constexpr double nearly_equal = 1e-4;

/// Places of the values that are not nearly equal to a kept value before them; a value v is where |v - u| <=
/// nearly_equal |u|. Pre: best value first.
[[nodiscard]] std::vector<std::size_t> places_of_unlike(std::span<const double> values);

}  // namespace dfsweep
