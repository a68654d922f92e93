/// LazyCells: a thread-safe large array whose small elements are computed on first use and then cached.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace dfsweep {

/// An unused element costs one byte of touched memory. Threads that need the same element at once may compute it
/// several times, so the computation must be deterministic.
template <class Cell>
class LazyCells {
  static_assert(std::is_trivially_copyable_v<Cell>);

 public:
  explicit LazyCells(std::size_t size) : states_(size), cells_(std::make_unique_for_overwrite<Cell[]>(size)) {}

  [[nodiscard]] std::size_t size() const { return states_.size(); }

  /// The element at `index`. Where another thread is computing it, the caller's `own` is filled and returned instead.
  /// `compute()` returns the element.
  template <class Compute>
  const Cell& get(std::size_t index, Cell& own, Compute compute) const {
    std::atomic<State>& state = states_[index];
    if (state.load(std::memory_order_acquire) == State::known) return cells_[index];
    own = compute();
    State expected = State::unknown;
    if (state.compare_exchange_strong(expected, State::being_written, std::memory_order_acq_rel)) {
      cells_[index] = own;
      state.store(State::known, std::memory_order_release);
    }
    return own;
  }

 private:
  enum class State : std::uint8_t { unknown, being_written, known };
  mutable std::vector<std::atomic<State>> states_;
  std::unique_ptr<Cell[]> cells_;
};

}  // namespace dfsweep
