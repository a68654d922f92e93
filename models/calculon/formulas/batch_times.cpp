#include "models/calculon/formulas/batch_times.hpp"

namespace dfsweep::calculon {

namespace {

/// Sum over the blocks of all chunks and micro-batches.
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

}  // namespace dfsweep::calculon
