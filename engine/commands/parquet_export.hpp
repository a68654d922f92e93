/// ParquetExport: rows of a result as a Parquet file. Labels, flags and statuses are texts with dictionaries; a missing
/// value is null; units, meanings, fixed parameters and the sweep are JSON in the metadata, under the key "dfsweep".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/results/scan.hpp"
#include "io/parquet/parquet_writer.hpp"

namespace dfsweep {

class ParquetExport {
 public:
  /// `append`: writes at the end of the file. Pre: `file` outlives the export; columns of width 1.
  ParquetExport(const DatasetReader& file, std::vector<const DatasetColumn*> columns, ParquetWriter::Append append);
  /// Adds the kept rows of a chunk. Throws BadDataset if a checksum does not match.
  void write(const RowChunk& chunk);
  /// Writes what is left and the metadata; returns the number of rows.
  std::uint64_t finish();

 private:
  void flush();
  void add_rows(std::size_t column, const RowChunk& chunk);

  const DatasetReader* file_;
  std::vector<const DatasetColumn*> columns_;
  std::vector<ParquetColumn> fields_;
  ParquetWriter writer_;
  std::vector<ParquetValues> pending_;  ///< [column] rows of the next row group
  std::uint64_t pending_rows_ = 0;
  std::uint64_t rows_ = 0;
  unsigned threads_;
};

}  // namespace dfsweep
