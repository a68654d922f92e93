#include <algorithm>

#include "engine/dataset/candidates.hpp"
#include "engine/dataset/copied_layout.hpp"
#include "engine/store/journal_checksums.hpp"
#include "engine/store/partial_publication.hpp"
#include "engine/store/published_file.hpp"
#include "models/expect.hpp"

namespace dfsweep::store {

namespace {

/// Repeats an element `count` times.
std::vector<std::byte> repeated(const std::vector<std::byte>& element, std::uint64_t count) {
  std::vector<std::byte> bytes;
  bytes.reserve(element.size() * count);
  for (std::uint64_t i = 0; i < count; ++i) bytes.insert(bytes.end(), element.begin(), element.end());
  return bytes;
}

class IncompleteCopy {
 public:
  IncompleteCopy(FileSystem& files, const RunDirectory& directory, const RunRecord& record,
                 const JournalState& journals)
      : files_(files),
        directory_(directory),
        record_(record),
        journals_(journals),
        from_(files.open(directory.partial(), OpenFor::reading)),
        to_path_(directory.incomplete()) {
    temporary_ = to_path_;
    temporary_ += ".new";
    to_ = files.open(temporary_, OpenFor::creating);
  }

  IncompleteResult write() {
    to_->truncate(record_.file_size);
    copy_frame(*from_, *to_, record_.places, record_.file_size);
    const bool is_sliced = record_.cut.kind == BlockKind::candidates;
    for (std::uint32_t block = 0; block < record_.cut.stored_count(); ++block) {
      if (is_sliced && is_group_complete(block))
        set_checksums(block, write_reduced_rows(files_, record_, journals_, block, *to_));
      else if (is_sliced || !journals_.complete[block])
        fill(block);
    }
    if (!is_sliced) copy_complete();
    seal_file(*to_, record_);
    to_->sync_data();
    to_.reset();
    files_.rename(temporary_, to_path_);
    files_.sync_directory(to_path_.parent_path());
    return std::move(result_);
  }

 private:
  /// Copies the complete blocks, and the checksums of those that are sound.
  void copy_complete() {
    visit_checksums(files_, directory_, record_, journals_, all_blocks(record_), [&](const ChecksumTable& batch) {
      ChecksumTable sound{.columns = batch.columns, .blocks = {}, .checksums = {}};
      for (std::size_t i = 0; i < batch.blocks.size(); ++i) {
        if (copy(batch.blocks[i], batch.of(i))) {
          sound.blocks.push_back(batch.blocks[i]);
          sound.checksums.insert(sound.checksums.end(), batch.of(i).begin(), batch.of(i).end());
        } else {
          result_.damaged.push_back(batch.blocks[i]);
          fill(batch.blocks[i]);
        }
      }
      write_checksums(*to_, record_.place(checksum_table), sound);
    });
    std::sort(result_.damaged.begin(), result_.damaged.end());
  }

  /// Whether a block has its checksums; then it is written.
  bool copy(std::uint32_t block, std::span<const Checksum> expected) {
    std::vector<std::vector<std::byte>> columns;
    for (std::size_t c = 0; c < record_.filled_columns(); ++c) {
      const Range range = range_of(c, block);
      columns.emplace_back(range.count * record_.places[c].element_bytes);
      from_->read_at(range.offset, columns.back());
      result_.verified_bytes += columns.back().size();
      if (xxh3_128(columns.back()) != expected[c]) return false;
    }
    for (std::size_t c = 0; c < columns.size(); ++c) to_->write_at(range_of(c, block).offset, columns[c]);
    return true;
  }

  void set_checksums(std::uint32_t block, std::vector<Checksum> checksums) {
    write_checksums(*to_, record_.place(checksum_table),
                    {.columns = record_.filled_columns(), .blocks = {block}, .checksums = std::move(checksums)});
  }

  [[nodiscard]] bool is_group_complete(std::uint32_t group) const {
    const auto first = journals_.complete.begin() + static_cast<std::ptrdiff_t>(group) * record_.cut.slices_per_group;
    return std::all_of(first, first + record_.cut.slices_per_group, [](bool is_complete) { return is_complete; });
  }

  /// Writes rows that say that they are missing.
  void fill(std::uint32_t block) {
    std::vector<Checksum> checksums;
    for (std::size_t c = 0; c < record_.filled_columns(); ++c) {
      const Range range = range_of(c, block);
      const std::vector<std::byte> bytes = repeated(record_.missing[c], range.count);
      DFSWEEP_EXPECT(bytes.size() == range.count * record_.places[c].element_bytes);
      to_->write_at(range.offset, bytes);
      checksums.push_back(xxh3_128(bytes));
    }
    set_checksums(block, std::move(checksums));
  }

  struct Range {
    std::uint64_t offset;
    std::uint64_t count;
  };
  [[nodiscard]] Range range_of(std::size_t column, std::uint32_t block) const {
    const ColumnPlace& place = record_.places[column];
    const StoredBlock stored = record_.cut.stored(block);
    const bool is_row = place.extent == ColumnExtent::rows;
    const std::uint64_t first = is_row ? stored.first_row : stored.first_group;
    return {place.offset + first * place.element_bytes, is_row ? stored.row_count : stored.group_count};
  }

  FileSystem& files_;
  const RunDirectory& directory_;
  const RunRecord& record_;
  const JournalState& journals_;
  std::unique_ptr<File> from_;
  std::filesystem::path to_path_;
  std::filesystem::path temporary_;
  std::unique_ptr<File> to_;
  IncompleteResult result_;
};

}  // namespace

IncompleteResult write_incomplete(FileSystem& files, const RunDirectory& directory, const RunRecord& record,
                                  const JournalState& journals) {
  return IncompleteCopy(files, directory, record, journals).write();
}

std::vector<Checksum> write_reduced_rows(FileSystem& files, const RunRecord& record, const JournalState& journals,
                                         std::uint32_t group, File& file) {
  DFSWEEP_EXPECT(record.order.has_value());
  std::vector<SliceCandidates> slices;
  for (std::uint32_t slice = 0; slice < record.cut.slices_per_group; ++slice) {
    const std::uint32_t block = group * record.cut.slices_per_group + slice;
    const RecordPlace& place = journals.places[block];
    std::vector<std::byte> payload(journals.candidate_bytes[block]);
    files.open(journals.files[place.journal], OpenFor::reading)->read_at(place.offset, payload);
    slices.push_back(decode_slice(payload));
  }
  const std::vector<std::vector<std::byte>> columns = reduce_slices(slices, *record.order);
  DFSWEEP_EXPECT(columns.size() == record.filled_columns());
  const StoredBlock block = record.cut.stored(group);
  std::vector<Checksum> checksums;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const ColumnPlace& place = record.places[c];
    const bool is_row = place.extent == ColumnExtent::rows;
    DFSWEEP_EXPECT(columns[c].size() == (is_row ? block.row_count : block.group_count) * place.element_bytes);
    file.write_at(place.offset + (is_row ? block.first_row : block.first_group) * place.element_bytes, columns[c]);
    checksums.push_back(xxh3_128(columns[c]));
  }
  return checksums;
}

}  // namespace dfsweep::store
