/// EventQueue: the ends of stages that are still to come, in the order of time and of creation.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "models/queueing/vidur/request.hpp"

namespace dfsweep::vidur {

/// A stage of a replica ends its work on a batch.
struct StageEnd {
  double time = 0.0;  ///< s
  std::uint64_t serial = 0;
  std::uint32_t replica = 0;
  std::uint32_t stage = 0;
  std::uint32_t batch = 0;  ///< place among the batches in flight
};

/// Events of one time come in the order in which they were pushed, whatever they are. Source: [vidur] simulator.py
class EventQueue {
 public:
  explicit EventQueue(std::size_t most) { heap_.reserve(most); }

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  /// Infinite where the queue is empty.
  [[nodiscard]] double next_time() const {
    return heap_.empty() ? std::numeric_limits<double>::infinity() : heap_.front().time;
  }
  void push(double time, std::uint32_t replica, std::uint32_t stage, std::uint32_t batch) {
    heap_.push_back({time, serial_++, replica, stage, batch});
    if (heap_.size() > 1) std::push_heap(heap_.begin(), heap_.end(), is_later);
  }
  /// Pre: not empty.
  StageEnd pop() {
    if (heap_.size() > 1) std::pop_heap(heap_.begin(), heap_.end(), is_later);
    const StageEnd first = heap_.back();
    heap_.pop_back();
    return first;
  }

 private:
  static bool is_later(const StageEnd& a, const StageEnd& b) {
    return a.time != b.time ? a.time > b.time : a.serial > b.serial;
  }

  std::vector<StageEnd> heap_;
  std::uint64_t serial_ = 0;
};

}  // namespace dfsweep::vidur
