/// NewResult: a published file that is written at once, without a run directory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "io/dataset.hpp"
#include "io/file_system.hpp"
#include "io/hdf5/sealed_dataset.hpp"

namespace dfsweep {

class NewResult {
 public:
  /// Creates the file beside `path`, with its frame. Throws IoError, also where there is no room for it. Pre: the last
  /// two columns are /provenance/block and /provenance/checksums.
  NewResult(const std::filesystem::path& path, const DatasetDescription& description);
  NewResult(const NewResult&) = delete;
  NewResult& operator=(const NewResult&) = delete;
  /// Removes the file unless it was published.
  ~NewResult();

  [[nodiscard]] const std::vector<ColumnPlace>& places() const { return image_.places; }
  /// Writes elements of a column from `first` on. Thread-safe. Throws IoError.
  void write(std::size_t column, std::uint64_t first, std::span<const std::byte> bytes);
  /// Writes the checksums of a block, over the columns but the last two. Throws IoError. Pre: the block exists.
  void write_checksums(std::size_t block, std::span<const Checksum> checksums);
  /// Writes the first rows of all blocks and the seal, and replaces `path`. Throws IoError. Pre: the checksums of all
  /// blocks are written.
  void publish(std::span<const std::uint64_t> first_rows);

 private:
  DatasetImage image_;
  std::filesystem::path path_;
  std::filesystem::path unfinished_;
  std::unique_ptr<File> file_;
};

}  // namespace dfsweep
