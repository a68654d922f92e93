#include <algorithm>

#include "engine/dataset/candidates.hpp"
#include "engine/store/partial_publication.hpp"
#include "engine/store/verification.hpp"
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
    ChecksumTable table{.columns = record_.filled_columns(), .checksums = {}};
    for (std::uint32_t block = 0; block < record_.cut.stored_count(); ++block) {
      const std::vector<Checksum> checksums = write_block(block);
      table.checksums.insert(table.checksums.end(), checksums.begin(), checksums.end());
    }
    write_seal(*to_, record_, std::move(table));
    to_->sync_data();
    to_.reset();
    files_.rename(temporary_, to_path_);
    files_.sync_directory(to_path_.parent_path());
    return std::move(result_);
  }

 private:
  std::vector<Checksum> write_block(std::uint32_t block) {
    if (record_.cut.kind == BlockKind::candidates)
      return is_group_complete(block) ? write_reduced_rows(files_, record_, journals_, block, *to_) : fill(block);
    if (!journals_.complete[block]) return fill(block);
    std::vector<std::vector<std::byte>> columns;
    for (std::size_t c = 0; c < record_.filled_columns(); ++c) {
      const Range range = range_of(c, block);
      columns.emplace_back(range.count * record_.places[c].element_bytes);
      from_->read_at(range.offset, columns.back());
      result_.verified_bytes += columns.back().size();
      if (xxh3_128(columns.back()) == journals_.checksums.of(block)[c]) continue;
      result_.damaged.push_back(block);
      return fill(block);
    }
    for (std::size_t c = 0; c < columns.size(); ++c) to_->write_at(range_of(c, block).offset, columns[c]);
    const std::span<const Checksum> known = journals_.checksums.of(block);
    return {known.begin(), known.end()};
  }

  [[nodiscard]] bool is_group_complete(std::uint32_t group) const {
    const auto first = journals_.complete.begin() + static_cast<std::ptrdiff_t>(group) * record_.cut.slices_per_group;
    return std::all_of(first, first + record_.cut.slices_per_group, [](bool is_complete) { return is_complete; });
  }

  std::vector<Checksum> fill(std::uint32_t block) {
    std::vector<Checksum> checksums;
    for (std::size_t c = 0; c < record_.filled_columns(); ++c) {
      const Range range = range_of(c, block);
      const std::vector<std::byte> bytes = repeated(record_.missing[c], range.count);
      DFSWEEP_EXPECT(bytes.size() == range.count * record_.places[c].element_bytes);
      to_->write_at(range.offset, bytes);
      checksums.push_back(xxh3_128(bytes));
    }
    return checksums;
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
    const CandidatesPlace& place = journals.candidates[group * record.cut.slices_per_group + slice];
    std::vector<std::byte> payload(place.bytes);
    files.open(place.journal, OpenFor::reading)->read_at(place.offset, payload);
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
