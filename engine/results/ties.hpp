/// Ties: first rows of a ranking whose values differ by less than the expected error of the best one.
#pragma once

#include <cstddef>
#include <span>

#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

/// The column with the expected relative error of a metric's values: the memory's own one for bytes, else that of
/// times. Null where the result has none.
[[nodiscard]] const DatasetColumn* expected_error_of(const DatasetReader& file, const DatasetColumn& metric);

/// How many of the first values v lie within the error e of the first value v0: |ln(v / v0)| <= ln(1 + e). Equal values
/// are always a tie, also where e is not positive or not known (NaN). Pre: best value first.
[[nodiscard]] std::size_t tied_values(std::span<const double> values, double error);

}  // namespace dfsweep
