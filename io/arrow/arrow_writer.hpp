/// ArrowWriter: a table as an Arrow IPC file (also called Feather version 2), record batch by record batch.
/// Source: [arrow]
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/arrow/flat_table.hpp"
#include "io/compression.hpp"
#include "io/exported_type.hpp"

namespace dfsweep {

using ArrowNotes = std::vector<std::pair<std::string, std::string>>;  ///< keys and values

struct ArrowColumn {
  std::string name;
  ExportedType type = ExportedType::float64;
  std::vector<std::string> labels = {};  ///< [code] of columns of labels
  ArrowNotes notes = {};
};

/// Bytes of a code of a column of labels: as few as its signed codes need.
[[nodiscard]] std::size_t code_bytes(const ArrowColumn& column);

/// Replaces a buffer of a record batch by the compressed one, or by its bytes with a mark where that is not shorter.
/// `room` is memory that is used again.
void compress_buffer(std::vector<std::byte>& buffer, std::vector<std::byte>& room);

/// The values of one column in one record batch, each buffer compressed if the writer's are.
struct ArrowValues {
  std::span<const std::byte> elements;  ///< [row] little-endian; any where the row has no value
  std::span<const std::byte> validity;  ///< [row] a bit, the lowest first; empty: all rows have a value
  std::uint64_t missing = 0;            ///< rows without a value
};

class ArrowWriter {
 public:
  using Append = std::function<void(std::span<const std::byte>)>;
  /// Writes the schema and the dictionaries. `append`: writes at the end of the file. `notes`: of the whole table.
  /// The dictionaries are not compressed.
  ArrowWriter(const std::vector<ArrowColumn>& columns, const ArrowNotes& notes, Compression compression, Append append);
  /// Writes the head of a batch, which has the sizes of all columns. Pre: values of all columns, in their order, each
  /// of `rows` rows; the columns of the batch before are written.
  void begin_batch(std::uint64_t rows, std::span<const ArrowValues> columns);
  /// Writes the next column of the batch. Pre: the values that begin_batch() was given.
  void add_column(const ArrowValues& column);
  /// Writes where the batches are.
  void finish();

 private:
  /// A message and its body: vectors of bytes, each padded.
  FlatTable add_body(std::uint64_t rows, std::span<const std::uint64_t> missing,
                     std::span<const std::span<const std::byte>> buffers) const;
  /// Writes the head of a message, whose body is to be these buffers.
  void write_head(std::uint8_t kind, FlatTable header, std::span<const std::span<const std::byte>> buffers,
                  FlatStructs* blocks);
  void write_padded(std::span<const std::byte> bytes);

  FlatTable schema_;
  Compression compression_;
  Append append_;
  FlatStructs dictionaries_{.words = 3};
  FlatStructs batches_{.words = 3};
  std::uint64_t written_ = 0;
};

}  // namespace dfsweep
