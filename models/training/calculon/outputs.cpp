#include "models/training/calculon/outputs.hpp"

#include <limits>

#include "models/expect.hpp"

namespace dfsweep::training::calculon {

namespace {

constexpr std::array<std::string_view, output_count> names{
    "block_fw_flops",
    "block_fw_flops_time",
    "block_fw_mem_accessed",
    "block_fw_mem_time",
    "block_fw_time",
    "baseblock_fw_tp_time",
    "edgeblock_fw_tp_time",
    "baseblock_fw_tp_time_exposed",
    "edgeblock_fw_tp_time_exposed",
    "block_re_flops",
    "block_re_flops_time",
    "block_re_mem_accessed",
    "block_re_mem_time",
    "block_re_time",
    "baseblock_recomm_time",
    "edgeblock_recomm_time",
    "baseblock_recomm_time_exposed",
    "edgeblock_recomm_time_exposed",
    "block_agrad_flops",
    "block_agrad_flops_time",
    "block_agrad_mem_accessed",
    "block_agrad_mem_time",
    "block_agrad_time",
    "baseblock_agrad_tp_time",
    "edgeblock_agrad_tp_time",
    "baseblock_agrad_tp_time_exposed",
    "edgeblock_agrad_tp_time_exposed",
    "block_wgrad_flops",
    "block_wgrad_flops_time",
    "block_wgrad_mem_accessed",
    "block_wgrad_mem_time",
    "block_wgrad_time",
    "block_optim_flops",
    "block_optim_flops_time",
    "block_optim_mem_accessed",
    "block_optim_mem_time",
    "block_optim_time",
    "baseblock_fw_tp_size",
    "edgeblock_fw_tp_size",
    "baseblock_bw_tp_size",
    "edgeblock_bw_tp_size",
    "baseblock_recomm_size",
    "edgeblock_recomm_size",
    "block_fw_pp_size",
    "block_bw_pp_size",
    "block_dp_size",
    "tp_bw_overlap_req",
    "dp_bw_overlap_req_chunk",
    "dp_bw_overlap_req_tail",
    "block_weight_space",
    "block_act_working_space",
    "block_act_storage_space",
    "block_act_checkpoint_size",
    "block_weight_grad_space",
    "block_weight_grad_space_no_sharding",
    "block_act_grad_space",
    "block_optimizer_space",
    "weight_space_with_offload",
    "act_space_with_offload",
    "act_checkpoint_size_with_offload",
    "act_grad_space_with_offload",
    "weight_grad_space_with_offload",
    "optimizer_space_with_offload",
    "weight_space",
    "act_space",
    "act_checkpoint_size",
    "act_grad_space",
    "weight_grad_space",
    "optimizer_space",
    "fw_time",
    "bw_time",
    "optim_step_time",
    "recompute_time",
    "recomm_link_time",
    "recomm_exposed_time",
    "bubble_time",
    "tp_comm_link_time",
    "pp_comm_link_time",
    "dp_comm_link_time",
    "tp_comm_exposed_time",
    "pp_comm_exposed_time",
    "dp_comm_exposed_time",
    "fw_offload_exposed_time",
    "bw_offload_exposed_time",
    "total_time",
    "act_offload_bw_req",
    "weight_offload_bw_req",
    "optim_offload_bw_req",
    "offload_mem_bw_req",
    "proc_mem_tier1_cap_req",
    "proc_mem_tier2_cap_req",
    "useful_flops",
    "compute_efficiency",
    "system_efficiency",
    "total_efficiency",
    "sample_rate",
};

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
  add_parts(out, results.memory.resident,
            training ? results.memory.resident.checkpoints : std::numeric_limits<double>::quiet_NaN());
  add_parts(out, results.memory.whole, results.memory.whole.checkpoints);
}

void add_times(OutputWriter& out, const BatchTimes& t) {
  out.add({t.forward, t.backward, t.optimizer, t.recompute, t.redo_link, t.redo_exposed, t.bubble, t.tensor_link,
           t.pipeline, t.data.link, t.tensor_exposed, t.pipeline, t.data.exposed, t.forward_offload, t.backward_offload,
           t.total});
}

}  // namespace

std::span<const std::string_view, output_count> output_names() {
  return names;
}

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

}  // namespace dfsweep::training::calculon
