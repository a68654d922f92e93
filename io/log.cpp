/// Formatting of log lines.
#include "io/log.hpp"

#include <chrono>
#include <ctime>
#include <span>
#include <string>

#include <fmt/format.h>

namespace dfsweep {
namespace {

std::string utc_now() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec, milliseconds);
}

}  // namespace

EventLog::EventLog(FileSystem& files, const std::filesystem::path& path) {
  try {
    file_ = files.open(path, OpenFor::appending_here);
  } catch (const IoError&) {
    file_.reset();
  }
}

void EventLog::write(std::string_view event, JsonObject fields) {
  const std::lock_guard lock(mutex_);
  if (!file_) return;
  JsonObject line = {{"time", utc_now()}, {"event", event}};
  line.insert(line.end(), std::make_move_iterator(fields.begin()), std::make_move_iterator(fields.end()));
  const std::string text = to_text(Json(std::move(line)), JsonStyle::one_line) + '\n';
  try {
    file_->append(std::as_bytes(std::span(text)));
  } catch (const IoError&) {
    file_.reset();
  }
}

}  // namespace dfsweep
