/// MappedWorkload: a workload sharded, mapped and reduced to the amounts that the time of a step is made of.
#pragma once

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
  bool has_cycles = false;
  std::vector<PartitionClass> classes;
};

struct MappedWorkload {
  std::string problem;  ///< why there is no mapping; empty: there is
  double partitions = 0.0;
  std::vector<NetworkTerms> networks;  ///< distinct
  NetworkTerms network_sum;            ///< over all partitions
  std::vector<Schedule> schedules;     ///< alternatives, fewest tiles first; one without the cycle model
  double flop = 0.0;                   ///< of the whole graph, all chips of a copy together
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

/// Sums up `model` under an assignment. Without the cycle model the number of tiles does not change times, so that a
/// free one is the largest, which needs least SRAM; with it every divisor of the tiled length is an alternative.
[[nodiscard]] MappedWorkload mapped_workload(const PartitionModel& model, const MappingRequest& request);

/// Numbers of tiles that a request admits, ascending; empty where a given one does not divide the tiled length.
[[nodiscard]] std::vector<double> tile_counts(const Workload& workload, const MappingRequest& request);

}  // namespace dfsweep
