/// Tables of columns as an HDF5 file: one group per table, one dataset per column, units as attributes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace dfsweep {

struct TableFileColumn {
  std::string name;
  std::variant<std::vector<double>, std::vector<std::string>> values;
  std::string units = "1";  ///< of numbers
  std::string meaning = {};
  std::size_t width = 1;  ///< numbers per row; more than one: a matrix, row-major
};

struct TableFileTable {
  std::string path;  ///< "groups", "bootstraps/joint-unified-near0.25-row"
  std::vector<TableFileColumn> columns;
  std::vector<std::pair<std::string, std::string>> attributes = {};
};

/// The bytes of the file, the same for the same tables. Texts are of variable length, UTF-8; no times are stored.
[[nodiscard]] std::vector<std::byte> table_file(std::span<const TableFileTable> tables,
                                                std::span<const std::pair<std::string, std::string>> attributes);

struct TableFile {
  std::vector<TableFileTable> tables;  ///< by path
  std::vector<std::pair<std::string, std::string>> attributes;
};

/// Whether a file is in HDF5 and is none of our result files, as far as its first bytes tell.
[[nodiscard]] bool may_be_table_file(const std::filesystem::path& path);

/// Reads such a file in a process of its own, because HDF5 may crash on damaged ones: groups whose datasets are columns
/// of one length. Columns with several numbers per row are left out. There are no tables where the attribute `format`
/// of the file is another one. Throws BadDataset.
[[nodiscard]] TableFile read_table_file(const std::filesystem::path& path, std::string_view format);

}  // namespace dfsweep
