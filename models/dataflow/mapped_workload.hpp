/// MappedWorkload: a workload sharded, mapped and reduced to the amounts that the time of a step is made of.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "models/dataflow/mapping.hpp"
#include "models/dataflow/partition.hpp"

namespace dfsweep {

/// Partitions with equal amounts, counted.
struct PartitionClass {
  double count = 0.0;
  double flop = 0.0;
  double cycles = 0.0;
  double activation_bytes = 0.0;
  double weight_bytes = 0.0;
  std::size_t network = 0;  ///< index into MappedWorkload::networks
};

/// One number of tiles and what it leads to.
struct Schedule {
  double num_tile = 1.0;
  double sram_bytes = 0.0;      ///< of the partition that needs most
  double resident_bytes = 0.0;  ///< SRAM with which the weights of one layer stay on the chip, buffers apart
  double buffer_bytes = 0.0;    ///< most buffers of a partition
  std::vector<PartitionClass> classes;
};

struct MappedWorkload {
  std::string problem;  ///< why there is no mapping; empty: there is
  Assignment assignment;
  std::vector<ShardDimension> sharding;  ///< [kernel]; empty where nothing is sharded
  /// Proven relative distance from the best mapping; NaN for one that was given.
  double optimality_gap = std::numeric_limits<double>::quiet_NaN();
  double partitions = 0.0;
  std::vector<NetworkTerms> networks;           ///< distinct
  NetworkTerms network_sum;                     ///< over all partitions
  std::vector<Schedule> utilization_schedules;  ///< the one used with a given utilization
  std::vector<Schedule> cycle_schedules;        ///< alternatives of the cycle model, fewest tiles first
  double flop = 0.0;                            ///< of the whole graph, all chips of a copy together
  // Bytes of DRAM per chip.
  double state_bytes = 0.0;    ///< weights, gradients and optimizer state of a layer
  double live_bytes = 0.0;     ///< most tensors alive between partitions, per sequence of a micro-batch
  double kept_bytes = 0.0;     ///< tensors of a layer kept for the backward pass, per sequence in flight
  double machine_bytes = 0.0;  ///< share of tables or matrix
};

struct MappingRequest {
  Assignment assignment;  ///< empty: the mapping does not fit the graph
  MappingLimits limits;
  PartitionRules rules;
  double num_tile = 0.0;           ///< 0: free
  const Device* device = nullptr;  ///< null: no cycle model
  const Convention* convention = nullptr;
};

/// Sums up `model` under an assignment. With a given utilization the number of tiles does not change times, so that a
/// free one is the largest, which needs least SRAM; in the cycle model every divisor of the tiled length that gives
/// each kernel a core is an alternative.
[[nodiscard]] MappedWorkload mapped_workload(const PartitionModel& model, const MappingRequest& request);

/// Divisors of a whole number >= 1, ascending.
[[nodiscard]] std::vector<double> divisors_of(double number);

}  // namespace dfsweep
