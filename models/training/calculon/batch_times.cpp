#include "models/training/calculon/batch_times.hpp"

#include <algorithm>

#include "models/training/calculon/data_comm.hpp"

namespace dfsweep::training::calculon {

namespace {

/// A message to a neighbouring stage; without one it still has its latency.
double transfer(const BatchInputs& in, bool is_sent) {
  const NetworkTier& network = in.system.networks[static_cast<std::size_t>(in.execution.pipeline_network)];
  const bool has_neighbour = in.execution.pipeline_parallel > 1;
  return network.seconds(NetworkOperation::p2p, 2.0, has_neighbour && is_sent ? in.block.pipeline_bytes : 0.0);
}

/// Offloaded activations of a block: its checkpoint where everything is recomputed.
double offloaded_activations(const BatchInputs& in) {
  return in.execution.recompute == Recompute::full ? in.block.checkpoint_bytes : in.block.stored_bytes;
}

/// Forward, the larger of both goes; backward, their sum.
double forward_offload_bytes(const BatchInputs& in) {
  const double weights = in.execution.weight_offload ? in.block.weight_bytes : 0.0;
  const double activations = in.execution.activation_offload ? offloaded_activations(in) : 0.0;
  return std::max(weights, activations);
}

double backward_offload_bytes(const BatchInputs& in) {
  if (!in.execution.training) return 0.0;
  double bytes = 0.0;
  if (in.execution.weight_offload) bytes += in.block.weight_bytes;
  if (in.execution.activation_offload) bytes += offloaded_activations(in);
  if (in.execution.optimizer_offload) bytes += in.optimizer.state_bytes;
  return bytes;
}

double offload_time(const System& system, double bytes) {
  return bytes > 0.0 ? system.offload.seconds(bytes) : 0.0;
}

/// Offload hides behind all of a block but its own memory traffic.
BlockPass block_pass(const BatchInputs& in, const StagePasses& passes, const CommSum& comm, bool is_edge) {
  const BlockSums& block = in.block;
  BlockPass pass;
  pass.forward_alone = block.forward.time + comm.forward_exposed;
  pass.backward_alone = block.recompute.time + comm.redo_exposed + block.activation_gradient.time +
                        block.weight_gradient.time + comm.gradient_exposed;
  if (is_edge) {
    pass.forward_alone += passes.forward_transfer;
    pass.backward_alone += passes.backward_transfer;
  }
  pass.forward_wait = std::max(
      0.0, offload_time(in.system, passes.forward_offload_bytes) + block.forward.memory_time - pass.forward_alone);
  pass.backward_wait =
      std::max(0.0, offload_time(in.system, passes.backward_offload_bytes) + block.activation_gradient.memory_time +
                        block.weight_gradient.memory_time - pass.backward_alone);
  return pass;
}

/// Sum over the blocks of all chunks and micro batches.
double over_blocks(const StageShape& shape, double base, double edge) {
  return shape.micro_batches * shape.chunks * (shape.base_blocks * base + edge);
}

/// Idle time of the first stage. Interleaving shortens it because a chunk is shorter than a stage.
double bubble_time(const StageShape& shape, const StagePasses& passes) {
  const double chunk = passes.chunk_forward + passes.chunk_backward;
  const BlockPass& base = passes.base;
  const BlockPass& edge = passes.edge;
  const double block = shape.base_blocks > 0.0
                           ? (base.forward() + edge.forward() + base.backward() + edge.backward()) / 2.0
                           : edge.forward() + edge.backward();
  const double extra = shape.left_over > 0.0 ? (shape.chunks - 1.0) * (shape.stages - shape.left_over) : 0.0;
  return (shape.stages - 1.0) * chunk + (extra * chunk - shape.missing_blocks * block);
}

double pipeline_time(const BatchInputs& in, const StagePasses& passes) {
  if (in.execution.pipeline_parallel == 1) return 0.0;
  const double messages = in.shape.micro_batches * in.shape.chunks;
  const double backward = in.execution.training ? messages * passes.backward_transfer : 0.0;
  return messages * passes.forward_transfer + backward;
}

}  // namespace

StagePasses stage_passes(const BatchInputs& in) {
  StagePasses passes;
  passes.forward_transfer = transfer(in, true);
  passes.backward_transfer = transfer(in, in.execution.training);
  passes.forward_offload_bytes = forward_offload_bytes(in);
  passes.backward_offload_bytes = backward_offload_bytes(in);
  passes.base = block_pass(in, passes, in.block.base, false);
  passes.edge = block_pass(in, passes, in.block.edge, true);
  passes.chunk_forward = in.shape.base_blocks * passes.base.forward() + passes.edge.forward();
  passes.chunk_backward = in.shape.base_blocks * passes.base.backward() + passes.edge.backward();
  return passes;
}

BatchTimes batch_times(const BatchInputs& in, const StagePasses& passes) {
  const BlockSums& block = in.block;
  const StageShape& shape = in.shape;
  const double times = shape.blocks * shape.micro_batches;
  BatchTimes t;
  t.forward = times * block.forward.time;
  t.backward = times * block.activation_gradient.time + times * block.weight_gradient.time;
  t.optimizer = shape.blocks * in.optimizer.step.time;
  t.recompute = times * block.recompute.time;
  t.redo_link = over_blocks(shape, block.base.redo, block.edge.redo);
  t.redo_exposed = over_blocks(shape, block.base.redo_exposed, block.edge.redo_exposed);
  t.bubble = bubble_time(shape, passes);
  t.tensor_link = over_blocks(shape, block.base.forward, block.edge.forward) +
                  over_blocks(shape, block.base.gradient, block.edge.gradient);
  t.tensor_exposed = over_blocks(shape, block.base.forward_exposed, block.edge.forward_exposed) +
                     over_blocks(shape, block.base.gradient_exposed, block.edge.gradient_exposed);
  t.pipeline = pipeline_time(in, passes);
  t.data = data_comm(in, passes);
  t.forward_offload = over_blocks(shape, passes.base.forward_wait, passes.edge.forward_wait);
  t.backward_offload = over_blocks(shape, passes.base.backward_wait, passes.edge.backward_wait);
  t.total = t.forward + t.backward + t.optimizer + t.forward_offload + t.backward_offload + t.recompute +
            t.redo_exposed + t.bubble + t.tensor_exposed + t.pipeline + t.data.exposed;
  return t;
}

OffloadBandwidths offload_bandwidths(const BatchInputs& in, const StagePasses& passes) {
  const BlockSums& block = in.block;
  const double forward_free = std::min(passes.base.forward_alone - block.forward.memory_time,
                                       passes.edge.forward_alone - block.forward.memory_time);
  OffloadBandwidths need;
  need.activations = offloaded_activations(in) / forward_free;
  need.weights = block.weight_bytes / forward_free;
  need.all = passes.forward_offload_bytes / forward_free;
  if (!in.execution.training) return need;
  const double backward_memory = block.activation_gradient.memory_time + block.weight_gradient.memory_time;
  const double backward_free =
      std::min(passes.base.backward_alone - backward_memory, passes.edge.backward_alone - backward_memory);
  need.optimizer = (in.optimizer.weight_gradient_bytes + in.optimizer.state_bytes) / backward_free;
  need.all = std::max(need.all, passes.backward_offload_bytes / backward_free);
  return need;
}

}  // namespace dfsweep::training::calculon
