#include "io/hdf5/sealed_dataset.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
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

/// Fills bytes of the table of checksums, from an offset in it on.
using ReadTable = std::function<void(std::uint64_t offset, std::span<std::byte> bytes)>;

/// Bytes of the table of checksums that are read at once, and how many such pieces are kept.
constexpr std::size_t window_bytes = std::size_t{256} << 10;
constexpr std::size_t kept_windows = 8;

/// Blocks with their checksums, of which `table_bytes` are in the table. Throws if the rows of the table do not match
/// the columns.
BlockChecksums blocks_of(const std::vector<std::uint64_t>& first_rows, std::uint64_t table_bytes,
                         const DatasetContents& contents, const std::filesystem::path& path, ReadTable read_table) {
  const std::uint64_t row_bytes = contents.filled_columns() * sizeof(Checksum);
  BlockChecksums blocks{.blocks = {},
                        .read = {},
                        .blocks_at_once = std::max<std::size_t>(window_bytes / row_bytes, 1),
                        .kept_windows = kept_windows};
  const std::uint64_t rows = contents.columns.front().count;
  for (std::size_t i = 0; i < first_rows.size(); ++i) {
    const std::uint64_t first = first_rows[i];
    const std::uint64_t end = i + 1 < first_rows.size() ? first_rows[i + 1] : rows;
    if (first >= end || end > rows || (i == 0 && first != 0))
      throw BadDataset(path.string() + ": the checksum table does not match the columns");
    blocks.blocks.push_back({first, end - first});
  }
  if (table_bytes != blocks.blocks.size() * row_bytes)
    throw BadDataset(path.string() + ": the checksum table does not match the columns");
  blocks.read = [read_table = std::move(read_table), row_bytes](std::size_t first, std::span<Checksum> checksums) {
    read_table(first * row_bytes, std::as_writable_bytes(checksums));
  };
  return blocks;
}

/// Reads `bytes` bytes in pieces and hands them on; `read` may return fewer than asked for.
template <typename Read>
void for_each_piece(std::uint64_t bytes, const Read& read, const std::function<void(std::span<const std::byte>)>& use) {
  std::vector<std::byte> buffer(std::min<std::uint64_t>(bytes, table_piece_bytes));
  for (std::uint64_t at = 0; at < bytes;) {
    const std::span<std::byte> piece = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), bytes - at));
    const std::size_t found = read(at, piece);
    use(piece.first(found));
    if (found < piece.size()) return;  // the file ends here
    at += found;
  }
}

/// Tables as they arrive in pieces: the checksum of all, and the bytes of the small ones.
class TablesReading {
 public:
  static constexpr std::size_t blocks = 0;
  static constexpr std::size_t checksums = 1;
  static constexpr std::size_t chunks = 2;

  void take(std::size_t table, std::span<const std::byte> bytes) {
    stream_.update(bytes);
    if (table != checksums) kept_[table].insert(kept_[table].end(), bytes.begin(), bytes.end());
  }
  /// Throws unless these are the tables that the seal covers.
  [[nodiscard]] StoredTables finish(const Seal& seal, const std::filesystem::path& path) const {
    if (stream_.digest() != seal.table)
      throw BadDataset(path.string() + " is damaged: its checksum table has a wrong checksum");
    return {.first_rows = records_of<std::uint64_t>(kept_[blocks]), .chunks = records_of<ChunkPlace>(kept_[chunks])};
  }

 private:
  template <typename Record>
  static std::vector<Record> records_of(const std::vector<std::byte>& bytes) {
    std::vector<Record> records(bytes.size() / sizeof(Record));
    if (!records.empty()) std::memcpy(records.data(), bytes.data(), records.size() * sizeof(Record));
    return records;
  }

  ChecksumStream stream_;
  std::array<std::vector<std::byte>, 3> kept_;
};

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

/// A table of a repacked file, which the child process reads.
struct RepackedTable {
  std::size_t column = 0;           ///< index for ColumnSource::read
  std::uint64_t element_bytes = 0;  ///< bytes of a row of the table
  std::uint64_t bytes = 0;
};

/// The tables of blocks, checksums and chunks; empty ones where the file does not have them.
std::array<RepackedTable, 3> repacked_tables(const DatasetContents& contents) {
  constexpr std::array<std::string_view, 3> names = {"provenance/block", "provenance/checksums", "provenance/chunks"};
  std::array<RepackedTable, 3> tables;
  for (std::size_t t = 0; t < contents.tables.size(); ++t) {
    const DatasetColumn& table = contents.tables[t];
    const auto name = std::find(names.begin(), names.end(), table.name);
    if (name == names.end()) continue;
    tables[static_cast<std::size_t>(name - names.begin())] = {.column = contents.filled_columns() + t,
                                                              .element_bytes = table.element_bytes(),
                                                              .bytes = table.count * table.element_bytes()};
  }
  return tables;
}

