#include "engine/store/verification.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include <fmt/core.h>

#include "engine/console/foreign_run.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/store/journals.hpp"
#include "io/hdf5/sealed_dataset.hpp"

namespace dfsweep::store {

namespace {

/// Small enough that the bytes are still in cache when they are checksummed.
constexpr std::size_t read_bytes = std::size_t{1} << 20;

/// Checksum of [offset, offset + count) of a file, read in pieces through `buffer`.
Checksum checksum_of(const File& file, std::uint64_t offset, std::uint64_t count, ChecksumStream& stream,
                     std::vector<std::byte>& buffer) {
  stream.reset();
  while (count > 0) {
    const std::span<std::byte> piece = std::span(buffer).first(std::min<std::uint64_t>(count, buffer.size()));
    file.read_at(offset, piece);
    stream.update(piece);
    offset += piece.size();
    count -= piece.size();
  }
  return stream.digest();
}

/// Byte range of a stored block in a column.
struct ByteRange {
  std::uint64_t offset;
  std::uint64_t count;
};
ByteRange range_of(const ColumnPlace& place, const StoredBlock& block) {
  const bool is_row = place.extent == ColumnExtent::rows;
  const std::uint64_t first = is_row ? block.first_row : block.first_group;
  const std::uint64_t count = is_row ? block.row_count : block.group_count;
  return {place.offset + first * place.element_bytes, count * place.element_bytes};
}

/// The checksum table in its stored format.
StoredTable stored_table(const RunRecord& record, const ChecksumTable& table) {
  StoredTable stored{.first_rows = {}, .checksums = table.checksums};
  for (std::uint32_t i = 0; i < record.cut.stored_count(); ++i)
    stored.first_rows.push_back(record.cut.stored(i).first_row);
  return stored;
}

/// The seal that follows from the plan, without the checksum of the table.
Seal planned_seal(const RunRecord& record) {
  return {.file_size = record.file_size, .frame = record.frame, .table = {}, .places = record.places};
}

}  // namespace

BlockVerification verify_blocks(const File& file, const BlockedColumns& columns, const ChecksumTable& table,
                                const std::vector<std::uint32_t>& blocks, unsigned threads) {
  BlockVerification result;
  std::mutex mutex;  // guards result
  std::atomic<std::size_t> next{0};
  const auto lane = [&](std::size_t) {
    std::vector<std::byte> buffer(read_bytes);
    ChecksumStream stream;
    std::uint64_t bytes = 0;
    for (std::size_t i = next++; i < blocks.size(); i = next++) {
      DamagedBlock damaged{blocks[i], {}};
      const std::span<const Checksum> expected = table.of(blocks[i]);
      for (std::size_t c = 0; c < table.columns; ++c) {
        const ByteRange range = range_of(columns.places[c], columns.stored(blocks[i]));
        bool is_intact = false;
        try {
          is_intact = checksum_of(file, range.offset, range.count, stream, buffer) == expected[c];
        } catch (const IoError&) {  // unreadable sectors and truncated files count as damage
        }
        bytes += range.count;
        if (!is_intact) damaged.columns.push_back(columns.places[c].path);
      }
      if (damaged.columns.empty()) continue;
      const std::lock_guard lock(mutex);
      result.damaged.push_back(std::move(damaged));
    }
    const std::lock_guard lock(mutex);
    result.bytes += bytes;
  };
  const unsigned lanes = static_cast<unsigned>(std::clamp<std::size_t>(blocks.size(), 1, std::max(threads, 1U)));
  parallel_for(lanes, lanes, lane);
  std::sort(result.damaged.begin(), result.damaged.end(),
            [](const DamagedBlock& a, const DamagedBlock& b) { return a.block < b.block; });
  return result;
}

BlockedColumns blocked_columns(const RunRecord& record) {
  return {.places = record.places, .stored = [&record](std::uint32_t block) { return record.cut.stored(block); }};
}

void write_seal(File& file, const RunRecord& record, const ChecksumTable& table) {
  const StoredTable stored = stored_table(record, table);
  file.write_at(record.place("provenance/block").offset, std::as_bytes(std::span(stored.first_rows)));
  file.write_at(record.place("provenance/checksums").offset, std::as_bytes(std::span(stored.checksums)));
  Seal seal = planned_seal(record);
  seal.table = checksum_of(stored);
  file.write_at(0, encode_seal(seal));
}

bool has_planned_frame(const File& file, const RunRecord& record) {
  return file.size() == record.file_size && frame_checksum(file, record.places, record.file_size) == record.frame;
}

std::optional<ChecksumTable> sealed_table(const File& file, const RunRecord& record) {
  const SealReading reading = read_seal(file);
  if (reading.state != SealState::intact) return std::nullopt;
  Seal expected = planned_seal(record);
  expected.table = reading.seal.table;
  if (encode_seal(expected) != encode_seal(reading.seal)) return std::nullopt;
  try {
    StoredTable table = read_table(file, reading.seal, {});
    return ChecksumTable{.columns = record.filled_columns(), .checksums = std::move(table.checksums)};
  } catch (const BadDataset&) {
    return std::nullopt;
  }
}

namespace {

/// Verifies the complete blocks with the checksums of the published file, else of the journals.
class RunVerification {
 public:
  RunVerification(FileSystem& files, const std::filesystem::path& path, unsigned threads)
      : files_(files), directory_{path}, threads_(threads), record_(read_run_record(files, directory_)) {}

