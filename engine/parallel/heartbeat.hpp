/// Heartbeat: a thread that calls a function several times a second during the lifetime of the object.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace dfsweep {

/// Seconds of the monotonic clock.
[[nodiscard]] double steady_seconds();

class Heartbeat {
 public:
  explicit Heartbeat(std::function<void()> beat);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  std::function<void()> beat_;
  std::mutex mutex_;  ///< guards is_over_
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace dfsweep
