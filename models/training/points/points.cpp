#include "models/training/points/points.hpp"

#include <cmath>
#include <optional>

#include "models/absent.hpp"
#include "models/machine/network.hpp"
#include "models/machine/system.hpp"
#include "models/prepared/point_numbers.hpp"
#include "models/training/step/estimate.hpp"

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

using PointValues = PointNumbers<Parameter>;

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

/// `products`: the format of matrix products, where it is known; `kept`: of the stack.
Execution execution(const DecodedValues& values, const PointValues& v, std::optional<NumberFormat> products,
                    const KeptBytes& kept) {
  using enum Parameter;
  Execution e;
  e.parallel = parallelism(v);
  const double largest = v.number_or(max_batch, values.global_batches[v.code(model)]);
  e.batch.global = v.number_or(global_batch, std::floor(largest / e.parallel.data) * e.parallel.data);
  e.batch.micro = v.number(micro_batch);
  e.batch.sequence = v.number_or(sequence_length, values.sequence_lengths[v.code(model)]);
  e.phase = v.choice<Phase>(phase);
  e.task = v.choice<Task>(task);
  e.capacity_factor = v.number(capacity_factor);
  e.attention = v.choice<AttentionKernel>(attention_kernel);
  e.context_exchange = v.choice<ContextExchange>(context_exchange);
  e.tensor_overlap = v.choice(tensor_overlap, overlap_choices).value_or(TensorOverlap::none);
  e.recompute = v.choice(recompute, recompute_choices).value_or(Recompute::none);
  e.recomputed_layers = v.number(recomputed_layers);
  e.schedule = v.choice<Schedule>(schedule);
  e.stage_split = stage_split_of(values.models[v.code(model)], e.parallel, v);
  e.sharding = v.choice<Sharding>(optimizer_sharding);
  e.sharding_group = v.number(sharding_group);
  e.format = products_format(products.value_or(NumberFormat::bf16));
  e.bytes = values.state_bytes[v.code(state_bytes)].value_or(usual_state_bytes(e, kept));
  e.activations_8bit = v.flag(activations_8bit);
  e.step_graph = v.flag(step_graph);
  e.offloaded_activations = v.number(activation_offload);
  e.offloaded_optimizer = v.number(optimizer_offload);
  return e;
}

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
  if (is_given(v.number(peak_flops))) {
    a.peak_16bit = a.peak_8bit = a.peak_4bit = Throughput{v.number(peak_flops)};
    a.formats = NumberFormats::all();  // the rate is of the swept precision
  }
  Network& n = result.network;
  n.enclosures.node = v.number_or(node_devices, n.enclosures.node);
  if (is_given(v.number(node_links))) n.node_links = v.choice<NodeLinks>(node_links);
  n.inside.bandwidth = Bandwidth{v.number_or(link_bandwidth, n.inside.bandwidth.value())};
  n.across.bandwidth = Bandwidth{v.number_or(outer_link_bandwidth, n.across.bandwidth.value())};
  return result;
}

