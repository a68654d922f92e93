/// MappedWorkload: a sharded and mapped workload, reduced to the amounts that determine the time of a step.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/absent.hpp"
#include "models/dataflow/cost/partition.hpp"
#include "models/dataflow/workload/mapping.hpp"

namespace dfsweep::dataflow {

/// A group of partitions with equal amounts, and their count.
struct PartitionClass {
  double count = 0.0;
  Flop flop;
  double cycles = 0.0;
  Bytes activations;
  Bytes weights;
  Bytes rows;               ///< as in PartitionTerms
  std::size_t network = 0;  ///< index into MappedWorkload::networks
};

/// SRAM to keep weights on the chip, without buffers.
struct ResidentWeights {
  Bytes of_layer;  ///< of one layer, in the mean over all layers
  /// Least amount: the weights of one layer of this graph, where other layers have another one and the mean may be
  /// less.
  Bytes least;
};

/// A number of tiles with the resulting partitions and SRAM.
struct Schedule {
  double num_tile = 1.0;
  Bytes sram;  ///< maximum over the partitions
  ResidentWeights resident;
  Bytes buffers;  ///< maximum buffers of a partition
  WeightReload reload = WeightReload::none;
  std::vector<PartitionClass> classes;
};

/// Work and data of one chip.
struct ChipShare {
  double partitions = 0.0;
  PerCollective<Traffic> traffic;               ///< sum over all partitions
  std::vector<double> network_uses;             ///< partitions with each of MappedWorkload::networks; may be shorter
  std::vector<Schedule> utilization_schedules;  ///< the schedule for a given utilization
  std::vector<Schedule> cycle_schedules;        ///< alternatives of the cycle model, by ascending tiles
  // DRAM of a chip. Where layers are of two kinds, `state` and `kept` are means over all layers.
  Bytes state;    ///< weights, gradients and optimizer state of a layer
  Bytes live;     ///< peak of tensors alive between partitions, per sequence of a micro-batch
  Bytes kept;     ///< tensors of a layer kept for the backward pass, per sequence in flight
  Bytes machine;  ///< share of tables or matrix
};

/// The chips of one stage of a pipeline whose stages share a graph.
struct MappedStage : ChipShare {
  Bytes sent;             ///< bytes sent by a chip to its counterpart in the next stage, per pass
  double messages = 0.0;  ///< 1 where `sent` is not 0
};

/// The ChipShare is that of every chip, or the sum over all stages where the pipeline has stages that share a graph.
struct MappedWorkload : ChipShare {
  std::string unsupported;  ///< why the graph does not describe the model; empty: it does
  std::string problem;      ///< why no mapping exists; empty: mapped
  std::string shortage;     ///< resource that the chip lacks for every mapping; empty: unknown
  Assignment assignment;
  std::vector<ShardDimension> sharding;  ///< [kernel]; empty where no kernel is sharded
  /// Proven relative distance of the step from that of the optimal mapping and stages; NaN for a given mapping.
  double optimality_gap = absent;
  std::vector<NetworkTerms> networks;  ///< distinct terms
  Flop flop;                           ///< of the whole graph, sum over all chips of one copy
  std::vector<MappedStage> stages;     ///< stages in use, in order; empty: every stage executes whole graphs
  /// The dense layers of a model whose other layers, those of this mapping, have experts. Null: all layers are equal.
  std::shared_ptr<const MappedWorkload> dense;
  double dense_share = 0.0;  ///< of all layers; 0 without `dense`
};

/// Detail of the reason where no mapping exists.
enum class Reasons : std::uint8_t {
  brief,  ///< only that no mapping exists
  full,   ///< which constraint binds and by how much; takes tens of searches
};

/// The layers of a model that have another graph, and their amounts per layer.
struct OtherLayers {
  double share = 0.0;  ///< of all layers
  Bytes state;
  Bytes kept;
  Bytes resident;
};

struct MappingRequest {
  Assignment assignment;  ///< empty: the mapping does not fit the graph
  MappingLimits limits;
  PartitionRules rules;
  double num_tile = 0.0;           ///< 0: chosen by the model
  const Device* device = nullptr;  ///< null: no cycle model
  const Convention* convention = nullptr;
  OtherLayers other;
  Reasons reasons = Reasons::full;
};

/// `own` of the layers of a graph and `other` of the others, per layer in the mean.
[[nodiscard]] inline Bytes mean_of_layers(Bytes own, Bytes other, double other_share) {
  return other_share == 0.0 ? own : (1.0 - other_share) * own + other_share * other;
}

/// Builds the shares of chips and collects the distinct network terms of their partitions.
class ChipShares {
 public:
  /// Pre: the arguments outlive the object; the request's convention is known.
  ChipShares(const PartitionModel& model, const MappingRequest& request) : model_(model), request_(request) {}

  /// Share of a chip that executes these partitions in order, with a schedule for each number of tiles that the request
  /// allows. Memory amounts stay 0.
  [[nodiscard]] ChipShare of(std::span<const std::vector<std::size_t>> partitions, const ResidentWeights& resident);
  [[nodiscard]] std::vector<NetworkTerms> networks() && { return std::move(networks_); }

 private:
  /// Empty where the cycle model lacks cores for a partition. `device`: null without the cycle model.
  [[nodiscard]] std::optional<Schedule> schedule(std::span<const std::vector<std::size_t>> partitions, double num_tile,
                                                 const ResidentWeights& resident, const Device* device);

  const PartitionModel& model_;
  const MappingRequest& request_;
  std::vector<NetworkTerms> networks_;
};

/// The most network terms that the time of a step needs at once: those of one kind of layer.
[[nodiscard]] inline std::size_t network_count(const MappedWorkload& mapped) {
  return mapped.dense ? std::max(mapped.networks.size(), mapped.dense->networks.size()) : mapped.networks.size();
}

/// Reduces `model` under an assignment. With a given utilization the number of tiles does not change times, so the
/// model takes the largest, which needs least SRAM. In the cycle model every divisor of the tiled length that leaves
/// each kernel a core is an alternative.
[[nodiscard]] MappedWorkload mapped_workload(const PartitionModel& model, const MappingRequest& request);

/// Peak of the tensors alive between partitions; kernels in partitions from `partitions` on are ignored. A tensor is
/// alive from the partition of its source to that of its destination, inclusive, unless both are the same. [dfmodel]
/// section 5.2
[[nodiscard]] Bytes live_tensor_bytes(const PartitionModel& model, const Assignment& assignment,
                                      std::size_t partitions);

}  // namespace dfsweep::dataflow
