/// Arrow: rows of a result as an Arrow IPC file. Labels, flags and statuses are texts with dictionaries; a missing
/// value is null; each column has its unit and meaning as metadata, the table fixed parameters and the sweep as JSON
/// under the key "dfsweep".
#pragma once

#include <cstdint>
#include <vector>

#include "engine/exports/export_groups.hpp"
#include "io/arrow/arrow_writer.hpp"

namespace dfsweep {

/// As write_parquet(); a group of rows is a record batch.
std::uint64_t write_arrow(const DatasetReader& file, const std::vector<const DatasetColumn*>& columns,
                          ExportGroups& groups, ExportEffort effort, ArrowWriter::Append append);

}  // namespace dfsweep
