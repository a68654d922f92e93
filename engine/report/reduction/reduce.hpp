/// The pass over all rows of a result.
#pragma once

#include "engine/report/reduction/reduction.hpp"

namespace dfsweep::report {

/// The same for any number of threads. Rows that were never evaluated do not count.
[[nodiscard]] Reduction reduce(const Subject& subject, const Views& views, unsigned threads);

}  // namespace dfsweep::report
