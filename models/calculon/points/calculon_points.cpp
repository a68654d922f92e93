#include "models/calculon/points/calculon_points.hpp"

#include <algorithm>
#include <utility>

namespace dfsweep::calculon {

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

/// The first rule that the point of a walk breaks, but for those on memory.
Rejection first_rule(const PointWalk& walk) {
  const Execution& degrees = walk.point.layout->execution;
  const Smallness small{degrees.tensor_parallel == 1, degrees.data_parallel == 1, walk.chunks->shape.blocks <= 2.0};
  const Rejection rule = earlier(earlier(walk.point.layout->rule, walk.split->rule),
                                 earlier(walk.chunks->rule, walk.options->rules[small.index()]));
  return walk.options->execution.tensor_comm == TensorComm::all_reduce ? rule : earlier(rule, walk.split->split_rule);
}

void set_degrees(Execution& x, const Execution& degrees) {
  x.processors = degrees.processors;
  x.tensor_parallel = degrees.tensor_parallel;
  x.pipeline_parallel = degrees.pipeline_parallel;
  x.data_parallel = degrees.data_parallel;
  x.tensor_network = degrees.tensor_network;
  x.pipeline_network = degrees.pipeline_network;
  x.data_network = degrees.data_network;
  x.datatype = degrees.datatype;
}

/// Batches and chunks of the point of a walk.
void set_batches(PointWalk& walk) {
  CalculonPoint& point = walk.point;
  point.execution.global_batch = walk.split->global_batch;
  point.execution.micro_batch = walk.split->micro_batch;
  point.execution.interleaving = walk.chunks->interleaving;
  point.shape = walk.chunks->shape;
  point.shape.micro_batches = walk.split->micro_batches;
  point.shape.left_over = walk.split->left_over;
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
  x.data_parallel = 1;  // the micro-batches of the shape are set later
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

void CalculonPoints::number(const PointColumns& points, std::size_t first, RunNumbers& run) const {
  run.first = first;
  run.count = std::min(run_length, points.count() - first);
  const auto of = [&](PointTable table) { return std::span(run.of_table[table]).first(run.count); };
  layouts_.number(points, first, of(PointTable::layout));
  splits_.number(points, first, of(PointTable::split));
  chunks_.number(points, first, of(PointTable::chunks));
  options_.number(points, first, of(PointTable::options));
  blocks_.number(points, first, of(PointTable::block));
  optimizers_.number(points, first, of(PointTable::optimizer));
}

void CalculonPoints::number_useful(const PointColumns& points, RunNumbers& run) const {
  useful_.number(points, run.first, std::span(run.of_useful).first(run.count));
}

const CalculonPoint& CalculonPoints::go_to(const RunNumbers& run, std::size_t k, const Codes& codes,
                                           PointWalk& walk) const {
  const std::size_t i = run.first + k;
  const bool was_at_point = std::exchange(walk.is_at_point, true);
  const auto differs = [&](PointTable table) {
    return std::exchange(walk.numbers[table], run.of_table[table][k]) != run.of_table[table][k] || !was_at_point;
  };
  CalculonPoint& point = walk.point;
  const bool other_layout = differs(PointTable::layout);
  if (other_layout)
    point.layout = &layouts_.at(walk.numbers[PointTable::layout], walk.own_layout, [&] { return layout_of(codes, i); });
  const Layout& layout = *point.layout;
  if (layout.rule != Rejection::none && layout.rule <= Rejection::degrees_product) {
    point.rejection = layout.rule;
    walk.is_at_point = false;
    return point;
  }
  const bool other_split = differs(PointTable::split);
  if (other_split)
    walk.split =
        &splits_.at(walk.numbers[PointTable::split], walk.own_split, [&] { return split_of(codes, i, layout); });
  const bool other_chunks = differs(PointTable::chunks);
  if (other_chunks)
    walk.chunks =
        &chunks_.at(walk.numbers[PointTable::chunks], walk.own_chunks, [&] { return chunks_of(codes, i, layout); });
  const bool other_options = differs(PointTable::options);
  if (other_options)
    walk.options =
        &options_.at(walk.numbers[PointTable::options], walk.own_options, [&] { return options_of(codes, i); });
  if (!other_layout && !other_split && !other_chunks && !other_options) return point;
  point.rejection = first_rule(walk);
  if (other_options) point.execution = walk.options->execution;
  if (other_options || other_layout) set_degrees(point.execution, layout.execution);
  if (other_options || other_split || other_chunks) set_batches(walk);
  return point;
}

BatchInputs CalculonPoints::inputs(const RunNumbers& run, std::size_t k, PointWalk& walk) const {
  const CalculonPoint& point = walk.point;
  const System& machine = point.layout->system->system;
  const auto setting = [&] { return block_setting(point.layout->model, point.execution); };
  const BlockSums& block = blocks_.at(run.of_table[PointTable::block][k], walk.own_block,
                                      [&] { return block_sums(setting(), layer_machine(machine, point.execution)); });
  const OptimizerSums& optimizer = optimizers_.at(run.of_table[PointTable::optimizer][k], walk.own_optimizer, [&] {
    return optimizer_sums(setting(), layer_machine(machine, point.execution), shards_of(point.execution));
  });
  return {block, optimizer, machine, point.execution, point.shape};
}

const ExactCount& CalculonPoints::useful(const RunNumbers& run, std::size_t k, PointWalk& walk) const {
  const CalculonPoint& point = walk.point;
  return useful_.at(run.of_useful[k], walk.own_useful, [&] {
    return useful_flops(block_setting(point.layout->model, point.execution), shards_of(point.execution));
  });
}

}  // namespace dfsweep::calculon
