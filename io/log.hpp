/// EventLog: one JSON object per line, appended whole, so that several processes may share a file.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string_view>

#include "io/file_system.hpp"
#include "io/json.hpp"

namespace dfsweep {

/// A log never stops what it describes: lines that cannot be written are dropped. Thread-safe.
class EventLog {
 public:
  /// Drops everything.
  EventLog() = default;
  EventLog(FileSystem& files, const std::filesystem::path& path);
  /// Appends {"time": ..., "event": event, fields...}; the time is UTC with milliseconds.
  void write(std::string_view event, JsonObject fields = {});

 private:
  std::mutex mutex_;
  std::unique_ptr<File> file_;
};

}  // namespace dfsweep
