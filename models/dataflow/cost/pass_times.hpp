/// Pass times: the time of one pass over the partitions of a chip at the rates of a point.
#pragma once

#include <span>

#include "models/absent.hpp"
#include "models/dataflow/cost/rates.hpp"

namespace dfsweep::dataflow {

/// The rates of a point, applied to the amounts of a mapping. The layout, the convention and the inputs outlive it.
struct PointRates {
  PointRates(const Layout& of_layout, const Convention& of_convention, const StepInputs& of_inputs,
             const Batches& of_batches)
      : layout(of_layout),
        convention(of_convention),
        inputs(of_inputs),
        batches(of_batches),
        shares(pass_shares(of_convention, of_batches)),
        network(network_rates(of_layout, of_inputs)) {}
  const Layout& layout;
  const Convention& convention;
  const StepInputs& inputs;
  Batches batches;
  PassShares shares;
  NetworkRates network;
};

/// Sums over the partitions of one layer and pass.
struct PassTimes {
  Seconds total;
  Seconds compute;
  Seconds memory;
  Seconds network;
  Seconds latency;  ///< part of `network`
};

/// Means over layers of which a share has the times `other`.
[[nodiscard]] inline PassTimes mean_of_layers(const PassTimes& own, const PassTimes& other, double other_share) {
  const auto mean = [other_share](Seconds a, Seconds b) { return (1.0 - other_share) * a + other_share * b; };
  return {mean(own.total, other.total), mean(own.compute, other.compute), mean(own.memory, other.memory),
          mean(own.network, other.network), mean(own.latency, other.latency)};
}

/// The fastest schedule that fits in the SRAM, null where none does, and its times of a pass.
struct FastestSchedule {
  PassTimes times;
  const Schedule* schedule = nullptr;
};

/// Whether the data of a chip fits. DRAM is checked first.
struct Fit {
  StepStatus status = StepStatus::ok;
  /// Needed over available bytes of the memory that is too small; NaN where the data fits, or without SRAM.
  double shortfall = absent;
};

/// Components of the time of a step: the time of a pass and the terms added to the sum of all passes.
struct Pace {
  StepStatus status = StepStatus::ok;
  PassTimes pass;     ///< of a chip, or of the slowest stage where stages share a graph
  Seconds fill;       ///< fill and drain time of the pipeline, where stages share a graph
  Seconds gradients;  ///< gradient all-reduces outside the passes
  Seconds gradient_latency;
  SentBytes sent;  ///< per layer; unknown (0) where stages share a graph
  Bytes memory_used;
  double shortfall = absent;  ///< as in Fit, maximum over the stages
  double num_tile = 1.0;      ///< of the schedule in use, or the one with the least SRAM where none fits
};

/// The schedule with the shortest pass (sum of partition_times) among those that fit in SRAM; the first on ties.
/// [dfmodel] section 5.6. `network`: [index into MappedWorkload::networks]. The latency is 0. Allocates nothing.
[[nodiscard]] FastestSchedule fastest_schedule(std::span<const Schedule> schedules, const PointRates& point,
                                               std::span<const NetworkTime> network);

/// Latencies of the network in one pass over the partitions of a chip.
[[nodiscard]] Seconds pass_latency(const ChipShare& share, std::span<const NetworkTime> network);

/// Checks DRAM, then SRAM for the schedule that needs least of it. Pre: `schedules` is not empty.
[[nodiscard]] Fit fit_of(Bytes memory_used, std::span<const Schedule> schedules, const FastestSchedule& fastest,
                         const StepInputs& inputs);

/// DRAM needed by a chip, by purpose.
struct MemoryUse {
  Bytes state;    ///< weights, gradients and optimizer state
  Bytes live;     ///< tensors alive between partitions
  Bytes kept;     ///< tensors kept for the backward pass
  Bytes machine;  ///< share of tables or matrix
  [[nodiscard]] Bytes total() const { return state + live + kept + machine; }
};
/// With l layers of a stage, micro-batches of b sequences, and min(P, m) micro-batches in flight:
///
///     state l     live b     kept l b min(P, m)     machine
///
/// [dfmodel] section 5.5, which ignores tensors kept for the backward pass.
[[nodiscard]] MemoryUse memory_use(const ChipShare& share, const Layout& layout, const Batches& batches);

}  // namespace dfsweep::dataflow
