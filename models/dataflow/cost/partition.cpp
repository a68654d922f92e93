/// Computation of the terms of partitions.
#include "models/dataflow/cost/partition.hpp"

#include <algorithm>
#include <cmath>

#include "models/kernels/core_allocation.hpp"

namespace dfsweep::dataflow {

namespace {

Kernel shard_for(const Kernel& kernel, Spread spread, ShardDimension dimension, const Split& split) {
  Kernel shard = kernel;
  switch (spread) {
    case Spread::tensor_parallel:
      return shard_of(kernel, dimension, split.tensor);
    case Spread::replicated:
      break;
    case Spread::grid:
      shard.m = std::ceil(kernel.m / split.rows);
      shard.k = std::ceil(kernel.k / split.columns);
      break;
    case Spread::columns:
      shard.n = std::ceil(kernel.n / split.columns);
      break;
  }
  return shard;
}

Kernel tile_of(const Kernel& shard, double num_tile) {
  Kernel tile = shard;
  if (shard.tiling == Tiling::n) tile.n = std::ceil(shard.n / num_tile);
  if (shard.tiling == Tiling::k) tile.k = std::ceil(shard.k / num_tile);
  return tile;
}

/// Words of the inputs and outputs of a product over all its tokens: n of a product with weights, k of a weight update.
double row_words(const Kernel& shard) {
  if (shard.gradient_words > 0.0) return shard.outer * (shard.m + shard.n) * shard.k;
  if (shard.weight_words == 0.0) return 0.0;
  const double inputs = shard.routing == Routing::experts ? shard.outer * shard.k : shard.k;
  return (inputs + shard.outer * shard.m) * shard.n;
}

}  // namespace

PartitionModel::PartitionModel(const Workload& workload, std::span<const ShardDimension> sharding, const Split& split,
                               const PartitionRules& rules)
    : workload_(workload), rules_(rules), split_(split), edges_of_(workload.graph.kernels.size()) {
  const Graph& graph = workload.graph;
  const bool sharded = workload.spread == Spread::tensor_parallel && split.tensor > 1.0;
  for (std::size_t k = 0; k < graph.kernels.size(); ++k) {
    dimensions_.push_back(sharded ? sharding[k] : ShardDimension::none);
    shards_.push_back(shard_for(graph.kernels[k], workload.spread, dimensions_[k], split));
  }
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto [source, destination] = graph.edges[e];
    const Kernel& shard = shards_[source];
    edge_bytes_.push_back(Bytes{shard.outer * shard.m * shard.n * workload.word_bytes});
    conversions_.push_back(sharded ? conversion_between(produced_layout(graph.kernels[source], dimensions_[source]),
                                                        wanted_layout(graph.kernels[source], graph.kernels[destination],
                                                                      dimensions_[destination]))
                                   : Conversion::none);
    edges_of_[source].push_back(e);
    edges_of_[destination].push_back(e);
  }
  levels_ = *topological_levels(graph);
}

void PartitionModel::add_kernel(std::size_t index, PartitionTerms& terms) const {
  const Kernel& shard = shards_[index];
  const double word = workload_.word_bytes;
  PerCollective<Traffic>& traffic = terms.network.traffic;
  terms.kernels += 1.0;
  terms.flop += Flop{flop_of(shard)};
  terms.activations += Bytes{shard.memory_words * word};
  // Gradients are accumulated, so each is read and written once per pass.
  if (rules_.weights != WeightTraffic::none)
    terms.weights += Bytes{(shard.weight_words + 2.0 * shard.gradient_words) * word};
  if (rules_.reload == WeightReload::by_sram) terms.rows += Bytes{row_words(shard) * word};
  if (dimensions_[index] == ShardDimension::k)
    traffic[Collective::all_reduce] += {Bytes{shard.outer * shard.m * shard.n * word}, 1.0};
  if (workload_.phase == Phase::train && shard.gradient_words > 0.0)
    traffic[Collective::gradient] += {Bytes{shard.gradient_words * word}, 1.0};
  const double exchanged = (shard.exchange_words * split_.chips + shard.exchange_total_words) * word;
  if (exchanged > 0.0 && split_.chips > 1.0) traffic[Collective::exchange] += {Bytes{exchanged}, 1.0};
  BlockMessages block;
  if (shard.broadcast_words > 0.0 && split_.rows > 1.0)
    block.broadcast = {Bytes{shard.broadcast_words * word / split_.rows}, 1.0};
  if (shard.broadcast_words > 0.0 && split_.columns > 1.0)
    block.shift = {Bytes{shard.broadcast_words * word / split_.columns}, 1.0};
  if (block != BlockMessages{}) terms.network.blocks.push_back(block);
}

