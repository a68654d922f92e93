/// StreamedRows: the numeric rows of a data file, read block by block, so that long files need little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace dfsweep {

/// A column of a streamed file, and what its numbers obey.
struct StreamColumn {
  std::string_view name;
  std::span<const std::string_view> other_names = {};  ///< of the same column in files of other programs
  double lowest = 0.0;
  double highest = 0.0;
  bool is_whole = false;
  bool is_ascending = false;  ///< no number is below the one of the line before
};

/// One pass over the rows of a file.
class RowStream {
 public:
  RowStream() = default;
  RowStream(const RowStream&) = delete;
  RowStream& operator=(const RowStream&) = delete;
  virtual ~RowStream() = default;
  /// Fills the front of `rows` with the next rows, each with its columns in the declared order; how many rows, 0 at the
  /// end. Pre: `rows` has room for whole rows, at least one.
  virtual std::size_t next(std::span<double> rows) = 0;
};

/// A file whose rows were checked when the sweep was read.
class StreamedRows {
 public:
  StreamedRows() = default;
  StreamedRows(const StreamedRows&) = delete;
  StreamedRows& operator=(const StreamedRows&) = delete;
  virtual ~StreamedRows() = default;
  [[nodiscard]] virtual std::uint64_t rows() const = 0;
  /// Mean and largest number of each column.
  [[nodiscard]] virtual std::span<const double> means() const = 0;
  [[nodiscard]] virtual std::span<const double> largest() const = 0;
  /// A pass from the first row on. Thread-safe.
  [[nodiscard]] virtual std::unique_ptr<RowStream> open() const = 0;
};

}  // namespace dfsweep
