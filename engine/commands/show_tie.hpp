/// Ties: best rows that lie closer together than the error to expect of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

/// "a tie: the first 3 rows lie within 4.2 %, the expected error"; empty where the best row stands alone, or the result
/// does not tell expected errors. `rows`: best by this metric first.
[[nodiscard]] std::string tie_note(const DatasetReader& file, const DatasetColumn& metric,
                                   std::span<const std::uint64_t> rows);

}  // namespace dfsweep
