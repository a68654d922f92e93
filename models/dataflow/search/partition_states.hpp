/// PartitionStates: hash table of the visited sets of finished kernels, with the best path to each.
#pragma once

#include <cstdint>
#include <vector>

#include "models/dataflow/search/partition_instance.hpp"
#include "models/hash_step.hpp"

namespace dfsweep::dataflow {

/// A set of finished kernels and, where the count is limited, the number of partitions used.
struct PartitionState {
  KernelSet done = 0;
  KernelSet last = 0;  ///< kernels of the last partition, named as in `parent`
  std::uint32_t parent = 0;
  std::uint32_t partitions = 0;
  Ticks reached = int_infinity;  ///< least time found so far
  Ticks solitary_left = 0;       ///< bounds of the remaining kernels
  Ticks compute_left = 0;
  Ticks network_left = 0;
  Ticks memory_left = 0;
  std::uint32_t held_left = 0;  ///< index of the remaining kernels in the core table
  WholeBytes live = 0;          ///< tensors from `done` to the remaining kernels
  bool settled = false;
};

/// Open addressing with linear probing; states are numbered in the order of insertion.
class PartitionStates {
 public:
  /// Removes all states and keeps the memory.
  void clear() {
    states_.clear();
    slots_.assign(slots_.empty() ? 1024 : slots_.size(), 0);
  }

  /// Index of the state, which is added if new (`reached` is then `int_infinity`).
  std::uint32_t find_or_add(KernelSet done, std::uint32_t partitions) {
    if (2 * (states_.size() + 1) > slots_.size()) grow();
    const std::size_t slot = slot_of(done, partitions);
    if (slots_[slot] == 0) {
      PartitionState state;
      state.done = done;
      state.partitions = partitions;
      states_.push_back(state);
      slots_[slot] = static_cast<std::uint32_t>(states_.size());
    }
    return slots_[slot] - 1;
  }

  PartitionState& operator[](std::uint32_t index) { return states_[index]; }
  const PartitionState& operator[](std::uint32_t index) const { return states_[index]; }
  [[nodiscard]] std::size_t size() const { return states_.size(); }

 private:
  [[nodiscard]] std::size_t slot_of(KernelSet done, std::uint32_t partitions) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash_step(done, std::uint64_t{partitions} << 57U) & mask;
    while (slots_[slot] != 0) {
      const PartitionState& state = states_[slots_[slot] - 1];
      if (state.done == done && state.partitions == partitions) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, 0);
    for (std::size_t i = 0; i < states_.size(); ++i)
      slots_[slot_of(states_[i].done, states_[i].partitions)] = static_cast<std::uint32_t>(i + 1);
  }

  std::vector<PartitionState> states_;
  std::vector<std::uint32_t> slots_;  ///< index + 1; 0: free
};

}  // namespace dfsweep::dataflow
