#include "models/serving/points/replica.hpp"

#include <cmath>

#include "models/cost/columns.hpp"
#include "models/cost/step_power.hpp"
#include "models/machine/number_format.hpp"

namespace dfsweep::serving {

namespace {

using enum Parameter;

/// Choices of attention_parallel.
enum class AttentionParallel : std::uint8_t { tensor, data };

/// Chips, memories and links as a system of one node without end.
System one_node(const DecodedValues& values, const PointValues& v) {
  const Interconnect link = values.interconnects[v.code(interconnect)].value_or(Interconnect{});
  const Memory dram = memory_with(values.memories[v.code(memory)], {v.number(dram_bandwidth), v.number(dram_capacity)});
  System built = built_system(*values.devices[v.code(device)], dram, link, link);
  built.network.enclosures.node = 1e9;
  return built;
}

ServingSoftware efficiency_of(const DecodedValues& values, const PointValues& v) {
  ServingSoftware e = values.software[v.code(software)].value_or(ServingSoftware{});
  const double share_of_engine = values.engine_of(v).cache_share;
  e.memory.cache_share = v.number_or(cache_share, is_given(share_of_engine) ? share_of_engine : e.memory.cache_share);
  if (const double share = v.number_or(compute_utilization, 0.0); share > 0) {
    e.matrix.peak_share = share;
    e.matrix.share_8bit = e.matrix.share_4bit = 1.0;
  }
  return e;
}

NumberFormat format_of(const PointValues& v, Parameter parameter) {
  return v.choice<NumberFormat>(parameter);
}

/// The parameters of a pool that replace the common ones.
struct PoolParameters {
  Parameter tensor;
  Parameter pipeline;
  Parameter expert;
  Parameter attention_data;
  Parameter products;
  Parameter weights;
};
constexpr PoolParameters prefill_parameters = {prefill_tensor_parallel, prefill_pipeline_parallel,
                                               prefill_expert_parallel, prefill_attention_data_parallel,
                                               prefill_precision,       prefill_weight_precision};
constexpr PoolParameters decode_parameters = {decode_tensor_parallel, decode_pipeline_parallel,
                                              decode_expert_parallel, decode_attention_data_parallel,
                                              decode_precision,       decode_weight_precision};

/// The values of one pool.
class PoolValues {
 public:
  PoolValues(const PointValues& v, PoolKind pool)
      : v_(v),
        is_separate_(v.choice<Pools>(pools) == Pools::separate),
        own_(pool == PoolKind::prefill ? prefill_parameters : decode_parameters) {}
  [[nodiscard]] NumberFormat products() const { return format_of(v_, either(own_.products, precision)); }
  [[nodiscard]] NumberFormat weights() const {
    const Parameter given = either(own_.weights, weight_precision);
    return is_given(v_.number(given)) ? format_of(v_, given) : products();
  }
  [[nodiscard]] double tensor() const { return has_old_ranks() ? 1.0 : cut(); }
  [[nodiscard]] double attention_data() const {
    return v_.number_or(either(own_.attention_data, attention_data_parallel), has_old_ranks() ? cut() : 1.0);
  }
  [[nodiscard]] double expert() const { return v_.number(either(own_.expert, expert_parallel)); }
  [[nodiscard]] double pipeline() const { return v_.number(either(own_.pipeline, pipeline_parallel)); }

