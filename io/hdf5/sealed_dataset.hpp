/// Sealed datasets: files whose frame is verified with the seal, or with the plan, before HDF5 parses it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "io/column_source.hpp"
#include "io/compressed_columns.hpp"
#include "io/dataset_contents.hpp"
#include "io/seal.hpp"

namespace dfsweep {

struct OpenedDataset {
  std::unique_ptr<DatasetContents> contents;
  std::unique_ptr<ColumnSource> columns;  ///< refers to `contents`
};

/// Whether the size differs from that in the seal: another tool has rewritten the file and kept its seal.
[[nodiscard]] bool is_repacked(const File& file, const Seal& seal);

/// Throws BadDataset if the frame does not match the seal.
[[nodiscard]] OpenedDataset open_sealed(std::unique_ptr<File> file, const std::filesystem::path& path,
                                        const Seal& seal);

/// Parses in a child process; columns are verified with the sealed checksum table. Throws BadDataset.
[[nodiscard]] OpenedDataset open_repacked(const std::filesystem::path& path, const Seal& seal);

/// What the bytes of the file of an unfinished run must be, from its plan and its journals.
struct ExpectedDataset {
  std::uint64_t file_size = 0;
  Checksum frame;
  std::vector<ColumnPlace> places;  ///< in file order, those that blocks fill first
  BlockChecksums complete = {};     ///< rows outside these blocks hold no meaning
};

/// The file of an unfinished run. Throws BadDataset where its frame is not the expected one.
[[nodiscard]] OpenedDataset open_expected(std::unique_ptr<File> file, const std::filesystem::path& path,
                                          ExpectedDataset expected);

/// Bytes of the tables of a file that are in memory at once while all of them are read.
inline constexpr std::size_t table_piece_bytes = std::size_t{1} << 20;

/// The small tables of a file: /provenance/block, and in a compressed file /provenance/chunks. The large one,
/// /provenance/checksums, stays in the file and is read where it is needed: it has 16 bytes for each block and column.
struct StoredTables {
  std::vector<std::uint64_t> first_rows;  ///< [block]
  std::vector<ChunkPlace> chunks = {};    ///< by column
};
/// Writes the seal with the checksum of the tables, which are read back in pieces. Throws IoError. Pre: the tables are
/// in the places that the seal gives them.
void write_seal(File& file, Seal seal);
/// Compares all tables of a sealed file with its seal, in pieces, and returns the small ones. Throws BadDataset where
/// they differ.
[[nodiscard]] StoredTables read_tables(const File& file, const Seal& seal, const std::filesystem::path& path);

/// The compressed columns of a file. Pre: `seal` is of a compressed file.
[[nodiscard]] ChunkedColumns chunked_columns(const Seal& seal, std::vector<ChunkPlace> chunks);

}  // namespace dfsweep
