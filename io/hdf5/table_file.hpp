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
  std::string units = "1";  ///< unit of the numbers
  std::string meaning = {};
  std::size_t width = 1;  ///< numbers per row; more than one: a matrix, row-major
};

struct TableFileTable {
  std::string path;  ///< "groups", "bootstraps/joint-unified-near0.25-row"
  std::vector<TableFileColumn> columns;
  std::vector<std::pair<std::string, std::string>> attributes = {};
};

/// The bytes of the file; the same tables give the same bytes. Texts have variable length, UTF-8; no times are stored.
[[nodiscard]] std::vector<std::byte> table_file(std::span<const TableFileTable> tables,
                                                std::span<const std::pair<std::string, std::string>> attributes);

struct TableFile {
  std::vector<TableFileTable> tables;  ///< by path
  std::vector<std::pair<std::string, std::string>> attributes;
};

/// Whether the first bytes of a file are those of HDF5, but not of a result file with a seal.
[[nodiscard]] bool may_be_table_file(const std::filesystem::path& path);

/// Reads such a file in a child process, because HDF5 may crash on damaged files. A table is a group whose datasets are
/// columns of equal length; columns with several numbers per row are ignored. The result has no tables if the attribute
/// `format` of the file differs from `format`. Throws BadDataset.
[[nodiscard]] TableFile read_table_file(const std::filesystem::path& path, std::string_view format);

}  // namespace dfsweep
