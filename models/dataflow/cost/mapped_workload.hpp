/// MappedWorkload: a workload sharded, mapped and reduced to the amounts that the time of a step is made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/absent.hpp"
#include "models/dataflow/cost/partition.hpp"
#include "models/dataflow/workload/mapping.hpp"

namespace dfsweep::dataflow {

/// Partitions with equal amounts, counted.
struct PartitionClass {
  double count = 0.0;
  Flop flop;
  double cycles = 0.0;
  Bytes activations;
  Bytes weights;
  std::size_t network = 0;  ///< index into MappedWorkload::networks
};

/// One number of tiles and what it leads to.
struct Schedule {
  double num_tile = 1.0;
  Bytes sram;      ///< of the partition that needs most
  Bytes resident;  ///< SRAM with which the weights of one layer stay on the chip, buffers apart
  Bytes buffers;   ///< most buffers of a partition
  std::vector<PartitionClass> classes;
};

/// What one chip executes and holds.
struct ChipShare {
  double partitions = 0.0;
  PerCollective<Traffic> traffic;               ///< summed over all partitions; none of broadcast and shift
  std::vector<Schedule> utilization_schedules;  ///< the one used with a given utilization
  std::vector<Schedule> cycle_schedules;        ///< alternatives of the cycle model, fewest tiles first
  // DRAM of a chip.
  Bytes state;    ///< weights, gradients and optimizer state of a layer
  Bytes live;     ///< most tensors alive between partitions, per sequence of a micro-batch
  Bytes kept;     ///< tensors of a layer kept for the backward pass, per sequence in flight
  Bytes machine;  ///< share of tables or matrix
};

/// The chips of one stage of a pipeline whose stages share a graph.
struct MappedStage : ChipShare {
  Bytes sent;             ///< by a chip to its counterpart in the next stage, per pass
  double messages = 0.0;  ///< 1 where anything is sent
};

/// The share is that of every chip, or of all stages together where there are stages.
struct MappedWorkload : ChipShare {
  std::string problem;   ///< why there is no mapping; empty: there is
  std::string shortage;  ///< what the chip lacks for any mapping, where that is known; else empty
  Assignment assignment;
  std::vector<ShardDimension> sharding;  ///< [kernel]; empty where nothing is sharded
  /// Proven relative distance from the best mapping and stages; NaN for a mapping that was given.
  double optimality_gap = absent;
  std::vector<NetworkTerms> networks;  ///< distinct
  Flop flop;                           ///< of the whole graph, all chips of a copy together
  std::vector<MappedStage> stages;     ///< those in use, in order; empty: every stage holds whole graphs
};

/// How much is said where there is no mapping.
enum class Reasons : std::uint8_t {
  brief,  ///< that there is none
  full,   ///< which constraint binds and by how much: takes some tens of searches
};

struct MappingRequest {
  Assignment assignment;  ///< empty: the mapping does not fit the graph
  MappingLimits limits;
  PartitionRules rules;
  double num_tile = 0.0;                     ///< 0: free
  const hardware::Device* device = nullptr;  ///< null: no cycle model
  const Convention* convention = nullptr;
  Reasons reasons = Reasons::full;
};

/// Builds the shares of chips; what their partitions do on the network is kept once for all of them.
class ChipShares {
 public:
  /// Pre: the arguments outlive the object; the request's convention is known.
  ChipShares(const PartitionModel& model, const MappingRequest& request) : model_(model), request_(request) {}

  /// A chip that executes these partitions one after the other, in any of the numbers of tiles that the request leaves
  /// open; what it holds is left at 0. `resident`: as in Schedule.
  [[nodiscard]] ChipShare of(std::span<const std::vector<std::size_t>> partitions, Bytes resident);
  [[nodiscard]] std::vector<NetworkTerms> networks() && { return std::move(networks_); }

 private:
  /// Nothing where the cycle model lacks cores for a partition. `device`: null without the cycle model.
  [[nodiscard]] std::optional<Schedule> schedule(std::span<const std::vector<std::size_t>> partitions, double num_tile,
                                                 Bytes resident, const hardware::Device* device);

  const PartitionModel& model_;
  const MappingRequest& request_;
  std::vector<NetworkTerms> networks_;
};

/// Sums up `model` under an assignment. With a given utilization the number of tiles does not change times, so that a
/// free one is the largest, which needs least SRAM; in the cycle model every divisor of the tiled length that gives
/// each kernel a core is an alternative.
[[nodiscard]] MappedWorkload mapped_workload(const PartitionModel& model, const MappingRequest& request);

/// Most of tensors alive at once between partitions below `partitions`; kernels with a higher number are left
/// out. A tensor lives from the partition of its source to that of its destination, inclusive, unless both are the
/// same. [dfmodel] section 5.2
[[nodiscard]] Bytes live_tensor_bytes(const PartitionModel& model, const Assignment& assignment,
                                      std::size_t partitions);

}  // namespace dfsweep::dataflow
