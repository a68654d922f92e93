#include "models/calculon/formulas/layer_times.hpp"

#include <algorithm>

namespace dfsweep::calculon {

namespace {

StageTime plain_stage(const ExactCount& flops, double bytes, const EngineRate& engine, const System& system) {
  StageTime stage;
  stage.flops = flops;
  stage.flops_time = engine.seconds(flops.value());
  stage.bytes = bytes;
  stage.memory_time = system.memory.seconds(bytes);
  stage.time = system.combined(stage.flops_time, stage.memory_time);
  return stage;
}

/// Does the collective split the sequence (reduce-scatter and all-gather) rather than sum everywhere?
bool splits(TensorComm comm, BlockPlace place) {
  return comm == TensorComm::reduce_scatter_all_gather ||
         (comm == TensorComm::p2p_reduce_scatter_all_gather && place == BlockPlace::edge);
}

/// Network times alone. The operation of the redo is that of the forward pass.
LayerComm network_times(const Layer& layer, const LayerContext& context, const LayerMachine& machine,
                        BlockPlace place) {
  const bool is_split = splits(context.tensor_comm, place);
  const bool sums_forward = layer.is_conjugate;
  const double peers = real(context.tensor_parallel);
  const double bytes = layer.message_bytes;
  const auto seconds = [&](bool sums) {
    if (!sums && !is_split) return 0.0;
    const NetworkOperation split_operation = sums ? NetworkOperation::reduce_scatter : NetworkOperation::all_gather;
    const NetworkOperation operation = is_split ? split_operation : NetworkOperation::all_reduce;
    return machine.tensor_network.seconds(operation, peers, bytes);
  };
  LayerComm comm;
  comm.forward_bytes = sums_forward || is_split ? bytes : 0.0;
  comm.gradient_bytes = !sums_forward || is_split ? bytes : 0.0;
  comm.redo_bytes = layer.use.communicates_again ? comm.forward_bytes : 0.0;
  comm.forward = seconds(sums_forward);
  comm.gradient = seconds(!sums_forward);
  comm.redo = layer.use.communicates_again ? comm.forward : 0.0;
  return comm;
}

/// The collective layer itself adds its sums and traffic to its network time; it has no other processing time.
LayerComm comm_layer_times(const Layer& layer, const LayerContext& context, const LayerMachine& machine,
                           const LayerTimes& times, BlockPlace place) {
  LayerComm comm = network_times(layer, context, machine, place);
  const auto own = [&](const StageTime& stage) { return machine.system.combined(stage.flops_time, stage.memory_time); };
  comm.forward = comm.forward + own(times.forward);
  comm.gradient = comm.gradient + own(times.activation_gradient);
  if (layer.use.communicates_again) comm.redo = comm.redo + own(times.weight_gradient);
  return comm;
}

/// An overlapped layer adds the sums of its collective, done by the vector engine.
LayerComm overlapped_comm(const Layer& layer, const LayerContext& context, const LayerMachine& machine,
                          BlockPlace place) {
  LayerComm comm = network_times(layer, context, machine, place);
  const double t = real(context.tensor_parallel);
  const double sums = layer.message_bytes / real(context.element_bytes) * (t - 1.0) / t;
  double& summing = layer.is_conjugate ? comm.forward : comm.gradient;
  summing = summing + machine.vector.seconds(sums);
  return comm;
}

/// Processing time of one stage in t tiles, each overlapped with the collective of the tile before it.
void overlap_tiles(StageTime& stage, double comm, const LayerContext& context, const LayerMachine& machine) {
  if (comm == 0.0) return;
  const double tiles = real(context.tensor_parallel);
  const double usage = machine.tensor_network.processor_usage;
  const double slowed_flops_time = stage.flops_time / (1.0 - usage);
  const double alone = stage.time;
  const double slowed = machine.system.combined(slowed_flops_time, stage.memory_time);
  const double uncovered = comm / tiles - slowed_flops_time / tiles;
  if (uncovered > 0.0) {
    stage.time = alone / tiles + (tiles - 1.0) * (slowed / tiles);
    stage.exposed = (tiles - 1.0) * uncovered;
  } else {
    stage.time = alone / tiles + (tiles - 1.0) * (alone / tiles) + (tiles - 1.0) * (comm / tiles) * usage;
  }
  if (machine.overlap != TensorOverlap::pipe) return;
  stage.exposed = stage.exposed + comm / tiles;
  stage.time = stage.time + comm / tiles;
}

/// (bytes / t) / (time / (1 - u) / t): what the network must do to stay hidden.
double hiding_bandwidth(double bytes, double flops_time, const LayerContext& context, const LayerMachine& machine) {
  const double tiles = real(context.tensor_parallel);
  if (bytes == 0.0) return 0.0;
  return bytes / tiles / (flops_time / (1.0 - machine.tensor_network.processor_usage) / tiles);
}

void overlap(LayerTimes& times, const Layer& layer, const LayerContext& context, const LayerMachine& machine) {
  times.base = overlapped_comm(layer, context, machine, BlockPlace::base);
  times.edge = overlapped_comm(layer, context, machine, BlockPlace::edge);
  overlap_tiles(times.forward, times.base.forward, context, machine);
  overlap_tiles(times.activation_gradient, times.base.gradient, context, machine);
  overlap_tiles(times.weight_gradient, times.base.redo, context, machine);
  for (const LayerComm* comm : {&times.base, &times.edge}) {
    times.forward_bandwidth = std::max(
        times.forward_bandwidth, hiding_bandwidth(comm->forward_bytes, times.forward.flops_time, context, machine));
    times.gradient_bandwidth =
        std::max(times.gradient_bandwidth,
                 hiding_bandwidth(comm->gradient_bytes, times.activation_gradient.flops_time, context, machine));
  }
}

}  // namespace

LayerTimes layer_times(const Layer& layer, const LayerContext& context, const LayerMachine& machine) {
  const EngineRate& engine = layer.engine == EngineKind::matrix ? machine.matrix : machine.vector;
  LayerTimes times;
  times.forward = plain_stage(layer.forward_flops, layer.forward_bytes, engine, machine.system);
  times.activation_gradient =
      plain_stage(layer.activation_gradient_flops, layer.activation_gradient_bytes, engine, machine.system);
  times.weight_gradient = plain_stage(layer.weight_gradient_flops, layer.weight_gradient_bytes, engine, machine.system);
  if (layer.kind == LayerKind::plain || context.tensor_parallel == 1) return times;
  if (layer.kind == LayerKind::overlapped) {
    overlap(times, layer, context, machine);
    return times;
  }
  times.base = comm_layer_times(layer, context, machine, times, BlockPlace::base);
  times.edge = comm_layer_times(layer, context, machine, times, BlockPlace::edge);
  for (StageTime* stage : {&times.forward, &times.activation_gradient, &times.weight_gradient}) stage->time = 0.0;
  return times;
}

double optimizer_bytes(const Layer& layer, const LayerContext& context, std::int64_t shards) {
  const double master_copy = context.element_bytes < 4 ? layer.weights * 4.0 : 0.0;
  const double moments = 2.0 * layer.weights * 4.0;
  return (master_copy + moments) / real(shards);
}

StageTime optimizer_step(const Layer& layer, const LayerContext& context, const LayerMachine& machine,
                         std::int64_t shards) {
  const ExactCount flops = ExactCount::fraction(layer.weights / real(shards) * 11.0);
  return plain_stage(flops, optimizer_bytes(layer, context, shards), machine.vector, machine.system);
}

}  // namespace dfsweep::calculon
