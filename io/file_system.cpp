#include "io/file_system.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include <fmt/core.h>

#include "io/free_space.hpp"
#include "io/number_format.hpp"

namespace dfsweep {

namespace {
constexpr mode_t new_file_mode = 0666;
constexpr mode_t lock_file_mode = 0666;
constexpr auto holder_retry = std::chrono::milliseconds(2);
constexpr int max_holder_retries = 50;

std::string message(const std::string& action, const std::filesystem::path& path, int error_number,
                    const std::string& hint) {
  std::string text =
      fmt::format("cannot {} {}: {}", action, path.string(), std::generic_category().message(error_number));
  if (!hint.empty()) text += fmt::format(" ({})", hint);
  return text;
}

/// Retries a system call after EINTR.
template <class Call>
auto uninterrupted(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// Hint for a full disk: "needs 1.50 GB, 200 MB are free here".
std::string space_hint(std::uint64_t needed, std::optional<std::uint64_t> available) {
  const std::string amount = with_unit(static_cast<double>(needed), "byte", 3);
  if (!available) return fmt::format("needs {}", amount);
  return fmt::format(
      "needs {}, {} are free here; free some space or choose another --out, then run the same command again", amount,
      with_unit(static_cast<double>(*available), "byte", 3));
}

bool is_out_of_space(int error_number) {
  return error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG;
}

class PosixFile final : public File {
 public:
  PosixFile(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  ~PosixFile() override { ::close(descriptor_); }

  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    while (!bytes.empty()) {
      const ssize_t written =
          uninterrupted([&] { return ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
      if (written < 0) fail("write", bytes.size());
      offset += static_cast<std::uint64_t>(written);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  void append(std::span<const std::byte> bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = uninterrupted([&] { return ::write(descriptor_, bytes.data(), bytes.size()); });
      if (written < 0) fail("append to", bytes.size());
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const override {
    if (read_some(offset, bytes) != bytes.size())
      throw IoError("read", path_, EIO, fmt::format("the file ends before byte {}", offset + bytes.size()));
  }

  [[nodiscard]] std::size_t read_some(std::uint64_t offset, std::span<std::byte> bytes) const override {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t count = uninterrupted([&] {
        return ::pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
      });
      if (count < 0) throw IoError("read", path_, errno);
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    return done;
  }

  [[nodiscard]] std::uint64_t size() const override {
    struct stat info = {};
    if (::fstat(descriptor_, &info) != 0) throw IoError("get the size of", path_, errno);
    return static_cast<std::uint64_t>(info.st_size);
  }

  void truncate(std::uint64_t size) override {
    if (uninterrupted([&] { return ::ftruncate(descriptor_, static_cast<off_t>(size)); }) != 0)
      fail("set the size of", size);
  }

  void sync_data() override {
    if (uninterrupted([&] { return ::fdatasync(descriptor_); }) != 0) fail("sync", 0);
  }

  void begin_sync(ByteRange range) override {  // an error would be one of sync_data(), too
    ::sync_file_range(descriptor_, static_cast<off_t>(range.offset), static_cast<off_t>(range.count),
                      SYNC_FILE_RANGE_WRITE);
  }

 private:
  [[noreturn]] void fail(const char* action, std::uint64_t needed) const {
    const int error_number = errno;
    throw IoError(action, path_, error_number,
                  is_out_of_space(error_number) ? space_hint(needed, dfsweep::free_space(path_)) : std::string());
  }

  std::filesystem::path path_;
  int descriptor_;
};

std::string this_process() {
  std::array<char, 256> host = {};
  if (::gethostname(host.data(), host.size() - 1) != 0) return fmt::format("process {}", ::getpid());
  return fmt::format("process {} on host {}", ::getpid(), host.data());
}

class PosixFileSystem final : public FileSystem {
 public:
  [[nodiscard]] std::unique_ptr<File> open(const std::filesystem::path& path, OpenFor purpose) override {
    const int descriptor = uninterrupted([&] { return ::open(path.c_str(), flags(purpose), new_file_mode); });
    if (descriptor < 0) throw IoError(purpose == OpenFor::creating ? "create" : "open", path, errno);
    return std::make_unique<PosixFile>(path, descriptor);
  }

  [[nodiscard]] std::optional<std::uint64_t> free_space(const std::filesystem::path& path) const override {
    return dfsweep::free_space(path);
  }

  Reserved reserve(const std::filesystem::path& path, ByteRange range) override {
    if (range.count == 0) return Reserved::yes;
    const std::optional<std::uint64_t> available = free_space(path);  // a reservation that fails may keep what it took
    const int descriptor = uninterrupted([&] { return ::open(path.c_str(), O_WRONLY | O_CLOEXEC); });
    if (descriptor < 0) throw IoError("open", path, errno);
    const PosixFile closes_at_the_end(path, descriptor);
    const off_t first{static_cast<off_t>(range.offset)}, count{static_cast<off_t>(range.count)};
    if (uninterrupted([&] { return ::fallocate(descriptor, 0, first, count); }) == 0) return Reserved::yes;
    const int error_number = errno;
    if (error_number == EOPNOTSUPP || error_number == ENOSYS || error_number == EINVAL) return Reserved::unsupported;
    throw IoError("reserve space for", path, error_number,
                  is_out_of_space(error_number) ? space_hint(range.count, available) : std::string());
  }

  void rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) throw IoError("rename to " + to.string(), from, errno);
  }

  void remove(const std::filesystem::path& path) override {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) throw IoError("remove", path, errno);
  }

  void create_directories(const std::filesystem::path& path) override {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw IoError("create directory", path, error.value());
  }

  void sync_directory(const std::filesystem::path& path) override {
    const std::filesystem::path directory = path.empty() ? std::filesystem::path(".") : path;
    const int descriptor = uninterrupted([&] { return ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    if (descriptor < 0) throw IoError("open directory", directory, errno);
    const PosixFile closes_at_the_end(directory, descriptor);
    // Some network file systems cannot sync a directory and return EINVAL; ignore it.
    if (uninterrupted([&] { return ::fsync(descriptor); }) != 0 && errno != EINVAL)
      throw IoError("sync directory", directory, errno);
  }

  [[nodiscard]] bool exists(const std::filesystem::path& path) const override {
    struct stat info = {};
    if (::stat(path.c_str(), &info) == 0) return true;
    if (errno == ENOENT || errno == ENOTDIR) return false;
    throw IoError("look up", path, errno);  // a file that is taken for absent would be written again
  }

  [[nodiscard]] std::vector<std::string> list(const std::filesystem::path& path) const override {
    std::vector<std::string> names;
    DIR* directory = ::opendir(path.c_str());
    if (directory == nullptr) {
      if (errno == ENOENT || errno == ENOTDIR) return names;
      throw IoError("list", path, errno);
    }
    while (const dirent* entry = ::readdir(directory)) {
      const std::string name = entry->d_name;
      if (name != "." && name != "..") names.push_back(name);
    }
    ::closedir(directory);
    std::sort(names.begin(), names.end());
    return names;
  }

  [[nodiscard]] std::unique_ptr<File> try_lock(const std::filesystem::path& path) override {
    const int descriptor =
        uninterrupted([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, lock_file_mode); });
    if (descriptor < 0) throw IoError("open lock", path, errno);
    auto file = std::make_unique<PosixFile>(path, descriptor);
    struct flock whole = whole_file();
    if (uninterrupted([&] { return ::fcntl(descriptor, F_OFD_SETLK, &whole); }) != 0) {
      if (errno == EAGAIN || errno == EACCES) return nullptr;
      // Without lock support, two concurrent runs waste work but damage nothing: blocks are pure, records are appended.
      if (!has_no_locks(errno)) throw IoError("lock", path, errno);
    }
    const std::string holder = this_process() + "\n";
    file->truncate(0);
    file->write_at(0, std::as_bytes(std::span(holder)));
    return file;
  }

  [[nodiscard]] std::string lock_holder(const std::filesystem::path& path) override {
    const int descriptor = uninterrupted([&] { return ::open(path.c_str(), O_RDWR | O_CLOEXEC); });
    if (descriptor < 0) {
      if (errno == ENOENT || errno == EACCES || errno == EROFS) return {};
      throw IoError("open lock", path, errno);
    }
    const PosixFile file(path, descriptor);
    struct flock whole = whole_file();
    if (uninterrupted([&] { return ::fcntl(descriptor, F_OFD_GETLK, &whole); }) != 0) {
      if (has_no_locks(errno)) return {};
      throw IoError("query the lock of", path, errno);
    }
    if (whole.l_type == F_UNLCK) return {};
    for (int retry = 0; retry < max_holder_retries;
         ++retry) {  // a new holder takes the lock first and writes its name after that
      std::array<char, 512> text = {};
      const std::size_t count = file.read_some(0, std::as_writable_bytes(std::span(text)));
      if (count != 0) return std::string(text.data(), count).substr(0, std::string_view(text.data(), count).find('\n'));
      std::this_thread::sleep_for(holder_retry);
    }
    return "another process";
  }

 private:
  /// Open-file-description locks: the kernel releases them when the process ends, and a query for the holder does not
  /// take the lock.
  static struct flock whole_file() {
    struct flock whole = {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    return whole;
  }
  static bool has_no_locks(int error_number) {
    return error_number == ENOLCK || error_number == ENOSYS || error_number == EOPNOTSUPP || error_number == EINVAL;
  }

  static int flags(OpenFor purpose) {
    switch (purpose) {
      case OpenFor::reading:
        return O_RDONLY | O_CLOEXEC | O_NONBLOCK;  // opening a pipe must not block
      case OpenFor::writing:
        return O_RDWR | O_CLOEXEC;
      case OpenFor::creating:
        return O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;
      case OpenFor::appending:
        return O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC;
      case OpenFor::appending_here:
        return O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
    }
    return O_RDONLY | O_CLOEXEC;
  }
};

}  // namespace

IoError::IoError(std::string action, std::filesystem::path where, int number, std::string hint)
    : std::runtime_error(message(action, where, number, hint)), path(std::move(where)), error_number(number) {}

std::optional<std::uint64_t> FileSystem::free_space(const std::filesystem::path&) const {
  return std::nullopt;
}

FileSystem& real_file_system() {
  static PosixFileSystem files;
  return files;
}

void expect_readable(const std::filesystem::path& path) {
  if (::access(path.c_str(), R_OK) != 0) throw IoError("open", path, errno);
}

void expect_room(const FileSystem& files, const std::filesystem::path& path, std::uint64_t size) {
  const std::optional<std::uint64_t> available = files.free_space(path);
  if (available && *available < size) throw IoError("reserve space for", path, ENOSPC, space_hint(size, available));
}

}  // namespace dfsweep