 private:
  /// `own` where pools are separate and it is given, else `common`.
  [[nodiscard]] Parameter either(Parameter own, Parameter common) const {
    return is_separate_ && is_given(v_.number(own)) ? own : common;
  }
  [[nodiscard]] double cut() const { return v_.number(either(own_.tensor, tensor_parallel)); }
  /// attention_parallel = "data": ranks of one device each.
  [[nodiscard]] bool has_old_ranks() const {
    return v_.choice<AttentionParallel>(attention_parallel) == AttentionParallel::data &&
           !is_given(v_.number(attention_data_parallel));
  }
  const PointValues& v_;
  bool is_separate_;
  const PoolParameters& own_;
};

/// What the format of weights is to the layers of experts.
ExpertWeights expert_weights_of(NumberFormat weights) {
  if (weights == NumberFormat::int4) return ExpertWeights::integers4;
  return products_format(weights) == MatrixFormat::bits8 ? ExpertWeights::bits8 : ExpertWeights::plain;
}

/// Checkpoints whose experts have 4 bits keep attention in 16.
NumberFormat attention_format(const PointValues& v, const Served& model, NumberFormat weights) {
  if (is_given(v.number(attention_precision))) return format_of(v, attention_precision);
  const bool has_4bit_experts = model.experts > 0 && products_format(weights) == MatrixFormat::bits4;
  return has_4bit_experts ? NumberFormat::bf16 : weights;
}

bool divides(double part, double whole) {
  return std::fmod(whole, part) == 0.0;
}

/// The address of what a point names; null where it names nothing.
template <class Value>
const Value* entry_at(const std::vector<std::optional<Value>>& list, std::size_t code) {
  return list[code] ? &*list[code] : nullptr;
}

cost::StatedCosts stated_costs(const PointValues& v) {
  cost::StatedCosts stated = cost::stated_costs<Parameter>([&](Parameter p) { return v.number(p); });
  stated.power_limit = v.number(power_limit);
  return stated;
}

cost::Bill bill_with(const DecodedValues& values, const PointValues& v, const System& machine,
                     const cost::StatedCosts& stated) {
  const Interconnect* const links = entry_at(values.interconnects, v.code(interconnect));
  const cost::NamedParts parts{entry_at(values.systems, v.code(system)), entry_at(values.devices, v.code(device)),
                               entry_at(values.memories, v.code(memory)), links, links};
  const MatrixFormat format = products_format(PoolValues(v, PoolKind::decode).products());
  System joined = machine;
  // Chips that are joined without nodes have one kind of links, which count once, unless the sweep names outer ones.
  if (parts.system == nullptr && !is_given(v.number(outer_link_bandwidth)))
    joined.network.across.bandwidth = Bandwidth{};
  return cost::bill_of(parts, {joined, v.number(peak_flops), v.number(dram_capacity), format}, stated);
}

/// The bill without the limit that a sweep sets.
cost::Bill unlimited_bill(const DecodedValues& values, const PointValues& v, const System& machine) {
  cost::StatedCosts stated = stated_costs(v);
  stated.power_limit = absent;
  return bill_with(values, v, machine, stated);
}

/// Lowers the clock as power_limit asks. Pre: it is given.
void limit_power(const DecodedValues& values, const PointValues& v, System& machine) {
  const Watts limit{v.number(power_limit)};
  const cost::Bill full = unlimited_bill(values, v, machine);
  if (limit <= full.idle) return;
  const double clock = cost::clock_share({full.idle, full.limit}, limit);
  Accelerator& a = machine.accelerator;
  for (Throughput* peak : {&a.peak_16bit, &a.peak_8bit, &a.peak_4bit}) *peak = clock * *peak;
}

}  // namespace

System machine_of(const DecodedValues& values, const PointValues& v) {
  const std::optional<System>& given = values.systems[v.code(system)];
  System machine = given ? *given : one_node(values, v);
  Accelerator& a = machine.accelerator;
  a.memory_bandwidth = Bandwidth{v.number_or(dram_bandwidth, a.memory_bandwidth.value())};
  a.memory_capacity = Bytes{v.number_or(dram_capacity, a.memory_capacity.value())};
  if (is_given(v.number(peak_flops))) a = with_peak(a, format_of(v, precision), Throughput{v.number(peak_flops)});
  Network& n = machine.network;
  n.enclosures.node = v.number_or(node_devices, n.enclosures.node);
  if (is_given(v.number(link_bandwidth))) n.inside.bandwidth = links_of_device(n) * Bandwidth{v.number(link_bandwidth)};
  n.inside.bandwidth = Bandwidth{v.number_or(device_link_bandwidth, n.inside.bandwidth.value())};
  n.inside.latency = Seconds{v.number_or(link_latency, n.inside.latency.value())};
  if (!given) n.across = n.inside;  // links of a built machine are alike unless others are given
  n.across.bandwidth = Bandwidth{v.number_or(outer_link_bandwidth, n.across.bandwidth.value())};
  if (is_given(v.number(power_limit))) limit_power(values, v, machine);
  return machine;
}

cost::Bill bill_at(const DecodedValues& values, const PointValues& v, const System& machine) {
  return bill_with(values, v, machine, stated_costs(v));
}

bool keeps_power_limit(const DecodedValues& values, const PointValues& v) {
  const double limit = v.number(power_limit);
  return !is_given(limit) || Watts{limit} > unlimited_bill(values, v, machine_of(values, v)).idle;
}

std::optional<NumberFormat> products_of(const DecodedValues& values, const PointValues& v, PoolKind pool) {
  return computed_format(PoolValues(v, pool).products(), machine_of(values, v).accelerator.formats);
}

Status broken_rule(const Replica& r) {
  const double heads = r.model.key_value_heads * r.model.queries_per_key;
  if (!divides(r.tensor, heads) || !divides(r.expert, r.tensor * r.attention_data))
    return Status::degrees_do_not_divide;
  if (r.model.experts > 0 && r.expert > r.model.experts) return Status::degrees_do_not_divide;
  if (r.pipeline > r.model.layers) return Status::too_many_stages;
  return r.model.vocabulary >= 1 ? Status::ok : Status::no_vocabulary;
}

Replica replica_of(const DecodedValues& values, const PointValues& v, PoolKind pool) {
  const System machine = machine_of(values, v);
  const PoolValues own(v, pool);
  Replica r;
  r.model = served(values.models[v.code(model)]);
  r.accelerator = machine.accelerator;
  r.network = machine.network;
  r.products = products_format(computed_format(own.products(), r.accelerator.formats).value_or(NumberFormat::bf16));
  r.efficiency = efficiency_of(values, v);
  const NumberFormat weights = own.weights();
  const NumberFormat attention = attention_format(v, r.model, weights);
  r.attention_products = products_format(attention) == MatrixFormat::bits16 ? MatrixFormat::bits16 : r.products;
  r.expert_weights = expert_weights_of(weights);
  r.bytes.weight = weight_bytes(weights);
  r.bytes.attention = weight_bytes(attention);
  r.bytes.cache = bytes_of_precision(is_given(v.number(cache_precision)) ? format_of(v, cache_precision)
                                                                         : usual_cache_format(own.products()));
  r.tensor = own.tensor();
  r.attention_data = own.attention_data();
  r.expert = own.expert();
  r.pipeline = own.pipeline();
  return r;
}

}  // namespace dfsweep::serving
