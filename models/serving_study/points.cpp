#include "models/serving_study/points.hpp"

#include <algorithm>
#include <cmath>

#include "models/machine/bill.hpp"
#include "models/machine/number_format.hpp"
#include "models/transformer/speculation.hpp"

namespace dfsweep::serving {

namespace {

constexpr double study_requests = 16384;   ///< streamed through the pipeline [dfmodel] serving logs
constexpr double study_utilization = 0.9;  ///< [dfmodel] section 10

study::Model study_model(const training::Architecture& a) {
  return {a.layers, a.hidden, a.heads, a.ffn_hidden};
}

/// One dimension for tensor and, where there are stages, one for pipeline parallelism; rings unless given.
network::Topology study_topology(const std::optional<network::Topology>& given, double stages) {
  network::Topology topology;
  topology.count = stages > 1 ? 2 : 1;
  if (given)
    for (std::size_t d = 0; d < topology.count; ++d) topology.kinds[d] = given->kinds[std::min(d, given->count - 1)];
  return topology;
}

void add_bill(StudyPoint& point, const hardware::Memory& memory, const hardware::Interconnect& link,
              const network::Topology& topology) {
  const study::Machine& machine = point.machine;
  point.price = point.chips * (machine.device.price + machine.memory_bandwidth * memory.price_per_bandwidth);
  point.power = point.chips * (machine.device.power + machine.memory_bandwidth * memory.power_per_bandwidth);
  if (point.chips <= 1) return;
  network::Shape shape;
  shape.count = topology.count;
  shape.sizes = {point.decode.tensor, point.decode.pipeline, 1.0};
  for (std::size_t d = 0; d < topology.count; ++d) {
    if (shape.sizes[d] <= 1 && topology.count > 1) continue;
    const network::NetworkUnits units = units_of_dimension(topology, shape, d);
    const double switches = point.chips > 4 ? units.switches : 0.0;
    point.price += units.links * machine.link_bandwidth * link.link_price_per_bandwidth +
                   switches * machine.link_bandwidth * link.switch_price_per_bandwidth;
    // Links between stages have no power in the logs.
    const double powered = d == 0 || shape.sizes[0] <= 1 ? units.links : 0.0;
    point.power += powered * machine.link_bandwidth * link.link_power_per_bandwidth +
                   switches * machine.link_bandwidth * link.switch_power_per_bandwidth;
  }
}

study::Machine study_machine(const DecodedValues& values, const PointValues& v, const hardware::Interconnect& link) {
  using enum Parameter;
  const hardware::Memory dram = memory_of(values, v);
  study::Machine machine;
  machine.device = *values.devices[v.code(device)];
  machine.device.peak_flops = Throughput{v.number_or(peak_flops, machine.device.peak_flops.value())};
  machine.memory_bandwidth = dram.bandwidth;
  machine.memory_capacity = dram.capacity;
  machine.link_bandwidth = Bandwidth{v.number_or(link_bandwidth, link.bandwidth.value())};
  machine.link_latency = Seconds{v.number_or(link_latency, link.latency.value())};
  return machine;
}

void add_passes(const PointValues& v, StudyPoint& point) {
  using enum Parameter;
  study::Pass pass;
  pass.tensor = v.number(tensor_parallel);
  pass.pipeline = v.number(pipeline_parallel);
  pass.word_bytes = bytes_of_precision(v.number(precision));
  pass.compute_utilization = v.number_or(compute_utilization, study_utilization);
  pass.all_reduce_passes = v.number(all_reduce_passes);
  pass.overlaps = v.choice<Overlap>(overlap) == Overlap::perfect;
  const double sequences = v.number_or(batch, 1.0) > 0 ? v.number_or(batch, 1.0) : 1.0;
  point.prefill = pass;
  point.prefill.tiles = v.number(num_tile);
  point.prefill.tokens = sequences * v.number(prompt_tokens);
  point.decode = pass;
  point.decode.reads_cache = true;
  point.decode.tokens = sequences * v.number_or(verified_tokens, 1.0);
  point.decode.context = v.number(prompt_tokens);
}

Seconds draft_time(const DecodedValues& values, const PointValues& v, const StudyPoint& point, double passes) {
  return passes * stage_time(study_model(*values.drafts[v.code(Parameter::draft_model)]), point.machine, point.decode);
}

/// [dfmodel] section 11: k draft passes and one pass of the target over the window's tokens, or 2^k of both as a tree.
SpeculationFigures study_window(const DecodedValues& values, const PointValues& v, const StudyPoint& point) {
  const bool is_tree = v.choice<Speculation>(Parameter::speculation) == Speculation::tree;
  const double window = v.number(Parameter::draft_window);
  const double acceptance = v.number(Parameter::acceptance);
  const bool is_exact = v.number_or(Parameter::acceptance_rule, 1.0) == index_of(AcceptanceRule::exact);
  const double passes = is_tree ? tree_tokens(window) : window;
  study::Pass verification = point.decode;
  verification.tokens = v.number_or(Parameter::verified_tokens, std::max(1.0, passes));
  StudyPoint draft = point;
  draft.decode.tokens = 1.0;
  SpeculationFigures figures;
  if (is_tree)
    figures.tokens = is_exact ? exact_tree_acceptance(acceptance, window) : linear_tree_acceptance(acceptance, window);
  else
    figures.tokens = is_exact ? exact_acceptance(acceptance, window) : linear_acceptance(acceptance, window);
  figures.draft = draft_time(values, v, draft, passes).value();
  figures.verification = stage_time(point.model, point.machine, verification).value();
  return figures;
}

/// Logged runs of a fixed utilization lie 1.001 times above the formulas, within the tolerance of their solver; those
/// of the cycle model do not.
double usual_gap(const StudyPoint& point) {
  return point.decode.compute_utilization > 0 ? 1e-3 : 0.0;
}

/// Times, FLOP and seconds in a run of one request, as passes are weighted by how often they are made.
struct PhaseSum {
  void add(const StudyPoint& point, const study::Pass& pass, double passes, double gap) {
    const study::LayerTime layer = layer_time(point.model, point.machine, pass);
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

void write_phase(Figures& figures, const StudyPoint& point, Phase phase, double output, double gap) {
  PhaseSum sum;
  if (phase != Phase::decode) sum.add(point, point.prefill, 1.0, gap);
  if (phase != Phase::prefill) sum.add(point, point.decode, phase == Phase::decode ? 1.0 : output, gap);
  figures[Metric::compute_time] = sum.compute.value();
  figures[Metric::memory_time] = sum.memory.value();
  figures[Metric::network_time] = sum.network.value();
  figures[Metric::request_rate] = 1 / sum.run.value();
  figures[Metric::model_flops_utilization] = sum.flop / sum.run / (point.chips * point.machine.device.peak_flops);
}

}  // namespace

StudyPoint study_point(const DecodedValues& values, const PointValues& v) {
  using enum Parameter;
  const hardware::Interconnect link = values.interconnects[v.code(interconnect)].value_or(hardware::Interconnect{});
  StudyPoint point;
  point.model = study_model(values.models[v.code(Parameter::model)]);
  point.machine = study_machine(values, v, link);
  add_passes(v, point);
  const network::Topology dimensions =
      study_topology(values.topologies[v.code(Parameter::topology)], point.decode.pipeline);
  point.machine.tensor_links = dimensions.kinds[0];
  const double degrees = point.decode.tensor * point.decode.pipeline;
  point.chips = v.number_or(device_count, degrees);
  point.requests = v.number_or(requests, study_requests);
  if (point.chips != degrees) point.status = Status::degrees_do_not_divide;
  if (point.decode.pipeline > point.model.layers) point.status = Status::too_many_stages;
  add_bill(point, memory_of(values, v), link, dimensions);
  return point;
}

Figures study_figures(const DecodedValues& values, const PointCodes& codes, std::size_t i) {
  using enum Parameter;
  const PointValues v(values.numbers, codes, i);
  const StudyPoint point = study_point(values, v);
  Figures figures;
  figures.status = point.status;
  if (point.status != Status::ok) return figures;
  const study::Footprint used = footprint(point.model, point.decode);
  const double needed = (used.weights + used.cache).value() / point.machine.memory_capacity.value();
  if (needed > 1) figures.status = Status::out_of_memory, figures[Metric::shortfall] = needed;
  const double output = v.number(output_tokens);
  const double first = pass_latency(point.model, point.machine, point.prefill).value();
  const double next = pass_latency(point.model, point.machine, point.decode).value();
  figures[Metric::time_source] = index_of(TimeSource::roofline);
  figures[Metric::time_to_first_token] = first;
  figures[Metric::time_per_output_token] = next;
  figures[Metric::prefill_rate] = point.prefill.tokens / stage_time(point.model, point.machine, point.prefill).value();
  figures[Metric::decode_rate] = point.decode.tokens / stage_time(point.model, point.machine, point.decode).value();
  figures[Metric::token_rate] = figures[Metric::decode_rate];
  figures[Metric::token_rate_per_user] = 1 / next;
  figures[Metric::request_latency] = first + (output - 1) * next;
  figures[Metric::memory_used] = (used.weights + used.cache).value();
  figures[Metric::weight_memory] = used.weights.value();
  figures[Metric::cache_memory] = used.cache.value();
  figures[Metric::best_batch] = v.number_or(batch, 1.0) > 0 ? v.number_or(batch, 1.0) : 1.0;
  figures[Metric::max_batch] = figures[Metric::best_batch];
  figures[Metric::running_batch] = figures[Metric::best_batch];
  write_phase(figures, point, v.choice<Phase>(phase), output, v.number_or(solver_gap, usual_gap(point)));
  write_costs(figures, point.chips, point.price.value(), point.power.value(), v.number(device_hour_price));
  if (v.choice<Speculation>(speculation) != Speculation::none)
    write_speculation(figures, study_window(values, v, point), 1.0);
  return figures;
}

}  // namespace dfsweep::serving
