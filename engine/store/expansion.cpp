#include "engine/store/expansion.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "engine/store/journal_checksums.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/published_file.hpp"
#include "io/dataset_contents.hpp"

namespace dfsweep::store {

namespace {

/// The columns of the result; null where its seal or its tables are damaged.
std::unique_ptr<ColumnSource> columns_of(FileSystem& files, const RunDirectory& directory, const RunRecord& record) {
  try {
    return published_columns(files, directory.result(), record);
  } catch (const BadDataset&) {
    return nullptr;
  }
}

/// Whether a block has its checksums; then it is written.
bool copy_block(const ColumnSource& from, const RunRecord& record, std::uint32_t index,
                std::span<const Checksum> expected, File& to) {
  const StoredBlock block = record.cut.stored(index);
  std::vector<std::byte> bytes;
  for (std::size_t c = 0; c < record.filled_columns(); ++c) {
    const ColumnPlace& place = record.places[c];
    const bool is_row = place.extent == ColumnExtent::rows;
    const std::uint64_t first = is_row ? block.first_row : block.first_group;
    bytes.resize((is_row ? block.row_count : block.group_count) * place.element_bytes);
    try {
      from.read(c, first, bytes);
    } catch (const BadDataset&) {
      return false;
    }
    if (xxh3_128(bytes) != expected[c]) return false;
    to.write_at(place.offset + first * place.element_bytes, bytes);
  }
  return true;
}

}  // namespace

void expand_result(FileSystem& files, const RunDirectory& directory, const RunRecord& record, File& file) {
  if (record.cut.kind == BlockKind::candidates) return;  // publication writes all rows, from the journals
  const JournalState journals = read_journals(files, directory, record);
  const std::unique_ptr<ColumnSource> columns = columns_of(files, directory, record);
  std::vector<std::uint32_t> damaged;
  visit_checksums(files, directory, record, journals, all_blocks(record), [&](const ChecksumTable& batch) {
    for (std::size_t i = 0; i < batch.blocks.size(); ++i)
      if (columns == nullptr || !copy_block(*columns, record, batch.blocks[i], batch.of(i), file))
        damaged.push_back(batch.blocks[i]);
  });
  std::sort(damaged.begin(), damaged.end());
  if (!damaged.empty()) append_damage(files, directory, record, journals, damaged);
}

}  // namespace dfsweep::store
