/// Reading and replacing whole files, and folders that are durable, on any file system.
#include <cerrno>

#include <fmt/core.h>

#include "io/file_system.hpp"

namespace dfsweep {

std::vector<std::byte> read_file(FileSystem& files, const std::filesystem::path& path, std::uint64_t max_bytes) {
  const std::unique_ptr<File> file = files.open(path, OpenFor::reading);
  const std::uint64_t size = file->size();
  if (size > max_bytes) throw IoError("read", path, EFBIG, fmt::format("at most {} MiB", max_bytes >> 20));
  std::vector<std::byte> bytes(size);
  bytes.resize(file->read_some(0, bytes));
  return bytes;
}

void create_durable_directories(FileSystem& files, const std::filesystem::path& path) {
  if (path.empty() || files.exists(path)) return;
  create_durable_directories(files, path.parent_path());
  files.create_directories(path);
  files.sync_directory(path.parent_path());
}

void replace_file(FileSystem& files, const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::filesystem::path temporary = path;
  temporary += ".new";
  {
    const std::unique_ptr<File> file = files.open(temporary, OpenFor::creating);
    file->write_at(0, bytes);
    file->sync_data();
  }
  files.rename(temporary, path);
  files.sync_directory(path.parent_path());
}

}  // namespace dfsweep
