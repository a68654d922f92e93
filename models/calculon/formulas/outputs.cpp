#include "models/calculon/formulas/outputs.hpp"

#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep::calculon {

namespace {

/// Fills an array from its start.
class OutputWriter {
 public:
  void add(std::initializer_list<double> values) {
    for (const double value : values) out_[next_++] = value;
  }
  [[nodiscard]] const std::array<double, output_count>& result() const {
    DFSWEEP_EXPECT(next_ == output_count);
    return out_;
  }

 private:
  std::array<double, output_count> out_{};
  std::size_t next_ = 0;
};

void add_stage(OutputWriter& out, const StageSum& sum) {
  out.add({sum.flops, sum.flops_time, sum.bytes, sum.memory_time, sum.time});
}

void add_block_times(OutputWriter& out, const BatchInputs& in) {
  const BlockSums& block = in.block;
  const CommSum& base = block.base;
  const CommSum& edge = block.edge;
  add_stage(out, block.forward);
  out.add({base.forward, edge.forward, base.forward_exposed, edge.forward_exposed});
  add_stage(out, block.recompute);
  out.add({base.redo, edge.redo, base.redo_exposed, edge.redo_exposed});
  add_stage(out, block.activation_gradient);
  out.add({base.gradient, edge.gradient, base.gradient_exposed, edge.gradient_exposed});
  add_stage(out, block.weight_gradient);
  add_stage(out, in.optimizer.step);
}

void add_messages(OutputWriter& out, const Results& results) {
  const BatchInputs& in = results.inputs;
  const CommSum& base = in.block.base;
  const CommSum& edge = in.block.edge;
  const bool training = in.execution.training;
  const double to_next = in.execution.pipeline_parallel > 1 ? in.block.pipeline_bytes : 0.0;
  out.add({base.forward_bytes, edge.forward_bytes, base.gradient_bytes, edge.gradient_bytes, base.redo_bytes,
           edge.redo_bytes, to_next, training ? to_next : 0.0,
           training && in.execution.data_parallel > 1 ? in.block.weight_bytes : 0.0, in.block.overlap_bandwidth,
           results.times.data.chunk_bandwidth, results.times.data.tail_bandwidth});
}

void add_parts(OutputWriter& out, const MemoryParts& parts, double checkpoints) {
  out.add({parts.weights, parts.activations, checkpoints, parts.activation_gradients, parts.weight_gradients,
           parts.optimizer});
}

void add_memory(OutputWriter& out, const Results& results) {
  const BlockSums& block = results.inputs.block;
  const OptimizerSums& optimizer = results.inputs.optimizer;
  const bool training = results.inputs.execution.training;
  out.add({block.weight_bytes, block.working_bytes, block.stored_bytes, block.checkpoint_bytes,
           optimizer.weight_gradient_bytes, block.weight_gradient_bytes, block.activation_gradient_bytes,
           optimizer.state_bytes});
  add_parts(out, results.memory.resident, training ? results.memory.resident.checkpoints : absent);
  add_parts(out, results.memory.whole, results.memory.whole.checkpoints);
}

void add_times(OutputWriter& out, const BatchTimes& t) {
  out.add({t.forward, t.backward, t.optimizer, t.recompute, t.redo_link, t.redo_exposed, t.bubble, t.tensor_link,
           t.pipeline, t.data.link, t.tensor_exposed, t.pipeline, t.data.exposed, t.forward_offload, t.backward_offload,
           t.total});
}

}  // namespace

Efficiencies efficiencies(const Results& results) {
  const BatchInputs& in = results.inputs;
  const auto format = static_cast<std::size_t>(in.execution.datatype);
  const auto blocks = static_cast<std::int64_t>(in.shape.blocks * in.shape.micro_batches);
  const double perfect = (blocks * results.useful_flops).value() / in.system.matrix[format]->peak;
  const double processing = results.times.forward + results.times.backward + results.times.optimizer;
  return {perfect / processing, processing / results.times.total, perfect / results.times.total};
}

double sample_rate(const Results& results) {
  return static_cast<double>(results.inputs.execution.global_batch) / results.times.total;
}

Results results_of(const BatchInputs& inputs, const ExactCount& useful) {
  const StagePasses passes = stage_passes(inputs);
  return {.inputs = inputs,
          .memory = memory_use(inputs.block, inputs.optimizer, inputs.shape, inputs.execution),
          .passes = passes,
          .times = batch_times(inputs, passes),
          .bandwidths = offload_bandwidths(inputs, passes),
          .useful_flops = useful};
}

std::array<double, output_count> outputs(const Results& results) {
  OutputWriter out;
  add_block_times(out, results.inputs);
  add_messages(out, results);
  add_memory(out, results);
  add_times(out, results.times);
  const OffloadBandwidths& need = results.bandwidths;
  out.add({need.activations, need.weights, need.optimizer, need.all, results.memory.tier_1, results.memory.tier_2,
           results.useful_flops.value()});
  const Efficiencies share = efficiencies(results);
  out.add({share.compute, share.system, share.total, sample_rate(results)});
  return out.result();
}

}  // namespace dfsweep::calculon
