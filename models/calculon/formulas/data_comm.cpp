#include "models/calculon/formulas/data_comm.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::calculon {

namespace {

const NetworkTier& tier(const System& system, std::int64_t index) {
  return system.networks[static_cast<std::size_t>(index)];
}

/// Reduction of the gradients of one block: all-reduce, or reduce-scatter and all-gather with a sharded optimizer.
double block_reduction(const BatchInputs& in) {
  const NetworkTier& network = tier(in.system, in.execution.data_network);
  const double peers = static_cast<double>(in.execution.data_parallel);
  const double bytes = in.block.weight_bytes;
  if (!in.execution.optimizer_sharding) return network.seconds(NetworkOperation::all_reduce, peers, bytes);
  return network.seconds(NetworkOperation::reduce_scatter, peers, bytes) +
         network.seconds(NetworkOperation::all_gather, peers, bytes);
}

/// Bytes on the wire for a byte of gradients, without the offset of the operation.
double reduction_scalar(const BatchInputs& in) {
  const auto scalar = [&](NetworkOperation operation) {
    return tier(in.system, in.execution.data_network).volumes[static_cast<std::size_t>(operation)].scalar;
  };
  if (!in.execution.optimizer_sharding) return scalar(NetworkOperation::all_reduce);
  return scalar(NetworkOperation::reduce_scatter) + scalar(NetworkOperation::all_gather);
}

/// Time of a backward pass in which the network of the data-parallel group is free, in s. It may be negative: the
/// recomputation counts with its running totals.
double free_time(const BatchInputs& in, const BlockPass& pass, const CommSum& comm) {
  const BlockSums& block = in.block;
  double window = pass.backward() - (block.activation_gradient.memory_time + block.weight_gradient.memory_time +
                                     block.recompute.memory_time);
  if (!in.execution.optimizer_sharding) window += in.optimizer.step.time - in.optimizer.step.memory_time;
  if (in.execution.data_network == in.execution.tensor_network) window -= comm.redo + comm.gradient;
  return window;
}

/// The part of the backward pass that a reduction overlaps with.
struct Window {
  double chunk = 0.0;        ///< free time of a chunk, s
  double all_chunks = 0.0;   ///< of one chunk of every stage, s
  double block_flops = 0.0;  ///< time of a block's FLOP, which driving the network slows
  double all_flops = 0.0;    ///< of one chunk of every stage, s
  double last = 0.0;         ///< left for the last chunk, s
};

Window window_of(const BatchInputs& in, const StagePasses& passes) {
  const BlockSums& block = in.block;
  const StageShape& shape = in.shape;
  Window window;
  window.chunk =
      shape.base_blocks * free_time(in, passes.base, in.block.base) + free_time(in, passes.edge, in.block.edge);
  window.all_chunks = shape.stages * window.chunk;
  window.block_flops =
      block.activation_gradient.flops_time + block.weight_gradient.flops_time + block.recompute.flops_time;
  if (!in.execution.optimizer_sharding) window.block_flops += in.optimizer.step.flops_time;
  window.all_flops = shape.stages * (shape.chunk_blocks * window.block_flops);
  if (shape.base_blocks > 0.0) {
    window.last = window.chunk - passes.backward_transfer - (passes.base.backward() + passes.edge.backward()) / 2.0;
    if (!in.execution.optimizer_sharding) window.last += in.optimizer.step.time - in.optimizer.step.memory_time;
  }
  return window;
}

/// Pipeline transfers that share the tier while a chunk is reduced.
double shared_transfers(const BatchInputs& in, const StagePasses& passes, double chunk_reduction) {
  if (in.execution.data_network != in.execution.pipeline_network) return 0.0;
  const double most = in.shape.left_over > 0.0 ? in.shape.left_over : in.shape.stages;
  return std::min(std::floor(chunk_reduction / passes.chunk_backward), most);
}

void overlap(DataComm& comm, const BatchInputs& in, const StagePasses& passes, double reduction) {
  const StageShape& shape = in.shape;
  const double usage = tier(in.system, in.execution.data_network).processor_usage;
  const Window window = window_of(in, passes);
  const double chunk = shape.chunk_blocks * reduction;
  const double rest = (shape.chunk_blocks - 1.0) * reduction;
  const double transfers = shared_transfers(in, passes, chunk) * passes.backward_transfer;

  const double too_long = chunk - (window.all_chunks - transfers) + window.all_flops * usage;
  const double chunks_exposed = too_long > 0.0 ? (shape.chunks - 1.0) * too_long : (shape.chunks - 1.0) * chunk * usage;
  const double tail_too_long = rest + (window.block_flops * usage - window.last);
  const double tail_exposed = tail_too_long > 0.0 ? tail_too_long : rest * usage;
  comm.exposed = reduction + (chunks_exposed + tail_exposed);

  const double bytes = shape.chunk_blocks * in.block.weight_bytes;
  const bool shares_tier = in.execution.data_network == in.execution.pipeline_network;
  const double chunk_window =
      (window.all_chunks + window.all_flops * usage - (shares_tier ? passes.backward_transfer : 0.0)) *
      (shape.chunks - 1.0);
  const double tail_window = window.last + rest * usage;
  if (chunk_window > 0.0) comm.chunk_bandwidth = bytes / chunk_window * reduction_scalar(in);
  if (tail_window > 0.0) comm.tail_bandwidth = bytes / tail_window * reduction_scalar(in);
}

}  // namespace

DataComm data_comm(const BatchInputs& in, const StagePasses& passes) {
  DataComm comm;
  if (!in.execution.training || in.execution.data_parallel == 1) return comm;
  const double reduction = block_reduction(in);
  comm.link = in.shape.blocks * reduction;
  comm.exposed = comm.link;
  if (in.execution.data_overlap) overlap(comm, in, passes, reduction);
  return comm;
}

}  // namespace dfsweep::calculon
