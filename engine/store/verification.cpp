#include "engine/store/verification.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>

#include <fmt/core.h>

#include "engine/console/foreign_run.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/store/journal_checksums.hpp"
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

/// Verifies the blocks [first, last) of a table, column by column, and adds what it finds.
void verify(ChecksumReader& reader, const BlockedColumns& columns, const ChecksumTable& table, std::size_t first,
            std::size_t last, BlockVerification& result) {
  std::vector<DamagedBlock> found;
  for (std::size_t i = first; i < last; ++i) found.push_back({table.blocks[i], {}});
  for (std::size_t c = 0; c < table.columns; ++c) {
    const ColumnPlace& place = columns.places[c];
    for (std::size_t i = first; i < last; ++i) {
      DamagedBlock& block = found[i - first];
      const RowRange range = range_of(place, columns.stored(block.block));
      bool is_intact = false;
      try {
        is_intact = reader.checksum_of(c, place.element_bytes, range) == table.of(i)[c];
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
                                unsigned threads) {
  const std::size_t blocks = table.blocks.size();
  BlockVerification result;
  std::mutex mutex;  // guards result
  std::atomic<std::size_t> next{0};
  const std::size_t at_once = std::max(columns.blocks_at_once, 1U);
  const auto lane = [&](std::size_t) {
    ChecksumReader reader(source);
    BlockVerification part;
    for (std::size_t i = next.fetch_add(at_once); i < blocks; i = next.fetch_add(at_once))
      verify(reader, columns, table, i, std::min(i + at_once, blocks), part);
    const std::lock_guard lock(mutex);
    add(result, std::move(part));
  };
  const unsigned lanes = static_cast<unsigned>(std::clamp<std::size_t>(blocks, 1, std::max(threads, 1U)));
  parallel_for(lanes, lanes, lane);
  std::sort(result.damaged.begin(), result.damaged.end(),
            [](const DamagedBlock& a, const DamagedBlock& b) { return a.block < b.block; });
  return result;
}

void add(BlockVerification& sum, BlockVerification found) {
  sum.bytes += found.bytes;
  std::move(found.damaged.begin(), found.damaged.end(), std::back_inserter(sum.damaged));
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
    const std::unique_ptr<File> file = files_.open(report_.file, OpenFor::reading);
    const std::optional<ColumnPlace> table = sealed_table(*file, record_);
    if (!table) report_.is_frame_damaged = true;
    if (!table && record_.compression_level) return;  // the table of chunks may be the damaged one
    const std::unique_ptr<ColumnSource> columns = published_columns(files_, report_.file, record_);
    if (!table) return verify_recorded(*columns);
    for_each_window(report_.blocks, record_.filled_columns(),
                    [&](BlockRange range) { verify(*columns, read_checksums(*file, *table, range)); });
    finish();
  }

  void verify_complete(const ColumnSource& file) {
    report_.missing_blocks = record_.cut.block_count - journals_.complete_count();
    // The seal is not verified here: publication writes it, and a kill at that time leaves it incomplete.
    verify_recorded(file);
  }

  /// Verifies the blocks that the journals record; slices of searches have no rows before publication.
  void verify_recorded(const ColumnSource& columns) {
    if (record_.cut.kind == BlockKind::candidates) return;
    visit_checksums(files_, directory_, record_, journals_, all_blocks(record_),
                    [&](const ChecksumTable& batch) { verify(columns, batch); });
    finish();
  }

  void verify(const ColumnSource& columns, const ChecksumTable& table) {
    add(found_, verify_blocks(columns, blocked_columns(record_), table, threads_));
  }

  void finish() {
    report_.bytes = found_.bytes;
    report_.damaged = std::move(found_.damaged);
    std::sort(report_.damaged.begin(), report_.damaged.end(),
              [](const DamagedBlock& a, const DamagedBlock& b) { return a.block < b.block; });
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
  BlockVerification found_;
  VerifyReport report_;
};

}  // namespace

VerifyReport verify_run(FileSystem& files, const std::filesystem::path& directory, unsigned threads) {
  return RunVerification(files, directory, threads).run();
}

}  // namespace dfsweep::store
