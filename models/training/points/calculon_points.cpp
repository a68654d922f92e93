#include "models/training/points/calculon_points.hpp"

#include <algorithm>

namespace dfsweep::training::calculon {

namespace {

using enum Parameter;

template <Parameter... parameters>
constexpr std::array<ParameterIndex, sizeof...(parameters)> group{index_of(parameters)...};

constexpr auto layout_group = group<model, system, device_count, tensor_parallel, pipeline_parallel, data_parallel,
                                    tensor_network, pipeline_network, data_network, sequence_length, precision>;
constexpr auto split_group = group<model, sequence_length, device_count, tensor_parallel, pipeline_parallel,
                                   data_parallel, global_batch, max_batch, micro_batch>;
constexpr auto chunk_group = group<model, pipeline_parallel, interleaving>;
constexpr auto option_group =
    group<phase, fused_activation, attention, recompute, optimizer_sharding, tensor_comm, tensor_overlap,
          sequence_parallel_redo, data_overlap, weight_offload, activation_offload, optimizer_offload>;
constexpr auto block_group =
    group<model, sequence_length, system, precision, tensor_parallel, tensor_network, micro_batch, phase,
          fused_activation, attention, recompute, tensor_comm, tensor_overlap, sequence_parallel_redo>;
constexpr auto optimizer_group = group<model, system, precision, device_count, tensor_parallel, pipeline_parallel,
                                       data_parallel, phase, attention, tensor_overlap, optimizer_sharding>;
constexpr auto useful_group =
    group<model, sequence_length, device_count, tensor_parallel, pipeline_parallel, data_parallel, micro_batch, phase,
          attention, tensor_comm, tensor_overlap, optimizer_sharding>;

/// Options at which a rule on them holds for these degrees: the degrees are 1, or else 2.
Execution with_smallness(Execution execution, const Smallness& small) {
  execution.tensor_parallel = small.tensor ? 1 : 2;
  execution.data_parallel = small.data ? 1 : 2;
  return execution;
}

/// The first rule on options, for degrees and stages of this smallness.
Rejection options_rule(const Execution& options, const Smallness& small) {
  ModelShape stage;
  stage.blocks = small.blocks ? 2 : 3;
  return earlier(option_rules(with_smallness(options, small)), offload_rules(stage, options));
}

}  // namespace

CalculonPoints::CalculonPoints(const SweepValues& values, const DecodedValues& decoded)
    : decoded_(decoded),
      layouts_(values, layout_group),
      splits_(values, split_group),
      chunks_(values, chunk_group),
      options_(values, option_group),
      blocks_(values, block_group),
      optimizers_(values, optimizer_group),
      useful_(values, useful_group) {}

std::int64_t CalculonPoints::whole(Parameter parameter, const Codes& codes, std::size_t i) const {
  return decoded_.whole[parameter][codes.code(parameter, i)];
}

Layout CalculonPoints::layout_of(const Codes& codes, std::size_t i) const {
  const auto value = [&](Parameter parameter) { return whole(parameter, codes, i); };
  const auto value_or = [&](Parameter parameter, std::int64_t otherwise) {
    return value(parameter) == derived ? otherwise : value(parameter);
  };
  Layout layout;
  layout.model = decoded_.models[codes.code(model, i)].shape;
  layout.model.sequence = value_or(sequence_length, layout.model.sequence);
  layout.system = &decoded_.systems[codes.code(system, i)];
  const System& machine = layout.system->system;
  const auto last_tier = static_cast<std::int64_t>(machine.networks.size()) - 1;
  Execution& x = layout.execution;
  x.processors = value(device_count);
  x.tensor_parallel = value(tensor_parallel);
  x.pipeline_parallel = value(pipeline_parallel);
  const std::int64_t others = std::max<std::int64_t>(x.tensor_parallel * x.pipeline_parallel, 1);
  x.data_parallel = value_or(data_parallel, std::max<std::int64_t>(x.processors / others, 1));
  x.tensor_network = value(tensor_network);
  x.pipeline_network = value_or(pipeline_network, last_tier);
  x.data_network = value_or(data_network, last_tier);
  x.datatype = datatype_of(value(precision));
  layout.rule = degree_rules(x);
  if (layout.rule != Rejection::none) return layout;
  layout.rule =
      earlier(earlier(network_rules(machine, x), datatype_rules(machine, x.datatype)), tensor_rules(layout.model, x));
  return layout;
}

BatchSplit CalculonPoints::split_of(const Codes& codes, std::size_t i, const Layout& layout) const {
  Execution x = layout.execution;
  const std::int64_t given = whole(global_batch, codes, i);
  const std::int64_t limit = whole(max_batch, codes, i);
  const std::int64_t most = limit == derived ? decoded_.models[codes.code(model, i)].global_batch : limit;
  x.global_batch = given == derived ? most / x.data_parallel * x.data_parallel : given;
  x.micro_batch = whole(micro_batch, codes, i);
  BatchSplit split;
  split.global_batch = x.global_batch;
  split.micro_batch = x.micro_batch;
  split.rule = batch_rules(x);
  if (split.rule != Rejection::none) return split;
  x.tensor_comm = TensorComm::reduce_scatter_all_gather;
  split.split_rule = token_rules(layout.model, x);
  const StageShape shape = stage_shape(layout.model, x);
  split.micro_batches = shape.micro_batches;
  split.left_over = shape.left_over;
  return split;
}

Chunks CalculonPoints::chunks_of(const Codes& codes, std::size_t i, const Layout& layout) const {
  Execution x = layout.execution;
  Chunks chunks;
  chunks.interleaving = x.interleaving = whole(interleaving, codes, i);
  chunks.rule = interleaving_rules(layout.model, x);
  x.data_parallel = 1;  // the micro batches of the shape are set later
  if (chunks.rule != Rejection::interleaving_not_positive) chunks.shape = stage_shape(layout.model, x);
  return chunks;
}

Options CalculonPoints::options_of(const Codes& codes, std::size_t i) const {
  const auto value = [&](Parameter parameter) { return whole(parameter, codes, i); };
  const auto flag = [&](Parameter parameter) { return value(parameter) != 0; };
  Options options;
  Execution& x = options.execution;
  x.fused_activation = flag(fused_activation);
  x.attention = attention_of(value(attention));
  x.recompute = recompute_of(value(recompute));
  x.optimizer_sharding = flag(optimizer_sharding);
  x.tensor_comm = tensor_comm_of(value(tensor_comm));
  x.tensor_overlap = tensor_overlap_of(value(tensor_overlap));
  x.sequence_parallel_redo = flag(sequence_parallel_redo);
  x.data_overlap = flag(data_overlap);
  x.weight_offload = flag(weight_offload);
  x.activation_offload = flag(activation_offload);
  x.optimizer_offload = flag(optimizer_offload);
  x.training = value(phase) == 0;
  for (const bool tensor : {false, true})
    for (const bool data : {false, true})
      for (const bool blocks : {false, true}) {
        const Smallness small{tensor, data, blocks};
        options.rules[small.index()] = options_rule(x, small);
      }
  return options;
}

CalculonPoint CalculonPoints::at(const PointColumns& points, const Codes& codes, std::size_t i,
                                 PointScratch& scratch) const {
  CalculonPoint point;
  const Layout& layout = layouts_.at(points, i, scratch.layout, [&] { return layout_of(codes, i); });
  point.layout = &layout;
  const Execution& degrees = layout.execution;
  if (layout.rule != Rejection::none && layout.rule <= Rejection::degrees_product) {
    point.rejection = layout.rule;
    return point;
  }
  const BatchSplit& split = splits_.at(points, i, scratch.split, [&] { return split_of(codes, i, layout); });
  const Chunks& chunks = chunks_.at(points, i, scratch.chunks, [&] { return chunks_of(codes, i, layout); });
  const Options& options = options_.at(points, i, scratch.options, [&] { return options_of(codes, i); });
  const Smallness small{degrees.tensor_parallel == 1, degrees.data_parallel == 1, chunks.shape.blocks <= 2.0};
  point.rejection = earlier(earlier(layout.rule, split.rule), earlier(chunks.rule, options.rules[small.index()]));
  if (options.execution.tensor_comm != TensorComm::all_reduce)
    point.rejection = earlier(point.rejection, split.split_rule);

  Execution& x = point.execution = options.execution;
  x.processors = degrees.processors;
  x.tensor_parallel = degrees.tensor_parallel;
  x.pipeline_parallel = degrees.pipeline_parallel;
  x.data_parallel = degrees.data_parallel;
  x.tensor_network = degrees.tensor_network;
  x.pipeline_network = degrees.pipeline_network;
  x.data_network = degrees.data_network;
  x.datatype = degrees.datatype;
  x.global_batch = split.global_batch;
  x.micro_batch = split.micro_batch;
  x.interleaving = chunks.interleaving;
  point.shape = chunks.shape;
  point.shape.micro_batches = split.micro_batches;
  point.shape.left_over = split.left_over;
  return point;
}

BatchInputs CalculonPoints::inputs(const CalculonPoint& point, const PointColumns& points, std::size_t i,
                                   PointScratch& scratch) const {
  const System& machine = point.layout->system->system;
  const auto setting = [&] { return block_setting(point.layout->model, point.execution); };
  const BlockSums& block = blocks_.at(points, i, scratch.block,
                                      [&] { return block_sums(setting(), layer_machine(machine, point.execution)); });
  const OptimizerSums& optimizer = optimizers_.at(points, i, scratch.optimizer, [&] {
    return optimizer_sums(setting(), layer_machine(machine, point.execution), shards_of(point.execution));
  });
  return {block, optimizer, machine, point.execution, point.shape};
}

const ExactCount& CalculonPoints::useful(const CalculonPoint& point, const PointColumns& points, std::size_t i,
                                         PointScratch& scratch) const {
  return useful_.at(points, i, scratch.useful, [&] {
    return useful_flops(block_setting(point.layout->model, point.execution), shards_of(point.execution));
  });
}

}  // namespace dfsweep::training::calculon
