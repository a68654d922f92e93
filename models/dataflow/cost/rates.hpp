/// Rates: what a system and a batch bring to a mapped workload, and the times of one partition at these rates.
#pragma once

#include <cstdint>
#include <span>

#include "models/dataflow/cost/mapped_workload.hpp"
#include "models/dataflow/parallelism/layout.hpp"
#include "models/dataflow/workload/overlap.hpp"
#include "models/units.hpp"

namespace dfsweep::dataflow {

/// What a system and a batch bring to a mapped workload.
struct StepInputs {
  Throughput peak_flops;
  double compute_utilization = 0.0;  ///< 0: the cycle model
  Frequency frequency;
  Bytes sram_capacity;
  Bandwidth dram_bandwidth;
  Bytes dram_capacity;
  PerLinkOf<Bandwidth> link_bandwidth;
  PerLinkOf<Seconds> link_latency;
  double global_batch = 1.0;
  double micro_batch = 1.0;
  double copies = 1.0;  ///< of the whole system, sharing the work
  Overlap overlap = Overlap::perfect;
  Dollars device_price;
  Watts device_power;
  PricePerBandwidth dram_price_per_bandwidth;
  PowerPerBandwidth dram_power_per_bandwidth;
  PerLinkOf<PricePerBandwidth> link_price_per_bandwidth;
  PerLinkOf<PricePerBandwidth> switch_price_per_bandwidth;
  PerLinkOf<PowerPerBandwidth> link_power_per_bandwidth;
  PerLinkOf<PowerPerBandwidth> switch_power_per_bandwidth;

  /// Inverse bandwidths.
  [[nodiscard]] PerLinkOf<SecondsPerByte> link_time() const {
    return {1.0 / link_bandwidth.first, 1.0 / link_bandwidth.outer};
  }
  /// Rate of kernels. Pre: not the cycle model.
  [[nodiscard]] Throughput used_flops() const { return compute_utilization * peak_flops; }
};

enum class StepStatus : std::uint8_t { ok, invalid, no_mapping, out_of_memory, out_of_sram };

/// Seconds per byte and per occurrence on the network of a point.
struct NetworkRates {
  double all_reduce, all_gather, all_to_all, exchange, gradient;
  double all_reduce_each, all_gather_each, all_to_all_each, exchange_each, gradient_each;
  double broadcast, shift;
  double broadcast_each, shift_each;
  bool operator==(const NetworkRates&) const = default;
};
[[nodiscard]] NetworkRates network_rates(const Layout& layout, const StepInputs& inputs);

/// Number of passes over the graph that one chip makes in a step, and how they form micro-batches.
struct Batches {
  double passes = 0.0;         ///< sequences per replica
  double micro_batch = 1.0;    ///< sequences; 1 where the graph itself handles a batch
  double micro_batches = 0.0;  ///< per pipeline
  bool whole = false;          ///< the batch divides evenly
};
[[nodiscard]] Batches batches_of(const Workload& workload, const Layout& layout, const Convention& convention,
                                 const StepInputs& inputs);

/// Parts of what happens once per micro-batch or step that one pass carries.
struct PassShares {
  double each = 1.0;      ///< of a latency and of the traffic of weights
  double gradient = 0.0;  ///< of the gradient all-reduce
};
[[nodiscard]] PassShares pass_shares(const Convention& convention, const Batches& batches);

/// Time of all gradient all-reduces, as if nothing shared them out.
[[nodiscard]] double gradient_seconds(const NetworkTerms& terms, const NetworkRates& rates);

/// Network time of one pass of a partition.
[[nodiscard]] double network_seconds(const NetworkTerms& terms, const NetworkRates& rates, const PassShares& shares);

/// The schedules among which a point takes the fastest that fits; empty where the cycle model has no cores for one.
[[nodiscard]] std::span<const Schedule> schedules_for(const ChipShare& share, const StepInputs& inputs);

/// True where the weights of all layers of a stage stay in SRAM beside the buffers.
[[nodiscard]] bool weights_are_resident(const Schedule& schedule, const Layout& layout, Bytes sram_capacity);

/// Times of one pass of a partition, before and after overlap.
struct PartitionTimes {
  double compute = 0.0;
  double memory = 0.0;
  double network = 0.0;
  double total = 0.0;
};

enum class Weights : std::uint8_t { streamed, resident };

/// The cost of executing a set of kernels at once: what a search over mappings adds up. The set is feasible where
/// terms.sram_bytes fits and, in the cycle model, terms.cycles is finite.
[[nodiscard]] PartitionTimes partition_times(const PartitionTerms& terms, const NetworkRates& rates,
                                             const PassShares& shares, const StepInputs& inputs, Weights weights);

}  // namespace dfsweep::dataflow
