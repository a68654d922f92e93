#include "engine/store/journals.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace dfsweep::store {

namespace {

/// Collects warnings about one journal.
class JournalNotes {
 public:
  JournalNotes(const std::filesystem::path& path, std::vector<std::string>& notes) : path_(path), notes_(notes) {}
  void foreign() { ++foreign_; }
  void finish(std::uint64_t skipped_bytes) {
    if (skipped_bytes != 0)
      notes_.push_back(fmt::format("{}: ignored {} bytes that are not valid records (a torn write, or damage)",
                                   path_.string(), skipped_bytes));
    if (foreign_ != 0)
      notes_.push_back(fmt::format("{}: ignored {} records of another plan", path_.string(), foreign_));
  }

 private:
  const std::filesystem::path& path_;
  std::vector<std::string>& notes_;
  std::uint64_t foreign_ = 0;
};

class Reading {
 public:
  Reading(FileSystem& files, const RunDirectory& directory, const RunRecord& record)
      : files_(files), directory_(directory), record_(record), plan_(record.plan_checksum()) {
    const std::uint32_t blocks = record.cut.block_count;
    state_.complete.resize(blocks);
    state_.generation.resize(blocks);
    if (is_sliced())
      state_.candidates.resize(blocks);
    else
      state_.checksums.resize(blocks);
  }

  JournalState all() {
    state_.damage = read_damage(files_, directory_, record_);
    for (const std::string& name : files_.list(directory_.journals())) {
      const std::filesystem::path path = directory_.journals() / name;
      if (path.extension() == ".journal" && path != directory_.damage()) read(path);
    }
    return std::move(state_);
  }

 private:
  [[nodiscard]] bool is_sliced() const { return record_.cut.kind == BlockKind::candidates; }

  void read(const std::filesystem::path& path) {
    const std::vector<std::byte> bytes = read_file(files_, path);
    JournalNotes notes(path, state_.notes);
    const std::uint64_t skipped = scan_journal(bytes, [&](const JournalRecord& found, std::uint64_t offset) {
      if (found.plan != plan_ || found.block >= record_.cut.block_count || !take(path, found, offset)) notes.foreign();
    });
    notes.finish(skipped);
  }

  /// False if the record does not match this plan.
  bool take(const std::filesystem::path& path, const JournalRecord& found, std::uint64_t offset) {
    const RecordKind expected = is_sliced() ? RecordKind::candidates : RecordKind::rows;
    if (found.kind != expected) return false;
    std::vector<Checksum> checksums;
    if (!is_sliced()) {
      checksums = decode_checksums(found.payload);
      if (checksums.size() != record_.filled_columns()) return false;
    }
    if (found.generation < state_.damage.next_generation[found.block]) return true;
    if (state_.complete[found.block] && found.generation < state_.generation[found.block]) return true;
    state_.complete[found.block] = true;
    state_.generation[found.block] = found.generation;
    if (is_sliced())
      state_.candidates[found.block] = {path, offset, found.payload.size()};
    else
      state_.checksums[found.block] = std::move(checksums);
    return true;
  }

  FileSystem& files_;
  const RunDirectory& directory_;
  const RunRecord& record_;
  Checksum plan_;
  JournalState state_;
};

}  // namespace

std::uint32_t JournalState::complete_count() const {
  return static_cast<std::uint32_t>(std::count(complete.begin(), complete.end(), true));
}

DamageRecords read_damage(FileSystem& files, const RunDirectory& directory, const RunRecord& record) {
  DamageRecords damage;
  damage.next_generation.resize(record.cut.block_count);
  if (!files.exists(directory.damage())) return damage;
  const std::vector<std::byte> bytes = read_file(files, directory.damage());
  scan_journal(bytes, [&](const JournalRecord& found, std::uint64_t) {
    if (found.kind != RecordKind::damage || found.plan != record.plan_checksum()) return;
    if (found.block == whole_file) damage.is_file_damaged = true;
    if (found.block >= record.cut.block_count) return;
    std::uint32_t& next = damage.next_generation[found.block];
    next = std::max(next, found.generation + 1);
  });
  return damage;
}

JournalState read_journals(FileSystem& files, const RunDirectory& directory, const RunRecord& record) {
  return Reading(files, directory, record).all();
}

void append_damage(FileSystem& files, const RunDirectory& directory, const RunRecord& record, const JournalState& state,
                   const std::vector<std::uint32_t>& blocks) {
  std::vector<std::byte> bytes;
  for (const std::uint32_t block : blocks) {
    const std::vector<std::byte> encoded =
        encode_record({.kind = RecordKind::damage,
                       .plan = record.plan_checksum(),
                       .block = block,
                       .generation = block == whole_file ? 0 : state.generation[block],
                       .payload = {}});
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  const std::unique_ptr<File> journal = files.open(directory.damage(), OpenFor::appending_here);
  journal->append(bytes);
  journal->sync_data();
  files.sync_directory(directory.journals());
}

}  // namespace dfsweep::store
