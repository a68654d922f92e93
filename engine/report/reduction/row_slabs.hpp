/// Slabs: the pieces of a result that threads reduce on their own; their limits depend on the rows alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep::report {

inline constexpr std::uint64_t slab_rows = 262144;
inline constexpr std::uint64_t chunk_rows = 16384;  ///< rows of all columns that lie in a cache at once

/// The complete rows, ascending, in pieces of at most `most` rows.
[[nodiscard]] std::vector<RowRange> row_slabs(const DatasetReader& file, std::uint64_t most = slab_rows);

/// Threads that a reduction uses: more would need more memory than they save time.
[[nodiscard]] unsigned reducing_threads(unsigned threads);

/// Values of rows [first, first + values.size()); NaN if a row has no value.
void read_values(const DatasetReader& file, const DatasetColumn& column, std::uint64_t first, std::span<double> values);

}  // namespace dfsweep::report
