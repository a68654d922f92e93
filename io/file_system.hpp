/// Interface to the file system: all code that makes results durable uses it, so that tests can inject every fault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace dfsweep {

/// A failed system call: the action, the path and errno; exit status 74.
class IoError : public std::runtime_error {
 public:
  IoError(std::string action, std::filesystem::path path, int error_number, std::string hint = {});
  std::filesystem::path path;
  int error_number;
};

/// Bytes [offset, offset + count) of a file.
struct ByteRange {
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
};

/// An open file. Offsets are explicit; short writes and EINTR are handled inside.
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
  /// Pre: opened for appending. Bytes of concurrent writers do not interleave.
  virtual void append(std::span<const std::byte> bytes) = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  virtual void truncate(std::uint64_t size) = 0;
  virtual void sync_data() = 0;  ///< fdatasync
  /// Asks the system to begin writing these bytes to the disk, so that sync_data() has less to wait for. A hint.
  virtual void begin_sync(ByteRange) {}
};

/// `creating` and `appending_here` refuse a path that is a symbolic link, which another user may have planted;
/// `appending` is for what a user names, as /dev/stdout.
enum class OpenFor : std::uint8_t { reading, writing, creating, appending, appending_here };
enum class Reserved : std::uint8_t { yes, unsupported };

class FileSystem {
 public:
  FileSystem() = default;
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;
  virtual ~FileSystem() = default;
  [[nodiscard]] virtual std::unique_ptr<File> open(const std::filesystem::path& path, OpenFor purpose) = 0;
  /// Bytes that may still be written under `path`, as far as that is known (see io/free_space.hpp).
  [[nodiscard]] virtual std::optional<std::uint64_t> free_space(const std::filesystem::path& path) const;
  /// Reserves the blocks of a range of a file; throws IoError if the disk is too small.
  virtual Reserved reserve(const std::filesystem::path& path, ByteRange range) = 0;
  virtual void rename(const std::filesystem::path& from, const std::filesystem::path& to) = 0;
  virtual void remove(const std::filesystem::path& path) = 0;
  virtual void create_directories(const std::filesystem::path& path) = 0;
  virtual void sync_directory(const std::filesystem::path& path) = 0;
  [[nodiscard]] virtual bool exists(const std::filesystem::path& path) const = 0;
  /// Names of the entries of a directory, sorted; empty if it does not exist.
  [[nodiscard]] virtual std::vector<std::string> list(const std::filesystem::path& path) const = 0;
  /// Takes an exclusive advisory lock that lasts until the result is destroyed; null if another process holds it. The
  /// lock file contains the name of the holder: "process 4711 on host n1". On a file system without locks it always
  /// succeeds.
  [[nodiscard]] virtual std::unique_ptr<File> try_lock(const std::filesystem::path& path) = 0;
  /// The holder named in a lock file; "" if the lock is free.
  [[nodiscard]] virtual std::string lock_holder(const std::filesystem::path& path) = 0;
};

/// The POSIX implementation.
[[nodiscard]] FileSystem& real_file_system();

/// Throws IoError if a file named on the command line does not exist or is not readable; does not open it.
void expect_readable(const std::filesystem::path& path);

/// Throws the IoError of a full disk, before anything is written, where less than `size` bytes are free for `path`.
void expect_room(const FileSystem& files, const std::filesystem::path& path, std::uint64_t size);

/// Reads a whole file. Throws IoError, also if it is longer than `max_bytes`.
[[nodiscard]] std::vector<std::byte> read_file(FileSystem& files, const std::filesystem::path& path,
                                               std::uint64_t max_bytes = std::uint64_t{1} << 32);
/// Creates a directory and its missing parents, each durable on return. Throws IoError.
void create_durable_directories(FileSystem& files, const std::filesystem::path& path);
/// Replaces a file atomically: after a crash it has the old or the new content. Durable on return. Throws IoError.
void replace_file(FileSystem& files, const std::filesystem::path& path, std::span<const std::byte> bytes);

}  // namespace dfsweep
