/// Publication: rank 0 decides, all ranks verify their share, rank 0 seals and renames.
#include "engine/store/publication.hpp"

#include <algorithm>

#include <cerrno>

#include <fmt/core.h>

#include "engine/console/foreign_run.hpp"
#include "engine/parallel/packing.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/opening.hpp"
#include "engine/store/partial_publication.hpp"
#include "engine/store/reduced_rows.hpp"
#include "engine/store/run_directory.hpp"
#include "engine/store/store.hpp"
#include "engine/store/verification.hpp"

namespace dfsweep {

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
  return report;
}

/// What rank 0 does alone, before and after all ranks verify.
class Publishing {
 public:
  Publishing(FileSystem& files, RunDirectory directory)
      : files_(files), directory_(std::move(directory)), record_(read_run_record(files, directory_)) {}

  /// Decides whether there is anything to verify; if so, table() says against what.
  bool prepare(Completeness completeness) {
    lock_ = lock_directory(files_, directory_);
    report_.rows = record_.cut.rows;
    if (!files_.exists(directory_.partial())) return found_result();
    journals_ = read_journals(files_, directory_, record_);
    report_.missing_blocks = record_.cut.block_count - journals_.complete_count();
    if (report_.missing_blocks != 0) {
      if (completeness == Completeness::partial) publish_incomplete();
      return false;
    }
    return open_file();
  }

  [[nodiscard]] const ChecksumTable& table() const { return table_; }

  /// `damaged`: stored blocks that did not verify, ascending.
  void finish(std::vector<std::uint32_t> damaged, std::uint64_t bytes) {
    report_.verified_bytes = bytes;
    if (!damaged.empty()) return drop(std::move(damaged));
    write_seal(*file_, record_, make_seal(record_, table_));
    file_->sync_data();
    file_.reset();
    files_.rename(directory_.partial(), directory_.result());
    files_.sync_directory(directory_.path);
    // Whatever was damaged is repaired and verified: without its damage records the directory counts as published.
    if (files_.exists(directory_.damage())) {
      files_.remove(directory_.damage());
      files_.sync_directory(directory_.journals());
    }
    report_.outcome = PublishOutcome::published;
    report_.file = directory_.result();
  }

  [[nodiscard]] const PublishReport& report() const { return report_; }

 private:
  bool found_result() {
    if (!files_.exists(directory_.result()))
      throw ForeignRun(fmt::format("{} has a plan, but no result to publish", directory_.path.string()));
    const bool is_damaged = files_.exists(directory_.damage());
    report_.outcome = is_damaged ? PublishOutcome::damaged : PublishOutcome::published;
    report_.file = directory_.result();
    return false;
  }

  void publish_incomplete() {
    report_.file = directory_.incomplete();
    report_.verified_bytes = write_incomplete(files_, directory_, record_, journals_);
    report_.outcome = PublishOutcome::published;
  }

  bool open_file() {
    file_ = files_.open(directory_.partial(), OpenFor::writing);
    if (file_->size() != record_.file_size ||
        frame_checksum(*file_, record_.places, record_.file_size) != record_.frame) {
      append_damage(files_, directory_, record_, journals_, {whole_file});
      report_.outcome = PublishOutcome::damaged;
      return false;
    }
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
    if (record_.cut.kind == BlockKind::candidates)
      throw IoError("verify", directory_.partial(), EIO,
                    "rows that were just written read back differently; is the disk sound?");
    append_damage(files_, directory_, record_, journals_, damaged);
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
  PublishReport report_;
};

std::vector<std::byte> pack(const ChecksumTable& table) {
  Packer packer;
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
        message[0] != std::byte{0} ? pack(publishing->table()) : pack(publishing->report());
    message.insert(message.end(), rest.begin(), rest.end());
  }
  message = ranks.broadcast(std::move(message));
  Unpacker unpacker(message);
  if (unpacker.number<std::uint8_t>() == 0) return unpack_report(unpacker);

  const ChecksumTable table = unpack_table(unpacker);
  const RunRecord record = read_run_record(files, directory);
  const std::uint32_t stored = record.cut.stored_count();
  std::vector<std::uint32_t> share;
  for (std::uint32_t block = ranks.rank(); block < stored; block += ranks.size()) share.push_back(block);
  const BlockVerification verification =
      verify_blocks(*files.open(directory.partial(), OpenFor::reading), record, table, share, threads);

  std::vector<std::uint64_t> sums(stored / word_bits + 2);  // one bit per damaged block, and the bytes read at the end
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

}  // namespace dfsweep
