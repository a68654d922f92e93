/// The pass over all rows of a result.
#pragma once

#include "engine/report/reduction/reduction.hpp"
#include "engine/report/reduction/row_slabs.hpp"

namespace dfsweep::report {

/// The same for any number of threads. Rows that were never evaluated do not count. `slab`: rows that a thread reduces
/// at once; the result depends on it only where fronts have more members than a page could carry.
[[nodiscard]] Reduction reduce(const Subject& subject, const Views& views, unsigned threads,
                               std::uint64_t slab = slab_rows);

}  // namespace dfsweep::report
