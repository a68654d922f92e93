/// Rates: speeds and capacities of a system, the batch of a step, and the times of one partition at these rates.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "models/cost/source.hpp"
#include "models/cost/step_power.hpp"
#include "models/dataflow/cost/mapped_workload.hpp"
#include "models/dataflow/parallelism/layout.hpp"
#include "models/dataflow/workload/overlap.hpp"
#include "models/units.hpp"

namespace dfsweep::dataflow {

/// Speeds, capacities and batch sizes of a point, applied to a mapped workload.
struct StepInputs {
  Throughput peak_flops;
  double compute_utilization = 0.0;  ///< 0: use the cycle model
  Frequency frequency;
  Bytes sram_capacity;
  Bandwidth dram_bandwidth;
  Bytes dram_capacity;
  PerLinkOf<Bandwidth> link_bandwidth;
  PerLinkOf<Seconds> link_latency;
  double global_batch = 1.0;
  double micro_batch = 1.0;
  double copies = 1.0;  ///< copies of the whole system that share the work
  Overlap overlap = Overlap::perfect;
  Dollars device_price;
  Watts device_power;
  PricePerBandwidth dram_price_per_bandwidth;
  PowerPerBandwidth dram_power_per_bandwidth;
  PerLinkOf<PricePerBandwidth> link_price_per_bandwidth;
  PerLinkOf<PricePerBandwidth> switch_price_per_bandwidth;
  PerLinkOf<PowerPerBandwidth> link_power_per_bandwidth;
  PerLinkOf<PowerPerBandwidth> switch_power_per_bandwidth;
  Dollars memory_price{absent};   ///< of a chip; NaN: that of its bandwidth and capacity
  Dollars link_price{absent};     ///< of a chip, with switches; NaN: that of links and switches
  Dollars host_price;             ///< of a chip
  Dollars dram_capacity_price;    ///< of a chip, beside that of its bandwidth
  Watts dram_capacity_power;      ///< likewise
  cost::PowerRange power;         ///< of a chip with its DRAM
  Watts power_saved;              ///< of a chip, by a limit below what its parts draw
  bool keeps_power_limit = true;  ///< false: the limit is not above the idle power
  cost::Source price_source = cost::Source::given;
  cost::Source power_source = cost::Source::given;

