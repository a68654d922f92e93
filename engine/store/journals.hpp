/// Reads all journals of a run directory: the complete blocks and their checksums or candidates.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/store/checksum_table.hpp"
#include "engine/store/run_directory.hpp"
#include "io/journal.hpp"

namespace dfsweep::store {

/// The damage records of a run.
struct DamageRecords {
  std::vector<std::uint32_t> next_generation;  ///< [block] generation of the next valid record
  bool is_file_damaged = false;                ///< the frame, the checksum table or reduced rows
};

/// Reads damage.journal; if it does not exist, nothing is damaged.
[[nodiscard]] DamageRecords read_damage(FileSystem& files, const RunDirectory& directory, const RunRecord& record);

/// Location of the candidates of a slice: journal and offset.
struct CandidatesPlace {
  std::filesystem::path journal;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct JournalState {
  std::vector<bool> complete;               ///< [block]
  std::vector<std::uint32_t> generation;    ///< [block] generation of its valid record
  ChecksumTable checksums;                  ///< of complete blocks; empty with candidates
  std::vector<CandidatesPlace> candidates;  ///< [block]; empty without candidates
  DamageRecords damage;
  std::vector<std::string> notes;  ///< warnings about bytes that are not valid records of this plan
  [[nodiscard]] std::uint32_t complete_count() const;
};

/// What is read from journals. Checksums take 16 bytes for each block and column, half a gigabyte for a million blocks
/// with 30 columns; all else takes 17 bytes for each block.
enum class JournalUse : std::uint8_t {
  completeness,  ///< without checksums and places of candidates
  contents,
};

[[nodiscard]] JournalState read_journals(FileSystem& files, const RunDirectory& directory, const RunRecord& record,
                                         JournalUse use = JournalUse::contents);

/// Appends and syncs damage records of these blocks (or `whole_file`), which void their earlier records.
void append_damage(FileSystem& files, const RunDirectory& directory, const RunRecord& record, const JournalState& state,
                   const std::vector<std::uint32_t>& blocks);

}  // namespace dfsweep::store
