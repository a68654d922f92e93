/// Partial publication: a copy of an unfinished result in which the rows that are missing say so.
#pragma once

#include <cstdint>

#include "engine/store/journals.hpp"

namespace dfsweep {

/// Writes result.incomplete.h5: complete blocks as they are, all other rows with status `missing` and no values. Blocks
/// that do not verify count as missing. Returns the bytes verified. The run itself is not touched. Throws IoError.
std::uint64_t write_incomplete(FileSystem& files, const RunDirectory& directory, const RunRecord& record,
                               const JournalState& journals);

}  // namespace dfsweep
