/// Publication: rank 0 decides, all ranks compress and verify their share, rank 0 seals and renames.
#include "engine/store/publication.hpp"

#include <algorithm>
#include <utility>

#include <cerrno>

#include <fmt/core.h>

#include "engine/console/foreign_run.hpp"
#include "engine/dataset/copied_layout.hpp"
#include "engine/store/checksum_table.hpp"
#include "engine/store/compression.hpp"
#include "engine/store/journal_checksums.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/locks.hpp"
#include "engine/store/partial_publication.hpp"
#include "engine/store/published_file.hpp"
#include "engine/store/run_directory.hpp"
#include "engine/store/store.hpp"
#include "engine/store/verification.hpp"
#include "io/packing.hpp"
#include "models/expect.hpp"

namespace dfsweep::store {

namespace {

constexpr std::uint32_t word_bits = 64;

/// The checksums of all blocks where they lie in a file.
struct StoredChecksums {
  std::unique_ptr<File> file;
  ColumnPlace place;
};

std::vector<std::byte> pack(const PublishReport& report) {
  Packer packer;
  packer.number(static_cast<std::uint8_t>(report.outcome));
  packer.text(report.file.string());
  packer.number(report.rows);
  packer.number(report.verified_bytes);
  packer.number(report.missing_blocks);
  packer.numbers(std::span<const BlockId>(report.damaged));
  packer.number<std::uint8_t>(report.is_frame_damaged ? 1 : 0);
  return packer.take();
}

PublishReport unpack_report(Unpacker& unpacker) {
  PublishReport report;
  report.outcome = static_cast<PublishOutcome>(unpacker.number<std::uint8_t>());
  report.file = unpacker.text();
  report.rows = unpacker.number<std::uint64_t>();
  report.verified_bytes = unpacker.number<std::uint64_t>();
  report.missing_blocks = unpacker.number<std::uint32_t>();
  report.damaged = unpacker.numbers<BlockId>();
  report.is_frame_damaged = unpacker.number<std::uint8_t>() != 0;
  return report;
}

/// The steps of rank 0 before and after the verification by all ranks.
class Publishing {
 public:
  Publishing(FileSystem& files, RunDirectory directory)
      : files_(files), directory_(std::move(directory)), record_(read_run_record(files, directory_)) {}

  /// Returns whether there is something to verify; then path() is the file, and the expected checksums are in a table
  /// of the file of the run, see write_compressed() and checksums().
  bool prepare(Completeness completeness) {
    report_.rows = record_.cut.rows;
    if (is_published()) return open_published();
    lock_ = lock_directory(files_, directory_);
    if (is_published()) return open_published();  // another part published it while this one waited for the lock
    if (!files_.exists(directory_.partial())) throw no_result_yet(directory_);
    journals_ = read_journals(files_, directory_, record_);
    report_.missing_blocks = record_.cut.block_count - journals_.complete_count();
    if (report_.missing_blocks != 0) {
      if (completeness == Completeness::partial) publish_incomplete();
      return false;
    }
    return open_file();
  }

  /// The checksums to verify path() with. Pre: there is something to verify, and it is compressed if it must be.
  [[nodiscard]] StoredChecksums checksums() const {
    std::unique_ptr<File> file = files_.open(path(), OpenFor::reading);
    if (!was_published_ && !must_compress()) return {std::move(file), record_.place(checksum_table)};
    std::optional<ColumnPlace> place = sealed_table(*file, record_);
    if (!place)
      throw IoError("verify", path(), EIO, "its tables read back differ from the written ones; check the disk");
    return {std::move(file), std::move(*place)};
  }
  [[nodiscard]] bool must_compress() const { return record_.compression_level && !was_published_; }
  /// The file to verify.
  [[nodiscard]] std::filesystem::path path() const {
    if (was_published_) return directory_.result();
    return must_compress() ? directory_.compressing() : directory_.partial();
  }

