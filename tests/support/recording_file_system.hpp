/// RecordingFileSystem: a file system in memory that records every change in the order in which it was made.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "io/file_system.hpp"

namespace dfsweep {

/// The files and directories of a disk. Paths are normal and relative to the root, which always exists.
struct DiskState {
  std::map<std::filesystem::path, std::vector<std::byte>> files;
  std::set<std::filesystem::path> directories;
  bool operator==(const DiskState&) const = default;
};

enum class ChangeKind : std::uint8_t {
  create,          ///< `path` is a new, empty file with number `file`
  write,           ///< `bytes` at `offset` of file `file`
  resize,          ///< file `file` has `offset` bytes
  sync,            ///< fdatasync of file `file`
  rename,          ///< `path`, which is file `file`, is now `to`
  remove,          ///< `path` is gone
  make_directory,  ///< `path` is a new directory
  sync_directory,  ///< fsync of directory `path`
};

struct RecordedChange {
  ChangeKind kind = ChangeKind::create;
  std::filesystem::path path;
  std::filesystem::path to;
  std::size_t file = 0;  ///< files of the initial state come first, in the order of their paths
  std::uint64_t offset = 0;
  std::vector<std::byte> bytes;
  std::uint32_t acknowledged = 0;  ///< the counter that is watched, before this change
};

class RecordingFileSystem final : public FileSystem {
 public:
  /// Whether changes are kept; without a record the file system is faster.
  enum class Record : std::uint8_t { no, yes };
  explicit RecordingFileSystem(const DiskState& initial = {}, Record record = Record::yes);

  /// Notes the value of this counter with every change. Pre: it outlives this object, and is changed by its user alone.
  void watch(const std::uint32_t& counter) { watched_ = &counter; }
  [[nodiscard]] const std::vector<RecordedChange>& changes() const { return changes_; }
  [[nodiscard]] DiskState state() const;

  [[nodiscard]] std::unique_ptr<File> open(const std::filesystem::path& path, OpenFor purpose) override;
  Reserved reserve(const std::filesystem::path& path, ByteRange range) override;
  void rename(const std::filesystem::path& from, const std::filesystem::path& to) override;
  void remove(const std::filesystem::path& path) override;
  void create_directories(const std::filesystem::path& path) override;
  void sync_directory(const std::filesystem::path& path) override;
  [[nodiscard]] bool exists(const std::filesystem::path& path) const override;
  [[nodiscard]] std::vector<std::string> list(const std::filesystem::path& path) const override;
  [[nodiscard]] std::unique_ptr<File> try_lock(const std::filesystem::path& path) override;
  [[nodiscard]] std::string lock_holder(const std::filesystem::path& path) override;

 private:
  class RecordedFile;
  struct Content {
    std::size_t number = 0;
    std::vector<std::byte> bytes;
  };
  std::shared_ptr<Content> create(const std::filesystem::path& path);
  void resize(Content& content, std::uint64_t size);
  void write(Content& content, std::uint64_t offset, std::span<const std::byte> bytes);
  void record(ChangeKind kind, const std::filesystem::path& path, std::size_t file = 0, std::uint64_t offset = 0,
              std::span<const std::byte> bytes = {});

  mutable std::mutex mutex_;
  Record record_;
  std::map<std::filesystem::path, std::shared_ptr<Content>> names_;
  std::set<std::filesystem::path> directories_;
  std::map<std::filesystem::path, std::weak_ptr<int>> locks_;
  std::size_t files_ = 0;
  const std::uint32_t* watched_ = nullptr;
  std::vector<RecordedChange> changes_;
};

}  // namespace dfsweep
