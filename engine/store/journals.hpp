/// Reads all journals of a run directory: the complete blocks, and where their records are.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/store/run_directory.hpp"
#include "io/journal.hpp"

namespace dfsweep::store {

/// The damage records of a run.
struct DamageRecords {
  std::vector<std::uint32_t> next_generation;  ///< [block] generation of the next valid record; empty: 0 for all
  bool is_file_damaged = false;                ///< the frame, the checksum table or reduced rows
  [[nodiscard]] std::uint32_t generation_of(std::uint32_t block) const {
    return next_generation.empty() ? 0 : next_generation[block];
  }
};

/// Reads damage.journal; if it does not exist, nothing is damaged.
[[nodiscard]] DamageRecords read_damage(FileSystem& files, const RunDirectory& directory, const RunRecord& record);

/// Location of the payload of the valid record of a block.
struct RecordPlace {
  std::uint64_t offset = 0;
  std::uint32_t journal = 0;  ///< index into JournalState::files
  std::uint32_t generation = 0;
};

/// 16 bytes and a bit for each block; the payloads stay in the journals.
struct JournalState {
  std::vector<std::filesystem::path> files;    ///< the journals, by name
  std::vector<bool> complete;                  ///< [block]
  std::vector<RecordPlace> places;             ///< [block] if it is complete
  std::vector<std::uint32_t> candidate_bytes;  ///< [block] size of its payload; empty without candidates
  DamageRecords damage;
  std::vector<std::string> notes;  ///< warnings about bytes that are not valid records of this plan
  [[nodiscard]] std::uint32_t complete_count() const;
  /// Whether this is the place of the valid record of a block.
  [[nodiscard]] bool is_valid(std::uint32_t block, std::uint32_t journal, std::uint64_t offset) const {
    return complete[block] && places[block].journal == journal && places[block].offset == offset;
  }
};

[[nodiscard]] JournalState read_journals(FileSystem& files, const RunDirectory& directory, const RunRecord& record);

/// Calls `read` for the journals [0, count), by several threads where there are hundreds of them, because each open
/// waits for the servers of a cluster's file system.
void for_each_journal(std::size_t count, const std::function<void(std::size_t)>& read);

/// Appends and syncs damage records of these blocks (or `whole_file`), which void their earlier records.
void append_damage(FileSystem& files, const RunDirectory& directory, const RunRecord& record, const JournalState& state,
                   const std::vector<std::uint32_t>& blocks);

}  // namespace dfsweep::store
