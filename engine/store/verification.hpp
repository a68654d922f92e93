/// Verification: reads blocks back and compares them with the checksums that were computed before they were written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/store/checksum_table.hpp"
#include "engine/store/published_file.hpp"
#include "engine/store/run_directory.hpp"
#include "io/column_source.hpp"
#include "io/file_system.hpp"

namespace dfsweep::store {

struct DamagedBlock {
  std::uint32_t block = 0;           ///< stored block
  std::vector<std::string> columns;  ///< columns with a wrong checksum
};

struct BlockVerification {
  std::vector<DamagedBlock> damaged;  ///< ascending
  std::uint64_t bytes = 0;            ///< number of bytes read
};

/// The columns of a file with their paths, and the rows of its stored blocks.
struct BlockedColumns {
  std::span<const ColumnPlace> places;  ///< columns that blocks fill come first
  std::function<StoredBlock(std::uint32_t)> stored;
  std::uint32_t blocks_at_once = 1;  ///< blocks that share chunks are read by one thread
};

/// Reads and verifies the blocks of a table with `threads` threads. A block that cannot be read counts as damaged.
[[nodiscard]] BlockVerification verify_blocks(const ColumnSource& source, const BlockedColumns& columns,
                                              const ChecksumTable& table, unsigned threads);
/// Adds what was found in other blocks.
void add(BlockVerification& sum, BlockVerification found);
[[nodiscard]] BlockedColumns blocked_columns(const RunRecord& record);  ///< refers to `record`

enum class Subject : std::uint8_t { run, published_run, file };

struct VerifyReport {
  Subject subject = Subject::run;
  std::filesystem::path file;
  std::uint32_t blocks = 0;          ///< number of blocks of the whole sweep
  std::uint32_t missing_blocks = 0;  ///< number of blocks that are not complete and were not verified
  std::uint64_t bytes = 0;
  std::vector<DamagedBlock> damaged;
  bool is_frame_damaged = false;  ///< damage outside the columns, or of the checksum table
  std::vector<std::string> notes;
  [[nodiscard]] bool is_sound() const { return damaged.empty() && !is_frame_damaged; }
};

/// Verifies the complete blocks of a run directory, and records damage there, so that the next run repairs it. Throws
/// NotReady if the run was stopped before its file was created.
[[nodiscard]] VerifyReport verify_run(FileSystem& files, const std::filesystem::path& directory, unsigned threads);

/// Verifies a published file by its own seal and table. Throws BadDataset if it has no seal or is too damaged.
[[nodiscard]] VerifyReport verify_file(FileSystem& files, const std::filesystem::path& file, unsigned threads);

}  // namespace dfsweep::store
