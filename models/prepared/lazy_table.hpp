/// LazyTable: a thread-safe table of values that are computed on first use and then cached.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace dfsweep {

/// Threads that need the same value at once may all compute it; one result is kept, so the computation must be
/// deterministic. An exception leaves the value uncomputed.
template <class Value>
class LazyTable {
 public:
  explicit LazyTable(std::size_t size) : slots_(size) {}
  LazyTable(const LazyTable&) = delete;
  LazyTable& operator=(const LazyTable&) = delete;
  ~LazyTable() {
    for (std::atomic<const Value*>& slot : slots_) delete slot.load(std::memory_order_relaxed);
  }

  [[nodiscard]] std::size_t size() const { return slots_.size(); }

  /// The value at `index`; `compute()` is called where it is not yet cached.
  template <class Compute>
  const Value& get(std::size_t index, Compute compute) const {
    if (const Value* kept = slots_[index].load(std::memory_order_acquire)) return *kept;
    auto fresh = std::make_unique<const Value>(compute());
    const Value* expected = nullptr;
    if (slots_[index].compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel))
      return *fresh.release();
    return *expected;
  }

 private:
  mutable std::vector<std::atomic<const Value*>> slots_;
};

}  // namespace dfsweep
