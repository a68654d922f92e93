/// Bounds of the exact search: lower bounds on the time of mappings that extend a set of finished kernels.
#pragma once

#include <algorithm>

#include "models/dataflow/search/partition_growth.hpp"
#include "models/dataflow/search/partition_states.hpp"
#include "models/dataflow/search/sink_options.hpp"

namespace dfsweep::dataflow {

/// Lower bound on the time of mappings that extend `state`.
inline Ticks bound_of(const PartitionInstance& instance, const PartitionState& state) {
  return state.reached + state.solitary_left +
         instance.combine(state.compute_left, state.memory_left, state.network_left);
}

/// Lower bound on the compute that remains after the partition `growth` with all of `more`.
inline Ticks compute_left_after(const PartitionInstance& instance, const PartitionState& state, const Growth& growth,
                                const MoreSinks& more) {
  const CoreTable& table = instance.core_table;
  return table.empty() ? state.compute_left - growth.compute_due - more.compute_due
                       : table.least(state.held_left - growth.held - more.held);
}

/// Lower bound on the time of mappings that extend `state` by the partition `growth` with any subset of the sinks
/// `more`.
///
/// Each amount of the partition is at least that without `more`; each remaining amount is at least that with all of
/// them done. The sum of an additive amount over both is constant, because each sink is counted in one of them.
inline Ticks bound_after(const PartitionInstance& instance, const PartitionState& state, const Growth& growth,
                         const MoreSinks& more) {
  Ticks compute = compute_left_after(instance, state, growth, more);
  Ticks network = state.network_left - growth.network_due;
  if (instance.overlap == Overlap::none)
    compute = std::max(compute, state.compute_left - (instance.cores == 0 ? growth.compute_due : growth.compute));
  if (instance.overlap == Overlap::perfect) network -= more.network_due;
  return state.reached + state.solitary_left - growth.solitary_due +
         instance.combine(growth.compute, growth.memory - more.relief, growth.network) +
         instance.combine(compute, state.memory_left + growth.memory_due + more.memory_due, network);
}

}  // namespace dfsweep::dataflow
