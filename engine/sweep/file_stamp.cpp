#include "engine/sweep/file_stamp.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace dfsweep {

FileStamp stamp_of(std::filesystem::path path) {
  struct stat found = {};  // all at once: there may be hundreds of files
  if (::stat(path.c_str(), &found) != 0) return {.path = std::move(path)};
  return {.path = std::move(path),
          .is_there = true,
          .seconds = found.st_mtim.tv_sec,
          .nanoseconds = found.st_mtim.tv_nsec,
          .bytes = static_cast<std::uintmax_t>(found.st_size)};
}

std::vector<FileStamp> stamps_below(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return {stamp_of(path)};
  std::vector<FileStamp> stamps;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator item(path, error), end; !error && item != end;
       item.increment(error))
    if (item->is_regular_file(ignored)) stamps.push_back(stamp_of(item->path()));
  std::sort(stamps.begin(), stamps.end(), [](const FileStamp& a, const FileStamp& b) { return a.path < b.path; });
  return stamps;
}

}  // namespace dfsweep
