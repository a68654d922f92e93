/// The result file: an HDF5 file of contiguous columns. Its layout is fixed before any row is known; rows are written
/// in place by plain writes at known offsets. The HDF5 library never writes to disk: it creates the layout in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "io/checksum.hpp"
#include "io/file_system.hpp"

namespace dfsweep {

enum class ElementType : std::uint8_t { uint8, int16, int32, int64, uint64, float32, float64 };
[[nodiscard]] std::size_t size_of(ElementType type);

struct Attribute {
  std::string name;
  /// For flag_values and _FillValue, numbers are stored in the type of the column.
  std::variant<std::string, double, std::int64_t, std::vector<std::int64_t>, std::vector<std::string>> value;
};

/// What a column has one element for: each row of the sweep, each reported point of a search, or neither.
enum class ColumnExtent : std::uint8_t { rows, groups, file };

struct ColumnDescription {
  std::string path;  ///< "step_time", "rejections", "provenance/checksums"
  ElementType type = ElementType::float64;
  ColumnExtent extent = ColumnExtent::rows;
  std::uint64_t count = 0;  ///< elements of the first dimension, at least 1
  std::uint64_t width = 1;  ///< elements of the second dimension; 1: one-dimensional
  /// Path of the dimension scale of each dimension: a column or a label table. A column that names itself, or that
  /// others name, becomes a dimension scale.
  std::vector<std::string> scales;
  std::vector<Attribute> attributes;
};

/// Variable-length UTF-8 table that codes of a categorical column index; a dimension scale.
struct LabelTable {
  std::string path;  ///< "device_label"
  std::vector<std::string> labels;
};

struct ScalarDescription {
  std::string path;  ///< "fixed/device_count"
  std::variant<double, std::int64_t, std::string> value;
  std::vector<Attribute> attributes;
};

struct DatasetDescription {
  std::vector<Attribute> attributes;  ///< of the root group
  std::vector<ColumnDescription> columns;
  std::vector<LabelTable> labels;
  std::vector<ScalarDescription> scalars;                  ///< /fixed
  std::vector<std::pair<std::string, std::string>> texts;  ///< path and text: "provenance/sweep"
};

/// A file begins with this many bytes that HDF5 skips (its *user block*): zeros until publication writes the seal
/// there.
inline constexpr std::size_t seal_bytes = 8192;

/// Location of a column in the file.
struct ColumnPlace {
  std::string path;
  /// Bytes from the start of the file; a multiple of 4096 for columns of 4096 bytes or more, 0 for one in chunks
  /// (io/compressed_columns.hpp).
  std::uint64_t offset = 0;
  std::uint64_t element_bytes = 0;  ///< bytes per element of the first dimension (width included)
  std::uint64_t count = 0;
  ColumnExtent extent = ColumnExtent::rows;
  [[nodiscard]] std::uint64_t bytes() const { return element_bytes * count; }
};

/// A file without its rows: the offsets of the columns, and the bytes between them (the *frame*: HDF5's own structures,
/// labels, attributes, texts and padding, but not the seal).
struct DatasetImage {
  std::vector<ColumnPlace> places;  ///< as DatasetDescription::columns
  /// By offset, not overlapping; all other frame bytes are zero
  std::map<std::uint64_t, std::vector<std::byte>> pieces;
  std::uint64_t size = 0;
};

/// Creates the layout: every column contiguous, allocated, unfilled and aligned; no times or host names. The same
/// description always gives the same bytes. Throws std::runtime_error with the message of HDF5.
[[nodiscard]] DatasetImage lay_out_dataset(const DatasetDescription& description);

/// Checksum of the frame of a file: all bytes of [seal_bytes, size) outside the columns, in order.
[[nodiscard]] Checksum frame_checksum(const File& file, const std::vector<ColumnPlace>& places, std::uint64_t size);
[[nodiscard]] Checksum frame_checksum(const DatasetImage& image);

/// Reads the frame of a file with plain reads; it is shorter if the file is truncated.
[[nodiscard]] DatasetImage read_frame(const File& file, const std::vector<ColumnPlace>& places, std::uint64_t size);
[[nodiscard]] std::uint64_t frame_bytes(const std::vector<ColumnPlace>& places, std::uint64_t size);

/// Writes the frame, with zeros outside the pieces. The columns are not touched.
void write_frame(File& file, const DatasetImage& image);
/// Copies the frame to another file of the same layout.
void copy_frame(const File& from, File& to, const std::vector<ColumnPlace>& places, std::uint64_t size);

}  // namespace dfsweep
