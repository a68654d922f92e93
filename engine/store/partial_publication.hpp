/// Partial publication: copies an unfinished result and marks missing rows.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/store/journals.hpp"

namespace dfsweep::store {

struct IncompleteResult {
  std::uint64_t verified_bytes = 0;
  std::vector<std::uint32_t> damaged;  ///< complete blocks that failed verification, ascending
};

/// Writes result.incomplete.h5: complete blocks unchanged, all other rows with status `missing` and no values. Blocks
/// that fail verification count as missing. The run itself is not modified. Pre: the file has the planned frame. Throws
/// IoError.
[[nodiscard]] IncompleteResult write_incomplete(FileSystem& files, const RunDirectory& directory,
                                                const RunRecord& record, const JournalState& journals);

/// Reduces the slices of one reported point in order, writes its rows, and returns their checksum in each column.
/// Pre: every slice of the group is complete.
[[nodiscard]] std::vector<Checksum> write_reduced_rows(FileSystem& files, const RunRecord& record,
                                                       const JournalState& journals, std::uint32_t group, File& file);

}  // namespace dfsweep::store
