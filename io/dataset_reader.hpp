/// DatasetReader: a result file read column by column, whatever its layout (contiguous as we write it, or repacked).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "io/dataset.hpp"

namespace dfsweep {

/// A file that is not a result file of ours, or is damaged; exit status 4.
class BadDataset : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Rows [first, first + count).
struct RowRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  bool operator==(const RowRange&) const = default;
};

/// One dataset with one value per row (`extent` rows) or per reported point of a search (`extent` groups).
struct DatasetColumn {
  std::string name;  ///< path without the leading '/'
  ElementType type = ElementType::float64;
  ColumnExtent extent = ColumnExtent::rows;
  std::uint64_t count = 0;            ///< elements of the first dimension
  std::uint64_t width = 1;            ///< elements of the second dimension; 1: one-dimensional
  std::vector<Attribute> attributes;  ///< texts, numbers and lists of numbers; references are left out
  std::string units;                  ///< "" where the file has none
  std::string long_name;
  std::string label_table;              ///< path of its label table; "" where values are plain numbers
  std::optional<std::uint64_t> offset;  ///< bytes from the start of the file; none where not contiguous

  [[nodiscard]] bool is_categorical() const { return !label_table.empty(); }
  /// The text of an attribute, or "" where it is absent or not a text.
  [[nodiscard]] std::string text(std::string_view attribute) const;
};

/// A scalar of /fixed.
struct FixedValue {
  std::string name;  ///< of the parameter
  std::variant<double, std::int64_t, std::string> value;
  std::string units;
  std::string long_name;
};

class DatasetReader {
 public:
  /// Throws BadDataset where the file is not ours or cannot be understood, IoError where it cannot be read.
  explicit DatasetReader(const std::filesystem::path& file);
  /// The same, with only some rows complete (a run that has not been published). Ranges ascend and do not touch.
  DatasetReader(const std::filesystem::path& file, std::vector<RowRange> complete);
  ~DatasetReader();
  DatasetReader(DatasetReader&&) noexcept;
  DatasetReader& operator=(DatasetReader&&) noexcept;

  [[nodiscard]] const std::filesystem::path& file() const;
  [[nodiscard]] std::uint64_t row_count() const;                ///< rows of the sweep, complete or not
  [[nodiscard]] const std::vector<RowRange>& complete() const;  ///< all rows of a published file: one range
  [[nodiscard]] std::uint64_t complete_count() const;

  /// Attribute of the root group as text ("" where absent): "estimator", "grid_axes", "plan_fingerprint", ...
  [[nodiscard]] std::string attribute(std::string_view name) const;
  [[nodiscard]] const std::vector<Attribute>& attributes() const;
  /// Columns of rows in file order: point, axes, rank (with a search), status, metrics.
  [[nodiscard]] const std::vector<DatasetColumn>& columns() const;
  /// Columns of reported points of a search: reported_point, rejections. Empty without a search.
  [[nodiscard]] const std::vector<DatasetColumn>& group_columns() const;
  /// The row column of that name, or null.
  [[nodiscard]] const DatasetColumn* column(std::string_view name) const;
  /// Labels that codes of a categorical column index.
  [[nodiscard]] const std::vector<std::string>& labels(const DatasetColumn& column) const;
  [[nodiscard]] const std::vector<FixedValue>& fixed() const;
  /// A text of /provenance: "sweep", "inputs", "build". Throws BadDataset where absent.
  [[nodiscard]] std::string provenance(std::string_view name) const;

  /// Values of elements [first, first + values.size() / width), as stored; labels as codes. A code of -1, or NaN, means
  /// "no value". Numbers that the target type cannot hold are never produced silently: reading reals as integers is
  /// a broken promise. Rows outside complete() hold no meaning; keep to its ranges.
  void read(const DatasetColumn& column, std::uint64_t first, std::span<double> values) const;
  void read(const DatasetColumn& column, std::uint64_t first,
            std::span<std::int64_t> values) const;  ///< Pre: not real, not uint64
  void read(const DatasetColumn& column, std::uint64_t first,
            std::span<std::uint64_t> values) const;  ///< Pre: uint64 or uint8

  /// The column of that path anywhere in the file ("provenance/checksums"), or nothing.
  [[nodiscard]] std::optional<DatasetColumn> find(std::string_view path) const;
  /// The stored bytes of elements [first, first + bytes.size() / element bytes).
  void read_bytes(const DatasetColumn& column, std::uint64_t first, std::span<std::byte> bytes) const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace dfsweep
