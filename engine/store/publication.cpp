/// Publication: rank 0 decides, all ranks compress and verify their share, rank 0 seals and renames.
#include "engine/store/publication.hpp"

#include <algorithm>
#include <utility>

#include <cerrno>

#include <fmt/core.h>

#include "engine/console/foreign_run.hpp"
#include "engine/store/compression.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/locks.hpp"
#include "engine/store/partial_publication.hpp"
#include "engine/store/published_file.hpp"
#include "engine/store/run_directory.hpp"
#include "engine/store/store.hpp"
#include "engine/store/verification.hpp"
#include "io/packing.hpp"

namespace dfsweep::store {

namespace {

constexpr std::uint32_t word_bits = 64;

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

  /// Returns whether there is something to verify; then path() is the file and table() has the expected checksums.
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

  [[nodiscard]] const ChecksumTable& table() const { return table_; }
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
      write_seal(*file_, record_, std::move(table_));
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
    std::optional<ChecksumTable> table = sealed_table(*file, record_);
    if (!table || !has_published_frame(files_, directory_.result(), record_)) return found_damaged_frame();
    table_ = std::move(*table);
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

  bool open_file() {
    file_ = files_.open(directory_.partial(), OpenFor::writing);
    if (!has_planned_frame(*file_, record_)) return found_damaged_frame();
    table_.columns = record_.filled_columns();
    if (record_.cut.kind == BlockKind::candidates) {
      for (std::uint32_t group = 0; group < record_.cut.stored_count(); ++group)
        add(write_reduced_rows(files_, record_, journals_, group, *file_));
      file_->sync_data();
    } else {
      table_ = std::move(journals_.checksums);
    }
    return true;
  }

  void add(const std::vector<Checksum>& checksums) {
    table_.checksums.insert(table_.checksums.end(), checksums.begin(), checksums.end());
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
  ChecksumTable table_;
  bool was_published_ = false;
  PublishReport report_;
};

std::vector<std::byte> pack(const std::filesystem::path& file, bool must_compress) {
  Packer packer;
  packer.text(file.string());
  packer.number<std::uint8_t>(must_compress ? 1 : 0);
  return packer.take();
}

/// Bytes of checksums that are sent at once, so that a rank needs little memory however many blocks there are.
constexpr std::size_t message_bytes = std::size_t{16} << 20;

/// Collective. The checksums of blocks [first, first + count) of the table of rank 0; `table` is used there only.
ChecksumTable broadcast_part(Communicator& ranks, const ChecksumTable& table, std::size_t columns, std::uint32_t first,
                             std::uint32_t count) {
  std::vector<std::byte> bytes;
  if (ranks.rank() == 0) bytes = encode_checksums(std::span(table.checksums).subspan(first * columns, count * columns));
  return {.columns = columns, .checksums = decode_checksums(ranks.broadcast(std::move(bytes))), .first_block = first};
}

/// Collective. Each rank verifies its share of the blocks. Returns what this rank found, with its blocks ascending.
BlockVerification verify_share(FileSystem& files, const std::filesystem::path& file, const RunRecord& record,
                               const ChecksumTable& table, Communicator& ranks, unsigned threads) {
  const std::unique_ptr<ColumnSource> opened = published_columns(files, file, record);
  const BlockedColumns columns = blocked_columns(record);
  const std::size_t filled = record.filled_columns();
  const std::uint32_t stored = record.cut.stored_count();
  const auto at_once = static_cast<std::uint32_t>(std::clamp<std::size_t>(
      message_bytes / (sizeof(Checksum) * std::max<std::size_t>(filled, 1)), 1, std::max(stored, 1U)));
  BlockVerification result;
  for (std::uint32_t first = 0; first < stored; first += at_once) {
    const std::uint32_t count = std::min(at_once, stored - first);
    const ChecksumTable part = broadcast_part(ranks, table, filled, first, count);
    std::vector<std::uint32_t> share;
    for (std::uint32_t block = first; block < first + count; ++block)
      if (block / columns.blocks_at_once % ranks.size() == ranks.rank()) share.push_back(block);
    const BlockVerification found = verify_blocks(*opened, columns, part, share, threads);
    result.damaged.insert(result.damaged.end(), found.damaged.begin(), found.damaged.end());
    result.bytes += found.bytes;
  }
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
  const ChecksumTable nothing;
  const ChecksumTable& expected = publishing ? publishing->table() : nothing;
  if (must_compress) {
    write_compressed(files, directory, record, expected, ranks, threads);
    ranks.barrier();  // rank 0 writes the seal last
  }
  const BlockVerification verification = verify_share(files, file, record, expected, ranks, threads);

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