  /// `damaged`: stored blocks that failed verification, ascending.
  void finish(std::vector<std::uint32_t> damaged, std::uint64_t bytes) {
    report_.verified_bytes = bytes;
    if (!damaged.empty()) return drop(std::move(damaged));
    report_.outcome = PublishOutcome::published;
    report_.file = directory_.result();
    if (was_published_) return;
    if (must_compress()) {
      file_.reset();
      files_.rename(directory_.compressing(), directory_.result());
      files_.sync_directory(directory_.path);
      files_.remove(directory_.partial());
    } else {
      seal_file(*file_, record_);
      file_->sync_data();
      file_.reset();
      files_.rename(directory_.partial(), directory_.result());
    }
    files_.sync_directory(directory_.path);
    if (files_.exists(directory_.former())) files_.remove(directory_.former());
    // All damage is repaired and verified: remove the damage records, so that the directory counts as published.
    if (files_.exists(directory_.damage())) {
      files_.remove(directory_.damage());
      files_.sync_directory(directory_.journals());
    }
  }

  [[nodiscard]] const PublishReport& report() const { return report_; }

 private:
  [[nodiscard]] bool is_published() const {
    return files_.exists(directory_.result()) && !files_.exists(directory_.partial());
  }

  /// An existing result is verified like a new one.
  bool open_published() {
    was_published_ = true;
    report_.file = directory_.result();
    report_.outcome = PublishOutcome::damaged;
    if (files_.exists(directory_.damage())) return false;
    const std::unique_ptr<File> file = files_.open(directory_.result(), OpenFor::reading);
    if (!sealed_table(*file, record_) || !has_published_frame(files_, directory_.result(), record_))
      return found_damaged_frame();
    return true;
  }

  bool found_damaged_frame() {
    report_.is_frame_damaged = true;
    report_.outcome = PublishOutcome::damaged;
    create_durable_directories(files_, directory_.journals());
    append_damage(files_, directory_, record_, journals_, {whole_file});
    return false;
  }

  void publish_incomplete() {
    if (!has_planned_frame(*files_.open(directory_.partial(), OpenFor::reading), record_)) {
      found_damaged_frame();
      return;
    }
    IncompleteResult written = write_incomplete(files_, directory_, record_, journals_);
    report_.file = directory_.incomplete();
    report_.verified_bytes = written.verified_bytes;
    report_.outcome = written.damaged.empty() ? PublishOutcome::published : PublishOutcome::damaged;
    report_.damaged = std::move(written.damaged);
    if (!report_.damaged.empty()) append_damage(files_, directory_, record_, journals_, report_.damaged);
  }

  /// Writes the checksums of all blocks to their table in the file. It is sealed once they are verified.
  bool open_file() {
    file_ = files_.open(directory_.partial(), OpenFor::writing);
    if (!has_planned_frame(*file_, record_)) return found_damaged_frame();
    const ColumnPlace& table = record_.place(checksum_table);
    if (record_.cut.kind == BlockKind::candidates) {
      for (std::uint32_t group = 0; group < record_.cut.stored_count(); ++group)
        write_checksums(*file_, table,
                        {.columns = record_.filled_columns(),
                         .blocks = {group},
                         .checksums = write_reduced_rows(files_, record_, journals_, group, *file_)});
      file_->sync_data();
    } else {
      visit_checksums(files_, directory_, record_, journals_, all_blocks(record_),
                      [&](const ChecksumTable& batch) { write_checksums(*file_, table, batch); });
    }
    return true;
  }

  void drop(std::vector<std::uint32_t> damaged) {
    if (must_compress()) files_.remove(directory_.compressing());
    const bool are_reduced = record_.cut.kind == BlockKind::candidates;
    if (are_reduced && !was_published_)
      throw IoError("verify", directory_.partial(), EIO, "rows read back differ from the written ones; check the disk");
    create_durable_directories(files_, directory_.journals());
    if (was_published_) journals_ = read_journals(files_, directory_, record_);
    append_damage(files_, directory_, record_, journals_,
                  are_reduced ? std::vector<std::uint32_t>{whole_file} : damaged);
    report_.outcome = PublishOutcome::damaged;
    report_.damaged = std::move(damaged);
  }

