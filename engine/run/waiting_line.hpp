/// WaitingLine: says on standard error what the program is doing, where that takes longer than half a second.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "engine/parallel/heartbeat.hpp"

namespace dfsweep {

/// On a terminal the line counts the seconds and goes away at the end; elsewhere it is printed after half a second, and
/// then every minute.
class WaitingLine {
 public:
  /// `text` is what is done: "preparing the sweep"; empty: nothing is printed.
  explicit WaitingLine(std::string text);
  ~WaitingLine();
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;

  /// Changes the text. Thread-safe.
  void say(std::string text);

 private:
  void draw();

  std::mutex mutex_;  ///< guards text_
  std::string text_;
  bool rewrites_lines_;
  double start_;
  double drawn_at_ = -1.0;       ///< of the heartbeat alone; negative: not yet
  std::size_t drawn_width_ = 0;  ///< of the heartbeat, and of the destructor after it
  std::size_t width_;
  std::unique_ptr<Heartbeat> heartbeat_;
};

}  // namespace dfsweep
