/// EventLog: one JSON object per line, written by one append, so that several processes can share a file.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string_view>

#include "io/file_system.hpp"
#include "io/json.hpp"

namespace dfsweep {

/// Write errors are ignored: a full disk must not stop a run because of its log. Thread-safe.
class EventLog {
 public:
  /// A log that discards everything.
  EventLog() = default;
  EventLog(FileSystem& files, const std::filesystem::path& path);
  /// Appends {"time": ..., "event": event, fields...}; the time is UTC with milliseconds.
  void write(std::string_view event, JsonObject fields = {});

 private:
  std::mutex mutex_;
  std::unique_ptr<File> file_;
};

}  // namespace dfsweep
