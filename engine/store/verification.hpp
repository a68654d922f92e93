/// Verification: the bytes of blocks re-read and compared with the checksums that were taken before they were written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/store/run_directory.hpp"
#include "io/file_system.hpp"

namespace dfsweep {

/// Checksums of stored blocks: [stored block][column that blocks fill], row-major.
struct ChecksumTable {
  std::size_t columns = 0;
  std::vector<Checksum> checksums;
  [[nodiscard]] std::span<const Checksum> of(std::uint32_t block) const {
    return std::span(checksums).subspan(block * columns, columns);
  }
};

struct DamagedBlock {
  std::uint32_t block = 0;           ///< stored block
  std::vector<std::string> columns;  ///< those that do not verify
};

struct BlockVerification {
  std::vector<DamagedBlock> damaged;  ///< ascending
  std::uint64_t bytes = 0;            ///< read
};

/// Re-reads these stored blocks of a file with `threads` threads. A block that cannot be read counts as damaged.
[[nodiscard]] BlockVerification verify_blocks(const File& file, const RunRecord& record, const ChecksumTable& table,
                                              const std::vector<std::uint32_t>& blocks, unsigned threads);

/// The table and seal of a published file as bytes of /provenance/block, /provenance/checksums and /provenance/seal.
struct SealBytes {
  std::vector<std::uint64_t> first_rows;
  std::vector<std::uint64_t> halves;
  std::vector<std::uint64_t> seal;
};
[[nodiscard]] SealBytes make_seal(const RunRecord& record, const ChecksumTable& table);
[[nodiscard]] SealBytes read_seal(const File& file, const RunRecord& record);
void write_seal(File& file, const RunRecord& record, const SealBytes& seal);
[[nodiscard]] bool is_intact(const SealBytes& seal, const Checksum& frame);
[[nodiscard]] ChecksumTable table_of(const SealBytes& seal, std::size_t columns);

enum class Subject : std::uint8_t { run, published_run, file };

struct VerifyReport {
  Subject subject = Subject::run;
  std::filesystem::path file;
  std::uint32_t blocks = 0;          ///< of the whole sweep
  std::uint32_t missing_blocks = 0;  ///< not complete yet: nothing to verify
  std::uint64_t bytes = 0;
  std::vector<DamagedBlock> damaged;
  bool is_frame_damaged = false;  ///< something outside the columns, or the checksum table
  std::vector<std::string> notes;
  [[nodiscard]] bool is_sound() const { return damaged.empty() && !is_frame_damaged; }
};

/// Verifies what is complete in a run directory, and records damage there so that the next run repairs it.
[[nodiscard]] VerifyReport verify_run(FileSystem& files, const std::filesystem::path& directory, unsigned threads);

/// Verifies a published file by its own table. Throws BadDataset where it cannot be opened.
[[nodiscard]] VerifyReport verify_file(FileSystem& files, const std::filesystem::path& file);

}  // namespace dfsweep
