/// The published file: an HDF5 file of flat columns, created whole before any row is known, filled in place by plain
/// writes at known offsets, and read back column by column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dfsweep {

enum class ElementType : std::uint8_t { uint8, int16, int32, int64, uint64, float32, float64 };
[[nodiscard]] std::size_t size_of(ElementType type);

struct Attribute {
  std::string name;
  /// Arrays of numbers take the type of the column where the name is flag_values or _FillValue.
  std::variant<std::string, double, std::int64_t, std::vector<std::int64_t>, std::vector<std::string>> value;
};

/// What the rows of a column stand for: rows of the sweep, reported points of a search, or nothing that blocks fill.
enum class ColumnExtent : std::uint8_t { rows, groups, file };

struct ColumnDescription {
  std::string path;                  ///< "step_time", "rejections", "provenance/checksums"
  ElementType type = ElementType::float64;
  ColumnExtent extent = ColumnExtent::rows;
  std::uint64_t count = 0;           ///< elements of the first dimension
  std::uint64_t width = 1;           ///< elements of the second dimension; 1: one-dimensional
  std::vector<Attribute> attributes;
};

/// Variable-length UTF-8 table that codes of a categorical column index.
struct LabelTable {
  std::string path;                  ///< "device_label"
  std::vector<std::string> labels;
};

struct ScalarDescription {
  std::string path;                  ///< "fixed/device_count"
  std::variant<double, std::int64_t, std::string> value;
  std::vector<Attribute> attributes;
};

struct DatasetDescription {
  std::vector<Attribute> attributes;   ///< of the root group
  std::vector<ColumnDescription> columns;
  std::string row_scale;               ///< path of the column that is the dimension scale of the rows: "point"
  std::vector<LabelTable> labels;
  std::vector<ScalarDescription> scalars;  ///< /fixed
  std::vector<std::pair<std::string, std::string>> texts;  ///< /provenance: path and text
};

/// Where each column lies in the file.
struct ColumnPlace {
  std::string path;
  std::uint64_t offset = 0;          ///< bytes from the start of the file, a multiple of 4096
  std::uint64_t element_bytes = 0;   ///< bytes per first-dimension element (width included)
  std::uint64_t count = 0;
  ColumnExtent extent = ColumnExtent::rows;
};

/// Creates the file with every column contiguous, allocated, unfilled and aligned, without times or host names in it.
/// Throws IoError.
[[nodiscard]] std::vector<ColumnPlace> create_dataset(const std::filesystem::path& path, const DatasetDescription& description);

}  // namespace dfsweep
