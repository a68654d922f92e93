#include "io/hdf5/sealed_dataset.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "io/hdf5/contents.hpp"
#include "io/hdf5/foreign_dataset.hpp"

namespace dfsweep {

namespace {

/// dfsweep never writes more than 1 GiB of metadata.
constexpr std::uint64_t max_frame_bytes = std::uint64_t{1} << 30;

BadDataset damaged_frame(const std::filesystem::path& path) {
  return BadDataset(path.string() + " is damaged outside its columns: those bytes have a wrong checksum");
}

std::unique_ptr<DatasetContents> trusted_contents(const File& file, const std::filesystem::path& path,
                                                  const std::vector<ColumnPlace>& places, std::uint64_t size,
                                                  const Checksum& expected) {
  if (file.size() != size || frame_bytes(places, size) > max_frame_bytes) throw damaged_frame(path);
  const DatasetImage frame = read_frame(file, places, size);
  if (frame_checksum(frame) != expected) throw damaged_frame(path);
  const hdf5::Quiet quiet;
  try {
    return std::make_unique<DatasetContents>(hdf5::read_contents(frame, path));
  } catch (const hdf5::Failure& failure) {
    throw BadDataset(fmt::format("{} cannot be parsed ({})", path.string(), failure.what()));
  }
}

/// Whether column i of a file is the one at this place.
bool is_at(const DatasetColumn& column, const ColumnPlace& place) {
  return column.offset.value_or(0) == place.offset && column.count == place.count &&
         column.element_bytes() == place.element_bytes;
}

/// The place of each column; throws if the parsed contents disagree with the seal or the plan.
std::vector<ColumnPlace> matched(const DatasetContents& contents, const std::vector<ColumnPlace>& places,
                                 const std::filesystem::path& path) {
  std::vector<ColumnPlace> matched;
  for (std::size_t i = 0; i < contents.column_count(); ++i) {
    const DatasetColumn& column = contents.column(i);
    const bool is_filled = i < contents.filled_columns();  // these are in the order of their places
    const auto first = places.begin() + static_cast<std::ptrdiff_t>(is_filled ? std::min(i, places.size()) : 0);
    const auto last = is_filled && first != places.end() ? first + 1 : places.end();
    const auto found = std::find_if(first, last, [&](const ColumnPlace& place) { return is_at(column, place); });
    if (found == last)
      throw BadDataset(
          fmt::format("{}: column {} is not at the offset that its seal gives", path.string(), column.name));
    matched.push_back(*found);
  }
  return matched;
}

/// Blocks with their checksums; throws if the rows of the table do not match the columns.
BlockChecksums blocks_of(StoredTable table, const DatasetContents& contents, const std::filesystem::path& path) {
  BlockChecksums blocks{.blocks = {}, .checksums = std::move(table.checksums)};
  const std::uint64_t rows = contents.columns.front().count;
  for (std::size_t i = 0; i < table.first_rows.size(); ++i) {
    const std::uint64_t first = table.first_rows[i];
    const std::uint64_t end = i + 1 < table.first_rows.size() ? table.first_rows[i + 1] : rows;
    if (first >= end || end > rows || (i == 0 && first != 0))
      throw BadDataset(path.string() + ": the checksum table does not match the columns");
    blocks.blocks.push_back({first, end - first});
  }
  if (blocks.checksums.size() != blocks.blocks.size() * contents.filled_columns())
    throw BadDataset(path.string() + ": the checksum table does not match the columns");
  return blocks;
}

void expect_sealed(const StoredTable& table, const Seal& seal, const std::filesystem::path& path) {
  if (checksum_of(table) != seal.table)
    throw BadDataset(path.string() + " is damaged: its checksum table has a wrong checksum");
}

using TableBytes = std::array<std::vector<std::byte>, 3>;  ///< of blocks, checksums and chunks

template <typename Record>
std::vector<Record> records_of(const std::vector<std::byte>& bytes) {
  std::vector<Record> records(bytes.size() / sizeof(Record));
  if (!records.empty()) std::memcpy(records.data(), bytes.data(), records.size() * sizeof(Record));
  return records;
}

StoredTable table_of_bytes(const TableBytes& bytes) {
  const auto& [block, checksums, chunks] = bytes;
  return {.first_rows = records_of<std::uint64_t>(block),
          .checksums = records_of<Checksum>(checksums),
          .chunks = records_of<ChunkPlace>(chunks)};
}

/// Throws unless there are as many chunks as the columns have, all of them in their place.
void expect_inside(const std::vector<ChunkPlace>& chunks, const Seal& seal, const std::filesystem::path& path) {
  const ColumnPlace& data = seal.chunk_data();
  const bool are_inside = std::all_of(chunks.begin(), chunks.end(), [&](const ChunkPlace& chunk) {
    return chunk.offset >= data.offset && chunk.bytes <= data.count &&
           chunk.offset - data.offset <= data.count - chunk.bytes;
  });
  if (!are_inside || chunks.size() != chunk_count(chunked_columns(seal, {}).columns))
    throw BadDataset(path.string() + ": its table of chunks does not match the columns");
}

/// Reads the table through the child process.
StoredTable read_table(const DatasetContents& contents, const ColumnSource& columns,
                       const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 3> names = {"provenance/block", "provenance/checksums", "provenance/chunks"};
  TableBytes bytes;
  for (std::size_t t = 0; t < contents.tables.size(); ++t) {
    const DatasetColumn& table = contents.tables[t];
    const auto name = std::find(names.begin(), names.end(), table.name);
    if (name == names.end()) continue;
    std::vector<std::byte>& to = bytes[static_cast<std::size_t>(name - names.begin())];
    to.resize(table.count * table.element_bytes());
    columns.read(contents.filled_columns() + t, 0, to);
  }
  if (bytes[0].empty() || bytes[1].empty()) throw BadDataset(path.string() + " has no checksum table");
  return table_of_bytes(bytes);
}

}  // namespace

Checksum checksum_of(const StoredTable& table) {
  ChecksumStream stream;
  stream.update(std::as_bytes(std::span(table.first_rows)));
  stream.update(std::as_bytes(std::span(table.checksums)));
  stream.update(std::as_bytes(std::span(table.chunks)));
  return stream.digest();
}

void write_sealed_table(File& file, Seal seal, const StoredTable& table) {
  const std::span<const ColumnPlace> places = seal.tables();
  file.write_at(places[0].offset, std::as_bytes(std::span(table.first_rows)));
  file.write_at(places[1].offset, std::as_bytes(std::span(table.checksums)));
  if (seal.is_compressed()) file.write_at(places[2].offset, std::as_bytes(std::span(table.chunks)));
  seal.table = checksum_of(table);
  file.write_at(0, encode_seal(seal));
}

StoredTable read_table(const File& file, const Seal& seal, const std::filesystem::path& path) {
  TableBytes bytes;
  const std::span<const ColumnPlace> tables = seal.tables();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    bytes[i].resize(tables[i].bytes());
    bytes[i].resize(file.read_some(tables[i].offset, bytes[i]));
  }
  StoredTable table = table_of_bytes(bytes);
  expect_sealed(table, seal, path);
  if (seal.is_compressed()) expect_inside(table.chunks, seal, path);
  return table;
}

