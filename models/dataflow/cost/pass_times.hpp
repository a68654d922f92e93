/// Pass times: what one pass over the partitions of a chip takes at the rates of a point.
#pragma once

#include <span>

#include "models/absent.hpp"
#include "models/dataflow/cost/rates.hpp"

namespace dfsweep::dataflow {

/// What the amounts of a mapping are multiplied by at a point. The layout, the convention and the inputs outlive it.
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
};

/// The fastest schedule that fits in the SRAM, null where none does, and its times of a pass.
struct FastestSchedule {
  PassTimes times;
  const Schedule* schedule = nullptr;
};

/// Whether a chip holds its share. DRAM is looked at first.
struct Fit {
  StepStatus status = StepStatus::ok;
  /// Bytes needed over bytes available of the memory that is too small; NaN where none is, or where there is no SRAM.
  double shortfall = absent;
};

/// What sets the pace of a step: the times of every pass, and what is added to them.
struct Pace {
  StepStatus status = StepStatus::ok;
  PassTimes pass;     ///< of a chip; of the slowest stage where stages share a graph
  Seconds fill;       ///< until the pipeline is full and after it begins to drain, where stages share a graph
  Seconds gradients;  ///< of gradient all-reduces that are not part of a pass
  Bytes memory_used;
  double shortfall = absent;  ///< as in Fit, of the stage that lacks most
  double num_tile = 1.0;      ///< of the schedule that is used; of the most frugal one where none fits
};

/// The least sum over the partitions of a pass, each as in partition_times, among the schedules that fit in the SRAM;
/// the first of equal ones. [dfmodel] section 5.6. `network`: [index into MappedWorkload::networks]. Allocates nothing.
[[nodiscard]] FastestSchedule fastest_schedule(std::span<const Schedule> schedules, const PointRates& point,
                                               std::span<const Seconds> network);

/// The schedule with the least SRAM is what the SRAM has to hold. Pre: `schedules` is not empty.
[[nodiscard]] Fit fit_of(Bytes memory_used, std::span<const Schedule> schedules, const FastestSchedule& fastest,
                         const StepInputs& inputs);

/// DRAM that a chip needs, by what it is for.
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
/// [dfmodel] section 5.5, which keeps no tensors for the backward pass.
[[nodiscard]] MemoryUse memory_use(const ChipShare& share, const Layout& layout, const Batches& batches);

}  // namespace dfsweep::dataflow