/// What the point asks of its stack; `products`: the format that its products run in.
StackDemand demand_of(const Execution& e, const PointValues& v, std::optional<NumberFormat> products) {
  constexpr PipelineOrder orders[] = {PipelineOrder::one_forward_one_backward, PipelineOrder::zero_bubble,
                                      PipelineOrder::dual_pipe};
  const Parallelism& p = e.parallel;
  const bool trains = e.phase == Phase::train;
  StackDemand demand;
  demand.format = products;
  if (trains && p.pipeline > 1) demand.schedule = orders[index_of(e.schedule)];
  if (demand.schedule == PipelineOrder::one_forward_one_backward && p.chunks_per_stage > 1)
    demand.schedule = PipelineOrder::interleaved;
  if (p.data * p.context > 1 && (trains || e.sharding == Sharding::parameters))
    demand.sharding = v.choice<ShardedStates>(Parameter::optimizer_sharding);
  if (p.tensor > 1 && v.choice(Parameter::tensor_overlap, overlap_choices))
    demand.overlap = v.choice<TileOverlap>(Parameter::tensor_overlap);
  return demand;
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

bool divides(double part, double whole) {
  return std::fmod(whole, part) == 0.0;
}

std::uint8_t schedule_status(const Execution& e) {
  switch (schedule_fit(pipeline_shape(e))) {
    case ScheduleFit::runs:
      return status_ok;
    case ScheduleFit::not_interleaved:
      return code_of(Status::schedule_not_interleaved);
    case ScheduleFit::too_few_micro_batches:
      return code_of(Status::too_few_micro_batches);
    case ScheduleFit::odd_number:
      return code_of(Status::odd_dual_pipe);
  }
  return status_ok;
}

/// The first rule that the execution breaks.
std::uint8_t first_broken_rule(const Point& whole, const PointValues& v) {
  const TrainingPoint& point = whole.point;
  const Execution& e = point.execution;
  const Parallelism& p = e.parallel;
  const double devices = v.number(Parameter::device_count);
  if (devices < 1) return code_of(Status::devices_not_positive);
  if (p.tensor < 1) return code_of(Status::tensor_parallel_not_positive);
  if (p.pipeline < 1) return code_of(Status::pipeline_parallel_not_positive);
  if (p.data < 1) return code_of(Status::data_parallel_not_positive);
  if (device_count(p) != devices) return code_of(Status::degrees_product);
  if (!(e.batch.global >= 1)) return code_of(Status::no_batch);
  if (e.batch.micro < 1) return code_of(Status::micro_batch_not_positive);
  if (p.chunks_per_stage < 1) return code_of(Status::interleaving_not_positive);
  if (p.chunks_per_stage > 1 && p.pipeline <= 1) return code_of(Status::interleaving_with_one_stage);
  if (!(e.batch.sequence >= 1)) return code_of(Status::no_sequence_length);
  if (!(point.architecture.vocabulary >= 1)) return code_of(Status::no_vocabulary);
  if (has_unlike_attention(point.architecture)) return code_of(Status::unknown_attention);
  if (!whole.products) return code_of(Status::no_number_format);
  if (!v.choice(Parameter::recompute, recompute_choices)) return code_of(Status::unknown_recompute);
  if (!v.choice(Parameter::tensor_overlap, overlap_choices)) return code_of(Status::unknown_tensor_overlap);
  const double layers = all_layers(point.architecture);
  if (p.pipeline * p.chunks_per_stage > layers + 2) return code_of(Status::too_many_stages);
  if (!(e.batch.global >= p.data * e.batch.micro)) return code_of(Status::batch_too_small);
  const double experts = point.architecture.experts.count;
  const bool divided =
      divides(p.tensor, point.architecture.heads) && divides(expert_ranks(p), p.tensor * p.context * p.data) &&
      (expert_ranks(p) == 1 ||
       (experts > 0 && divides(p.expert, experts) && divides(p.expert_tensor, point.architecture.experts.ffn_hidden)));
  if (!divided) return code_of(Status::degrees_do_not_divide);
  const bool offloads = e.offloaded_activations > 0 || e.offloaded_optimizer > 0;
  if (offloads && !(point.accelerator.host_bandwidth > Bandwidth{})) return code_of(Status::no_host_memory);
  if (const std::uint8_t status = schedule_status(e); status != status_ok) return status;
  if (whole.stack != nullptr && !can_run(*whole.stack, whole.demand)) return code_of(Status::stack_cannot_run);
  return status_ok;
}

}  // namespace

Point point_at(const DecodedValues& values, const PointCodes& codes, std::size_t i) {
  const PointValues v(values.numbers, codes, i);
  Point result;
  result.system = system_of(values, v);
  const std::optional<Software>& given = values.software[v.code(Parameter::software)];
  const Software software = given ? *given : Software{};
  if (const auto asked = v.choice(Parameter::precision, format_choices))
    result.products = computed_format(*asked, result.system.accelerator.formats);
  result.point = {values.models[v.code(Parameter::model)], execution(values, v, result.products, software.kept),
                  result.system.accelerator, result.system.network, software};
  const std::optional<Network> network = network_of(values, v, result.system.network);
  if (network) result.point.network = *network;
  if (const std::optional<Capabilities>& stack = values.capabilities[v.code(Parameter::software)]) {
    result.stack = &*stack;
    result.demand = demand_of(result.point.execution, v, result.products);
  }
  result.status = first_broken_rule(result, v);
  if (result.status == status_ok && !network) result.status = code_of(Status::shape_does_not_fit);
  return result;
}

Evidence evidence_at(const DecodedValues& values, const PointCodes& codes, std::size_t i) {
  using enum Parameter;
  const PointValues v(values.numbers, codes, i);
  const bool replaces_chip =
      is_given(v.number(peak_flops)) || is_given(v.number(dram_bandwidth)) || is_given(v.number(dram_capacity));
  return replaces_chip ? Evidence::not_measured : values.evidence.at(v.code(system), v.code(software));
}

}  // namespace dfsweep::training