ChunkedColumns chunked_columns(const Seal& seal, std::vector<ChunkPlace> chunks) {
  ChunkedColumns columns{.columns = {}, .chunks = std::move(chunks)};
  for (std::size_t c = 0; c < seal.columns(); ++c)
    columns.columns.push_back({.count = seal.places[c].count,
                               .element_bytes = seal.places[c].element_bytes,
                               .chunk_elements = seal.chunk_elements[c]});
  return columns;
}

bool is_repacked(const File& file, const Seal& seal) {
  return file.size() != seal.file_size;
}

OpenedDataset open_sealed(std::unique_ptr<File> file, const std::filesystem::path& path, const Seal& seal) {
  OpenedDataset opened;
  opened.contents = trusted_contents(*file, path, seal.places, seal.file_size, seal.frame);
  std::vector<ColumnPlace> places = matched(*opened.contents, seal.places, path);
  const std::shared_ptr<const File> shared = std::move(file);
  if (seal.is_compressed()) {
    if (opened.contents->filled_columns() != seal.columns())
      throw BadDataset(path.string() + ": its seal names other columns than the file has");
    StoredTable table = read_table(*shared, seal, path);
    ChunkedColumns columns = chunked_columns(seal, std::exchange(table.chunks, {}));
    places.erase(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(seal.columns()));
    opened.columns =
        verified_columns(compressed_columns(shared, std::move(columns), std::move(places), path), *opened.contents,
                         path, [blocks = blocks_of(std::move(table), *opened.contents, path)] { return blocks; });
    return opened;
  }
  const auto load = [shared, seal, path, &contents = *opened.contents] {
    return blocks_of(read_table(*shared, seal, path), contents, path);
  };
  opened.columns = verified_columns(contiguous_columns(shared, std::move(places)), *opened.contents, path, load);
  return opened;
}

OpenedDataset open_repacked(const std::filesystem::path& path, const Seal& seal) {
  ForeignDataset foreign = open_foreign(path);
  for (std::size_t i = 0; i < foreign.contents.filled_columns(); ++i)
    if (foreign.contents.column(i).offset && !seal.is_compressed())
      throw BadDataset(path.string() + " is damaged: its size differs from that in its seal, and it was not repacked");
  StoredTable table = read_table(foreign.contents, *foreign.columns, path);
  expect_sealed(table, seal, path);
  OpenedDataset opened;
  opened.contents = std::make_unique<DatasetContents>(std::move(foreign.contents));
  BlockChecksums blocks = blocks_of(std::move(table), *opened.contents, path);
  opened.columns = verified_columns(std::move(foreign.columns), *opened.contents, path,
                                    [blocks = std::move(blocks)] { return blocks; });
  return opened;
}

OpenedDataset open_expected(std::unique_ptr<File> file, const std::filesystem::path& path, ExpectedDataset expected) {
  OpenedDataset opened;
  opened.contents = trusted_contents(*file, path, expected.places, expected.file_size, expected.frame);
  std::vector<ColumnPlace> places = matched(*opened.contents, expected.places, path);
  opened.columns = verified_columns(contiguous_columns(std::move(file), std::move(places)), *opened.contents, path,
                                    [complete = std::move(expected.complete)] { return complete; });
  return opened;
}

}  // namespace dfsweep
