#include "engine/store/published_file.hpp"

#include <algorithm>
#include <utility>

namespace dfsweep::store {

namespace {

constexpr std::uint64_t wanted_chunk_rows = 65'536;
constexpr std::uint64_t most_chunk_rows = 131'072;

/// Whether a seal of a compressed file names the columns of this run.
bool has_columns(const Seal& seal, const RunRecord& record) {
  if (!seal.is_compressed() || seal.columns() != record.filled_columns()) return false;
  const std::vector<ChunkedColumn> expected = chunked_columns(record);
  for (std::size_t c = 0; c < expected.size(); ++c) {
    const ColumnPlace& place = seal.places[c];
    if (place.count != expected[c].count || place.element_bytes != expected[c].element_bytes ||
        place.extent != record.places[c].extent || seal.chunk_elements[c] != expected[c].chunk_elements)
      return false;
  }
  return true;
}

/// The seal of a compressed file of this run, which may be of another plan with the same columns.
std::optional<Seal> compressed_seal(const File& file, const RunRecord& record) {
  SealReading reading = read_seal(file);
  if (reading.state != SealState::intact || !has_columns(reading.seal, record)) return std::nullopt;
  return std::move(reading.seal);
}

}  // namespace

std::uint64_t groups_per_chunk(const BlockCut& cut) {
  const std::uint64_t block_rows = cut.groups_per_block * cut.rows_per_group;
  std::uint64_t groups = cut.groups_per_block;
  if (block_rows < wanted_chunk_rows) {
    groups *= wanted_chunk_rows / block_rows;
  } else {
    std::uint64_t parts = (block_rows + most_chunk_rows - 1) / most_chunk_rows;
    while (cut.groups_per_block % parts != 0) ++parts;
    groups /= parts;
  }
  return std::min(groups, cut.groups);
}

std::vector<ChunkedColumn> chunked_columns(const RunRecord& record) {
  const std::uint64_t groups = groups_per_chunk(record.cut);
  std::vector<ChunkedColumn> columns;
  for (std::size_t c = 0; c < record.filled_columns(); ++c) {
    const ColumnPlace& place = record.places[c];
    const std::uint64_t elements = place.extent == ColumnExtent::rows ? groups * record.cut.rows_per_group : groups;
    columns.push_back({.count = place.count, .element_bytes = place.element_bytes, .chunk_elements = elements});
  }
  return columns;
}

Seal planned_seal(const RunRecord& record) {
  return {.file_size = record.file_size, .frame = record.frame, .table = {}, .places = record.places};
}

void write_first_rows(File& file, const ColumnPlace& place, const BlockCut& cut) {
  std::vector<std::uint64_t> rows;
  for (std::uint32_t i = 0; i < cut.stored_count(); ++i) rows.push_back(cut.stored(i).first_row);
  file.write_at(place.offset, std::as_bytes(std::span(rows)));
}

void seal_file(File& file, const RunRecord& record) {
  const Seal seal = planned_seal(record);
  write_first_rows(file, seal.tables()[0], record.cut);
  write_seal(file, seal);
}

bool has_planned_frame(const File& file, const RunRecord& record) {
  return file.size() == record.file_size && frame_checksum(file, record.places, record.file_size) == record.frame;
}

bool has_published_frame(FileSystem& files, const std::filesystem::path& path, const RunRecord& record) {
  std::unique_ptr<File> file = files.open(path, OpenFor::reading);
  if (!record.compression_level) return has_planned_frame(*file, record);
  const std::optional<Seal> seal = compressed_seal(*file, record);
  if (!seal || file->size() != seal->file_size) return false;
  try {
    const OpenedDataset opened = open_sealed(std::move(file), path, *seal);
    return text_of(opened.contents->attributes, "plan_fingerprint") == record.fingerprint;
  } catch (const BadDataset&) {
    return false;
  }
}

std::optional<ColumnPlace> sealed_table(const File& file, const RunRecord& record) {
  const SealReading reading = read_seal(file);
  if (reading.state != SealState::intact) return std::nullopt;
  if (record.compression_level) {
    if (!has_columns(reading.seal, record)) return std::nullopt;
  } else {
    Seal expected = planned_seal(record);
    expected.table = reading.seal.table;
    if (encode_seal(expected) != encode_seal(reading.seal)) return std::nullopt;
  }
  try {
    static_cast<void>(read_tables(file, reading.seal, {}));
    const ColumnPlace& place = reading.seal.tables()[1];
    if (place.count != record.cut.stored_count() || place.element_bytes != sizeof(Checksum) * record.filled_columns())
      return std::nullopt;
    return place;
  } catch (const BadDataset&) {
    return std::nullopt;
  }
}

std::unique_ptr<ColumnSource> published_columns(FileSystem& files, const std::filesystem::path& path,
                                                const RunRecord& record) {
  std::shared_ptr<const File> file = files.open(path, OpenFor::reading);
  if (!record.compression_level) return contiguous_columns(std::move(file), record.places);
  const std::optional<Seal> seal = compressed_seal(*file, record);
  if (!seal) throw BadDataset(path.string() + " is damaged: its seal is not that of its plan");
  StoredTables tables = read_tables(*file, *seal, path);
  return compressed_columns(std::move(file), dfsweep::chunked_columns(*seal, std::move(tables.chunks)), {}, path);
}

}  // namespace dfsweep::store
