/// DatasetReader: reads a result file column by column, with the contiguous layout that dfsweep writes or repacked by
/// another tool.
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

enum class Verifiable : std::uint8_t {
  whole,    ///< everything is verified, at opening or when it is read
  columns,  ///< a repacked file: columns are verified when they are read, the rest cannot be
  none,     ///< a file without a seal: nothing can be verified
};

class DatasetReader {
 public:
  /// Opens a published file. The frame is verified with the seal before HDF5 parses anything; blocks of columns are
  /// verified with the checksum table when they are first read. A file without a seal (format version 1) or a repacked
  /// one is parsed by a child process. Throws BadDataset if the file was not written by dfsweep, is damaged or
  /// malformed; IoError if it cannot be read.
  explicit DatasetReader(const std::filesystem::path& file);
  /// Opens the file of an unfinished run.
  DatasetReader(const std::filesystem::path& file, ExpectedDataset expected);

  [[nodiscard]] const std::filesystem::path& file() const;
  /// Which parts of the file are verified.
  [[nodiscard]] Verifiable verifiable() const;
  [[nodiscard]] std::uint64_t row_count() const;                ///< rows of the sweep, complete or not
  [[nodiscard]] const std::vector<RowRange>& complete() const;  ///< for a published file one range with all rows
  [[nodiscard]] std::uint64_t complete_count() const;

  /// Attribute of the root group as text ("" if absent): "estimator", "grid_axes", "plan_fingerprint", ...
  [[nodiscard]] std::string attribute(std::string_view name) const;
  [[nodiscard]] const std::vector<Attribute>& attributes() const;
  /// Columns of rows in file order: point, axes, rank (with a search), status, metrics.
  [[nodiscard]] const std::vector<DatasetColumn>& columns() const;
  /// Columns of reported points of a search: reported_point, rejections. Empty without a search.
  [[nodiscard]] const std::vector<DatasetColumn>& group_columns() const;
  /// The row column called `name`, or null.
  [[nodiscard]] const DatasetColumn* column(std::string_view name) const;
  /// Labels that codes of a categorical column index.
  [[nodiscard]] const std::vector<std::string>& labels(const DatasetColumn& column) const;
  [[nodiscard]] const std::vector<FixedValue>& fixed() const;
  /// A text of /provenance: "sweep", "inputs", "build". Throws BadDataset if absent.
  [[nodiscard]] std::string provenance(std::string_view name) const;
  [[nodiscard]] bool has_provenance(std::string_view name) const;

  /// Values of elements [first, first + values.size() / width) as stored; labels as codes. A code of -1, or NaN, means
  /// "no value". Codes below attribute `first_code` come last, so that code 0 of `status` is `ok` in files of every
  /// version, and the last one in new files `missing`. Pre: the target type can hold the type of the column (else
  /// LogicError); the rows are in complete(), other rows are undefined. Thread-safe. Throws BadDataset if a checksum
  /// does not match.
  void read(const DatasetColumn& column, std::uint64_t first, std::span<double> values) const;
  void read(const DatasetColumn& column, std::uint64_t first,
            std::span<std::int64_t> values) const;  ///< Pre: not real, not uint64
  void read(const DatasetColumn& column, std::uint64_t first,
            std::span<std::uint64_t> values) const;  ///< Pre: uint64 or uint8

  void read(const DatasetColumn& column, std::uint64_t first,
            std::span<std::int32_t> values) const;  ///< Pre: uint8, int16 or int32
  /// The bytes of elements from `first` on, as they are in the file. Thread-safe. Throws as read(). Pre: a column
  /// without attribute `first_code`.
  void read_stored(const DatasetColumn& column, std::uint64_t first, std::span<std::byte> bytes) const;

  /// Numbers of /provenance: "checksums", "block".
  [[nodiscard]] const std::vector<DatasetColumn>& tables() const;

 private:
  template <class Value>
  void read_converted(const DatasetColumn& column, std::uint64_t first, std::span<Value> values) const;
  [[nodiscard]] std::size_t index_of(const DatasetColumn& column) const;

  std::filesystem::path path_;
  Verifiable verifiable_ = Verifiable::none;
  std::unique_ptr<DatasetContents> contents_;  ///< at a fixed place: columns_ knows it
  std::unique_ptr<ColumnSource> columns_;
  std::vector<RowRange> complete_;
};

}  // namespace dfsweep
