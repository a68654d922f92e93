/// Partition: the amounts of work, traffic and memory of a set of kernels executed together, independent of bandwidths.
///
/// The terms of a set of kernels depend on this set only, so the cost of an ordered list of partitions is the sum of
/// their costs. Searches over mappings rely on this.
#pragma once

#include <span>
#include <vector>

#include "models/dataflow/parallelism/collective.hpp"
#include "models/dataflow/parallelism/layout.hpp"
#include "models/dataflow/parallelism/sharding.hpp"
#include "models/dataflow/workload/workload.hpp"
#include "models/machine/hardware.hpp"
#include "models/units.hpp"

namespace dfsweep::dataflow {

/// Traffic of one kind of collective.
struct Traffic {
  Bytes bytes;         ///< as in collectives.hpp; for an exchange, sum over the machine
  double count = 0.0;  ///< occurrences
  bool operator==(const Traffic&) const = default;
  Traffic& operator+=(const Traffic& other) {
    bytes += other.bytes;
    count += other.count;
    return *this;
  }
};

/// A block column of HPL, sent along the rows and the columns of a grid of chips at the same time.
struct BlockMessages {
  Traffic broadcast;
  Traffic shift;
  bool operator==(const BlockMessages&) const = default;
};

/// Network traffic per sequence or pass; for gradients, per step.
struct NetworkTerms {
  PerCollective<Traffic> traffic;     ///< without broadcast and shift, which are in `blocks`
  std::vector<BlockMessages> blocks;  ///< in sequence: each block step depends on the previous one
  bool operator==(const NetworkTerms&) const = default;
};

struct PartitionTerms {
  double kernels = 0.0;
  Flop flop;            ///< per chip
  double cycles = 0.0;  ///< of the cycle model; 0 without cores
  Bytes activations;    ///< DRAM traffic of tensors that cross the boundary, and of kernels
  Bytes weights;        ///< DRAM traffic of weights and gradients that are not resident
  Bytes rows;           ///< inputs and outputs of the products with weights, of all tokens; 0: weights are loaded once
  NetworkTerms network;
  Bytes sram;     ///< SRAM needed, by the SRAM accounting of the point
  Bytes buffers;  ///< part of `sram` without weights
};

/// How often weights that do not fit in SRAM are loaded.
enum class WeightReload : std::uint8_t {
  none,     ///< once per pass
  by_sram,  ///< once for every tile of tokens whose inputs and outputs fill the SRAM
};

struct PartitionRules {
  SramAccounting sram = SramAccounting::split;
  WeightTraffic weights = WeightTraffic::none;
  WeightReload reload = WeightReload::none;
};

/// A workload sharded for a layout, with the terms of every set of its kernels.
class PartitionModel {
 public:
  /// `sharding`: [kernel], used where the spread is tensor_parallel.
  PartitionModel(const Workload& workload, std::span<const ShardDimension> sharding, const Split& split,
                 const PartitionRules& rules);

  /// Terms of one partition with exactly these `kernels` (distinct, any order), the tiled dimension in `num_tile`
  /// tiles. [dfmodel] sections 4.1, 4.2, 4.4, 5.3 to 5.5:
  ///
  ///     flop        = sum over kernels of 2 outer m k n, element-wise outer m n
  ///     cycles      = num_tile * partition_cycles of a tile of each
  ///     activations = bytes of the edges with one end inside, and traffic of the kernels themselves
  ///     weights     = weights, and twice the gradients, if the rules count them
  ///     rows        = with reload by_sram, inputs and outputs of the products that have weights or gradients
  ///     network     = an all-reduce of the output of a kernel sharded along k; an all-gather or all-to-all of a tensor
  ///                   whose layout differs from that of its consumer, charged to its source; exchanges; gradients
  ///     sram        = sram_needed, and at least the rows of one token
  ///
  /// `device`: null without the cycle model.
  [[nodiscard]] PartitionTerms terms(std::span<const std::size_t> kernels, double num_tile, const Device* device) const;

  /// Bytes of the tensor on an edge, per chip: outer m n words of the shard of its source.
  [[nodiscard]] Bytes edge_bytes(std::size_t edge) const { return edge_bytes_[edge]; }
  /// Bytes of one of `num_tile` tiles of the tensor on an edge, per chip.
  [[nodiscard]] Bytes edge_tile_bytes(std::size_t edge, double num_tile) const { return tile_bytes(edge, num_tile); }
  /// Tiles of the tensor on an edge that are in flight where both ends share a partition. [dfmodel] section 1
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
    Bytes total;
    Bytes buffers;
  };
  /// SRAM of a partition by accounting, from the tiles of its tensors. [dfmodel] section 5.4
  ///
  ///     paper  sum of tiles inside
  ///     code   sum of tiles inside x depth + 2 x tiles at the boundary + weights
  ///     split  as code, but a single kernel streams its weights and output buffers in up to outer m pieces
  SramNeed sram_needed(std::span<const std::size_t> kernels, double num_tile) const;
  Bytes tile_bytes(std::size_t edge, double num_tile) const;

  const Workload& workload_;
  PartitionRules rules_;
  Split split_;
  std::vector<ShardDimension> dimensions_;
  std::vector<Kernel> shards_;
  std::vector<Bytes> edge_bytes_;
  std::vector<Conversion> conversions_;
  std::vector<std::size_t> levels_;
  std::vector<std::vector<std::size_t>> edges_of_;  ///< [kernel] incident edges
};

}  // namespace dfsweep::dataflow
