/// The thread of a heartbeat.
#include "engine/parallel/heartbeat.hpp"

#include <chrono>

namespace dfsweep {
namespace {

constexpr std::chrono::milliseconds interval{50};

}  // namespace

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Heartbeat::Heartbeat(std::function<void()> beat)
    : beat_(std::move(beat)), thread_([this] {
        std::unique_lock lock(mutex_);
        while (!over_.wait_for(lock, interval, [this] { return is_over_; })) {
          lock.unlock();
          beat_();
          lock.lock();
        }
      }) {}

Heartbeat::~Heartbeat() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_all();
  thread_.join();
}

}  // namespace dfsweep
