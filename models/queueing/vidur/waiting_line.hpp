/// WaitingLine: a queue of requests that also takes requests at its front.
#pragma once

#include <vector>

#include "models/queueing/vidur/request.hpp"

namespace dfsweep::vidur {

/// A ring whose size is a power of two; it allocates only where it grows.
class WaitingLine {
 public:
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::uint32_t size() const { return count_; }
  /// Pre: not empty.
  [[nodiscard]] RequestIndex front() const { return ring_[first_]; }
  void push_back(RequestIndex request) {
    make_room();
    ring_[(first_ + count_) & mask()] = request;
    ++count_;
  }
  void push_front(RequestIndex request) {
    make_room();
    first_ = (first_ + mask()) & mask();
    ring_[first_] = request;
    ++count_;
  }
  /// Pre: not empty.
  void pop_front() {
    first_ = (first_ + 1) & mask();
    --count_;
  }

 private:
  [[nodiscard]] std::uint32_t mask() const { return static_cast<std::uint32_t>(ring_.size()) - 1; }
  void make_room() {
    if (count_ < ring_.size()) return;
    std::vector<RequestIndex> larger(2 * ring_.size());
    for (std::uint32_t i = 0; i < count_; ++i) larger[i] = ring_[(first_ + i) & mask()];
    ring_ = std::move(larger);
    first_ = 0;
  }

  std::vector<RequestIndex> ring_ = std::vector<RequestIndex>(64);
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace dfsweep::vidur
