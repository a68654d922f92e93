/// Workload, layout and mapping of one combination of codes.
#include "models/dataflow/points/point_model.hpp"

#include <algorithm>
#include <cmath>

#include "models/dataflow/mapping/joint_mapping.hpp"
#include "models/dataflow/mapping/staged_mapping.hpp"
#include "models/expect.hpp"

namespace dfsweep::dataflow {

namespace {

double word_bytes_of(const std::string& precision) {
  if (precision == "fp32") return 4.0;
  if (precision == "bf16" || precision == "fp16") return 2.0;
  return precision == "fp8" ? 1.0 : absent;
}

/// Prices of the collectives of a layout in seconds per pass.
ShardingPrices prices_in_time(const Layout& layout, const StepInputs& inputs, double each_share) {
  const NetworkRates rates = network_rates(layout, inputs);
  ShardingPrices prices{.counted = ShardingPrices::Counted::shard_of_source, .of = {}};
  for (const Collective c : all_of<Collective>)
    prices.of[c] = {rates[c].byte.value(), rates[c].each.value() * each_share};
  return prices;
}

PhaseOrder phase_order_of(const std::string& name) {
  if (name == "halves") return PhaseOrder::halves;
  if (name == "separate") return PhaseOrder::separate;
  return name == "one_mixed" ? PhaseOrder::one_mixed : PhaseOrder::free;
}

/// The partitions of the kernels of `part`, all of which `graph` has too, by name. Empty where `assignment` is.
Assignment restricted_to(const Assignment& assignment, const Graph& graph, const Graph& part) {
  Assignment result;
  if (assignment.empty()) return result;
  for (const Kernel& kernel : part.kernels)
    for (std::size_t k = 0; k < graph.kernels.size(); ++k)
      if (graph.kernels[k].name == kernel.name) result.push_back(assignment[k]);
  return result;
}

}  // namespace

Workload PointModel::workload(const Codes& codes) const {
  WorkloadChoices choices;
  choices.phase = text(codes, Parameter::phase) == "prefill" ? Phase::prefill : Phase::train;
  choices.sequence_length = number(codes, Parameter::sequence_length);
  choices.word_bytes = word_bytes_of(text(codes, Parameter::precision));
  choices.layer_detail = convention_of(codes).layer_detail;
  DecodedWorkload decoded = decode_workload(*values_[Parameter::model].values[codes[Parameter::model]].entry, choices);
  DFSWEEP_EXPECT(decoded.problems.empty());  // checked when the values were decoded
  return std::move(decoded.workload);
}

LayoutRequest PointModel::layout_request(const Codes& codes) const {
  LayoutRequest request;
  request.topology = decoded_.topologies[codes[Parameter::topology]];
  request.shape = decoded_.shapes[codes[Parameter::shape]];
  request.device_count = number(codes, Parameter::device_count);
  request.tensor_parallel = number(codes, Parameter::tensor_parallel);
  request.pipeline_parallel = number(codes, Parameter::pipeline_parallel);
  request.data_parallel = number(codes, Parameter::data_parallel);
  request.high_bandwidth_domain = number(codes, Parameter::high_bandwidth_domain);
  request.all_reduce_passes = number(codes, Parameter::all_reduce_passes);
  request.interleaving = number(codes, Parameter::interleaving);
  const std::string& roles = text(codes, Parameter::dimension_roles);
  for (const RoleChoice& choice : role_choices)
    if (choice.name == roles) request.roles = &choice;
  return request;
}

Layout PointModel::layout(const Codes& codes, const Workload& workload) const {
  return layout_of(layout_request(codes), workload, convention_of(codes));
}

SinkSharding PointModel::sink_of(const Codes& codes, const Workload& workload) const {
  const Convention& c = convention_of(codes);
  const SinkSharding of_phase = workload.phase == Phase::train ? c.training_sink : c.prefill_sink;
  return decoded_.sink_shardings[codes[Parameter::sink_sharding]].value_or(of_phase);
}

std::optional<std::vector<ShardDimension>> PointModel::sharding(const Codes& codes, const Workload& workload,
                                                                const Layout& layout) const {
  if (workload.spread != Spread::tensor_parallel || layout.split.tensor <= 1.0) return std::vector<ShardDimension>{};
  const Convention& c = convention_of(codes);
  const SinkSharding sink = sink_of(codes, workload);
  ShardingPrices prices;
  if (text(codes, Parameter::sharding) != "least_bytes") {
    const StepInputs in = inputs(codes, workload.global_batch);
    prices = prices_in_time(layout, in, c.pass_unit == PassUnit::micro_batch ? 1.0 / in.micro_batch : 1.0);
  }
  return best_sharding(workload.graph, layout.split.tensor, workload.word_bytes, prices, sink);
}

PartitionRules PointModel::rules(const Codes& codes, const Workload& workload) const {
  const Convention& c = convention_of(codes);
  const bool reloads = text(codes, Parameter::weight_reload) == "by_sram";
  const WeightTraffic of_phase = workload.phase == Phase::train ? c.training_weights : c.prefill_weights;
  return {decoded_.sram_accountings[codes[Parameter::sram_accounting]].value_or(c.sram_accounting),
          reloads ? WeightTraffic::unless_resident : of_phase, reloads ? WeightReload::by_sram : WeightReload::none};
}

Assignment PointModel::assignment(const Codes& codes, const Workload& workload) const {
  const MappingValue& value = decoded_.mappings[codes[Parameter::mapping]];
  switch (value.kind) {
    case MappingValue::Kind::kernel_by_kernel:
      return kernel_by_kernel(workload.graph);
    case MappingValue::Kind::single_partition:
      return single_partition(workload.graph);
    case MappingValue::Kind::best:
    case MappingValue::Kind::given:
      break;
  }
  return assignment_for(workload.graph, value.given);
}

MappedWorkload PointModel::mapped_at_best(const Codes& codes, const Workload& workload, const Layout& layout,
                                          std::vector<ShardDimension> dimensions, MappingRequest request) const {
  const StepInputs in = inputs(codes, workload.global_batch);
  BestMapping best;
  if (!batches_of(workload, layout, *request.convention, in).whole) {
    best.capacity = true;  // the point is invalid with every mapping
    best.problem = "the batch does not divide evenly";
  } else if (text(codes, Parameter::sharding) == "joint" && !dimensions.empty()) {
    JointMapping joint = joint_mapping(workload, layout, request.rules, in, device_of(codes), request,
                                       sink_of(codes, workload), dimensions);
    dimensions = std::move(joint.sharding);
    best = std::move(joint.mapping);
  } else {
    const PartitionModel partitions(workload, dimensions, layout.split, request.rules);
    best = best_mapping(partitions, layout, in, device_of(codes), request);
  }
  const bool found = best.problem.empty();
  // Where the chip is too small, one kernel per partition gives the required memory.
  request.assignment = found ? best.assignment : kernel_by_kernel(workload.graph);
  if (found)
    request.num_tile = best.num_tile;
  else
    request.limits = {};
  const PartitionModel partitions(workload, dimensions, layout.split, request.rules);
  MappedWorkload mapped = mapped_workload(partitions, request);
  mapped.sharding = std::move(dimensions);
  if (found) mapped.optimality_gap = best.gap;
  if (!found) (best.capacity ? mapped.shortage : mapped.problem) = best.problem;
  return mapped;
}

MappedWorkload PointModel::mapped_in_stages(const Codes& codes, const Workload& workload, const Layout& layout,
                                            std::vector<ShardDimension> dimensions, MappingRequest request) const {
  InsideStage inside = InsideStage::kernel_by_kernel;
  switch (decoded_.mappings[codes[Parameter::mapping]].kind) {
    case MappingValue::Kind::kernel_by_kernel:
      break;
    case MappingValue::Kind::single_partition:
      inside = InsideStage::single_partition;
      break;
    case MappingValue::Kind::best:
      inside = InsideStage::best;
      break;
    case MappingValue::Kind::given:
      inside = InsideStage::given;
      request.assignment = assignment(codes, workload);
      break;
  }
  const PartitionModel partitions(workload, dimensions, layout.split, request.rules);
  MappedWorkload mapped =
      staged_workload(partitions, layout, inputs(codes, workload.global_batch), device_of(codes), request, inside);
  mapped.sharding = std::move(dimensions);
  return mapped;
}

MappingRequest PointModel::request(const Codes& codes, const Workload& workload) const {
  MappingRequest request;
  request.limits.partitions = number(codes, Parameter::partitions);
  request.limits.max_partitions = number(codes, Parameter::max_partitions);
  request.limits.phase_order = phase_order_of(text(codes, Parameter::phase_order));
  request.rules = rules(codes, workload);
  request.num_tile = number(codes, Parameter::num_tile);
  request.device = decoded_.some_cycle_model ? &decoded_.devices[codes[Parameter::device]] : nullptr;
  request.convention = &convention_of(codes);
  return request;
}

MappedWorkload PointModel::mapped_graph(const Codes& codes, const Workload& workload, const Layout& layout,
                                        const Assignment& given, const OtherLayers& other, Reasons reasons) const {
  const std::optional<std::vector<ShardDimension>> dimensions = sharding(codes, workload, layout);
  if (!dimensions) {
    MappedWorkload unmapped;
    unmapped.problem = "the graph has too many dependences for an exact sharding";
    return unmapped;
  }
  MappingRequest request = this->request(codes, workload);
  request.reasons = reasons;
  request.other = other;
  const bool is_searched = decoded_.mappings[codes[Parameter::mapping]].kind == MappingValue::Kind::best;
  if (request.rules.reload == WeightReload::by_sram && (is_searched || layout.stages_per_graph > 1.0)) {
    MappedWorkload unmapped;
    unmapped.problem = "weight_reload = by_sram needs a mapping other than best, and stages of whole layers";
    return unmapped;
  }
  if (layout.stages_per_graph > 1.0) return mapped_in_stages(codes, workload, layout, *dimensions, request);
  if (is_searched) return mapped_at_best(codes, workload, layout, *dimensions, request);
  request.assignment = given;
  MappedWorkload mapped = mapped_workload(PartitionModel(workload, *dimensions, layout.split, request.rules), request);
  mapped.sharding = *dimensions;
  return mapped;
}

OtherLayers PointModel::other_layers(const Codes& codes, const Workload& workload, const Layout& layout,
                                     double share) const {
  const std::vector<ShardDimension> dimensions =
      sharding(codes, workload, layout).value_or(std::vector<ShardDimension>{});
  if (dimensions.empty() && layout.split.tensor > 1.0) return {};  // it has no mapping
  MappingRequest request = this->request(codes, workload);
  request.assignment = kernel_by_kernel(workload.graph);
  request.limits = {};
  request.num_tile = 0.0;
  request.device = nullptr;
  const MappedWorkload amounts =
      mapped_workload(PartitionModel(workload, dimensions, layout.split, request.rules), request);
  return {share, amounts.state, amounts.kept, amounts.utilization_schedules.front().resident.of_layer};
}

MappedWorkload PointModel::mapped(const Codes& codes, const Workload& workload, const Layout& layout,
                                  Reasons reasons) const {
  if (!workload.unsupported.empty()) {
    MappedWorkload unmapped;
    unmapped.unsupported = workload.unsupported;
    return unmapped;
  }
  const Assignment given = assignment(codes, workload);
  if (!workload.dense) return mapped_graph(codes, workload, layout, given, {}, reasons);
  const bool is_file = decoded_.mappings[codes[Parameter::mapping]].kind == MappingValue::Kind::given;
  const Assignment given_dense =
      is_file ? restricted_to(given, workload.graph, workload.dense->graph) : assignment(codes, *workload.dense);
  const OtherLayers dense_layers = other_layers(codes, *workload.dense, layout, workload.dense_share);
  const OtherLayers expert_layers = other_layers(codes, workload, layout, 1.0 - workload.dense_share);
  MappedWorkload mapped = mapped_graph(codes, workload, layout, given, dense_layers, reasons);
  MappedWorkload dense = mapped_graph(codes, *workload.dense, layout, given_dense, expert_layers, reasons);
  if (mapped.problem.empty()) mapped.problem = dense.problem;
  if (mapped.shortage.empty()) mapped.shortage = dense.shortage;
  mapped.optimality_gap = std::max(mapped.optimality_gap, dense.optimality_gap);
  mapped.dense_share = workload.dense_share;
  mapped.dense = std::make_shared<const MappedWorkload>(std::move(dense));
  return mapped;
}

std::optional<MappedWorkload> PointModel::whole(const Codes& codes, const Workload& workload,
                                                const Layout& layout) const {
  if (workload.spread != Spread::tensor_parallel || workload.dense) return std::nullopt;
  if (layout.split.tensor > 1.0 && text(codes, Parameter::sharding) != "least_bytes") return std::nullopt;
  const std::optional<std::vector<ShardDimension>> dimensions = sharding(codes, workload, layout);
  if (!dimensions) return std::nullopt;
  MappingRequest request = this->request(codes, workload);
  request.assignment = single_partition(workload.graph);
  request.limits = {};
  request.num_tile = 0.0;
  request.device = nullptr;
  return mapped_workload(PartitionModel(workload, *dimensions, layout.split, request.rules), request);
}

}  // namespace dfsweep::dataflow
