/// ColumnValues: the values of one column in a group of rows, in the type that other formats have for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/exports/export_groups.hpp"
#include "io/exported_type.hpp"

namespace dfsweep {

/// Bytes of an element; of a label: of its code.
[[nodiscard]] std::size_t size_of(ExportedType type);

struct ExportColumn {
  const DatasetColumn* column = nullptr;
  ExportedType type = ExportedType::float64;
  std::vector<std::string> labels = {};     ///< [code]
  std::vector<std::uint8_t> is_named = {};  ///< [code] 0: the code is no value
};
[[nodiscard]] std::vector<ExportColumn> export_columns(const DatasetReader& file,
                                                       const std::vector<const DatasetColumn*>& columns);

/// Buffers that are used again for the next group.
struct ColumnValues {
  std::vector<std::byte> bytes;  ///< [row] an element of the type, little-endian; without meaning where no value is
  std::vector<std::uint8_t> is_present;  ///< [row] 1: the row has a value; empty: all rows have one
  std::uint64_t rows = 0;
  std::uint64_t missing = 0;  ///< rows without a value
};

/// Reads the kept rows of a group; labels without a name are 0. Thread-safe for different `values`. Throws BadDataset
/// if a checksum does not match. Pre: a column of width 1.
void read_values(const DatasetReader& file, const ExportColumn& column, const ExportGroup& group, ColumnValues& values);

/// Moves the elements of rows with a value to the front, and leaves out the others.
void leave_out_missing(ExportedType type, ColumnValues& values);

/// Units and meanings of the columns, fixed parameters, estimator, fingerprint and sweep as JSON.
[[nodiscard]] std::string export_notes(const DatasetReader& file, const std::vector<ExportColumn>& columns);

}  // namespace dfsweep
