/// AtomicFile: writes a file that appears under its name either complete and durable, or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "io/file_system.hpp"

namespace dfsweep {

/// Writes a temporary file next to `path`; commit() renames it to `path`. Until then an existing file is untouched. If
/// `path` is not a regular file (a pipe, /dev/stdout), it is written directly.
class AtomicFile {
 public:
  /// All members throw IoError.
  AtomicFile(FileSystem& files, std::filesystem::path path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();
  void append(std::span<const std::byte> bytes);
  void commit();

 private:
  FileSystem* files_;
  std::filesystem::path path_;
  std::filesystem::path written_;  ///< the temporary file; equal to path_ if that is not a regular file
  std::unique_ptr<File> file_;
  std::uint64_t appended_ = 0;       ///< bytes
  std::uint64_t begun_to_sync_ = 0;  ///< bytes of them that the disk has been asked to write
};

/// Creates the missing folders of an output file. Throws IoError.
void create_folder_of(const std::filesystem::path& file);

/// Writes an output file of the user atomically, and creates missing folders. Throws IoError.
void write_user_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_user_file(const std::filesystem::path& path, std::string_view text);

}  // namespace dfsweep
