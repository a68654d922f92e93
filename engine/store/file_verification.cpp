/// Verifies a published file by its own seal and checksum table.
#include <algorithm>

#include <fmt/core.h>

#include "engine/store/verification.hpp"
#include "io/hdf5/dataset_reader.hpp"
#include "io/hdf5/sealed_dataset.hpp"

namespace dfsweep::store {

namespace {

/// Rows and groups of each block, computed from its first row.
std::vector<StoredBlock> blocks_of(const StoredTables& table, const std::vector<ColumnPlace>& columns) {
  const std::uint64_t rows = columns.front().count;
  std::uint64_t rows_per_group = 1;
  for (const ColumnPlace& place : columns)
    if (place.extent == ColumnExtent::groups) rows_per_group = rows / place.count;
  std::vector<StoredBlock> blocks;
  for (std::size_t i = 0; i < table.first_rows.size(); ++i) {
    const std::uint64_t first = table.first_rows[i];
    const std::uint64_t end = i + 1 < table.first_rows.size() ? table.first_rows[i + 1] : rows;
    if (first >= end || end > rows || first % rows_per_group != 0) return {};
    blocks.push_back({.first_row = first,
                      .row_count = end - first,
                      .first_group = first / rows_per_group,
                      .group_count = (end - first) / rows_per_group});
  }
  return blocks;
}

class FileVerification {
 public:
  FileVerification(FileSystem& files, const std::filesystem::path& path, unsigned threads)
      : path_(path), threads_(threads), file_(files.open(path, OpenFor::reading)) {
    report_.subject = Subject::file;
    report_.file = path;
  }

  VerifyReport run() {
    const SealReading reading = read_seal(*file_);
    if (reading.state != SealState::intact || is_repacked(*file_, reading.seal)) {
      verify_through_reader();
      return std::move(report_);
    }
    report_.is_frame_damaged =
        frame_checksum(*file_, reading.seal.places, reading.seal.file_size) != reading.seal.frame;
    verify_sealed(reading.seal);
    return std::move(report_);
  }

 private:
  /// Uses plain reads; HDF5 provides the names of columns only if the frame is intact.
  void verify_sealed(const Seal& seal) {
    StoredTables tables = read_tables(*file_, seal, path_);
    std::vector<ColumnPlace> columns(seal.places.begin(),
                                     seal.places.begin() + static_cast<std::ptrdiff_t>(seal.columns()));
    const std::vector<StoredBlock> blocks = blocks_of(tables, columns);
    const ColumnPlace& checksums = seal.tables()[1];
    if (blocks.empty() || checksums.element_bytes != sizeof(Checksum) * columns.size() ||
        checksums.count != blocks.size())
      throw BadDataset(path_.string() + ": the checksum table does not match the columns");
    name(columns);
    report_.blocks = static_cast<std::uint32_t>(blocks.size());
    const std::unique_ptr<ColumnSource> source =
        seal.is_compressed() ? compressed_columns(file_, chunked_columns(seal, std::move(tables.chunks)), {}, path_)
                             : contiguous_columns(file_, columns);
    const BlockedColumns blocked{.places = columns,
                                 .stored = [&](std::uint32_t block) { return blocks[block]; },
                                 .blocks_at_once = blocks_at_once(seal, blocks.front())};
    BlockVerification verification;
    for_each_window(report_.blocks, columns.size(), [&](BlockRange range) {
      add(verification, verify_blocks(*source, blocked, read_checksums(*file_, checksums, range), threads_));
    });
    report_.bytes = verification.bytes;
    report_.damaged = std::move(verification.damaged);
  }

  /// How many of the first blocks share a chunk.
  static std::uint32_t blocks_at_once(const Seal& seal, const StoredBlock& first) {
    if (!seal.is_compressed()) return 1;
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(seal.chunk_elements.front() / first.row_count, 1));
  }

  void name(std::vector<ColumnPlace>& columns) const {
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].path = fmt::format("column {}", c + 1);
    if (report_.is_frame_damaged) return;
    const DatasetReader reader(path_);
    std::size_t c = 0;
    for (const auto* list : {&reader.columns(), &reader.group_columns()})
      for (const DatasetColumn& column : *list)
        if (c < columns.size()) columns[c++].path = column.name;
  }

  /// A repacked file: reads every column through the child process and verifies it.
  void verify_through_reader() {
    const DatasetReader reader(path_);
    if (reader.verifiable() == Verifiable::none)
      throw BadDataset(path_.string() +
                       " cannot be verified: files of format version 1 carry no seal. The sweep can be run again");
    report_.notes.push_back(path_.string() + " was repacked: only its columns can be verified");
    std::vector<double> values;
    for (const auto* list : {&reader.columns(), &reader.group_columns()})
      for (const DatasetColumn& column : *list) {
        constexpr std::uint64_t piece = 65536;
        for (std::uint64_t first = 0; first < column.count; first += piece) {
          values.resize(std::min(piece, column.count - first) * column.width);
          reader.read(column, first, std::span(values));
        }
        report_.bytes += column.count * column.element_bytes();
      }
    for (const DatasetColumn& table : reader.tables())
      if (table.name == "provenance/block") report_.blocks = static_cast<std::uint32_t>(table.count);
  }

  std::filesystem::path path_;
  unsigned threads_;
  std::shared_ptr<const File> file_;
  VerifyReport report_;
};

}  // namespace

VerifyReport verify_file(FileSystem& files, const std::filesystem::path& file, unsigned threads) {
  return FileVerification(files, file, threads).run();
}

}  // namespace dfsweep::store
