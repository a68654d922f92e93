#include "engine/store/store.hpp"

#include <fmt/core.h>

#include <array>
#include <cerrno>
#include <mutex>

#include "engine/console/foreign_run.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/locks.hpp"
#include "engine/store/opening.hpp"
#include "engine/store/ownership.hpp"
#include "engine/store/reservation.hpp"
#include "engine/store/run_directory.hpp"
#include "models/expect.hpp"

namespace dfsweep::store {

class Store::Implementation {
 public:
  Implementation(FileSystem& files, RunDirectory directory, RunRecord record, DirectoryState state)
      : files_(files), directory_(std::move(directory)), record_(std::move(record)), state_(state) {}

  /// Opens the dataset and names this writer's journal.
  void start_writing(Part part, std::uint32_t rank) {
    lanes_[0].rows = files_.open(directory_.partial(), OpenFor::writing);
    journal_path_ = directory_.journal(fmt::format("{}.rank-{}", name_of(part), rank));
  }

  bool reserve_more() {
    if (is_reserved()) return false;
    reserve_piece(files_, directory_.partial(), record_.file_size, reserved_);
    return !is_reserved();
  }
  [[nodiscard]] bool is_reserved() const { return reserved_.end >= record_.file_size; }

  void load_journals() {
    JournalState journals = read_journals(files_, directory_, record_);
    complete_ = std::move(journals.complete);
    notes_.insert(notes_.end(), journals.notes.begin(), journals.notes.end());
  }

  void put(const Block& block, const BlockBytes& bytes) {
    DFSWEEP_EXPECT(state_ == DirectoryState::writable && bytes.size() == record_.filled_columns());
    std::vector<Checksum> checksums;
    std::uint64_t written = 0;
    const std::size_t lane = lane_for_rows();
    for (std::size_t c = 0; c < bytes.size(); ++c) {
      const ColumnPlace& place = record_.places[c];
      const bool is_row = place.extent == ColumnExtent::rows;
      const std::uint64_t first = is_row ? block.first_row : block.first_group;
      const std::uint64_t count = is_row ? block.row_count : block.group_count;
      DFSWEEP_EXPECT(first + count <= place.count && bytes[c].size() == count * place.element_bytes);
      lanes_[lane].rows->write_at(place.offset + first * place.element_bytes, bytes[c]);
      checksums.push_back(xxh3_128(bytes[c]));
      written += bytes[c].size();
    }
    const std::lock_guard lock(mutex_);
    pending_.push_back({block.id, RecordKind::rows, encode_checksums(checksums)});
    uncommitted_bytes_ += written;
    wrote_through_[lane] = true;
  }

  void put_candidates(const Block& block, std::span<const std::byte> candidates) {
    DFSWEEP_EXPECT(state_ == DirectoryState::writable && record_.cut.kind == BlockKind::candidates);
    const std::lock_guard lock(mutex_);
    pending_.push_back({block.id, RecordKind::candidates, {candidates.begin(), candidates.end()}});
    uncommitted_bytes_ += candidates.size();
  }

  /// Syncs the rows first, then appends and syncs their records. After a failed sync the state of the written bytes is
  /// unknown, so no block of the group is ever recorded, and the next run evaluates them again.
  std::size_t commit() {
    std::vector<Pending> group;
    std::array<bool, concurrent_commits> wrote_through{};
    std::size_t lane = 0;
    {
      const std::lock_guard lock(mutex_);
      group = std::exchange(pending_, {});
      if (group.empty()) return 0;
      wrote_through = std::exchange(wrote_through_, {});
      uncommitted_bytes_ = 0;
      lane = free_lane();
      DFSWEEP_EXPECT(!lanes_[lane].is_committing);
      lanes_[lane].is_committing = true;
      latest_ = lane;
    }
    const Busy busy{*this, lane};
    for (std::size_t each = 0; each < concurrent_commits; ++each)
      if (wrote_through[each]) sync(lanes_[each], *lanes_[each].rows);
    append(lanes_[lane], encoded(group));
    return group.size();
  }

  FileSystem& files_;
  RunDirectory directory_;
  RunRecord record_;
  DirectoryState state_;
  std::unique_ptr<File> part_lock_;
  Reservation reserved_;
  std::vector<bool> complete_;
  std::vector<std::string> notes_;
  std::mutex mutex_;  ///< guards uncommitted_bytes_, pending_, wrote_through_, latest_ and is_committing of lanes
  std::uint64_t uncommitted_bytes_ = 0;

 private:
  struct Pending {
    BlockId block = 0;
    RecordKind kind = RecordKind::rows;
    std::vector<std::byte> payload;
  };

  /// Open files of their own for each commit that is under way. The kernel reports an error of writing back once to
  /// each open file; two syncs of one open file at once could share a single report, and one of them would take lost
  /// bytes for durable.
  struct Lane {
    std::unique_ptr<File> rows;     ///< opened by the first block that needs it
    std::unique_ptr<File> journal;  ///< opened by the first commit
    bool is_committing = false;
    std::mutex syncing;  ///< held by a sync; guards has_failed
    bool has_failed = false;
  };

  /// Frees the lane of a commit at its end.
  struct Busy {
    Implementation& store;
    std::size_t lane;
    ~Busy() {
      const std::lock_guard lock(store.mutex_);
      store.lanes_[lane].is_committing = false;
    }
  };

  /// A lane without a commit, or else the one whose commit began last. Pre: mutex_ is held.
  [[nodiscard]] std::size_t free_lane() const {
    for (std::size_t lane = 0; lane < concurrent_commits; ++lane)
      if (!lanes_[lane].is_committing) return lane;
    return latest_;
  }

