/// The seam to the file system: everything that makes results durable goes through here, so that every fault can be
/// injected by a double in the tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace dfsweep {

/// A failed system call: what was tried, on which path, and errno; exit status 74.
class IoError : public std::runtime_error {
 public:
  IoError(std::string action, std::filesystem::path path, int error_number, std::string hint = {});
  std::filesystem::path path;
  int error_number;
};

/// An open file. Offsets are explicit; short writes are continued and EINTR is retried inside.
class File {
 public:
  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  virtual ~File() = default;
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  /// Reads exactly bytes.size() bytes, or throws; `read_some` stops at the end of the file.
  virtual void read_at(std::uint64_t offset, std::span<std::byte> bytes) const = 0;
  [[nodiscard]] virtual std::size_t read_some(std::uint64_t offset, std::span<std::byte> bytes) const = 0;
  /// Pre: opened for appending. Bytes of two writers do not mix.
  virtual void append(std::span<const std::byte> bytes) = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  virtual void truncate(std::uint64_t size) = 0;
  virtual void sync_data() = 0;  ///< fdatasync
};

enum class OpenFor : std::uint8_t { reading, writing, creating, appending };
enum class Reserved : std::uint8_t { yes, unsupported };

class FileSystem {
 public:
  FileSystem() = default;
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;
  virtual ~FileSystem() = default;
  [[nodiscard]] virtual std::unique_ptr<File> open(const std::filesystem::path& path, OpenFor purpose) = 0;
  /// Reserves the blocks of the first `size` bytes; throws IoError where the disk is too small.
  virtual Reserved reserve(const std::filesystem::path& path, std::uint64_t size) = 0;
  virtual void rename(const std::filesystem::path& from, const std::filesystem::path& to) = 0;
  virtual void remove(const std::filesystem::path& path) = 0;
  virtual void create_directories(const std::filesystem::path& path) = 0;
  virtual void sync_directory(const std::filesystem::path& path) = 0;
  [[nodiscard]] virtual bool exists(const std::filesystem::path& path) const = 0;
  /// Names of the entries of a directory, sorted; empty if it does not exist.
  [[nodiscard]] virtual std::vector<std::string> list(const std::filesystem::path& path) const = 0;
  /// Takes an exclusive advisory lock for the life of the result; null if another process holds it. The text of the
  /// locked file names the holder: "process 4711 on host n1". Where the file system has no locks, it always succeeds.
  [[nodiscard]] virtual std::unique_ptr<File> try_lock(const std::filesystem::path& path) = 0;
  /// The text of a lock file that a process holds; "" where it is free.
  [[nodiscard]] virtual std::string lock_holder(const std::filesystem::path& path) = 0;
};

/// The real one (POSIX).
[[nodiscard]] FileSystem& real_file_system();

/// Throws IoError where a file that the command line names is not there or may not be read; it is not opened.
void expect_readable(const std::filesystem::path& path);

/// The whole content of a file. Throws IoError, also where it is longer than `most_bytes`.
[[nodiscard]] std::vector<std::byte> read_file(FileSystem& files, const std::filesystem::path& path,
                                               std::uint64_t most_bytes = std::uint64_t{1} << 32);
/// Gives a file this content so that a crash leaves the old or the new one, durable on return. Throws IoError.
void replace_file(FileSystem& files, const std::filesystem::path& path, std::span<const std::byte> bytes);

}  // namespace dfsweep