  /// Inverse bandwidths.
  [[nodiscard]] PerLinkOf<SecondsPerByte> link_time() const {
    return {1.0 / link_bandwidth.first, 1.0 / link_bandwidth.outer};
  }
  /// Achieved rate of kernels. Pre: not the cycle model.
  [[nodiscard]] Throughput used_flops() const { return compute_utilization * peak_flops; }
};

enum class StepStatus : std::uint8_t {
  ok,
  invalid,
  no_mapping,
  out_of_memory,
  out_of_sram,
  unsupported_model,
  power_limit_too_low
};

/// Cost of a collective on the network of a point.
struct CollectiveRate {
  SecondsPerByte byte;
  Seconds each;  ///< latency of one occurrence, independent of its bytes
  bool operator==(const CollectiveRate&) const = default;
};
using NetworkRates = PerCollective<CollectiveRate>;

/// With the multiples c and the steps s of a layout, B and T the bandwidth and the latency of a link:
///
///     byte = c_first / B_first + c_outer / B_outer     each = s_first T_first + s_outer T_outer
///
/// An exchange uses all links at the same time, so its `byte` is the larger of the two parts. [dfmodel] sections 4.1 to
/// 4.4
[[nodiscard]] NetworkRates network_rates(const Layout& layout, const StepInputs& inputs);

/// Number of passes over the graph per chip and step, and their grouping into micro-batches.
struct Batches {
  double passes = 0.0;         ///< sequences per replica
  double micro_batch = 1.0;    ///< sequences; 1 where the graph contains the batch
  double micro_batches = 0.0;  ///< per pipeline
  bool whole = false;          ///< the batch divides evenly
};
/// With the global batch G, D replicas and micro-batches of b sequences: G/D passes in G/(D b) micro-batches; DLRM has
/// G/(D samples per pass) passes; HPL and FFT have one. [dfmodel] section 5.6
[[nodiscard]] Batches batches_of(const Workload& workload, const Layout& layout, const Convention& convention,
                                 const StepInputs& inputs);

/// Shares of costs per micro-batch or per step that are charged to one pass.
struct PassShares {
  double each = 1.0;      ///< share of a latency and of the weight traffic
  double gradient = 0.0;  ///< share of the gradient all-reduce
};
/// each = 1/b where latencies and weights are charged per micro-batch; gradient = 1/m where gradients are spread over
/// the m micro-batches. [dfmodel] section 4.1
[[nodiscard]] PassShares pass_shares(const Convention& convention, const Batches& batches);

/// A time on the network and the part of it that is latency; the rest is serialization: bytes over bandwidths.
struct NetworkTime {
  Seconds total;
  Seconds latency;
};

/// Time of all gradient all-reduces of a step: bytes * byte + count * each.
/// [dfmodel] section 4.1
[[nodiscard]] Seconds gradient_seconds(const PerCollective<Traffic>& traffic, const NetworkRates& rates);

/// The latencies in gradient_seconds.
[[nodiscard]] inline Seconds gradient_latency(const PerCollective<Traffic>& traffic, const NetworkRates& rates) {
  return traffic[Collective::gradient].count * rates[Collective::gradient].each;
}

/// Network time of one pass of a partition:
///
///     sum of bytes * byte + shares.each * sum of count * each     over all_reduce, all_gather, all_to_all, exchange
///     + shares.gradient * gradient_seconds + sum over blocks of max(broadcast, shift)
///
/// [dfmodel] sections 4.1 to 4.4
[[nodiscard]] NetworkTime network_time(const NetworkTerms& terms, const NetworkRates& rates, const PassShares& shares);
[[nodiscard]] inline Seconds network_seconds(const NetworkTerms& terms, const NetworkRates& rates,
                                             const PassShares& shares) {
  return network_time(terms, rates, shares).total;
}

/// Bytes that a chip sends over its links, inner and outer: sum of bytes times the multiples of the layout, for an
/// exchange over all chips its share. Per pass, and per step for gradients.
struct SentBytes {
  Bytes pass;
  Bytes gradients;
};
[[nodiscard]] SentBytes sent_bytes(const PerCollective<Traffic>& traffic, const Layout& layout);

/// The candidate schedules of a point; empty where the cycle model has too few cores for every schedule.
[[nodiscard]] std::span<const Schedule> schedules_for(const ChipShare& share, const StepInputs& inputs);

/// SRAM of the weights of a stage of l layers: max(l of_layer, least).
[[nodiscard]] Bytes resident_bytes(const ResidentWeights& resident, const Layout& layout);

/// Whether the weights of all layers of a stage fit in SRAM beside the buffers.
/// docs/models/dataflow.md, "Iteration"
[[nodiscard]] bool weights_are_resident(const Schedule& schedule, const Layout& layout, Bytes sram_capacity);

/// How often a pass loads weights that are not resident: `each` times, or, where the partition's weights exceed the
/// SRAM, once for each tile of tokens, rows / SRAM. Tiles continue over the sequences of a micro-batch, so this is no
/// whole number. docs/models/dataflow.md, "Partitions". Pre: rows <= 0 or sram > 0.
[[nodiscard]] inline double loads_per_pass(Bytes weights, Bytes rows, double each, Bytes sram) {
  return rows > Bytes{} && weights > sram ? std::max(each, rows / sram) : each;
}

/// Times of one pass of a partition, before and after overlap.
struct PartitionTimes {
  Seconds compute;
  Seconds memory;
  Seconds network;
  Seconds total;
};

enum class Weights : std::uint8_t { streamed, resident };

/// The time of one partition, which searches over mappings add up.
///
///     compute = flop / (utilization * peak), or cycles / frequency
///     memory  = (activations + weights * loads_per_pass unless resident) / DRAM bandwidth
///     total   = combined(compute, memory, network)
///
/// [dfmodel] sections 5.3, 5.5 and 5.6. The set is feasible where terms.sram fits and, in the cycle model, terms.cycles
/// is finite.
[[nodiscard]] PartitionTimes partition_times(const PartitionTerms& terms, const NetworkRates& rates,
                                             const PassShares& shares, const StepInputs& inputs, Weights weights);

}  // namespace dfsweep::dataflow
