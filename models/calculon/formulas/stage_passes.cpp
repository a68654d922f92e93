#include "models/calculon/formulas/stage_passes.hpp"

#include <algorithm>

namespace dfsweep::calculon {

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

/// Times of moving what is offloaded while a block runs, in s.
struct OffloadTimes {
  double forward = 0.0;
  double backward = 0.0;
};

/// Offload hides behind all of a block but its own memory traffic.
BlockPass block_pass(const BatchInputs& in, const StagePasses& passes, const CommSum& comm, const OffloadTimes& offload,
                     bool is_edge) {
  const BlockSums& block = in.block;
  BlockPass pass;
  pass.forward_alone = block.forward.time + comm.forward_exposed;
  pass.backward_alone = block.recompute.time + comm.redo_exposed + block.activation_gradient.time +
                        block.weight_gradient.time + comm.gradient_exposed;
  if (is_edge) {
    pass.forward_alone += passes.forward_transfer;
    pass.backward_alone += passes.backward_transfer;
  }
  pass.forward_wait = std::max(0.0, offload.forward + block.forward.memory_time - pass.forward_alone);
  pass.backward_wait = std::max(0.0, offload.backward + block.activation_gradient.memory_time +
                                         block.weight_gradient.memory_time - pass.backward_alone);
  return pass;
}

}  // namespace

StagePasses stage_passes(const BatchInputs& in) {
  StagePasses passes;
  passes.forward_transfer = transfer(in, true);
  passes.backward_transfer = in.execution.training ? passes.forward_transfer : transfer(in, false);
  passes.forward_offload_bytes = forward_offload_bytes(in);
  passes.backward_offload_bytes = backward_offload_bytes(in);
  const OffloadTimes offload{offload_time(in.system, passes.forward_offload_bytes),
                             offload_time(in.system, passes.backward_offload_bytes)};
  passes.base = block_pass(in, passes, in.block.base, offload, false);
  passes.edge = block_pass(in, passes, in.block.edge, offload, true);
  passes.chunk_forward = in.shape.base_blocks * passes.base.forward() + passes.edge.forward();
  passes.chunk_backward = in.shape.base_blocks * passes.base.backward() + passes.edge.backward();
  return passes;
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

}  // namespace dfsweep::calculon
