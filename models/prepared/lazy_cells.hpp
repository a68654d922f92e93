/// LazyCells: a large array whose small elements are computed on first use and kept, safe to use from several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace dfsweep {

/// Elements that are never asked for cost a byte. A thread that needs an element while another one computes it computes
/// it too, so the computation must always give the same value.
template <class Cell>
class LazyCells {
  static_assert(std::is_trivially_copyable_v<Cell>);

 public:
  explicit LazyCells(std::size_t size) : states_(size), cells_(std::make_unique_for_overwrite<Cell[]>(size)) {}

  [[nodiscard]] std::size_t size() const { return states_.size(); }

  /// The element at `index`, or `own`, which is then filled. `compute()` returns the element.
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
