#include "models/serving/points/deployment.hpp"

#include <algorithm>
#include <cmath>

#include "models/machine/number_format.hpp"
#include "models/machine/system.hpp"
#include "models/transformer/speculation.hpp"

namespace dfsweep::serving {

namespace {

using enum Parameter;

constexpr double chunk_in_flight = 8192;
constexpr double chunk_static = 65536;
constexpr double fp8_cache = 1.0;  ///< bytes of a number

/// Choices of attention_parallel.
enum class AttentionParallel : std::uint8_t { tensor, data };

constexpr Parameter parameters_of_deployment[] = {model,
                                                  system,
                                                  device,
                                                  memory,
                                                  interconnect,
                                                  tensor_parallel,
                                                  pipeline_parallel,
                                                  precision,
                                                  weight_precision,
                                                  cache_precision,
                                                  compute_utilization,
                                                  dram_bandwidth,
                                                  dram_capacity,
                                                  peak_flops,
                                                  link_bandwidth,
                                                  link_latency,
                                                  draft_model,
                                                  speculation,
                                                  software,
                                                  batching,
                                                  chunk_tokens,
                                                  attention_parallel,
                                                  cache_share,
                                                  node_devices,
                                                  outer_link_bandwidth};

/// Chips, memories and links as a system of one node without end.
System one_node(const DecodedValues& values, const PointValues& v) {
  const Interconnect link = values.interconnects[v.code(interconnect)].value_or(Interconnect{});
  const Memory dram = memory_with(values.memories[v.code(memory)], {v.number(dram_bandwidth), v.number(dram_capacity)});
  System built = built_system(*values.devices[v.code(device)], dram, link, link);
  built.network.enclosures.node = 1e9;
  return built;
}

/// The machine with what the sweep replaces.
System machine_of(const DecodedValues& values, const PointValues& v) {
  const std::optional<System>& given = values.systems[v.code(system)];
  System machine = given ? *given : one_node(values, v);
  Accelerator& a = machine.accelerator;
  a.memory_bandwidth = Bandwidth{v.number_or(dram_bandwidth, a.memory_bandwidth.value())};
  a.memory_capacity = Bytes{v.number_or(dram_capacity, a.memory_capacity.value())};
  if (is_given(v.number(peak_flops))) {
    const Throughput peak{v.number(peak_flops)};
    a.peak_16bit = a.peak_8bit = a.peak_4bit = peak;
    a.formats = NumberFormats::all();  // the rate is of the swept precision
  }
  Network& n = machine.network;
  n.enclosures.node = v.number_or(node_devices, n.enclosures.node);
  n.inside.bandwidth = Bandwidth{v.number_or(link_bandwidth, n.inside.bandwidth.value())};
  n.inside.latency = Seconds{v.number_or(link_latency, n.inside.latency.value())};
  if (!given) n.across = n.inside;  // links of a built machine are alike unless others are given
  n.across.bandwidth = Bandwidth{v.number_or(outer_link_bandwidth, n.across.bandwidth.value())};
  return machine;
}

ServingSoftware efficiency_of(const DecodedValues& values, const PointValues& v) {
  ServingSoftware e = values.software[v.code(software)].value_or(ServingSoftware{});
  e.memory.cache_share = v.number_or(cache_share, e.memory.cache_share);
  if (const double share = v.number_or(compute_utilization, 0.0); share > 0) {
    e.matrix.peak_share = share;
    e.matrix.share_8bit = e.matrix.share_4bit = 1.0;
  }
  return e;
}

NumberFormat format_of(const PointValues& v, Parameter parameter) {
  return v.choice<NumberFormat>(parameter);
}

std::optional<NumberFormat> products_of_chip(const Accelerator& accelerator, const PointValues& v) {
  return computed_format(format_of(v, precision), accelerator.formats);
}

/// What the format of weights is to the layers of experts.
ExpertWeights expert_weights_of(NumberFormat weights) {
  if (weights == NumberFormat::int4) return ExpertWeights::integers4;
  return products_format(weights) == MatrixFormat::bits8 ? ExpertWeights::bits8 : ExpertWeights::plain;
}

/// Checkpoints of 4 bits with experts keep the matrices of attention in 16 bits.
bool has_wide_attention(const Served& model, NumberFormat weights) {
  return model.experts > 0 && products_format(weights) == MatrixFormat::bits4;
}

bool divides(double part, double whole) {
  return std::fmod(whole, part) == 0.0;
}

Status broken_rule(const Replica& r) {
  const double heads = r.model.key_value_heads * r.model.queries_per_key;
  if (!divides(r.tensor, heads) || !divides(r.expert, r.tensor * r.attention_data))
    return Status::degrees_do_not_divide;
  if (r.pipeline > r.model.layers) return Status::too_many_stages;
  return r.model.vocabulary >= 1 ? Status::ok : Status::no_vocabulary;
}

}  // namespace

std::span<const Parameter> deployment_parameters() {
  return parameters_of_deployment;
}

Replica replica_of(const DecodedValues& values, const PointValues& v) {
  const System machine = machine_of(values, v);
  Replica r;
  r.model = served(values.models[v.code(model)]);
  r.accelerator = machine.accelerator;
  r.network = machine.network;
  r.products = products_format(products_of_chip(r.accelerator, v).value_or(NumberFormat::bf16));
  r.efficiency = efficiency_of(values, v);
  const NumberFormat weights = format_of(v, is_given(v.number(weight_precision)) ? weight_precision : precision);
  const bool is_wide = has_wide_attention(r.model, weights);
  r.attention_products = is_wide ? MatrixFormat::bits16 : r.products;
  r.expert_weights = expert_weights_of(weights);
  r.bytes.weight = weight_bytes(weights);
  r.bytes.attention = is_wide ? weight_bytes(NumberFormat::bf16) : r.bytes.weight;
  const bool is_16bit = products_format(format_of(v, precision)) == MatrixFormat::bits16;
  r.bytes.cache = is_given(v.number(cache_precision)) ? bytes_of_precision(format_of(v, cache_precision))
                  : is_16bit                          ? 2 * fp8_cache
                                                      : fp8_cache;
  // Sequences that are spread over the devices are on ranks of one device each.
  const bool has_ranks = v.choice<AttentionParallel>(attention_parallel) == AttentionParallel::data;
  r.tensor = has_ranks ? 1.0 : v.number(tensor_parallel);
  r.attention_data = has_ranks ? v.number(tensor_parallel) : 1.0;
  r.pipeline = v.number(pipeline_parallel);
  return r;
}

Deployment deployment_of(const DecodedValues& values, const PointValues& v) {
  const System machine = machine_of(values, v);
  Replica replica = replica_of(values, v);
  const bool is_static = v.choice<Batching>(batching) == Batching::static_batch;
  Deployment d;
  d.chunk = v.number_or(chunk_tokens, is_static ? chunk_static : chunk_in_flight);
  d.costs = costs_of(replica);
  // Buffers are planned for the chunks of a server in flight: a static batch is read in parts too where it is large.
  const double buffered = std::min(d.chunk, chunk_in_flight);
  d.capacity = capacity_of(replica, buffered);
  d.devices = replica.tensor * replica.attention_data * replica.pipeline;
  d.price = machine.price;
  d.power = machine.power;
  const bool replaces_chip =
      is_given(v.number(peak_flops)) || is_given(v.number(dram_bandwidth)) || is_given(v.number(dram_capacity));
  if (!replaces_chip) d.evidence = values.evidence.at(v.code(system), v.code(software));
  if (const auto& entry = values.trusts[v.code(software)]) {
    const Trust trust = trust_of_model(*entry, replica.model.experts);
    d.expected_error = trust.expected_error;
    d.expected_memory_error = trust.expected_memory_error;
  }
  d.products = products_of_chip(machine.accelerator, v);
  d.status = d.products ? broken_rule(replica) : Status::no_number_format;
  const std::optional<Architecture>& draft = values.drafts[v.code(draft_model)];
  const bool drafts = v.choice<Speculation>(speculation) != Speculation::none;
  if (drafts && !draft && d.status == Status::ok) d.status = Status::no_draft_model;
  if (drafts && draft) {
    replica.model = served(*draft);
    if (d.status == Status::ok) d.status = broken_rule(replica);
    d.draft = costs_of(replica);
    d.capacity = d.capacity + capacity_of(replica, buffered);
  }
  return d;
}

}  // namespace dfsweep::serving
