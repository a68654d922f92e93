/// Widened results: a copy of a published file with more columns of rows behind its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/dataset.hpp"

namespace dfsweep {

/// A column of float64 that few rows have a value in; the others are NaN.
struct AddedColumn {
  std::string name;
  std::vector<Attribute> attributes;
  std::vector<std::uint64_t> rows;  ///< ascending
  std::vector<double> values;       ///< of these rows
};

/// Copies the published file `from` to `to`, which is replaced as a whole or not at all, block by block: each block is
/// compared with its checksum. `text`: path and text that is added, "provenance/joined". Pre: `from` has a seal, one
/// of the newest formats and no columns of reported points, and none of these columns. Throws BadDataset where it is
/// damaged, and IoError.
void write_widened(const std::filesystem::path& from, const std::filesystem::path& to,
                   std::span<const AddedColumn> added, const std::pair<std::string, std::string>& text);

}  // namespace dfsweep
