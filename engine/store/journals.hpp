/// The journals of a run directory read together: which blocks are complete, with which checksums or candidates.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/store/run_directory.hpp"
#include "io/journal.hpp"

namespace dfsweep::store {

/// The damage records of a run: how often each block was found damaged.
struct DamageRecords {
  std::vector<std::uint32_t> next_generation;  ///< [block] generation of the next record that counts
  bool is_file_damaged = false;                ///< the frame, the table or reduced rows
};

/// Reads damage.journal; without one, nothing is damaged.
[[nodiscard]] DamageRecords read_damage(FileSystem& files, const RunDirectory& directory, const RunRecord& record);

/// Where the candidates of a slice are: which journal, and where in it.
struct CandidatesPlace {
  std::filesystem::path journal;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct JournalState {
  std::vector<bool> complete;                    ///< [block]
  std::vector<std::uint32_t> generation;         ///< [block] of the record in force
  std::vector<std::vector<Checksum>> checksums;  ///< [block][column that blocks fill]; empty with candidates
  std::vector<CandidatesPlace> candidates;       ///< [block]; empty without
  DamageRecords damage;
  std::vector<std::string> notes;  ///< journals with bytes that are no valid record of this plan
  [[nodiscard]] std::uint32_t complete_count() const;
};

[[nodiscard]] JournalState read_journals(FileSystem& files, const RunDirectory& directory, const RunRecord& record);

/// Says, durably, that these blocks (or `whole_file`) are damaged: their records no longer count.
void append_damage(FileSystem& files, const RunDirectory& directory, const RunRecord& record, const JournalState& state,
                   const std::vector<std::uint32_t>& blocks);

}  // namespace dfsweep::store
