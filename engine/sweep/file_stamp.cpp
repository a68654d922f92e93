#include "engine/sweep/file_stamp.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace dfsweep {

FileStamp stamp_of(std::filesystem::path path) {
  std::error_code error;
  FileStamp stamp{std::move(path), false, {}, 0};
  stamp.written = std::filesystem::last_write_time(stamp.path, error);
  stamp.is_there = !error;
  stamp.bytes = stamp.is_there ? std::filesystem::file_size(stamp.path, error) : 0;
  return stamp;
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
