#include "models/calculon/formulas/block_sums.hpp"

#include <algorithm>

namespace dfsweep::calculon {

namespace {

LayerContext context_of(const BlockSetting& setting) {
  return {setting.element_bytes, setting.tensor_parallel, setting.tensor_comm};
}

/// A sum of stages while it grows; its FLOP stay exact as long as they are whole.
struct GrowingSum {
  ExactCount flops;
  StageSum sum;

  void add(const StageTime& stage) {
    flops += stage.flops;
    sum.flops_time += stage.flops_time;
    sum.bytes += stage.bytes;
    sum.memory_time += stage.memory_time;
    sum.time += stage.time;
  }
  /// Adds another sum, but for its time.
  void add_running_total(const GrowingSum& other) {
    flops += other.flops;
    sum.flops_time += other.sum.flops_time;
    sum.bytes += other.sum.bytes;
    sum.memory_time += other.sum.memory_time;
  }
  [[nodiscard]] StageSum result() const {
    StageSum whole = sum;
    whole.flops = flops.value();
    return whole;
  }
};

/// Exposed parts: all of a collective layer, the remembered part of an overlapped one, whatever the block's place. The
/// redo of an overlapped layer counts what its forward pass exposes.
void add_comm(CommSum& sum, const Layer& layer, const LayerTimes& times, const LayerComm& comm, bool training) {
  const bool is_overlapped = layer.kind == LayerKind::overlapped;
  sum.forward += comm.forward;
  sum.forward_exposed += is_overlapped ? times.forward.exposed : comm.forward;
  sum.forward_bytes += comm.forward_bytes;
  if (!training) return;
  sum.gradient += comm.gradient;
  sum.gradient_exposed += is_overlapped ? times.activation_gradient.exposed : comm.gradient;
  sum.gradient_bytes += comm.gradient_bytes;
  if (!layer.use.communicates_again) return;
  sum.redo += comm.redo;
  sum.redo_exposed += is_overlapped ? times.forward.exposed : comm.redo;
  sum.redo_bytes += comm.redo_bytes;
}

void add_storage(BlockSums& sums, const Layer& layer, const BlockSetting& setting) {
  const double e = static_cast<double>(setting.element_bytes);
  sums.weight_bytes += layer.weights * e;
  if (!layer.use.reuses_activation) sums.working_bytes += layer.activation_stored_bytes;
  sums.stored_bytes += layer.activation_stored_bytes;
  if (!setting.training) return;
  if (!layer.use.keeps_output) sums.stored_bytes -= layer.outputs * e;
  if (!layer.use.keeps_activation || layer.use.reuses_activation) sums.stored_bytes -= layer.activation_stored_bytes;
  sums.activation_gradient_bytes += layer.gradient_stored_bytes;
  sums.weight_gradient_bytes += layer.weights * 4.0;
}

}  // namespace

BlockSums block_sums(const BlockSetting& setting, const LayerMachine& machine) {
  const LayerContext context = context_of(setting);
  BlockSums sums;
  GrowingSum forward, recompute, activation_gradient, weight_gradient;
  for (const Layer& layer : block_layers(setting)) {
    const LayerTimes times = layer_times(layer, context, machine);
    forward.add(times.forward);
    add_comm(sums.base, layer, times, times.base, setting.training);
    add_comm(sums.edge, layer, times, times.edge, setting.training);
    sums.overlap_bandwidth = std::max(sums.overlap_bandwidth, times.forward_bandwidth);
    add_storage(sums, layer, setting);
    if (!setting.training) continue;
    sums.overlap_bandwidth = std::max(sums.overlap_bandwidth, times.gradient_bandwidth);
    if (layer.use.recomputed) {
      recompute.add_running_total(forward);
      recompute.sum.time += times.forward.time;
    }
    activation_gradient.add(times.activation_gradient);
    weight_gradient.add(times.weight_gradient);
  }
  sums.forward = forward.result();
  sums.recompute = recompute.result();
  sums.activation_gradient = activation_gradient.result();
  sums.weight_gradient = weight_gradient.result();
  const double e = static_cast<double>(setting.element_bytes);
  if (setting.recompute == Recompute::full) {
    sums.stored_bytes = 0.0;
    if (setting.training) sums.checkpoint_bytes = static_cast<double>(activation_elements(setting)) * e;
  }
  const bool is_split = setting.tensor_comm != TensorComm::all_reduce;
  sums.pipeline_bytes =
      static_cast<double>(is_split ? split_activation_elements(setting) : activation_elements(setting)) * e;
  return sums;
}

OptimizerSums optimizer_sums(const BlockSetting& setting, const LayerMachine& machine, std::int64_t shards) {
  OptimizerSums sums;
  if (!setting.training) return sums;
  const LayerContext context = context_of(setting);
  const double e = static_cast<double>(setting.element_bytes);
  GrowingSum step;
  for (const Layer& layer : block_layers(setting)) {
    step.add(optimizer_step(layer, context, machine, shards));
    sums.weight_gradient_bytes += layer.weights * e / static_cast<double>(shards);
    sums.state_bytes += optimizer_bytes(layer, context, shards);
  }
  sums.step = step.result();
  return sums;
}

ExactCount useful_flops(const BlockSetting& setting, std::int64_t shards) {
  ExactCount forward;
  ExactCount backward;
  for (const Layer& layer : block_layers(setting)) {
    forward += layer.forward_flops;
    const ExactCount optimizer = ExactCount::fraction(layer.weights / static_cast<double>(shards) * 11.0);
    backward += layer.activation_gradient_flops + layer.weight_gradient_flops + optimizer;
  }
  return setting.training ? forward + backward : forward;
}

LayerMachine layer_machine(const System& system, const Execution& execution) {
  const auto format = static_cast<std::size_t>(execution.datatype);
  return {.system = system,
          .matrix = *system.matrix[format],
          .vector = *system.vector[format],
          .tensor_network = system.networks[static_cast<std::size_t>(execution.tensor_network)],
          .overlap = execution.tensor_overlap};
}

}  // namespace dfsweep::calculon
