/// Reduced rows: the rows of reported points whose searched space was evaluated in several slices.
#pragma once

#include <vector>

#include "engine/store/journals.hpp"

namespace dfsweep::store {

/// Reduces the slices of one reported point in order, writes its rows, and returns their checksum in each column.
/// Pre: every slice of the group is complete.
[[nodiscard]] std::vector<Checksum> write_reduced_rows(FileSystem& files, const RunRecord& record,
                                                       const JournalState& journals, std::uint32_t group, File& file);

}  // namespace dfsweep::store
