#include "models/serving_study/point.hpp"

#include <algorithm>
#include <cmath>

#include "models/cost/columns.hpp"
#include "models/cost/derived_cost.hpp"
#include "models/machine/bill.hpp"
#include "models/machine/number_format.hpp"
#include "models/machine/token_costs.hpp"
#include "models/transformer/speculation.hpp"

namespace dfsweep::serving_study {

namespace {

Model model_of(const Architecture& a) {
  return {a.layers, a.hidden, a.heads, a.ffn_hidden};
}

/// One dimension for tensor and, where there are stages, one for pipeline parallelism; rings unless given.
Topology topology_of(const std::optional<Topology>& given, double stages) {
  Topology topology;
  topology.count = stages > 1 ? 2 : 1;
  if (given)
    for (std::size_t d = 0; d < topology.count; ++d) topology.kinds[d] = given->kinds[std::min(d, given->count - 1)];
  return topology;
}

/// Replaces what is not stated by what is derived, and says so.
template <class Amount>
Amount stated_or(Amount stated, Amount derived, cost::Source& source) {
  if (is_given(stated)) return stated;
  source = cost::Source::derived;
  return derived;
}

/// What the sweep states, else what the entry does.
template <class Amount>
Amount of_sweep_or(double stated, Amount of_entry) {
  return is_given(stated) ? Amount{stated} : of_entry;
}

/// Chips with their memories.
void add_chips(Point& point, const Memory& memory, const cost::StatedCosts& stated) {
  const Device& device = point.machine.device;
  cost::DeviceParts parts;
  parts.peak = device.peak_flops;
  parts.sram = device.sram_capacity;
  parts.memory = memory.technology;
  parts.memory_bandwidth = memory.bandwidth;
  const cost::ByPart<Dollars> price = cost::derived_price(parts);
  const cost::ByPart<Watts> power = cost::derived_power(parts);
  const Dollars chip = of_sweep_or(stated.device_price, device.price);
  const Dollars dram = of_sweep_or(stated.memory_price, memory.bandwidth * memory.price_per_bandwidth);
  const Watts chip_power = of_sweep_or(stated.device_power, device.power);
  const Watts dram_power = memory.bandwidth * memory.power_per_bandwidth;
  point.price = point.chips *
                (stated_or(chip, price.chip, point.price_source) + stated_or(dram, price.memory, point.price_source));
  point.power = point.chips * (stated_or(chip_power, power.chip, point.power_source) +
                               stated_or(dram_power, power.memory, point.power_source));
}

/// Links and switches of each dimension. Pre: there are several chips.
void add_network(Point& point, const Interconnect& link, const Topology& topology, bool has_price) {
  cost::Source unread = cost::Source::given;
  cost::Source& priced = has_price ? unread : point.price_source;
  const bool has_switches = point.chips > 4;
  const auto link_price = stated_or(link.link_price_per_bandwidth, cost::usual_link_price, priced);
  const auto switch_price =
      stated_or(link.switch_price_per_bandwidth, cost::usual_switch_price, has_switches ? priced : unread);
  const auto link_power = stated_or(link.link_power_per_bandwidth, cost::usual_link_power, point.power_source);
  const auto switch_power =
      stated_or(link.switch_power_per_bandwidth, cost::usual_switch_power, has_switches ? point.power_source : unread);
  const Bandwidth bandwidth = point.machine.link_bandwidth;
  Shape shape;
  shape.count = topology.count;
  shape.sizes = {point.decode.tensor, point.decode.pipeline, 1.0};
  for (std::size_t d = 0; d < topology.count; ++d) {
    if (shape.sizes[d] <= 1 && topology.count > 1) continue;
    const NetworkUnits units = units_of_dimension(topology, shape, d);
    const double switches = has_switches ? units.switches : 0.0;
    if (!has_price) point.price += units.links * bandwidth * link_price + switches * bandwidth * switch_price;
    // Links between stages have no power in the logs.
    const double powered = d == 0 || shape.sizes[0] <= 1 ? units.links : 0.0;
    point.power += powered * bandwidth * link_power + switches * bandwidth * switch_power;
  }
}

/// Entries keep their prices and powers whatever a sweep replaces, as in the study.
void add_bill(Point& point, const Memory& memory, const Interconnect& link, const Topology& topology,
              const cost::StatedCosts& stated) {
  add_chips(point, memory, stated);
  if (point.chips > 1) add_network(point, link, topology, is_given(stated.link_price));
  if (is_given(stated.link_price)) point.price += point.chips * Dollars{stated.link_price};
  if (is_given(stated.host_price)) point.price += point.chips * Dollars{stated.host_price};
}

Memory memory_of(const DecodedValues& values, const PointValues& v) {
  return memory_with(values.memories[v.code(Parameter::memory)],
                     {v.number(Parameter::dram_bandwidth), v.number(Parameter::dram_capacity)});
}

Machine machine_of(const DecodedValues& values, const PointValues& v, const Interconnect& link) {
  using enum Parameter;
  const Memory dram = memory_of(values, v);
  Machine machine;
  machine.device = values.devices[v.code(device)];
  // Arrays of cores are as fast as they are, whatever peak is given.
  const bool is_cycle_model = v.number(compute_utilization) == 0 && machine.device.has_cores();
  if (!is_cycle_model)
    machine.device.peak_flops = Throughput{v.number_or(peak_flops, machine.device.peak_flops.value())};
  machine.memory_bandwidth = dram.bandwidth;
  machine.memory_capacity = dram.capacity;
  machine.link_bandwidth = Bandwidth{v.number_or(link_bandwidth, link.bandwidth.value())};
  machine.link_latency = Seconds{v.number_or(link_latency, link.latency.value())};
  return machine;
}

void add_passes(const PointValues& v, Point& point) {
  using enum Parameter;
  Pass pass;
  pass.tensor = v.number(tensor_parallel);
  pass.pipeline = v.number(pipeline_parallel);
  pass.word_bytes = bytes_of_precision(v.choice<NumberFormat>(precision));
  pass.compute_utilization = v.number(compute_utilization);
  pass.all_reduce_passes = v.number(all_reduce_passes);
  pass.overlaps = v.choice<Overlap>(overlap) == Overlap::perfect;
  pass.sequences = v.number(batch);
  point.prefill = pass;
  point.prefill.tiles = v.number(num_tile);
  point.prefill.tokens = pass.sequences * v.number(prompt_tokens);
  point.decode = pass;
  point.decode.reads_cache = true;
  point.decode.tokens = pass.sequences * v.number_or(verified_tokens, 1.0);
  point.decode.context = v.number(prompt_tokens);
}

/// [dfmodel] section 11: k draft passes and one pass of the target over the window's tokens, or 2^k of both as a tree,
/// each for all sequences of the batch at once.
SpeculationWindow window_of(const DecodedValues& values, const PointValues& v, const Point& point) {
  const auto form = v.choice<Speculation>(Parameter::speculation);
  const auto rule = v.choice<AcceptanceRule>(Parameter::acceptance_rule);
  const double window = v.number(Parameter::draft_window);
  const double passes = form == Speculation::tree ? tree_tokens(window) : window;
  Pass drafting = point.decode;
  drafting.tokens = drafting.sequences;
  Pass verification = point.decode;
  verification.tokens = verification.sequences * v.number_or(Parameter::verified_tokens, std::max(1.0, passes));
  const Model draft = model_of(*values.drafts[v.code(Parameter::draft_model)]);
  return {accepted_tokens(form, rule, v.number(Parameter::acceptance), window),
          passes * stage_time(draft, point.machine, drafting), stage_time(point.model, point.machine, verification)};
}

/// Logged runs of a fixed utilization lie 1.001 times above the formulas, within the tolerance of their solver; those
/// of the cycle model do not.
double usual_gap(const Point& point) {
  return point.decode.compute_utilization > 0 ? 1e-3 : 0.0;
}

/// Times, FLOP and seconds in a run of one request, as passes are weighted by how often they are made.
struct PhaseSum {
  void add(const Point& point, const Pass& pass, double passes, double gap) {
    const LayerTime layer = layer_time(point.model, point.machine, pass);
    const double layers = std::ceil(point.model.layers / pass.pipeline) * passes;
    compute += layers * layer.compute;
    memory += layers * layer.memory;
    network += layers * layer.network();
    flop += passes * point.model.layers * Flop{layer_flop(point.model, pass)};
    run += passes * (1 + gap) / point.requests * run_time(point.model, point.machine, pass, point.requests);
  }
  Seconds compute;
  Seconds memory;
  Seconds network;
  Flop flop;
  Seconds run;
};

void write_phase(Figures& figures, const Point& point, Phase phase, double output, double gap) {
  PhaseSum sum;
  if (phase != Phase::decode) sum.add(point, point.prefill, 1.0, gap);
  if (phase != Phase::prefill) sum.add(point, point.decode, phase == Phase::decode ? 1.0 : output, gap);
  figures[Metric::compute_time] = sum.compute.value();
  figures[Metric::memory_time] = sum.memory.value();
  figures[Metric::network_time] = sum.network.value();
  figures[Metric::request_rate] = 1 / sum.run.value();
  figures[Metric::model_flops_utilization] = sum.flop / sum.run / (point.chips * point.machine.device.peak_flops);
}

void write_memory(Figures& figures, const Point& point) {
  const Footprint used = footprint(point.model, point.decode);
  figures[Metric::memory_used] = (used.weights + used.cache).value();
  figures[Metric::weight_memory] = used.weights.value();
  figures[Metric::cache_memory] = used.cache.value();
  const double needed = figures[Metric::memory_used] / point.machine.memory_capacity.value();
  if (needed <= 1) return;
  figures.status = Status::out_of_memory;
  figures[Metric::shortfall] = needed;
}

void write_costs(Figures& figures, const Point& point, double stated_hour_price,
                 const cost::OwnershipChoices& ownership) {
  const double token_rate = figures[Metric::token_rate];
  const cost::OwnedSystem system{point.price, point.power};
  const double hour_price = cost::device_hour_price(stated_hour_price, system, ownership, point.chips);
  const YieldingDevices chips{point.chips, point.power, hour_price, token_rate};
  const auto set = [&](Metric metric, double value) { figures[metric] = value; };
  cost::write_sources<Metric>(set, point.price_source, point.power_source);
  cost::write_ownership<Metric>(set, system, ownership);
  figures[Metric::token_rate_per_device] = token_rate / point.chips;
  figures[Metric::system_cost] = point.price.value();
  figures[Metric::system_power] = point.power.value();
  figures[Metric::energy_per_token] = energy_per_token(chips);
  figures[Metric::cost_per_million_tokens] = cost_per_million_tokens(chips);
}

void write_speculation(Figures& figures, const Point& point, const SpeculationWindow& window) {
  Pass one_by_one = point.decode;
  one_by_one.tokens = one_by_one.sequences;
  const double rate = speculative_rate(window, one_by_one.sequences);
  figures[Metric::acceptance_length] = window.tokens;
  figures[Metric::draft_time] = window.draft.value();
  figures[Metric::verification_time] = window.verification.value();
  figures[Metric::speculative_rate] = rate;
  figures[Metric::speedup] = rate * stage_time(point.model, point.machine, one_by_one).value() / one_by_one.sequences;
}

}  // namespace

Point point_of(const DecodedValues& values, const PointValues& v) {
  using enum Parameter;
  const Interconnect link = values.interconnects[v.code(interconnect)].value_or(Interconnect{});
  Point point;
  point.model = model_of(values.models[v.code(Parameter::model)]);
  point.machine = machine_of(values, v, link);
  add_passes(v, point);
  const Topology dimensions = topology_of(values.topologies[v.code(Parameter::topology)], point.decode.pipeline);
  point.machine.tensor_links = dimensions.kinds[0];
  const double degrees = point.decode.tensor * point.decode.pipeline;
  point.chips = v.number_or(device_count, degrees);
  point.requests = v.number(requests);
  if (point.chips != degrees) point.status = Status::degrees_do_not_divide;
  if (point.decode.pipeline > point.model.layers) point.status = Status::too_many_stages;
  if (point.decode.compute_utilization == 0 && !point.machine.device.has_cores()) point.status = Status::no_cycle_model;
  add_bill(point, memory_of(values, v), link, dimensions,
           cost::stated_costs<Parameter>([&](Parameter p) { return v.number(p); }));
  return point;
}

Figures figures_of(const DecodedValues& values, const PointValues& v) {
  using enum Parameter;
  const Point point = point_of(values, v);
  Figures figures;
  figures.status = point.status;
  if (point.status != Status::ok) return figures;
  write_memory(figures, point);
  const double first = pass_latency(point.model, point.machine, point.prefill).value();
  const double next = pass_latency(point.model, point.machine, point.decode).value();
  figures[Metric::time_source] = index_of(TimeSource::roofline);
  figures[Metric::time_to_first_token] = first;
  figures[Metric::time_per_output_token] = next;
  figures[Metric::prefill_rate] = point.prefill.tokens / stage_time(point.model, point.machine, point.prefill).value();
  figures[Metric::decode_rate] = point.decode.tokens / stage_time(point.model, point.machine, point.decode).value();
  figures[Metric::token_rate] = figures[Metric::decode_rate];
  figures[Metric::token_rate_per_user] = 1 / next;
  figures[Metric::request_latency] = first + (v.number(output_tokens) - 1) * next;
  figures[Metric::running_batch] = figures[Metric::max_batch] = v.number(batch);
  write_phase(figures, point, v.choice<Phase>(phase), v.number(output_tokens),
              v.number_or(solver_gap, usual_gap(point)));
  write_costs(figures, point, v.number(device_hour_price),
              cost::ownership_choices<Parameter>([&](Parameter p) { return v.number(p); }));
  if (v.choice<Speculation>(speculation) != Speculation::none)
    write_speculation(figures, point, window_of(values, v, point));
  return figures;
}

}  // namespace dfsweep::serving_study