  std::size_t lane_for_rows() {
    const std::lock_guard lock(mutex_);
    const std::size_t lane = free_lane();
    if (lanes_[lane].rows == nullptr) lanes_[lane].rows = files_.open(directory_.partial(), OpenFor::writing);
    return lane;
  }

  void sync(Lane& lane, File& file) const {
    const std::lock_guard lock(lane.syncing);
    if (lane.has_failed) throw IoError("sync", directory_.partial(), EIO, "An earlier sync of this file failed");
    lane.has_failed = true;
    file.sync_data();
    lane.has_failed = false;
  }

  [[nodiscard]] std::vector<std::byte> encoded(std::span<const Pending> group) const {
    const DamageRecords damage = read_damage(files_, directory_, record_);
    std::vector<std::byte> records;
    for (const Pending& pending : group) {
      const std::vector<std::byte> record = encode_record({.kind = pending.kind,
                                                           .plan = record_.plan_checksum(),
                                                           .block = pending.block,
                                                           .generation = damage.generation_of(pending.block),
                                                           .payload = pending.payload});
      records.insert(records.end(), record.begin(), record.end());
    }
    return records;
  }

  /// All lanes append to the journal of this writer.
  void append(Lane& lane, std::span<const std::byte> records) {
    const bool is_new = lane.journal == nullptr;
    if (is_new) lane.journal = files_.open(journal_path_, OpenFor::appending_here);
    {
      const std::lock_guard lock(appending_);
      lane.journal->append(records);
    }
    sync(lane, *lane.journal);
    if (is_new) files_.sync_directory(directory_.journals());
  }

  std::array<Lane, concurrent_commits> lanes_;
  std::filesystem::path journal_path_;
  std::mutex appending_;  ///< held while records are appended
  std::vector<Pending> pending_;
  std::array<bool, concurrent_commits> wrote_through_{};  ///< [lane] whether rows of pending_ were written through it
  std::size_t latest_ = 0;                                ///< lane of the commit that began last
};

Store::Store(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

namespace {

struct Locks {
  std::unique_ptr<File> part;
  std::unique_ptr<File> directory;  ///< held to create or publish the directory
};

/// A published run in a read-only place needs no locks, because nothing is written.
Locks take_locks(FileSystem& files, const RunDirectory& directory, Part part, OpenMode mode) {
  try {
    create_durable_directories(files, directory.journals());
    if (directory.path.has_parent_path()) files.sync_directory(directory.path.parent_path());
    std::unique_ptr<File> of_part = lock_part(files, directory, part);
    return {std::move(of_part), lock_directory(files, directory)};
  } catch (const IoError& error) {
    const int number = error.error_number;
    const bool is_write_protected = number == EROFS || number == EACCES || number == EPERM;
    const bool is_published = files.exists(directory.result()) && !files.exists(directory.partial());
    if (mode == OpenMode::fresh || !is_write_protected || !is_published) throw;
    return {};
  }
}

}  // namespace

Store Store::create(FileSystem& files, const std::filesystem::path& path, const Plan& plan, Part part, OpenMode mode,
                    const Succession& succession) {
  DFSWEEP_EXPECT(part.index < part.count);
  const RunDirectory directory{path};
  refuse_links(files, directory);
  Locks locks = take_locks(files, directory, part, mode);
  if (mode == OpenMode::fresh) remove_run(files, directory, part);
  if (locks.directory != nullptr) files.sync_directory(path);
  OpenedDirectory opened = open_directory(files, directory, plan, part, succession);
  Store store(std::make_unique<Implementation>(files, directory, std::move(opened.record), opened.state));
  Implementation& implementation = *store.implementation_;
  implementation.part_lock_ = std::move(locks.part);
  implementation.notes_ = std::move(opened.notes);
  if (opened.state == DirectoryState::published) {
    implementation.complete_.assign(plan.block_count(), true);
    return store;
  }
  implementation.reserved_.end = opened.reserved;
  implementation.load_journals();
  implementation.start_writing(part, 0);
  return store;
}

Store Store::attach(FileSystem& files, const std::filesystem::path& path, const Plan& plan, Part part,
                    std::uint32_t rank) {
  const RunDirectory directory{path};
  RunRecord record = read_run_record(files, directory);
  if (record.fingerprint != plan.fingerprint())
    throw ForeignRun(fmt::format(
        "{} holds another run than the one that rank 0 opened; do all hosts see the same directory?", path.string()));
  Store store(std::make_unique<Implementation>(files, directory, std::move(record), DirectoryState::writable));
  store.implementation_->reserved_.end = store.implementation_->record_.file_size;  // rank 0 reserves
  store.implementation_->start_writing(part, rank);
  return store;
}

void Store::load_journals() {
  implementation_->load_journals();
}

const std::vector<bool>& Store::complete() const {
  DFSWEEP_EXPECT(!implementation_->complete_.empty());
  return implementation_->complete_;
}

bool Store::published() const {
  return implementation_->state_ == DirectoryState::published;
}
const std::vector<std::string>& Store::notes() const {
  return implementation_->notes_;
}
bool Store::reserve_more() {
  return implementation_->reserve_more();
}
bool Store::is_reserved() const {
  return implementation_->is_reserved();
}
void Store::put(const Block& block, const BlockBytes& bytes) {
  implementation_->put(block, bytes);
}

void Store::put_candidates(const Block& block, std::span<const std::byte> candidates) {
  implementation_->put_candidates(block, candidates);
}

std::size_t Store::commit() {
  return implementation_->commit();
}
std::uint64_t Store::uncommitted_bytes() const {
  const std::lock_guard lock(implementation_->mutex_);
  return implementation_->uncommitted_bytes_;
}

}  // namespace dfsweep::store
