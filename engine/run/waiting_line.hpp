/// WaitingLine: prints on standard error what the program is doing if that takes longer than half a second.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "engine/parallel/heartbeat.hpp"

namespace dfsweep {

/// On a terminal the line shows the elapsed seconds and is erased at the end; elsewhere it is printed after half a
/// second, then every minute.
class WaitingLine {
 public:
  /// `text`: the activity, such as "preparing the sweep"; empty: nothing is printed.
  explicit WaitingLine(std::string text);
  ~WaitingLine();
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;

  /// Changes the text. Thread-safe.
  void set_text(std::string text);

 private:
  void draw();

  std::mutex mutex_;  ///< guards text_
  std::string text_;
  bool rewrites_lines_;
  double start_;
  double drawn_at_ = -1.0;       ///< used by the heartbeat thread only; negative: not drawn yet
  std::size_t drawn_width_ = 0;  ///< used by the heartbeat thread, then by the destructor
  std::size_t width_;
  std::unique_ptr<Heartbeat> heartbeat_;
};

}  // namespace dfsweep
