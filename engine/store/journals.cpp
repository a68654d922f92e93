#include "engine/store/journals.hpp"

#include <algorithm>
#include <limits>
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

constexpr std::size_t journals_per_thread = 64;
constexpr unsigned max_threads = 16;

/// Collects the records of all journals. Of several records of a block and generation the one of the last journal by
/// name counts, so that the result does not depend on the order in which threads read them.
class Reading {
 public:
  Reading(FileSystem& files, const RunDirectory& directory, const RunRecord& record)
      : files_(files), directory_(directory), record_(record), plan_(record.plan_checksum()) {
    const std::uint32_t blocks = record.cut.block_count;
    state_.complete.resize(blocks);
    state_.places.resize(blocks);
    if (is_sliced()) state_.candidate_bytes.resize(blocks);
  }

  JournalState all() {
    state_.damage = read_damage(files_, directory_, record_);
    for (const std::string& name : files_.list(directory_.journals())) {
      const std::filesystem::path path = directory_.journals() / name;
      if (path.extension() == ".journal" && path != directory_.damage()) state_.files.push_back(path);
    }
    std::vector<std::vector<std::string>> notes(state_.files.size());
    for_each_journal(state_.files.size(), [&](std::size_t i) { notes[i] = take_all(static_cast<std::uint32_t>(i)); });
    for (const auto& each : notes) state_.notes.insert(state_.notes.end(), each.begin(), each.end());
    return std::move(state_);
  }

 private:
  [[nodiscard]] bool is_sliced() const { return record_.cut.kind == BlockKind::candidates; }

  /// Takes the records of one journal. Returns warnings.
  std::vector<std::string> take_all(std::uint32_t source) {
    const std::filesystem::path& path = state_.files[source];
    std::vector<std::string> warnings;
    JournalNotes notes(path, warnings);
    const std::unique_ptr<File> file = files_.open(path, OpenFor::reading);
    notes.finish(scan_journal(*file, [&](const JournalRecord& found, std::uint64_t offset) {
      const std::lock_guard lock(mutex_);
      if (found.plan != plan_ || found.block >= record_.cut.block_count || !take(source, found, offset))
        notes.foreign();
    }));
    return warnings;
  }

  /// False if the record does not match this plan.
  bool take(std::uint32_t source, const JournalRecord& found, std::uint64_t offset) {
    const RecordKind expected = is_sliced() ? RecordKind::candidates : RecordKind::rows;
    if (found.kind != expected) return false;
    if (!is_sliced() && found.payload.size() != record_.filled_columns() * sizeof(Checksum)) return false;
    if (is_sliced() && found.payload.size() > std::numeric_limits<std::uint32_t>::max()) return false;
    if (found.generation < state_.damage.generation_of(found.block)) return true;
    RecordPlace& place = state_.places[found.block];
    if (state_.complete[found.block] &&
        std::pair(found.generation, source) < std::pair(place.generation, place.journal))
      return true;
    state_.complete[found.block] = true;
    place = {.offset = offset, .journal = source, .generation = found.generation};
    if (is_sliced()) state_.candidate_bytes[found.block] = static_cast<std::uint32_t>(found.payload.size());
    return true;
  }

  FileSystem& files_;
  const RunDirectory& directory_;
  const RunRecord& record_;
  Checksum plan_;
  std::mutex mutex_;  ///< guards what follows
  JournalState state_;
};

}  // namespace

std::uint32_t JournalState::complete_count() const {
  return static_cast<std::uint32_t>(std::count(complete.begin(), complete.end(), true));
}

DamageRecords read_damage(FileSystem& files, const RunDirectory& directory, const RunRecord& record) {
  DamageRecords damage;
  if (!files.exists(directory.damage())) return damage;
  damage.next_generation.resize(record.cut.block_count);
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

JournalState read_journals(FileSystem& files, const RunDirectory& directory, const RunRecord& record) {
  return Reading(files, directory, record).all();
}

void for_each_journal(std::size_t count, const std::function<void(std::size_t)>& read) {
  const auto threads = static_cast<unsigned>(std::min<std::size_t>(count / journals_per_thread, max_threads));
  if (threads > 1) return parallel_for(count, threads, read);
  for (std::size_t i = 0; i < count; ++i) read(i);
}

void append_damage(FileSystem& files, const RunDirectory& directory, const RunRecord& record, const JournalState& state,
                   const std::vector<std::uint32_t>& blocks) {
  std::vector<std::byte> bytes;
  for (const std::uint32_t block : blocks) {
    const std::vector<std::byte> encoded =
        encode_record({.kind = RecordKind::damage,
                       .plan = record.plan_checksum(),
                       .block = block,
                       .generation = block == whole_file ? 0 : state.places[block].generation,
                       .payload = {}});
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  const std::unique_ptr<File> journal = files.open(directory.damage(), OpenFor::appending_here);
  journal->append(bytes);
  journal->sync_data();
  files.sync_directory(directory.journals());
}

}  // namespace dfsweep::store
