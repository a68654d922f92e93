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

#include "io/column_source.hpp"
#include "io/dataset_contents.hpp"
#include "io/hdf5/sealed_dataset.hpp"

namespace dfsweep {

enum class Trust : std::uint8_t {
  whole,    ///< everything has a checksum that holds, or is compared when it is read
  columns,  ///< a repacked file: columns are compared when they are read, what is around them cannot be
  none,     ///< a file without a seal
};

class DatasetReader {
 public:
  /// Opens a published file: its seal is compared with the file before HDF5 parses anything, and blocks of columns with
  /// the checksum table when they are first read. A file without a seal (format version 1), and one that was repacked,
  /// is parsed by a process of its own. Throws BadDataset where the file is not ours, is damaged or cannot be
  /// understood, IoError where it cannot be read.
  explicit DatasetReader(const std::filesystem::path& file);
  /// Opens the file of an unfinished run.
  DatasetReader(const std::filesystem::path& file, ExpectedDataset expected);

  [[nodiscard]] const std::filesystem::path& file() const;
  /// How far the bytes of the file can be trusted.
  [[nodiscard]] Trust trust() const;
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
  /// a broken promise. Rows outside complete() hold no meaning; keep to its ranges. Thread-safe. Throws BadDataset
  /// where the bytes do not have their checksum.
  void read(const DatasetColumn& column, std::uint64_t first, std::span<double> values) const;
  void read(const DatasetColumn& column, std::uint64_t first,
            std::span<std::int64_t> values) const;  ///< Pre: not real, not uint64
  void read(const DatasetColumn& column, std::uint64_t first,
            std::span<std::uint64_t> values) const;  ///< Pre: uint64 or uint8

  /// Numbers of /provenance: "checksums", "block".
  [[nodiscard]] const std::vector<DatasetColumn>& tables() const;

 private:
  template <class Value>
  void read_converted(const DatasetColumn& column, std::uint64_t first, std::span<Value> values) const;
  [[nodiscard]] std::size_t index_of(const DatasetColumn& column) const;

  std::filesystem::path path_;
  Trust trust_ = Trust::none;
  std::unique_ptr<DatasetContents> contents_;  ///< at a fixed place: columns_ knows it
  std::unique_ptr<ColumnSource> columns_;
  std::vector<RowRange> complete_;
};

}  // namespace dfsweep
