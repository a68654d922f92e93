/// Costs of the collectives of an arrangement on its links.
#include "models/dataflow/parallelism/layout.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/absent.hpp"
#include "models/dataflow/parallelism/arrangement.hpp"
#include "models/dataflow/parallelism/domain.hpp"
#include "models/machine/bill.hpp"

namespace dfsweep::dataflow {

namespace {

constexpr std::size_t none = Roles::none;

void add_bill(Layout& layout, const Topology& topology, const Convention& convention, std::size_t inner) {
  for (std::size_t d = 0; d < topology.count; ++d) {
    const NetworkUnits units = units_of_dimension(topology, layout.shape, d);
    if (layout.chips > 1.0) {
      part(layout.link_units, d, inner) += units.links;
      part(layout.link_power_units, d, inner) +=
          d == 2 ? convention.third_dimension_link_power * units.links : units.links;
      if (layout.chips > convention.chips_without_switch) part(layout.switch_units, d, inner) += units.switches;
      part(layout.switch_power_units, d, inner) += units.switches;
    }
  }
}

double passes_of(const LayoutRequest& request, const Convention& convention, DimensionKind kind) {
  if (kind == DimensionKind::fully_connected) return convention.all_reduce_passes_fully_connected;
  return is_given(request.all_reduce_passes) ? request.all_reduce_passes : convention.all_reduce_passes;
}

/// The chips of a role, and the cost of one pass over S bytes among them.
struct JoinedRole {
  Joined bytes;
  Joined latency;
  PerLink pass;  ///< multiples of S
};

/// Bytes and latencies differ only where the convention gives each role a separate domain, because latencies ignore
/// such domains.
JoinedRole joined_role(const LayoutRequest& request, const Convention& c, const DomainChips& domain,
                       std::size_t dimension, double chips) {
  const Joined at{request.topology.kinds[dimension], chips, domain.chips[dimension]};
  if (c.domain == DomainRule::every_role && is_given(request.high_bandwidth_domain))
    return {{at.kind, chips, std::min(request.high_bandwidth_domain, chips)},
            at,
            domain_pass(request.high_bandwidth_domain, chips)};
  return {at, at, one_pass(at)};
}

/// All-reduce, all-gather and all-to-all of a tensor-parallel group. In a domain an all-gather of shards moves
/// gather(p)/c(p) times the bytes of a pass, c(p) as in one_pass; an all-to-all runs at the rate of its slowest links.
/// [dfmodel] sections 4.1 and 4.3
void add_tensor_costs(Layout& layout, const LayoutRequest& request, const Convention& c, const JoinedRole& role) {
  const double p = layout.tensor_parallel;
  if (p <= 1.0) return;
  const DimensionKind kind = role.bytes.kind;
  const double gather = c.gather(kind, p);
  const bool has_domain = is_given(request.high_bandwidth_domain);
  layout.collectives[Collective::all_reduce] = {passes_of(request, c, kind) * role.pass,
                                                steps(role.latency, c.all_reduce_steps)};
  layout.collectives[Collective::all_gather] = {
      has_domain ? gather / one_pass(kind, p) * role.pass : on_links(role.bytes, gather),
      steps(role.latency, c.gather_steps)};
  layout.collectives[Collective::all_to_all] = {on_links(role.bytes, c.all_to_all(kind, p)),
                                                on_links(role.latency, c.all_to_all_steps(kind, p))};
}

/// All-reduce of gradients over the replicas. [dfmodel] sections 4.1 and 4.3
void add_data_costs(Layout& layout, const Convention& c, const JoinedRole& role) {
  if (layout.data_parallel <= 1.0) return;
  layout.collectives[Collective::gradient] = {c.gradient_passes * role.pass, steps(role.latency, c.all_reduce_steps)};
}

/// Bubble and transfers of a pipeline. The slowest link limits the transfers, so they use inner links only where all
/// stages are inside the `inner` leading dimensions. [dfmodel] section 5.6
///
///     bubble (P-1)/v of a micro-batch's time, or (P-1)/max(l-1, 1)
///     bytes h s w per stage boundary, sequence and direction, v times; or 2 h s w L once
void add_pipeline_costs(Layout& layout, const LayoutRequest& request, const Workload& w, const Convention& c,
                        std::size_t pipeline, std::size_t inner) {
  const double stages = layout.pipeline_parallel;
  const Bytes boundary{w.boundary_words * w.word_bytes};
  if (c.bubble == BubbleRule::layers)
    layout.bubble = (stages - 1.0) / std::max(layout.layers_per_stage - 1.0, 1.0);
  else
    layout.bubble = (stages - 1.0) / request.interleaving;
  if (pipeline == none) return;
  const bool training = w.phase == Phase::train;
  if (c.pipeline_transfer == PipelineTransfer::once_per_step) {
    if (training) part(layout.transfer_once, pipeline, inner) = 2.0 * boundary * w.layers;
  } else if (stages > 1.0) {
    const double directions = (training ? 2.0 : 1.0) * request.interleaving;
    part(layout.transfer_per_pass, pipeline, inner) = directions * boundary;
    part(layout.transfer_steps, pipeline, inner) = directions * c.transfer_steps(DimensionKind::fully_connected, 2.0);
  }
}

/// Whether the `stages` stages of the pipeline share one graph.
bool cuts_graph(const Workload& w, const Convention& c, double stages) {
  return c.stage_rule == StageRule::kernels && w.layers == 1.0 && stages > 1.0 &&
         stages <= static_cast<double>(w.graph.kernels.size());
}

/// Links between stages that share a graph: S/B and one hop per message. [dfmodel] section 2.2
void add_stage_costs(Layout& layout, const Convention& c, std::size_t pipeline, std::size_t inner) {
  layout.stages_per_graph = layout.pipeline_parallel;
  part(layout.stage_link, pipeline, inner) = 1.0;
  part(layout.stage_link_steps, pipeline, inner) = c.transfer_steps(DimensionKind::fully_connected, 2.0);
}

double size_of(const Shape& shape, std::size_t dimension) {
  return dimension == none ? 1.0 : shape.sizes[dimension];
}

/// The domain of a layout; DomainRule::every_role defines no domain for the whole layout.
DomainChips domain_of(const LayoutRequest& request, const Convention& c, const Shape& shape) {
  return domain_chips(shape, c.domain == DomainRule::shared_once ? request.high_bandwidth_domain : absent);
}

Layout tensor_parallel_layout(const LayoutRequest& request, const Workload& w, const Convention& c) {
  Layout layout;
  const std::optional<Arrangement> arrangement = arrangement_of(request, c);
  if (!arrangement) return layout;
  const Roles& roles = arrangement->roles;
  layout.shape = arrangement->shape;
  layout.chips = chips_of(layout.shape);
  layout.tensor_parallel = size_of(layout.shape, roles.tensor);
  layout.pipeline_parallel = size_of(layout.shape, roles.pipeline);
  layout.data_parallel = size_of(layout.shape, roles.data);
  const bool is_cut = cuts_graph(w, c, layout.pipeline_parallel);
  if (layout.pipeline_parallel > w.layers && !is_cut) return layout;
  layout.layers_per_stage = std::ceil(w.layers / layout.pipeline_parallel);
  if (request.interleaving > layout.layers_per_stage) return layout;
  layout.verdict = Layout::Verdict::possible;
  layout.split.tensor = layout.tensor_parallel;
  const DomainChips domain = domain_of(request, c, layout.shape);
  if (roles.tensor != none)
    add_tensor_costs(layout, request, c, joined_role(request, c, domain, roles.tensor, layout.tensor_parallel));
  if (roles.data != none) add_data_costs(layout, c, joined_role(request, c, domain, roles.data, layout.data_parallel));
  if (is_cut)
    add_stage_costs(layout, c, roles.pipeline, domain.inner);
  else
    add_pipeline_costs(layout, request, w, c, roles.pipeline, domain.inner);
  return layout;
}

/// Rows X and columns Y of the grid of chips of a stage: Y is the last dimension, X the product of the others. A block
/// column of S bytes is broadcast along the rows and shifted along the columns at the same time. [dfmodel] section 4.4
///
///     broadcast S/X on the links of the last dimension     shift S/Y on the links of the first dimension
void add_grid(Layout& layout, const Topology& topology, const Shape& stage, const Convention& c, std::size_t pipeline,
              std::size_t inner) {
  std::size_t last = topology.count - 1;
  if (last == pipeline && last > 0) --last;
  layout.split.rows = chips_inside(stage, last);
  layout.split.columns = stage.sizes[last];
  if (layout.split.rows * layout.split.columns == 1.0) return;  // only grids of chips send block columns
  LinkCost& broadcast = layout.collectives[Collective::broadcast];
  LinkCost& shift = layout.collectives[Collective::shift];
  const std::size_t first = pipeline == 0 ? 1 : 0;
  part(broadcast.bytes, last, inner) = 1.0;
  part(broadcast.steps, last, inner) = c.gather_steps(topology.kinds[last], layout.split.rows);
  part(shift.bytes, first, inner) = 1.0;
  part(shift.steps, first, inner) = c.transfer_steps(DimensionKind::fully_connected, 2.0);
}

/// Whether the request asks for stages of a workload that otherwise uses all chips in the same way.
bool asks_for_stages(const LayoutRequest& request, const Convention& c) {
  if (c.stage_rule != StageRule::kernels) return false;
  if (is_given(request.pipeline_parallel)) return request.pipeline_parallel > 1.0;
  return request.roles != nullptr && request.roles->roles.pipeline != none;
}

/// Exchange and gradient all-reduce over all chips of a stage. The all-reduce runs over the dimensions in order, each
/// on the data that the inner dimensions leave. [dfmodel] section 4.2
void add_machine_costs(Layout& layout, const Topology& topology, const Shape& stage, const Convention& c,
                       std::size_t inner) {
  LinkCost& exchange = layout.collectives[Collective::exchange];
  LinkCost& gradient = layout.collectives[Collective::gradient];
  const ExchangeCost cost = c.exchange(topology, stage, inner);
  exchange.bytes = {cost.first, cost.outer};
  layout.gradient_time_per_byte = SecondsPerByte{layout.split.chips > 1.0 ? c.gradient_seconds_per_byte : 0.0};
  for (std::size_t d = 0; d < topology.count; ++d) {
    const double x = stage.sizes[d];
    part(exchange.steps, d, inner) += c.all_to_all_steps(topology.kinds[d], x);
    part(gradient.steps, d, inner) += c.all_reduce_steps(topology.kinds[d], x);
    if (c.gradient_seconds_per_byte == 0.0)
      part(gradient.bytes, d, inner) += c.gradient_passes * one_pass(topology.kinds[d], x) / chips_inside(stage, d);
  }
}

Layout whole_machine_layout(const LayoutRequest& request, const Workload& w, const Convention& c) {
  Layout layout;
  std::size_t pipeline = none;
  if (asks_for_stages(request, c)) {
    const std::optional<Arrangement> arrangement = arrangement_of(request, c);
    if (!arrangement) return layout;
    layout.shape = arrangement->shape;
    layout.pipeline_parallel = size_of(layout.shape, arrangement->roles.pipeline);
    if (layout.pipeline_parallel > 1.0) {
      if (!cuts_graph(w, c, layout.pipeline_parallel) || request.interleaving > 1.0) return layout;
      pipeline = arrangement->roles.pipeline;
    }
  } else if (const std::optional<Shape> shape = whole_machine_shape(request)) {
    layout.shape = *shape;
  } else {
    return layout;
  }
  const Topology& topology = request.topology;
  const std::size_t inner = domain_of(request, c, layout.shape).inner;
  layout.verdict = Layout::Verdict::possible;
  layout.chips = chips_of(layout.shape);
  Shape stage = layout.shape;
  if (pipeline != none) {
    stage.sizes[pipeline] = 1.0;
    add_stage_costs(layout, c, pipeline, inner);
  }
  layout.split.chips = chips_of(stage);
  layout.data_parallel = w.spread == Spread::replicated ? layout.split.chips : 1.0;
  if (w.spread == Spread::grid)
    add_grid(layout, topology, stage, c, pipeline, inner);
  else if (w.spread == Spread::columns)
    layout.split.columns = layout.split.chips;
  add_machine_costs(layout, topology, stage, c, inner);
  return layout;
}

/// Removes trailing sizes of 1 beyond the dimensions of the topology ("8x1" on a ring).
Shape trimmed(Shape shape, std::size_t dimensions) {
  while (shape.count > dimensions && shape.sizes[shape.count - 1] == 1.0) --shape.count;
  return shape;
}

}  // namespace

Layout layout_of(const LayoutRequest& request, const Workload& workload, const Convention& convention) {
  LayoutRequest trimmed_request = request;
  trimmed_request.shape = trimmed(request.shape, request.topology.count);
  if (trimmed_request.shape.count != 0 && trimmed_request.shape.count != request.topology.count) return {};
  Layout layout = workload.spread == Spread::tensor_parallel
                      ? tensor_parallel_layout(trimmed_request, workload, convention)
                      : whole_machine_layout(trimmed_request, workload, convention);
  if (layout.verdict != Layout::Verdict::possible) return layout;
  for (const Collective c : all_of<Collective>)
    layout.sent[c] = layout.collectives[c].bytes.first + layout.collectives[c].bytes.outer;
  layout.sent[Collective::exchange] = 1.0 / layout.chips;
  add_bill(layout, request.topology, convention, domain_of(request, convention, layout.shape).inner);
  return layout;
}

}  // namespace dfsweep::dataflow
