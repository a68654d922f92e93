#include "engine/store/checksum_table.hpp"

#include <algorithm>
#include <numeric>

namespace dfsweep::store {

void for_each_window(std::uint32_t count, std::size_t columns, const std::function<void(BlockRange)>& use) {
  const std::size_t row_bytes = sizeof(Checksum) * std::max<std::size_t>(columns, 1);
  const auto at_once = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(window_bytes / row_bytes, 1, std::max(count, std::uint32_t{1})));
  for (std::uint32_t first = 0; first < count;) {
    const std::uint32_t blocks = std::min(at_once, count - first);
    use({first, blocks});
    first += blocks;
  }
}

ChecksumTable read_checksums(const File& file, const ColumnPlace& place, BlockRange range) {
  ChecksumTable table{.columns = place.element_bytes / sizeof(Checksum),
                      .blocks = std::vector<std::uint32_t>(range.count),
                      .checksums = {}};
  std::iota(table.blocks.begin(), table.blocks.end(), range.first);
  table.checksums.resize(range.count * table.columns);
  file.read_at(place.offset + range.first * place.element_bytes, std::as_writable_bytes(std::span(table.checksums)));
  return table;
}

/// Rows of neighbouring blocks are written together.
void write_checksums(File& file, const ColumnPlace& place, const ChecksumTable& table) {
  for (std::size_t first = 0; first < table.blocks.size();) {
    std::size_t last = first + 1;
    while (last < table.blocks.size() && table.blocks[last] == table.blocks[first] + (last - first)) ++last;
    file.write_at(
        place.offset + table.blocks[first] * place.element_bytes,
        std::as_bytes(std::span(table.checksums).subspan(first * table.columns, (last - first) * table.columns)));
    first = last;
  }
}

}  // namespace dfsweep::store
