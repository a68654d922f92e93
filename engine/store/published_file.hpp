/// The file of a run, compressed or not, as its plan expects it: its columns, tables and seal.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/store/run_directory.hpp"
#include "io/column_source.hpp"
#include "io/compressed_columns.hpp"
#include "io/file_system.hpp"
#include "io/hdf5/sealed_dataset.hpp"
#include "io/seal.hpp"

namespace dfsweep::store {

/// Groups in a chunk of a compressed result: a whole number of blocks, or a whole part of one; some 65 536 rows, and at
/// most as many as HDF5 keeps expanded by default (1 MiB of doubles) where blocks allow it.
[[nodiscard]] std::uint64_t groups_per_chunk(const BlockCut& cut);
/// The columns that blocks fill, as a compressed result has them.
[[nodiscard]] std::vector<ChunkedColumn> chunked_columns(const RunRecord& record);

/// Whether the file has the planned size and frame.
[[nodiscard]] bool has_planned_frame(const File& file, const RunRecord& record);
/// The seal of a file that is not compressed, without the checksum of its tables.
[[nodiscard]] Seal planned_seal(const RunRecord& record);
/// Writes the first row of each block to its table.
void write_first_rows(File& file, const ColumnPlace& place, const BlockCut& cut);
/// Seals a file that is not compressed: writes the first rows of blocks, then the seal. Pre: the table of checksums is
/// in its place.
void seal_file(File& file, const RunRecord& record);

/// Whether the file has size, frame and columns of this run.
[[nodiscard]] bool has_published_frame(FileSystem& files, const std::filesystem::path& path, const RunRecord& record);
/// The place of the checksums of all blocks in a published file; nothing if the seal does not match the plan, or a
/// table is damaged.
[[nodiscard]] std::optional<ColumnPlace> sealed_table(const File& file, const RunRecord& record);
/// The columns that blocks fill, unverified. Throws BadDataset where the tables of a compressed file are damaged.
[[nodiscard]] std::unique_ptr<ColumnSource> published_columns(FileSystem& files, const std::filesystem::path& path,
                                                              const RunRecord& record);

}  // namespace dfsweep::store
