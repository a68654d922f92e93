/// Checksums of complete blocks from the journals, a bounded number of them at a time.
#pragma once

#include <cstddef>
#include <functional>

#include "engine/store/checksum_table.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/run_directory.hpp"
#include "io/file_system.hpp"

namespace dfsweep::store {

/// Bytes of checksums of a batch: as many again are in memory while it is brought into order.
inline constexpr std::size_t batch_bytes = std::size_t{8} << 20;

/// All stored blocks of a run.
[[nodiscard]] BlockRange all_blocks(const RunRecord& record);

/// Reads all journals once and calls `use` with the complete blocks of the range in batches of at most `most_bytes` of
/// checksums: each block once, those of a batch in order, the batches in any order. One call at a time. Throws IoError,
/// also if a record that `journals` lists is not there any more. Pre: `journals` has no candidates.
void visit_checksums(FileSystem& files, const RunDirectory& directory, const RunRecord& record,
                     const JournalState& journals, BlockRange range,
                     const std::function<void(const ChecksumTable&)>& use, std::size_t most_bytes = batch_bytes);

/// The same, all of the range at once, in order.
[[nodiscard]] ChecksumTable journal_checksums(FileSystem& files, const RunDirectory& directory, const RunRecord& record,
                                              const JournalState& journals, BlockRange range);

}  // namespace dfsweep::store
