/// Events in the order of time; of equal times, the one that was added first comes first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace dfsweep::queueing {

enum class EventKind : std::uint8_t {
  open,       ///< a new session sends its first request
  send,       ///< a session sends its next request
  receive,    ///< a request reaches the engine
  reload,     ///< the tokens of its session are loaded from the second tier
  hand_over,  ///< a prompt that was read reaches the servers of answers
};

struct Event {
  double time = 0.0;
  std::uint64_t order = 0;
  std::uint32_t subject = 0;  ///< a session that sends, or a request
  EventKind kind = EventKind::send;
};

/// A binary heap.
class EventQueue {
 public:
  void add(double time, EventKind kind, std::uint32_t subject) {
    heap_.push_back({time, count_++, subject, kind});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  /// Time of the next event; infinite if there is no event.
  [[nodiscard]] double next_time() const {
    return heap_.empty() ? std::numeric_limits<double>::infinity() : heap_.front().time;
  }
  Event take() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Event event = heap_.back();
    heap_.pop_back();
    return event;
  }

 private:
  static bool later(const Event& a, const Event& b) { return a.time != b.time ? a.time > b.time : a.order > b.order; }

  std::vector<Event> heap_;
  std::uint64_t count_ = 0;
};

/// The replica whose block of steps ends next: a tournament over their ends, with the lower index first where equal.
class NextEnds {
 public:
  explicit NextEnds(std::size_t replicas) {
    while (leaves_ < replicas) leaves_ *= 2;
    ends_.assign(leaves_, std::numeric_limits<double>::infinity());
    winners_.resize(2 * leaves_);
    for (std::size_t i = 0; i < leaves_; ++i) winners_[leaves_ + i] = static_cast<std::uint32_t>(i);
    for (std::size_t node = leaves_ - 1; node > 0; --node) winners_[node] = winners_[2 * node];
    if (leaves_ == 1) winners_[1] = 0;
  }
  void set(std::uint32_t replica, double end) {
    ends_[replica] = end;
    for (std::size_t node = (leaves_ + replica) / 2; node > 0; node /= 2) {
      const std::uint32_t left = winners_[2 * node];
      const std::uint32_t right = winners_[2 * node + 1];
      winners_[node] = ends_[right] < ends_[left] ? right : left;
    }
  }
  [[nodiscard]] std::uint32_t replica() const { return winners_[1]; }
  [[nodiscard]] double time() const { return ends_[winners_[1]]; }

 private:
  std::size_t leaves_ = 1;
  std::vector<double> ends_;
  std::vector<std::uint32_t> winners_;
};

}  // namespace dfsweep::queueing
