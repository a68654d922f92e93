#include "models/training/points/point_parts.hpp"

#include <cmath>

#include "models/absent.hpp"
#include "models/cost/columns.hpp"
#include "models/cost/step_power.hpp"
#include "models/machine/network.hpp"
#include "models/training/memory/footprint.hpp"

namespace dfsweep::training {

namespace {

/// Choices in the order of the published table; nothing: they are unknown.
constexpr std::optional<Recompute> recompute_choices[] = {
    Recompute::full,        Recompute::attention, Recompute::none, Recompute::selective,
    Recompute::elementwise, Recompute::latent,    std::nullopt};
constexpr std::optional<NumberFormat> format_choices[] = {std::nullopt,      NumberFormat::bf16, NumberFormat::fp16,
                                                          NumberFormat::fp8, NumberFormat::fp4,  std::nullopt,
                                                          NumberFormat::int8};
constexpr std::optional<TensorOverlap> overlap_choices[] = {TensorOverlap::none, TensorOverlap::overlapped,
                                                            TensorOverlap::overlapped, std::nullopt};

/// The system of the point with what the sweep replaces. Pre: it has a system, or a device and a memory.
System system_of(const DecodedValues& values, const PointValues& v) {
  using enum Parameter;
  const std::optional<System>& named = values.systems[v.code(system)];
  const std::optional<Interconnect>& inside = values.interconnects[v.code(interconnect)];
  const std::optional<Interconnect>& across = values.outer_interconnects[v.code(outer_interconnect)];
  const Interconnect links = inside.value_or(Interconnect{});
  System result = named ? *named
                        : built_system(*values.devices[v.code(device)], *values.memories[v.code(memory)], links,
                                       across.value_or(links));
  Accelerator& a = result.accelerator;
  a.memory_bandwidth = Bandwidth{v.number_or(dram_bandwidth, a.memory_bandwidth.value())};
  a.memory_capacity = Bytes{v.number_or(dram_capacity, a.memory_capacity.value())};
  if (is_given(v.number(peak_flops)))
    a = with_peak(a, v.choice(precision, format_choices).value_or(NumberFormat::bf16),
                  Throughput{v.number(peak_flops)});
  Network& n = result.network;
  n.enclosures.node = v.number_or(node_devices, n.enclosures.node);
  if (is_given(v.number(node_links))) n.node_links = v.choice<NodeLinks>(node_links);
  n.inside.bandwidth =
      Bandwidth{v.number_or(device_link_bandwidth, v.number_or(link_bandwidth, n.inside.bandwidth.value()))};
  n.across.bandwidth = Bandwidth{v.number_or(outer_link_bandwidth, n.across.bandwidth.value())};
  return result;
}

/// The network with its dimensions, where a topology is given; nothing where its shape does not fit. A node of a built
/// system is what the first dimension joins, or all of a mesh.
std::optional<Network> network_of(const DecodedValues& values, const PointValues& v, const Network& tiers) {
  using enum Parameter;
  const std::optional<Topology>& joined = values.topologies[v.code(topology)];
  const Shape& sizes = values.shapes[v.code(shape)];
  if (!joined) return sizes.count > 0 ? std::nullopt : std::optional(tiers);
  const double devices = v.number(device_count);
  if (devices < 1) return tiers;
  Network open = tiers;
  if (!values.systems[v.code(system)] && !is_given(v.number(node_devices))) {
    const bool is_mesh = !is_hierarchical(*joined);
    if (is_mesh) open.enclosures.node = sizes.count > 0 ? chips_of(sizes) : devices;
    if (!is_mesh && sizes.count > 0) open.enclosures.node = sizes.sizes[0];
  }
  return arranged(open, *joined, sizes, devices);
}

/// Whether the bandwidth inside a node is that of one link.
bool is_of_one_link(const DecodedValues& values, const PointValues& v) {
  using enum Parameter;
  return !is_given(v.number(device_link_bandwidth)) &&
         (is_given(v.number(link_bandwidth)) || !values.systems[v.code(system)]);
}

Evidence evidence_of(const DecodedValues& values, const PointValues& v) {
  using enum Parameter;
  const bool replaces_chip =
      is_given(v.number(peak_flops)) || is_given(v.number(dram_bandwidth)) || is_given(v.number(dram_capacity));
  return replaces_chip ? Evidence::not_measured : values.evidence.at(v.code(system), v.code(software));
}

cost::StatedCosts stated_costs(const PointValues& v) {
  cost::StatedCosts stated = cost::stated_costs<Parameter>([&](Parameter p) { return v.number(p); });
  stated.power_limit = v.number(Parameter::power_limit);
  return stated;
}

/// The address of what a point names; null where it names nothing.
template <class Value>
const Value* named(const std::vector<std::optional<Value>>& list, std::size_t code) {
  return list[code] ? &*list[code] : nullptr;
}

cost::Bill bill_with(const DecodedValues& values, const PointValues& v, const System& machine,
                     const cost::StatedCosts& stated) {
  using enum Parameter;
  const cost::NamedParts parts{named(values.systems, v.code(system)), named(values.devices, v.code(device)),
                               named(values.memories, v.code(memory)),
                               named(values.interconnects, v.code(interconnect)),
                               named(values.outer_interconnects, v.code(outer_interconnect))};
  const MatrixFormat format = format_at(v, machine.accelerator.formats).format;
  return cost::bill_of(parts, {machine, v.number(peak_flops), v.number(dram_capacity), format}, stated);
}

/// Lowers the clock of the machine as power_limit asks.
Rule limit_power(const DecodedValues& values, const PointValues& v, System& machine) {
  const double limit = v.number(Parameter::power_limit);
  if (!is_given(limit)) return Rule::none;
  cost::StatedCosts stated = stated_costs(v);
  stated.power_limit = absent;
  const cost::Bill full = bill_with(values, v, machine, stated);
  if (Watts{limit} <= full.idle) return Rule::power;
  const double clock = cost::clock_share({full.idle, full.limit}, Watts{limit});
  Accelerator& a = machine.accelerator;
  for (Throughput* peak : {&a.peak_16bit, &a.peak_8bit, &a.peak_4bit}) *peak = clock * *peak;
  return Rule::none;
}

Parallelism parallelism(const PointValues& v) {
  using enum Parameter;
  Parallelism p;
  p.tensor = v.number(tensor_parallel);
  p.context = v.number(context_parallel);
  p.pipeline = v.number(pipeline_parallel);
  p.expert = v.number(expert_parallel);
  p.expert_tensor = v.number(expert_tensor_parallel);
  p.data = v.number_or(data_parallel, std::floor(v.number(device_count) / (p.tensor * p.context * p.pipeline)));
  p.chunks_per_stage = v.number(interleaving);
  p.sequence_parallel = v.flag(sequence_parallel);
  return p;
}

/// Stacks divide layers evenly where they can, and give the ends fewer where they cannot.
StageSplit stage_split_of(const Architecture& model, const Parallelism& p, const PointValues& v) {
  if (is_given(v.number(Parameter::stage_split))) return v.choice<StageSplit>(Parameter::stage_split);
  return std::fmod(all_layers(model), p.pipeline) == 0 ? StageSplit::even : StageSplit::balanced;
}

bool divides(double part, double whole) {
  return std::fmod(whole, part) == 0.0;
}

ChunkLayers chunk_layers(const Architecture& model, const Execution& e) {
  const double chunks = e.parallel.pipeline * e.parallel.chunks_per_stage;
  if (divides(chunks, all_layers(model))) return ChunkLayers::equal;
  return has_lighter_ends(model, e) ? ChunkLayers::lighter_ends : ChunkLayers::uneven;
}

Rule degrees_rule(const Architecture& model, const Parallelism& p, double devices) {
  if (devices < 1) return Rule::devices;
  if (p.tensor < 1) return Rule::tensor;
  if (p.pipeline < 1) return Rule::pipeline;
  if (p.data < 1) return Rule::data;
  if (device_count(p) != devices) return Rule::product;
  if (p.chunks_per_stage < 1) return Rule::interleaving;
  if (p.chunks_per_stage > 1 && p.pipeline <= 1) return Rule::one_stage;
  if (!(model.vocabulary >= 1)) return Rule::vocabulary;
  if (has_unlike_attention(model)) return Rule::attention;
  if (p.pipeline * p.chunks_per_stage > all_layers(model) + 2) return Rule::stages;
  const double experts = model.experts.count;
  const bool divided = divides(p.tensor, model.heads) && divides(expert_ranks(p), p.tensor * p.context * p.data) &&
                       (expert_ranks(p) == 1 || (experts > 0 && divides(p.expert, experts) &&
                                                 divides(p.expert_tensor, model.experts.ffn_hidden)));
  return divided ? Rule::none : Rule::divisors;
}

Rule batch_rule(const Batch& batch, double data) {
  if (!(batch.global >= 1)) return Rule::batch;
  if (batch.micro < 1) return Rule::micro_batch;
  if (!(batch.sequence >= 1)) return Rule::sequence;
  return batch.global >= data * batch.micro ? Rule::none : Rule::batch_size;
}

}  // namespace

Machine machine_at(const DecodedValues& values, const PointValues& v) {
  Machine machine;
  machine.system = system_of(values, v);
  const std::optional<Network> network = network_of(values, v, machine.system.network);
  machine.network = network.value_or(machine.system.network);
  if (!network) machine.rule = Rule::shape;
  if (is_of_one_link(values, v)) {
    const double links = links_of_device(machine.network);
    machine.network.inside.bandwidth = links * machine.network.inside.bandwidth;
    machine.system.network.inside.bandwidth = machine.network.inside.bandwidth;
  }
  machine.rule = std::min(machine.rule, limit_power(values, v, machine.system));
  const std::size_t code = v.code(Parameter::software);
  if (values.software[code]) machine.software = *values.software[code];
  if (values.capabilities[code]) machine.stack = &*values.capabilities[code];
  machine.evidence = evidence_of(values, v);
  return machine;
}

cost::Bill bill_at(const DecodedValues& values, const PointValues& v, const System& system) {
  return bill_with(values, v, system, stated_costs(v));
}

ProductFormat format_at(const PointValues& v, const NumberFormats& formats) {
  ProductFormat result;
  if (const auto asked = v.choice(Parameter::precision, format_choices))
    result.products = computed_format(*asked, formats);
  result.format = products_format(result.products.value_or(NumberFormat::bf16));
  if (!result.products) result.rule = Rule::format;
  return result;
}

Degrees degrees_at(const DecodedValues& values, const PointValues& v) {
  const Architecture& model = values.models[v.code(Parameter::model)];
  Degrees degrees;
  degrees.parallel = parallelism(v);
  degrees.split = stage_split_of(model, degrees.parallel, v);
  degrees.rule = degrees_rule(model, degrees.parallel, v.number(Parameter::device_count));
  return degrees;
}

BatchSizes batch_at(const DecodedValues& values, const PointValues& v, double data) {
  using enum Parameter;
  const double largest = v.number_or(max_batch, values.global_batches[v.code(model)]);
  BatchSizes sizes;
  sizes.batch.global = v.number_or(global_batch, std::floor(largest / data) * data);
  sizes.batch.micro = v.number(micro_batch);
  sizes.batch.sequence = v.number_or(sequence_length, values.sequence_lengths[v.code(model)]);
  sizes.rule = batch_rule(sizes.batch, data);
  return sizes;
}

Choices choices_at(const PointValues& v) {
  using enum Parameter;
  Choices choices;
  Execution& e = choices.execution;
  e.phase = v.choice<Phase>(phase);
  e.task = v.choice<Task>(task);
  e.capacity_factor = v.number(capacity_factor);
  e.attention = v.choice<AttentionKernel>(attention_kernel);
  e.context_exchange = v.choice<ContextExchange>(context_exchange);
  const std::optional<TensorOverlap> tiles = v.choice(tensor_overlap, overlap_choices);
  e.tensor_overlap = tiles.value_or(TensorOverlap::none);
  const std::optional<Recompute> repeated = v.choice(recompute, recompute_choices);
  e.recompute = repeated.value_or(Recompute::none);
  e.recomputed_layers = v.number(recomputed_layers);
  e.schedule = v.choice<Schedule>(schedule);
  e.activations_8bit = v.flag(activations_8bit);
  e.attention_8bit = v.flag(attention_8bit);
  e.step_graph = v.flag(step_graph);
  if (tiles) choices.overlap = v.choice<TileOverlap>(tensor_overlap);
  if (!tiles) choices.rule = Rule::overlap;
  if (!repeated) choices.rule = Rule::recompute;
  return choices;
}

Shards shards_at(const DecodedValues& values, const PointValues& v) {
  using enum Parameter;
  return {v.choice<Sharding>(optimizer_sharding), v.number(sharding_group), values.state_bytes[v.code(state_bytes)]};
}

Offload offload_at(const PointValues& v) {
  return {v.number(Parameter::activation_offload), v.number(Parameter::optimizer_offload)};
}

Execution execution_of(const ProductFormat& format, const Degrees& degrees, const BatchSizes& batch,
                       const Choices& choices) {
  Execution e = choices.execution;
  e.parallel = degrees.parallel;
  e.stage_split = degrees.split;
  e.batch = batch.batch;
  e.format = format.format;
  return e;
}

void set_shards(const Shards& shards, const KeptBytes& kept, Execution& e) {
  e.sharding = shards.sharding;
  e.sharding_group = shards.group;
  e.bytes = shards.bytes ? *shards.bytes : usual_state_bytes(e, kept);
}

std::optional<ShardedStates> demanded_sharding(const Execution& e) {
  const bool divides_states = e.phase == Phase::train || e.sharding == Sharding::parameters;
  if (!(e.parallel.data * e.parallel.context > 1 && divides_states)) return std::nullopt;
  return static_cast<ShardedStates>(e.sharding);
}

StackDemand demand_of(const Architecture& model, const Execution& e, const ProductFormat& format,
                      const Choices& choices) {
  constexpr PipelineOrder orders[] = {PipelineOrder::one_forward_one_backward, PipelineOrder::zero_bubble,
                                      PipelineOrder::dual_pipe};
  const Parallelism& p = e.parallel;
  const bool trains = e.phase == Phase::train;
  StackDemand demand;
  demand.format = format.products;
  if (trains && p.pipeline > 1) demand.schedule = orders[index_of(e.schedule)];
  if (demand.schedule == PipelineOrder::one_forward_one_backward && p.chunks_per_stage > 1) {
    demand.schedule = PipelineOrder::interleaved;
    demand.chunks = chunk_layers(model, e);
  }
  demand.sharding = demanded_sharding(e);
  if (p.tensor > 1) demand.overlap = choices.overlap;
  return demand;
}

Rule schedule_rule(const PipelineShape& shape) {
  switch (schedule_fit(shape)) {
    case ScheduleFit::runs:
      return Rule::none;
    case ScheduleFit::not_interleaved:
      return Rule::not_interleaved;
    case ScheduleFit::too_few_micro_batches:
      return Rule::few_micro_batches;
    case ScheduleFit::odd_number:
      return Rule::odd_number;
  }
  return Rule::none;
}

Rule host_rule(const Execution& e, const Accelerator& accelerator) {
  const bool offloads = e.offloaded_activations > 0 || e.offloaded_optimizer > 0;
  return offloads && !(accelerator.host_bandwidth > Bandwidth{}) ? Rule::host_memory : Rule::none;
}

}  // namespace dfsweep::training
