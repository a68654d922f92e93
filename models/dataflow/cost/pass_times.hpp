/// Pass times: what one pass over the partitions of a chip takes at the rates of a point.
#pragma once

#include <span>

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

/// Sums over the partitions of one layer and pass, s.
struct PassTimes {
  double total = 0.0;
  double compute = 0.0;
  double memory = 0.0;
  double network = 0.0;
};

/// The fastest schedule that fits in the SRAM, null where none does, and its times of a pass.
struct FastestSchedule {
  PassTimes times;
  const Schedule* schedule = nullptr;
};

/// What sets the pace of a step: the times of every pass, and what is added to them.
struct Pace {
  StepStatus status = StepStatus::ok;
  PassTimes pass;          ///< of a chip; of the slowest stage where stages share a graph
  double fill = 0.0;       ///< s until the pipeline is full and after it begins to drain, where stages share a graph
  double gradients = 0.0;  ///< s of gradient all-reduces that are not part of a pass
  double memory_used = 0.0;
  double num_tile = 1.0;  ///< of the schedule that is used; of the most frugal one where none fits
};

/// `network`: seconds, [index into MappedWorkload::networks]. Allocates nothing.
[[nodiscard]] FastestSchedule fastest_schedule(std::span<const Schedule> schedules, const PointRates& point,
                                               std::span<const double> network);

/// DRAM that a chip needs, B.
[[nodiscard]] double memory_used(const ChipShare& share, const Layout& layout, const Batches& batches);

}  // namespace dfsweep::dataflow
