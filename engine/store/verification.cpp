#include "engine/store/verification.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include <fmt/core.h>

#include "engine/console/foreign_run.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/store/journals.hpp"
#include "io/dataset_contents.hpp"

namespace dfsweep::store {

namespace {

/// Small enough that the bytes are still in cache when they are checksummed.
constexpr std::size_t read_bytes = std::size_t{1} << 20;

/// Elements of a stored block in a column.
RowRange range_of(const ColumnPlace& place, const StoredBlock& block) {
  if (place.extent == ColumnExtent::rows) return {block.first_row, block.row_count};
  return {block.first_group, block.group_count};
}

/// Checksum of elements of a column, read in pieces.
class ChecksumReader {
 public:
  explicit ChecksumReader(const ColumnSource& source) : source_(source), buffer_(read_bytes) {}

  Checksum checksum_of(std::size_t column, std::uint64_t element_bytes, RowRange range) {
    const std::uint64_t piece = std::max<std::uint64_t>(read_bytes / element_bytes, 1);
    buffer_.resize(std::max<std::size_t>(buffer_.size(), element_bytes));
    stream_.reset();
    while (range.count > 0) {
      const std::uint64_t count = std::min(range.count, piece);
      const std::span<std::byte> bytes = std::span(buffer_).first(count * element_bytes);
      source_.read(column, range.first, bytes);
      stream_.update(bytes);
      range = {range.first + count, range.count - count};
    }
    return stream_.digest();
  }

 private:
  const ColumnSource& source_;
  std::vector<std::byte> buffer_;
  ChecksumStream stream_;
};

/// Verifies some blocks, column by column, and adds what it finds.
void verify(ChecksumReader& reader, const BlockedColumns& columns, const ChecksumTable& table,
            std::span<const std::uint32_t> blocks, BlockVerification& result) {
  std::vector<DamagedBlock> found;
  for (const std::uint32_t block : blocks) found.push_back({block, {}});
  for (std::size_t c = 0; c < table.columns; ++c) {
    const ColumnPlace& place = columns.places[c];
    for (DamagedBlock& block : found) {
      const RowRange range = range_of(place, columns.stored(block.block));
      bool is_intact = false;
      try {
        is_intact = reader.checksum_of(c, place.element_bytes, range) == table.of(block.block)[c];
      } catch (const IoError&) {  // unreadable sectors and truncated files count as damage
      } catch (const BadDataset&) {
      }
      result.bytes += range.count * place.element_bytes;
      if (!is_intact) block.columns.push_back(place.path);
    }
  }
  for (DamagedBlock& block : found)
    if (!block.columns.empty()) result.damaged.push_back(std::move(block));
}

}  // namespace

BlockVerification verify_blocks(const ColumnSource& source, const BlockedColumns& columns, const ChecksumTable& table,
                                const std::vector<std::uint32_t>& blocks, unsigned threads) {
  BlockVerification result;
  std::mutex mutex;  // guards result
  std::atomic<std::size_t> next{0};
  const std::size_t at_once = std::max(columns.blocks_at_once, 1U);
  const auto lane = [&](std::size_t) {
    ChecksumReader reader(source);
    BlockVerification part;
    for (std::size_t i = next.fetch_add(at_once); i < blocks.size(); i = next.fetch_add(at_once))
      verify(reader, columns, table, std::span(blocks).subspan(i, std::min(at_once, blocks.size() - i)), part);
    const std::lock_guard lock(mutex);
    result.bytes += part.bytes;
    result.damaged.insert(result.damaged.end(), part.damaged.begin(), part.damaged.end());
  };
  const unsigned lanes = static_cast<unsigned>(std::clamp<std::size_t>(blocks.size(), 1, std::max(threads, 1U)));
  parallel_for(lanes, lanes, lane);
  std::sort(result.damaged.begin(), result.damaged.end(),
            [](const DamagedBlock& a, const DamagedBlock& b) { return a.block < b.block; });
  return result;
}

BlockedColumns blocked_columns(const RunRecord& record) {
  BlockedColumns columns{.places = record.places,
                         .stored = [&record](std::uint32_t block) { return record.cut.stored(block); }};
  if (record.compression_level)
    columns.blocks_at_once = static_cast<std::uint32_t>(
        std::max<std::uint64_t>(groups_per_chunk(record.cut) / record.cut.groups_per_block, 1));
  return columns;
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
    if (is_published) {
      report_.is_frame_damaged = !has_published_frame(files_, report_.file, record_);
      verify_published();
    } else {
      const std::shared_ptr<const File> file = files_.open(report_.file, OpenFor::reading);
      report_.is_frame_damaged = !has_planned_frame(*file, record_);
      verify_complete(*contiguous_columns(file, record_.places));
    }
    record_damage(is_published);
    return std::move(report_);
  }

 private:
  void verify_published() {
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < report_.blocks; ++i) all.push_back(i);
    const std::optional<ChecksumTable> table = sealed_table(*files_.open(report_.file, OpenFor::reading), record_);
    if (!table) report_.is_frame_damaged = true;
    if (!table && record_.compression_level) return;  // the table of chunks may be the damaged one
    verify(*published_columns(files_, report_.file, record_), table ? *table : journal_table(all), all);
  }

  void verify_complete(const ColumnSource& file) {
    std::vector<std::uint32_t> complete;
    for (std::uint32_t b = 0; b < record_.cut.block_count && record_.cut.kind != BlockKind::candidates; ++b)
      if (journals_.complete[b]) complete.push_back(b);
    report_.missing_blocks = record_.cut.block_count - journals_.complete_count();
    // The seal is not verified here: publication writes it, and a kill at that time leaves it incomplete.
    verify(file, journal_table(complete), complete);
  }

  /// Checksums from the journals; removes blocks without a record from `blocks`.
  [[nodiscard]] const ChecksumTable& journal_table(std::vector<std::uint32_t>& blocks) const {
    const bool has_checksums = record_.cut.kind != BlockKind::candidates;
    std::erase_if(blocks, [&](std::uint32_t b) { return !has_checksums || !journals_.complete[b]; });
    return journals_.checksums;
  }

  void verify(const ColumnSource& columns, const ChecksumTable& table, const std::vector<std::uint32_t>& blocks) {
    BlockVerification verification = verify_blocks(columns, blocked_columns(record_), table, blocks, threads_);
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
