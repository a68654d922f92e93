/// FaultyFileSystem: a file system in memory that knows what has been synced, and fails at the k-th operation on
/// demand.
///
/// Contents and names are kept twice: as the running process sees them, and as a disk would hold them after the power
/// fails. sync_data makes the content of a file durable, sync_directory the names in a directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/file_system.hpp"

namespace dfsweep {

/// Thrown by every operation from the crash on, until the reboot; deliberately no std::exception.
struct Crash {};

enum class Fault : std::uint8_t {
  none,
  crash,      ///< the world stops; half of a write that was under way has arrived
  disk_full,  ///< this and every later operation that needs space fails with ENOSPC
  io_error,   ///< this one operation fails with EIO
};

/// What survives a reboot of what was never synced.
enum class Unsynced : std::uint8_t {
  lost,   ///< power failure, nothing was written back in time
  kept,   ///< only the process died
  mixed,  ///< power failure; each page and each name was written back or not, decided by a seed
};

class FaultyFileSystem final : public FileSystem {
 public:
  /// The `at`-th changing operation from now on fails, counted from 1.
  void arm(Fault fault, std::uint64_t at);
  [[nodiscard]] bool was_hit() const { return was_hit_; }
  /// Ends all faults and forgets what does not survive.
  void reboot(Unsynced unsynced, std::uint64_t seed = 0);
  /// Whether space can be reserved (a disk_full fault makes reserving fail all the same).
  void support_reserving(Reserved reserved) { reserving_ = reserved; }

  /// Called by each sync of a file before it begins, by the thread that syncs.
  void before_sync(std::function<void(const std::filesystem::path&)> act) { before_sync_ = std::move(act); }
  [[nodiscard]] const std::function<void(const std::filesystem::path&)>& before_sync() const { return before_sync_; }

  [[nodiscard]] std::vector<std::byte> content(const std::filesystem::path& path) const;
  void set_content(const std::filesystem::path& path, std::vector<std::byte> bytes);  ///< durable at once

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

  struct Content {
    std::vector<std::byte> live;
    std::vector<std::byte> durable;
  };
  enum class Needs : std::uint8_t { nothing, space };
  /// Counts an operation; throws where it is the one to fail. A crash lets `half` happen first.
  void operate(const char* what, const std::filesystem::path& path, Needs needs,
               const std::function<void()>& half = {});
  [[nodiscard]] std::mutex& mutex() const { return mutex_; }

 private:
  using Names = std::map<std::filesystem::path, std::shared_ptr<Content>>;
  mutable std::mutex mutex_;
  Names live_;
  Names durable_;
  std::set<std::filesystem::path> directories_;
  std::map<std::filesystem::path, std::weak_ptr<int>> locks_;
  std::function<void(const std::filesystem::path&)> before_sync_;
  Reserved reserving_ = Reserved::yes;
  Fault fault_ = Fault::none;
  std::uint64_t operations_left_ = 0;
  bool was_hit_ = false;
};

}  // namespace dfsweep