/// Reads whole rows of a table. Pre: the offset and the bytes are those of whole rows.
void read_rows(const ColumnSource& columns, const RepackedTable& table, std::uint64_t offset,
               std::span<std::byte> bytes) {
  columns.read(table.column, offset / table.element_bytes, bytes);
}

StoredTables read_repacked(const ColumnSource& columns, const std::array<RepackedTable, 3>& tables, const Seal& seal,
                           const std::filesystem::path& path) {
  if (tables[TablesReading::blocks].bytes == 0 || tables[TablesReading::checksums].bytes == 0)
    throw BadDataset(path.string() + " has no checksum table");
  TablesReading reading;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const RepackedTable& table = tables[t];
    if (table.bytes == 0) continue;
    std::vector<std::byte> rows(std::max<std::uint64_t>(table_piece_bytes / table.element_bytes, 1) *
                                table.element_bytes);
    for (std::uint64_t at = 0; at < table.bytes; at += rows.size()) {
      rows.resize(std::min<std::uint64_t>(rows.size(), table.bytes - at));
      read_rows(columns, table, at, rows);
      reading.take(t, rows);
    }
  }
  return reading.finish(seal, path);
}

}  // namespace

void write_seal(File& file, Seal seal) {
  ChecksumStream stream;
  for (const ColumnPlace& table : seal.tables())
    for_each_piece(
        table.bytes(),
        [&](std::uint64_t at, std::span<std::byte> piece) {
          file.read_at(table.offset + at, piece);
          return piece.size();
        },
        [&](std::span<const std::byte> piece) { stream.update(piece); });
  seal.table = stream.digest();
  file.write_at(0, encode_seal(seal));
}

StoredTables read_tables(const File& file, const Seal& seal, const std::filesystem::path& path) {
  TablesReading reading;
  const std::span<const ColumnPlace> tables = seal.tables();
  for (std::size_t t = 0; t < tables.size(); ++t)
    for_each_piece(
        tables[t].bytes(),
        [&](std::uint64_t at, std::span<std::byte> piece) { return file.read_some(tables[t].offset + at, piece); },
        [&](std::span<const std::byte> piece) { reading.take(t, piece); });
  StoredTables found = reading.finish(seal, path);
  if (seal.is_compressed()) expect_inside(found.chunks, seal, path);
  return found;
}

ChunkedColumns chunked_columns(const Seal& seal, std::vector<ChunkPlace> chunks) {
  ChunkedColumns columns{.columns = {}, .chunks = std::move(chunks)};
  for (std::size_t c = 0; c < seal.columns(); ++c)
    columns.columns.push_back({.count = seal.places[c].count,
                               .element_bytes = seal.places[c].element_bytes,
                               .chunk_elements = seal.chunk_elements[c]});
  return columns;
}

namespace {

BlockChecksums sealed_blocks(const std::shared_ptr<const File>& file, const Seal& seal, const StoredTables& tables,
                             const DatasetContents& contents, const std::filesystem::path& path) {
  const ColumnPlace& place = seal.tables()[TablesReading::checksums];
  return blocks_of(tables.first_rows, place.bytes(), contents, path,
                   [file, offset = place.offset](std::uint64_t at, std::span<std::byte> bytes) {
                     file->read_at(offset + at, bytes);
                   });
}

}  // namespace

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
    StoredTables tables = read_tables(*shared, seal, path);
    ChunkedColumns columns = chunked_columns(seal, std::exchange(tables.chunks, {}));
    places.erase(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(seal.columns()));
    opened.columns = verified_columns(
        compressed_columns(shared, std::move(columns), std::move(places), path), *opened.contents, path,
        [blocks = sealed_blocks(shared, seal, tables, *opened.contents, path)] { return blocks; });
    return opened;
  }
  const auto load = [shared, seal, path, &contents = *opened.contents] {
    return sealed_blocks(shared, seal, read_tables(*shared, seal, path), contents, path);
  };
  opened.columns = verified_columns(contiguous_columns(shared, std::move(places)), *opened.contents, path, load);
  return opened;
}

OpenedDataset open_repacked(const std::filesystem::path& path, const Seal& seal) {
  ForeignDataset foreign = open_foreign(path);
  for (std::size_t i = 0; i < foreign.contents.filled_columns(); ++i)
    if (foreign.contents.column(i).offset && !seal.is_compressed())
      throw BadDataset(path.string() + " is damaged: its size differs from that in its seal, and it was not repacked");
  const std::array<RepackedTable, 3> tables = repacked_tables(foreign.contents);
  const StoredTables found = read_repacked(*foreign.columns, tables, seal, path);
  OpenedDataset opened;
  opened.contents = std::make_unique<DatasetContents>(std::move(foreign.contents));
  const RepackedTable& checksums = tables[TablesReading::checksums];
  BlockChecksums blocks =
      blocks_of(found.first_rows, checksums.bytes, *opened.contents, path,
                [&columns = *foreign.columns, checksums](std::uint64_t at, std::span<std::byte> to) {
                  read_rows(columns, checksums, at, to);
                });
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
