/// FileStamp: what can be seen of a file without reading it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace dfsweep {

/// A file that was changed has another stamp, unless it has the same size and the clock of the file system did not
/// advance in between.
struct FileStamp {
  std::filesystem::path path;
  bool is_there = false;
  std::int64_t seconds = 0;  ///< of the last change, since 1970
  std::int64_t nanoseconds = 0;
  std::uintmax_t bytes = 0;
  bool operator==(const FileStamp&) const = default;
};

[[nodiscard]] FileStamp stamp_of(std::filesystem::path path);

/// Stamps of all regular files at or below a path, sorted by path. Folders that cannot be read count as empty.
[[nodiscard]] std::vector<FileStamp> stamps_below(const std::filesystem::path& path);

}  // namespace dfsweep
