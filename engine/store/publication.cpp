/// Publication: rank 0 decides, all ranks verify their share, rank 0 seals and renames.
#include "engine/store/publication.hpp"

#include <algorithm>

#include <cerrno>

#include <fmt/core.h>

#include "engine/console/foreign_run.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/opening.hpp"
#include "engine/store/partial_publication.hpp"
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
  [[nodiscard]] std::filesystem::path path() const {
    return was_published_ ? directory_.result() : directory_.partial();
  }

  /// `damaged`: stored blocks that failed verification, ascending.
  void finish(std::vector<std::uint32_t> damaged, std::uint64_t bytes) {
    report_.verified_bytes = bytes;
    if (!damaged.empty()) return drop(std::move(damaged));
    report_.outcome = PublishOutcome::published;
    report_.file = directory_.result();
    if (was_published_) return;
    write_seal(*file_, record_, table_);
    file_->sync_data();
    file_.reset();
    files_.rename(directory_.partial(), directory_.result());
    files_.sync_directory(directory_.path);
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
    if (!table || !has_planned_frame(*file, record_)) return found_damaged_frame();
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
      for (const std::vector<Checksum>& checksums : journals_.checksums) add(checksums);
    }
    return true;
  }

  void add(const std::vector<Checksum>& checksums) {
    table_.checksums.insert(table_.checksums.end(), checksums.begin(), checksums.end());
  }

  void drop(std::vector<std::uint32_t> damaged) {
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

std::vector<std::byte> pack(const std::filesystem::path& file, const ChecksumTable& table) {
  Packer packer;
  packer.text(file.string());
  packer.number<std::uint64_t>(table.columns);
  packer.numbers(std::span<const std::byte>(encode_checksums(table.checksums)));
  return packer.take();
}

ChecksumTable unpack_table(Unpacker& unpacker) {
  ChecksumTable table;
  table.columns = unpacker.number<std::uint64_t>();
  table.checksums = decode_checksums(unpacker.numbers<std::byte>());
  return table;
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
        message[0] != std::byte{0} ? pack(publishing->path(), publishing->table()) : pack(publishing->report());
    message.insert(message.end(), rest.begin(), rest.end());
  }
  message = ranks.broadcast(std::move(message));
  Unpacker unpacker(message);
  if (unpacker.number<std::uint8_t>() == 0) return unpack_report(unpacker);

  const std::filesystem::path file = unpacker.text();
  const ChecksumTable table = unpack_table(unpacker);
  const RunRecord record = read_run_record(files, directory);
  const std::uint32_t stored = record.cut.stored_count();
  std::vector<std::uint32_t> share;
  for (std::uint32_t block = ranks.rank(); block < stored; block += ranks.size()) share.push_back(block);
  const BlockVerification verification =
      verify_blocks(*files.open(file, OpenFor::reading), blocked_columns(record), table, share, threads);

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