Bytes PartitionModel::tile_bytes(std::size_t edge, double num_tile) const {
  const Kernel tile = tile_of(shards_[workload_.graph.edges[edge].source], num_tile);
  return Bytes{tile.outer * tile.m * tile.n * workload_.word_bytes};
}

PartitionModel::SramNeed PartitionModel::sram_needed(std::span<const std::size_t> kernels, double num_tile) const {
  std::vector<char> inside(shards_.size(), 0);
  for (const std::size_t k : kernels) inside[k] = 1;
  const bool alone = kernels.size() == 1;
  Bytes buffers;
  Bytes weights;
  Bytes shrinking;  // output buffers of a kernel that runs alone
  for (const std::size_t k : kernels) {
    weights += Bytes{shards_[k].weight_words * workload_.word_bytes};
    for (const std::size_t e : edges_of_[k]) {
      const auto [source, destination] = workload_.graph.edges[e];
      const Bytes bytes = tile_bytes(e, num_tile);
      if (inside[source] && inside[destination]) {
        if (source != k) continue;  // counted once, with its source
        const double depth = static_cast<double>(levels_[destination] - levels_[source] + 1);
        buffers += rules_.sram == SramAccounting::paper ? bytes : bytes * depth;
      } else if (rules_.sram != SramAccounting::paper) {
        buffers += 2.0 * bytes;
        if (alone && source == k) shrinking += 2.0 * bytes;
      }
    }
  }
  if (rules_.sram == SramAccounting::paper) return {buffers, buffers};
  if (rules_.sram == SramAccounting::split && alone && weights > Bytes{}) {
    const double pieces = shards_[kernels[0]].outer * shards_[kernels[0]].m;
    return {buffers - shrinking + (shrinking + weights) / pieces, buffers};
  }
  return {buffers + weights, buffers};
}

PartitionTerms PartitionModel::terms(std::span<const std::size_t> kernels, double num_tile,
                                     const Device* device) const {
  PartitionTerms terms;
  std::vector<char> inside(shards_.size(), 0);
  for (const std::size_t k : kernels) inside[k] = 1;
  for (const std::size_t k : kernels) {
    add_kernel(k, terms);
    for (const std::size_t e : edges_of_[k]) {
      const auto [source, destination] = workload_.graph.edges[e];
      if (!inside[source] || !inside[destination]) terms.activations += edge_bytes_[e];
      if (source != k) continue;
      if (const std::optional<Collective> collective = collective_of(conversions_[e]))
        terms.network.traffic[*collective] += {edge_bytes_[e], 1.0};
    }
  }
  if (device != nullptr && device->has_cores()) {
    std::vector<Kernel> tiles;
    for (const std::size_t k : kernels) tiles.push_back(tile_of(shards_[k], num_tile));
    terms.cycles = num_tile * partition_cycles(tiles, *device);
  }
  // HPL and FFT work in place in DRAM, so a chip never holds a whole tensor. [dfmodel] section 5.4
  if (workload_.spread == Spread::tensor_parallel || workload_.spread == Spread::replicated) {
    const SramNeed need = sram_needed(kernels, num_tile);
    terms.sram = std::max(need.total, terms.rows / workload_.tile_length);
    terms.buffers = need.buffers;
  }
  return terms;
}

}  // namespace dfsweep::dataflow
