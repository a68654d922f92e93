#include "engine/store/journals.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include <fmt/core.h>

#include "engine/parallel/threads.hpp"

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

/// Hundreds of journals are read by several threads, because each open waits for the servers of a cluster's file
/// system.
constexpr std::size_t journals_per_thread = 64;
constexpr unsigned max_threads = 16;

/// Collects the records of all journals. Of several records of a block and generation the one of the last journal by
/// name counts, so that the result does not depend on the order in which threads read them.
class Reading {
 public:
  Reading(FileSystem& files, const RunDirectory& directory, const RunRecord& record, JournalUse use)
      : files_(files), directory_(directory), record_(record), plan_(record.plan_checksum()), use_(use) {
    const std::uint32_t blocks = record.cut.block_count;
    state_.complete.resize(blocks);
    state_.generation.resize(blocks);
    source_.resize(blocks);
    if (use == JournalUse::completeness) return;
    if (is_sliced())
      state_.candidates.resize(blocks);
    else
      state_.checksums = {.columns = record.filled_columns(),
                          .checksums = std::vector<Checksum>(std::size_t{blocks} * record.filled_columns())};
  }

  JournalState all() {
    state_.damage = read_damage(files_, directory_, record_);
    std::vector<std::filesystem::path> paths;
    for (const std::string& name : files_.list(directory_.journals())) {
      const std::filesystem::path path = directory_.journals() / name;
      if (path.extension() == ".journal" && path != directory_.damage()) paths.push_back(path);
    }
    std::vector<std::vector<std::string>> notes(paths.size());
    const auto read = [&](std::size_t i) { notes[i] = take_all(paths[i], static_cast<std::uint32_t>(i)); };
    const auto threads = static_cast<unsigned>(std::min<std::size_t>(paths.size() / journals_per_thread, max_threads));
    if (threads > 1) {
      parallel_for(paths.size(), threads, read);
    } else {
      for (std::size_t i = 0; i < paths.size(); ++i) read(i);
    }
    for (const auto& each : notes) state_.notes.insert(state_.notes.end(), each.begin(), each.end());
    return std::move(state_);
  }

 private:
  [[nodiscard]] bool is_sliced() const { return record_.cut.kind == BlockKind::candidates; }

  /// Takes the records of one journal. Returns warnings.
  std::vector<std::string> take_all(const std::filesystem::path& path, std::uint32_t source) {
    std::vector<std::string> warnings;
    JournalNotes notes(path, warnings);
    const std::unique_ptr<File> file = files_.open(path, OpenFor::reading);
    notes.finish(scan_journal(*file, [&](const JournalRecord& found, std::uint64_t offset) {
      const std::lock_guard lock(mutex_);
      if (found.plan != plan_ || found.block >= record_.cut.block_count || !take(path, source, found, offset))
        notes.foreign();
    }));
    return warnings;
  }

  /// False if the record does not match this plan.
  bool take(const std::filesystem::path& path, std::uint32_t source, const JournalRecord& found, std::uint64_t offset) {
    const RecordKind expected = is_sliced() ? RecordKind::candidates : RecordKind::rows;
    if (found.kind != expected) return false;
    if (!is_sliced() && found.payload.size() != record_.filled_columns() * sizeof(Checksum)) return false;
    if (found.generation < state_.damage.next_generation[found.block]) return true;
    const std::pair known(state_.generation[found.block], source_[found.block]);
    if (state_.complete[found.block] && std::pair(found.generation, source) < known) return true;
    state_.complete[found.block] = true;
    state_.generation[found.block] = found.generation;
    source_[found.block] = source;
    if (use_ == JournalUse::completeness) return true;
    if (is_sliced())
      state_.candidates[found.block] = {path, offset, found.payload.size()};
    else
      std::memcpy(state_.checksums.of(found.block).data(), found.payload.data(), found.payload.size());
    return true;
  }

  FileSystem& files_;
  const RunDirectory& directory_;
  const RunRecord& record_;
  Checksum plan_;
  JournalUse use_;
  std::mutex mutex_;  ///< guards what follows
  JournalState state_;
  std::vector<std::uint32_t> source_;  ///< [block] number of the journal that has its valid record
};

}  // namespace

std::uint32_t JournalState::complete_count() const {
  return static_cast<std::uint32_t>(std::count(complete.begin(), complete.end(), true));
}

DamageRecords read_damage(FileSystem& files, const RunDirectory& directory, const RunRecord& record) {
  DamageRecords damage;
  damage.next_generation.resize(record.cut.block_count);
  if (!files.exists(directory.damage())) return damage;
  const std::unique_ptr<File> journal = files.open(directory.damage(), OpenFor::reading);
  scan_journal(*journal, [&](const JournalRecord& found, std::uint64_t) {
    if (found.kind != RecordKind::damage || found.plan != record.plan_checksum()) return;
    if (found.block == whole_file) damage.is_file_damaged = true;
    if (found.block >= record.cut.block_count) return;
    std::uint32_t& next = damage.next_generation[found.block];
    next = std::max(next, found.generation + 1);
  });
  return damage;
}

JournalState read_journals(FileSystem& files, const RunDirectory& directory, const RunRecord& record, JournalUse use) {
  return Reading(files, directory, record, use).all();
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
