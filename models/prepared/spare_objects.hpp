/// SpareObjects: objects that are expensive to make, lent to one caller at a time.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <utility>

namespace dfsweep {

/// Thread-safe. What callers give back waits for the next one; which object a caller receives depends on the threads,
/// so that no result may depend on it.
template <class Object>
class SpareObjects {
 public:
  SpareObjects() = default;
  SpareObjects(const SpareObjects&) = delete;
  SpareObjects& operator=(const SpareObjects&) = delete;
  ~SpareObjects() {
    for (std::atomic<Object*>& place : places_) delete place.load(std::memory_order_relaxed);
  }

  /// One that waits, or what `make()` returns, a unique pointer.
  template <class Make>
  [[nodiscard]] std::unique_ptr<Object> take(Make make) const {
    for (std::atomic<Object*>& place : places_)
      if (Object* waiting = place.exchange(nullptr, std::memory_order_acquire)) return std::unique_ptr<Object>(waiting);
    return make();
  }

  /// The object is destroyed where enough of them wait.
  void give_back(std::unique_ptr<Object> object) const {
    for (std::atomic<Object*>& place : places_) {
      Object* nothing = nullptr;
      if (place.compare_exchange_strong(nothing, object.get(), std::memory_order_release)) {
        static_cast<void>(object.release());
        return;
      }
    }
  }

 private:
  mutable std::array<std::atomic<Object*>, 64> places_{};
};

}  // namespace dfsweep