  FileSystem& files_;
  RunDirectory directory_;
  RunRecord record_;
  std::unique_ptr<File> lock_;
  JournalState journals_;
  std::unique_ptr<File> file_;
  bool was_published_ = false;
  PublishReport report_;
};

std::vector<std::byte> pack(const std::filesystem::path& file, bool must_compress) {
  Packer packer;
  packer.text(file.string());
  packer.number<std::uint8_t>(must_compress ? 1 : 0);
  return packer.take();
}

/// Collective. The checksums of those blocks of a range that this rank verifies. `table`: of rank 0, null elsewhere.
ChecksumTable share_of(Communicator& ranks, const StoredChecksums* table, const RunRecord& record, BlockRange range,
                       std::uint32_t blocks_at_once) {
  std::vector<std::byte> bytes;
  if (table != nullptr) {
    bytes.resize(range.count * table->place.element_bytes);
    table->file->read_at(table->place.offset + range.first * table->place.element_bytes, bytes);
  }
  bytes = ranks.broadcast(std::move(bytes));
  ChecksumTable share{.columns = record.filled_columns(), .blocks = {}, .checksums = {}};
  const std::size_t row_bytes = share.columns * sizeof(Checksum);
  DFSWEEP_EXPECT(bytes.size() == range.count * row_bytes);
  share.checksums.reserve((range.count / ranks.size() + blocks_at_once) * share.columns);
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const std::uint32_t block = range.first + i;
    if (block / blocks_at_once % ranks.size() != ranks.rank()) continue;
    const std::vector<Checksum> row = decode_checksums(std::span(bytes).subspan(i * row_bytes, row_bytes));
    share.blocks.push_back(block);
    share.checksums.insert(share.checksums.end(), row.begin(), row.end());
  }
  return share;
}

/// Collective. Each rank verifies its share of the blocks, in windows, so that a rank needs little memory however many
/// blocks there are. Returns what this rank found, with its blocks ascending.
BlockVerification verify_share(FileSystem& files, const std::filesystem::path& file, const RunRecord& record,
                               const StoredChecksums* table, Communicator& ranks, unsigned threads) {
  const std::unique_ptr<ColumnSource> opened = published_columns(files, file, record);
  const BlockedColumns columns = blocked_columns(record);
  BlockVerification result;
  for_each_window(record.cut.stored_count(), record.filled_columns(), [&](BlockRange range) {
    const ChecksumTable share = share_of(ranks, table, record, range, columns.blocks_at_once);
    add(result, verify_blocks(*opened, columns, share, threads));
  });
  return result;
}

}  // namespace

PublishReport publish(FileSystem& files, const std::filesystem::path& path, Communicator& ranks, std::uint32_t threads,
                      Completeness completeness) {
  const RunDirectory directory{path};
  std::optional<Publishing> publishing;
  std::vector<std::byte> message;
  if (ranks.rank() == 0) {
    publishing.emplace(files, directory);
    Packer packer;
    packer.number<std::uint8_t>(publishing->prepare(completeness) ? 1 : 0);
    message = packer.take();
    const std::vector<std::byte> rest =
        message[0] != std::byte{0} ? pack(publishing->path(), publishing->must_compress()) : pack(publishing->report());
    message.insert(message.end(), rest.begin(), rest.end());
  }
  message = ranks.broadcast(std::move(message));
  Unpacker unpacker(message);
  if (unpacker.number<std::uint8_t>() == 0) return unpack_report(unpacker);

  const std::filesystem::path file = unpacker.text();
  const bool must_compress = unpacker.number<std::uint8_t>() != 0;
  const RunRecord record = read_run_record(files, directory);
  const std::uint32_t stored = record.cut.stored_count();
  if (must_compress) {
    write_compressed(files, directory, record, ranks, threads);
    ranks.barrier();  // rank 0 writes the seal last
  }
  std::optional<StoredChecksums> expected;
  if (publishing) expected = publishing->checksums();
  const BlockVerification verification =
      verify_share(files, file, record, expected ? &*expected : nullptr, ranks, threads);

  std::vector<std::uint64_t> sums(stored / word_bits + 2);  // one bit per damaged block, then the number of bytes read
  for (const DamagedBlock& damaged : verification.damaged)
    sums[damaged.block / word_bits] |= std::uint64_t{1} << (damaged.block % word_bits);
  sums.back() = verification.bytes;
  ranks.sum(sums);
  if (publishing) {
    std::vector<std::uint32_t> damaged;
    for (std::uint32_t block = 0; block < stored; ++block)
      if ((sums[block / word_bits] >> (block % word_bits) & 1U) != 0) damaged.push_back(block);
    publishing->finish(std::move(damaged), sums.back());
    message = pack(publishing->report());
  }
  message = ranks.broadcast(std::move(message));
  Unpacker final_unpacker(message);
  return unpack_report(final_unpacker);
}

}  // namespace dfsweep::store
