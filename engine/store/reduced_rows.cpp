#include "engine/store/reduced_rows.hpp"

#include "engine/dataset/candidates.hpp"
#include "models/expect.hpp"

namespace dfsweep::store {

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
