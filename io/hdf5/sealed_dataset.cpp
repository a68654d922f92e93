#include "io/hdf5/sealed_dataset.hpp"

#include <algorithm>
#include <cstring>

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

/// The place of each column; throws if the parsed contents disagree with the seal or the plan.
std::vector<ColumnPlace> matched(const DatasetContents& contents, const std::vector<ColumnPlace>& places,
                                 const std::filesystem::path& path) {
  std::vector<ColumnPlace> matched;
  for (std::size_t i = 0; i < contents.column_count(); ++i) {
    const DatasetColumn& column = contents.column(i);
    const auto found =
        std::find_if(places.begin(), places.end(), [&](const ColumnPlace& p) { return p.offset == column.offset; });
    if (found == places.end() || found->count != column.count || found->element_bytes != column.element_bytes() ||
        (i < contents.filled_columns() && found != places.begin() + static_cast<std::ptrdiff_t>(i)))
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

StoredTable table_of_bytes(std::span<const std::byte> block, std::span<const std::byte> checksums) {
  StoredTable table;
  table.first_rows.resize(block.size() / sizeof(std::uint64_t));
  table.checksums.resize(checksums.size() / sizeof(Checksum));
  std::memcpy(table.first_rows.data(), block.data(), table.first_rows.size() * sizeof(std::uint64_t));
  std::memcpy(table.checksums.data(), checksums.data(), table.checksums.size() * sizeof(Checksum));
  return table;
}

/// Reads the table through the child process.
StoredTable read_table(const DatasetContents& contents, const ColumnSource& columns,
                       const std::filesystem::path& path) {
  std::vector<std::byte> bytes[2];
  for (std::size_t t = 0; t < contents.tables.size(); ++t) {
    const DatasetColumn& table = contents.tables[t];
    const bool is_block = table.name == "provenance/block";
    if (!is_block && table.name != "provenance/checksums") continue;
    std::vector<std::byte>& to = bytes[is_block ? 0 : 1];
    to.resize(table.count * table.element_bytes());
    columns.read(contents.filled_columns() + t, 0, to);
  }
  if (bytes[0].empty() || bytes[1].empty()) throw BadDataset(path.string() + " has no checksum table");
  return table_of_bytes(bytes[0], bytes[1]);
}

}  // namespace

Checksum checksum_of(const StoredTable& table) {
  ChecksumStream stream;
  stream.update(std::as_bytes(std::span(table.first_rows)));
  stream.update(std::as_bytes(std::span(table.checksums)));
  return stream.digest();
}

StoredTable read_table(const File& file, const Seal& seal, const std::filesystem::path& path) {
  std::vector<std::byte> bytes[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const ColumnPlace& place = seal.places[seal.places.size() - 2 + i];
    bytes[i].resize(place.bytes());
    bytes[i].resize(file.read_some(place.offset, bytes[i]));
  }
  StoredTable table = table_of_bytes(bytes[0], bytes[1]);
  expect_sealed(table, seal, path);
  return table;
}

bool is_repacked(const File& file, const Seal& seal) {
  return file.size() != seal.file_size;
}

OpenedDataset open_sealed(std::unique_ptr<File> file, const std::filesystem::path& path, const Seal& seal) {
  OpenedDataset opened;
  opened.contents = trusted_contents(*file, path, seal.places, seal.file_size, seal.frame);
  std::vector<ColumnPlace> places = matched(*opened.contents, seal.places, path);
  const std::shared_ptr<const File> shared = std::move(file);
  const auto load = [shared, seal, path, &contents = *opened.contents] {
    return blocks_of(read_table(*shared, seal, path), contents, path);
  };
  opened.columns = verified_columns(contiguous_columns(shared, std::move(places)), *opened.contents, path, load);
  return opened;
}

OpenedDataset open_repacked(const std::filesystem::path& path, const Seal& seal) {
  ForeignDataset foreign = open_foreign(path);
  for (std::size_t i = 0; i < foreign.contents.filled_columns(); ++i)
    if (foreign.contents.column(i).offset)
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