  VerifyReport run() {
    const bool is_published = files_.exists(directory_.result()) && !files_.exists(directory_.partial());
    report_.subject = is_published ? Subject::published_run : Subject::run;
    report_.file = is_published ? directory_.result() : directory_.partial();
    if (!files_.exists(report_.file)) throw no_result_yet(directory_);
    report_.blocks = record_.cut.stored_count();
    journals_ = read_journals(files_, directory_, record_);
    report_.notes = journals_.notes;
    const std::unique_ptr<File> file = files_.open(report_.file, OpenFor::reading);
    report_.is_frame_damaged = !has_planned_frame(*file, record_);
    if (is_published)
      verify_published(*file);
    else
      verify_complete(*file);
    record_damage(is_published);
    return std::move(report_);
  }

 private:
  void verify_published(const File& file) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < report_.blocks; ++i) all.push_back(i);
    const std::optional<ChecksumTable> table = sealed_table(file, record_);
    if (!table) report_.is_frame_damaged = true;
    verify(file, table ? *table : journal_table(all), all);
  }

  void verify_complete(const File& file) {
    std::vector<std::uint32_t> complete;
    for (std::uint32_t b = 0; b < record_.cut.block_count && record_.cut.kind != BlockKind::candidates; ++b)
      if (journals_.complete[b]) complete.push_back(b);
    report_.missing_blocks = record_.cut.block_count - journals_.complete_count();
    // The seal is not verified here: publication writes it, and a kill at that time leaves it incomplete.
    verify(file, journal_table(complete), complete);
  }

  /// Checksums from the journals; removes blocks without a record from `blocks`.
  [[nodiscard]] ChecksumTable journal_table(std::vector<std::uint32_t>& blocks) const {
    ChecksumTable table{.columns = record_.filled_columns(), .checksums = {}};
    table.checksums.resize(std::size_t{report_.blocks} * table.columns);
    const bool has_checksums = record_.cut.kind != BlockKind::candidates;
    std::erase_if(blocks,
                  [&](std::uint32_t b) { return !has_checksums || journals_.checksums[b].size() != table.columns; });
    for (const std::uint32_t b : blocks)
      std::copy(journals_.checksums[b].begin(), journals_.checksums[b].end(),
                table.checksums.begin() + static_cast<std::ptrdiff_t>(b * table.columns));
    return table;
  }

  void verify(const File& file, const ChecksumTable& table, const std::vector<std::uint32_t>& blocks) {
    BlockVerification verification = verify_blocks(file, blocked_columns(record_), table, blocks, threads_);
    report_.bytes = verification.bytes;
    report_.damaged = std::move(verification.damaged);
  }

  /// Records the damage, so that the next run evaluates these blocks again; everything else follows from the plan.
  void record_damage(bool is_published) {
    if (report_.is_sound()) return;
    std::vector<std::uint32_t> blocks;
    const bool are_reduced =
        record_.cut.kind == BlockKind::candidates;  // then rows are reduced again from the journals
    for (const DamagedBlock& damaged : report_.damaged)
      if (!are_reduced) blocks.push_back(damaged.block);
    if (report_.is_frame_damaged || (is_published && are_reduced)) blocks.push_back(whole_file);
    try {
      create_durable_directories(files_, directory_.journals());
      append_damage(files_, directory_, record_, journals_, blocks);
    } catch (const IoError& error) {
      report_.notes.push_back(fmt::format("the damage could not be recorded for the next run: {}", error.what()));
    }
  }

  FileSystem& files_;
  RunDirectory directory_;
  unsigned threads_;
  RunRecord record_;
  JournalState journals_;
  VerifyReport report_;
};

}  // namespace

VerifyReport verify_run(FileSystem& files, const std::filesystem::path& directory, unsigned threads) {
  return RunVerification(files, directory, threads).run();
}

}  // namespace dfsweep::store
