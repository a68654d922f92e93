#include "engine/store/locks.hpp"

#include <chrono>
#include <thread>

#include <fmt/core.h>

#include "engine/console/foreign_run.hpp"

namespace dfsweep::store {

namespace {

constexpr std::string_view directory_lock = "directory";
constexpr auto lock_retry = std::chrono::milliseconds(20);
constexpr int max_lock_retries = 3000;  // one minute: another part may be publishing a large file

std::string holder(FileSystem& files, const std::filesystem::path& lock) {
  const std::string text = files.lock_holder(lock);
  return text.empty() ? "another process" : text;
}

}  // namespace

std::string working_part(FileSystem& files, const RunDirectory& directory,
                         const std::function<bool(const std::string&)>& is_of_interest) {
  for (const std::string& name : files.list(directory.journals())) {
    if (!name.starts_with("part-") || !name.ends_with(".lock") || !is_of_interest(name)) continue;
    const std::string working = files.lock_holder(directory.journals() / name);
    if (!working.empty()) return working;
  }
  return {};
}

std::string name_of(Part part) {
  return fmt::format("part-{}-of-{}", part.index + 1, part.count);
}

std::unique_ptr<File> lock_directory(FileSystem& files, const RunDirectory& directory) {
  const std::filesystem::path path = directory.lock(std::string(directory_lock));
  for (int retry = 0; retry < max_lock_retries; ++retry) {
    if (std::unique_ptr<File> lock = files.try_lock(path)) return lock;
    std::this_thread::sleep_for(lock_retry);
  }
  throw NotReady(fmt::format("{} is being created or published by {}. Wait for it, then run the same command again",
                             directory.path.string(), holder(files, path)));
}

std::unique_ptr<File> lock_part(FileSystem& files, const RunDirectory& directory, Part part) {
  const std::filesystem::path path = directory.lock(name_of(part));
  if (std::unique_ptr<File> lock = files.try_lock(path)) return lock;
  const std::string what =
      part.count == 1 ? "the run" : fmt::format("part {}/{} of the run", part.index + 1, part.count);
  throw NotReady(fmt::format("{} in {} is already being evaluated by {}. Wait for it, or choose another --out", what,
                             directory.path.string(), holder(files, path)));
}

}  // namespace dfsweep::store
