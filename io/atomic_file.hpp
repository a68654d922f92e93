/// AtomicFile: a file that appears under its name complete and durable, or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "io/file_system.hpp"

namespace dfsweep {

/// Writes beside `path` and takes its place at commit(); the file that stood there stays untouched until then. Where
/// `path` is not a regular file (a pipe, /dev/stdout) there is nothing to replace and it is written directly.
class AtomicFile {
 public:
  /// Throws IoError; so do the others.
  AtomicFile(FileSystem& files, std::filesystem::path path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();
  void append(std::span<const std::byte> bytes);
  void commit();

 private:
  FileSystem* files_;
  std::filesystem::path path_;
  std::filesystem::path written_;  ///< the same as path_ where that is not a regular file
  std::unique_ptr<File> file_;
};

/// Gives a file of the user these bytes, and makes its folders where they are missing. Throws IoError.
void write_user_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_user_file(const std::filesystem::path& path, std::string_view text);

}  // namespace dfsweep
