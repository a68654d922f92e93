/// Parquet: rows of a result as a Parquet file. Labels, flags and statuses are texts with dictionaries; a missing value
/// is null; units, meanings, fixed parameters and the sweep are JSON in the metadata, under the key "dfsweep".
#pragma once

#include <cstdint>
#include <vector>

#include "engine/exports/export_groups.hpp"
#include "io/parquet/parquet_writer.hpp"

namespace dfsweep {

/// Writes the rows and returns their number. The columns of a row group are read and encoded on all threads and written
/// in order. `append`: writes at the end of the file. Throws BadDataset if a checksum does not match. Pre: columns of
/// width 1.
std::uint64_t write_parquet(const DatasetReader& file, const std::vector<const DatasetColumn*>& columns,
                            ExportGroups& groups, ExportEffort effort, ParquetWriter::Append append);

}  // namespace dfsweep
