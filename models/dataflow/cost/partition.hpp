/// Partition: what executing a set of kernels at once on a chip takes, as amounts that do not depend on bandwidths.
///
/// This is the door for a search over mappings: the terms of a set of kernels depend on that set alone, so the cost of
/// an ordered list of partitions is the sum of the costs of its members.
#pragma once

#include <span>
#include <vector>

#include "models/dataflow/parallelism/layout.hpp"
#include "models/dataflow/parallelism/sharding.hpp"
#include "models/dataflow/workload/workload.hpp"
#include "models/hardware/hardware.hpp"

namespace dfsweep::dataflow {

/// A block column of HPL, sent along the rows and along the columns of a grid of chips at the same time.
struct BlockMessages {
  double broadcast_bytes = 0.0;
  double broadcasts = 0.0;
  double shift_bytes = 0.0;
  double shifts = 0.0;
  bool operator==(const BlockMessages&) const = default;
};

/// Amounts on the network, per sequence or pass; bytes as in collectives.hpp.
struct NetworkTerms {
  double all_reduce_bytes = 0.0;
  double all_gather_bytes = 0.0;
  double all_to_all_bytes = 0.0;
  double exchange_bytes = 0.0;  ///< summed over the machine
  double gradient_bytes = 0.0;  ///< per step
  double all_reduces = 0.0;
  double all_gathers = 0.0;
  double all_to_alls = 0.0;
  double exchanges = 0.0;
  double gradients = 0.0;
  std::vector<BlockMessages> blocks;  ///< one after the other: each block step needs the one before
  bool operator==(const NetworkTerms&) const = default;
};

struct PartitionTerms {
  double kernels = 0.0;
  double flop = 0.0;              ///< per chip
  double cycles = 0.0;            ///< cycle model; 0 without cores
  double activation_bytes = 0.0;  ///< DRAM traffic of tensors that cross the border, and of kernels themselves
  double weight_bytes = 0.0;      ///< DRAM traffic of weights and gradients where they are not resident
  NetworkTerms network;
  double sram_bytes = 0.0;    ///< needed, by the accounting of the point
  double buffer_bytes = 0.0;  ///< of that, everything but weights
};

struct PartitionRules {
  SramAccounting sram = SramAccounting::split;
  WeightTraffic weights = WeightTraffic::none;
};

/// A workload sharded for a layout, with the terms of every set of its kernels.
class PartitionModel {
 public:
  /// `sharding`: [kernel], used where the spread is tensor_parallel.
  PartitionModel(const Workload& workload, std::span<const ShardDimension> sharding, const Split& split,
                 const PartitionRules& rules);

  /// Terms of executing exactly `kernels` (distinct, any order) at once, the tiled dimension in `num_tile` tiles.
  /// `device`: null without the cycle model.
  [[nodiscard]] PartitionTerms terms(std::span<const std::size_t> kernels, double num_tile,
                                     const hardware::Device* device) const;

  /// Bytes per chip of the tensor on an edge.
  [[nodiscard]] double edge_bytes(std::size_t edge) const { return edge_bytes_[edge]; }
  /// Bytes per chip of one of `num_tile` tiles of the tensor on an edge.
  [[nodiscard]] double edge_tile_bytes(std::size_t edge, double num_tile) const { return tile_bytes(edge, num_tile); }
  /// Tiles of the tensor on an edge that are under way where both ends share a partition. [dfmodel] section 1
  [[nodiscard]] double edge_depth(std::size_t edge) const {
    const Edge& e = workload_.graph.edges[edge];
    return static_cast<double>(levels_[e.destination] - levels_[e.source] + 1);
  }
  [[nodiscard]] const PartitionRules& rules() const { return rules_; }
  [[nodiscard]] Conversion edge_conversion(std::size_t edge) const { return conversions_[edge]; }
  [[nodiscard]] const Kernel& shard(std::size_t kernel) const { return shards_[kernel]; }
  [[nodiscard]] ShardDimension dimension(std::size_t kernel) const { return dimensions_[kernel]; }
  [[nodiscard]] const Workload& workload() const { return workload_; }
  [[nodiscard]] const Split& split() const { return split_; }

 private:
  void add_kernel(std::size_t kernel, PartitionTerms& terms) const;
  struct SramNeed {
    double total = 0.0;
    double buffers = 0.0;
  };
  SramNeed sram_needed(std::span<const std::size_t> kernels, double num_tile) const;
  double tile_bytes(std::size_t edge, double num_tile) const;

  const Workload& workload_;
  PartitionRules rules_;
  Split split_;
  std::vector<ShardDimension> dimensions_;
  std::vector<Kernel> shards_;
  std::vector<double> edge_bytes_;
  std::vector<Conversion> conversions_;
  std::vector<std::size_t> levels_;
  std::vector<std::vector<std::size_t>> edges_of_;  ///< [kernel] edges that touch it
};

}  // namespace dfsweep::dataflow
