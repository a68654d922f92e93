/// Roles of dimensions and costs of their collectives.
#include "models/dataflow/parallelism/layout.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/absent.hpp"
#include "models/network/bill.hpp"

namespace dfsweep::dataflow {

namespace {

bool agrees(double said, double value) {
  return !is_given(said) || said == value;
}

/// The links of a dimension of which the first `inner` have inner links.
template <class Amount>
Amount& part(PerLinkOf<Amount>& amounts, std::size_t dimension, std::size_t inner = 1) {
  return dimension < inner ? amounts.first : amounts.outer;
}

constexpr std::size_t none = Roles::none;

double divided(double whole, double part_size) {
  const double quotient = whole / part_size;
  return quotient == std::floor(quotient) && quotient >= 1.0 ? quotient : absent;
}

/// The shape that makes `roles` agree with the request, if there is exactly one.
bool fits(const LayoutRequest& request, const Roles& roles, network::Shape& shape) {
  const double degrees[] = {request.tensor_parallel, request.pipeline_parallel, request.data_parallel};
  const std::size_t dimensions[] = {roles.tensor, roles.pipeline, roles.data};
  shape = request.shape;
  if (shape.count == 0) {
    shape.count = request.topology.count;
    std::size_t open = none;
    double product = 1.0;
    for (std::size_t r = 0; r < 3; ++r) {
      if (dimensions[r] == none) continue;
      double& size = shape.sizes[dimensions[r]];
      size = degrees[r];
      if (is_given(size))
        product *= size;
      else if (open == none)
        open = dimensions[r];
      else
        return false;
    }
    if (open != none)
      shape.sizes[open] = is_given(request.device_count) ? divided(request.device_count, product) : absent;
    if (open != none && !is_given(shape.sizes[open])) return false;
  }
  for (std::size_t r = 0; r < 3; ++r)
    if (!agrees(degrees[r], dimensions[r] == none ? 1.0 : shape.sizes[dimensions[r]])) return false;
  return agrees(request.device_count, network::chips_of(shape));
}

/// Trailing sizes of 1 beyond the dimensions of the topology say nothing ("8x1" on a ring).
network::Shape trimmed(network::Shape shape, std::size_t dimensions) {
  while (shape.count > dimensions && shape.sizes[shape.count - 1] == 1.0) --shape.count;
  return shape;
}

void add_bill(Layout& layout, const network::Topology& topology, const Convention& convention, std::size_t inner) {
  for (std::size_t d = 0; d < topology.count; ++d) {
    const network::NetworkUnits units = network::units_of_dimension(topology, layout.shape, d);
    if (layout.chips > 1.0) {
      part(layout.link_units, d, inner) += units.links;
      part(layout.link_power_units, d, inner) +=
          d == 2 ? convention.third_dimension_link_power * units.links : units.links;
      if (layout.chips > convention.chips_without_switch) part(layout.switch_units, d, inner) += units.switches;
      part(layout.switch_power_units, d, inner) += units.switches;
    }
  }
}

double passes_of(const LayoutRequest& request, const Convention& convention, network::DimensionKind kind) {
  if (kind == network::DimensionKind::fully_connected) return convention.all_reduce_passes_fully_connected;
  return is_given(request.all_reduce_passes) ? request.all_reduce_passes : convention.all_reduce_passes;
}

/// One pass over S bytes among p chips of which h share inner links: (h-1)/h on those and (p/h - 1)/p on the others.
/// [dfmodel] section 4.3
PerLink domain_pass(double inside, double chips) {
  if (inside >= chips) return {chips > 1.0 ? (chips - 1.0) / chips : 0.0, 0.0};
  return {(inside - 1.0) / inside, (chips / inside - 1.0) / chips};
}

PerLink operator*(double factor, PerLink amounts) {
  return {factor * amounts.first, factor * amounts.outer};
}

/// How the chips of one dimension are joined: h of p by inner links.
struct Joined {
  network::DimensionKind kind;
  double chips;   ///< p
  double inside;  ///< h
  [[nodiscard]] bool is_inner() const { return inside >= chips; }
};

/// A cost that depends on the chips, on the links that carry it: all inner, or all outer where h is 1.
PerLink on_links(const Joined& at, double cost) {
  return at.is_inner() ? PerLink{cost, 0.0} : PerLink{0.0, cost};
}

/// One pass among the h chips over S bytes, then among p/h groups over the S/h that each chip then holds: with c(p) a
/// pass within one dimension, c(h) on inner links and c(p/h)/h on the others.
PerLink one_pass(const Joined& at) {
  if (at.is_inner() || at.inside <= 1.0) return on_links(at, network::one_pass(at.kind, at.chips));
  if (at.kind != network::DimensionKind::fully_connected) return domain_pass(at.inside, at.chips);
  return {network::one_pass(at.kind, at.inside), network::one_pass(at.kind, at.chips / at.inside) / at.inside};
}

/// Steps among the h chips, then among the groups.
PerLink steps(const Joined& at, network::CollectiveSteps count) {
  if (at.is_inner() || at.inside <= 1.0) return on_links(at, count(at.kind, at.chips));
  return {count(at.kind, at.inside), count(at.kind, std::ceil(at.chips / at.inside))};
}

/// How the chips of a dimension are joined for collectives over bytes (`bytes`) and over latencies (`latency`): the
/// same but where the convention is the original's, whose latencies do not know domains.
struct JoinedRole {
  Joined bytes;
  Joined latency;
};
JoinedRole joined(const LayoutRequest& request, const Convention& c, const DomainChips& domain, std::size_t dimension,
                  double chips) {
  const network::DimensionKind kind = request.topology.kinds[dimension];
  const Joined at{kind, chips, domain.chips[dimension]};
  if (c.domain == DomainRule::shared_once || !is_given(request.high_bandwidth_domain)) return {at, at};
  return {{kind, chips, std::min(request.high_bandwidth_domain, chips)}, at};
}

/// All-reduce, all-gather and all-to-all of a tensor-parallel group. An all-gather of shards moves gather(p)/c(p) times
/// what a pass does, c(p) as in one_pass; an all-to-all runs at the rate of its slowest links.
/// [dfmodel] sections 4.1 and 4.3
void add_tensor_costs(Layout& layout, const LayoutRequest& request, const Convention& c, const JoinedRole& at) {
  const double p = layout.tensor_parallel;
  if (p <= 1.0) return;
  const network::DimensionKind kind = at.bytes.kind;
  const double passes = passes_of(request, c, kind);
  LinkCost& all_reduce = layout.collectives[Collective::all_reduce];
  LinkCost& all_gather = layout.collectives[Collective::all_gather];
  LinkCost& all_to_all = layout.collectives[Collective::all_to_all];
  if (is_given(request.high_bandwidth_domain)) {
    const PerLink pass = c.domain == DomainRule::every_role ? domain_pass(at.bytes.inside, p) : one_pass(at.bytes);
    all_reduce.bytes = passes * pass;
    all_gather.bytes = c.gather(kind, p) / network::one_pass(kind, p) * pass;
  } else {
    all_reduce.bytes = passes * one_pass(at.bytes);
    all_gather.bytes = on_links(at.bytes, c.gather(kind, p));
  }
  all_to_all.bytes = on_links(at.bytes, c.all_to_all(kind, p));
  all_reduce.steps = steps(at.latency, c.all_reduce_steps);
  all_gather.steps = steps(at.latency, c.gather_steps);
  all_to_all.steps = on_links(at.latency, c.all_to_all_steps(kind, p));
}

/// All-reduce of gradients over the replicas. [dfmodel] sections 4.1 and 4.3
void add_data_costs(Layout& layout, const LayoutRequest& request, const Convention& c, const JoinedRole& at) {
  const double p = layout.data_parallel;
  if (p <= 1.0) return;
  LinkCost& gradient = layout.collectives[Collective::gradient];
  const bool is_published = is_given(request.high_bandwidth_domain) && c.domain == DomainRule::every_role;
  gradient.bytes = c.gradient_passes * (is_published ? domain_pass(at.bytes.inside, p) : one_pass(at.bytes));
  gradient.steps = steps(at.latency, c.all_reduce_steps);
}

/// Bubble and transfers of a pipeline. Stages follow each other at the pace of the slowest link, so that transfers are
/// inner where all stages are (`inner` dimensions from the first on). [dfmodel] section 5.6
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
    part(layout.transfer_steps, pipeline, inner) =
        directions * c.transfer_steps(network::DimensionKind::fully_connected, 2.0);
  }
}

/// Whether `stages` stages of the pipeline share one graph.
bool cuts_graph(const Workload& w, const Convention& c, double stages) {
  return c.stage_rule == StageRule::kernels && w.layers == 1.0 && stages > 1.0 &&
         stages <= static_cast<double>(w.graph.kernels.size());
}

/// Links between stages that share a graph: S/B and one hop per message. [dfmodel] section 2.2
void add_stage_costs(Layout& layout, const Convention& c, std::size_t pipeline, std::size_t inner) {
  layout.stages_per_graph = layout.pipeline_parallel;
  part(layout.stage_link, pipeline, inner) = 1.0;
  part(layout.stage_link_steps, pipeline, inner) = c.transfer_steps(network::DimensionKind::fully_connected, 2.0);
}

bool allows(RoleOrder rule, RoleOrder needed) {
  return rule == RoleOrder::any || rule == needed;
}

double size_of(const network::Shape& shape, std::size_t dimension) {
  return dimension == none ? 1.0 : shape.sizes[dimension];
}

/// The roles that are asked for, or the first ones in the order tensor, pipeline, data that agree with the request, and
/// the shape that they make; nothing where none do.
std::optional<Roles> roles_of(const LayoutRequest& request, const Convention& c, network::Shape& shape) {
  for (const RoleChoice& choice : role_choices) {
    const bool is_asked = request.roles == nullptr ? choice.order == RoleOrder::tensor_pipeline_data
                                                   : request.roles == &choice && allows(c.role_order, choice.order);
    if (is_asked && choice.dimensions == request.topology.count && fits(request, choice.roles, shape))
      return choice.roles;
  }
  return std::nullopt;
}

/// The domain of a layout; the original's is no matter of a whole layout.
DomainChips domain_of(const LayoutRequest& request, const Convention& c, const network::Shape& shape) {
  return domain_chips(shape, c.domain == DomainRule::shared_once ? request.high_bandwidth_domain : absent);
}

Layout tensor_parallel_layout(const LayoutRequest& request, const Workload& w, const Convention& c) {
  Layout layout;
  const std::optional<Roles> roles = roles_of(request, c, layout.shape);
  if (!roles) return layout;
  layout.chips = network::chips_of(layout.shape);
  layout.tensor_parallel = size_of(layout.shape, roles->tensor);
  layout.pipeline_parallel = size_of(layout.shape, roles->pipeline);
  layout.data_parallel = size_of(layout.shape, roles->data);
  const bool is_cut = cuts_graph(w, c, layout.pipeline_parallel);
  if (layout.pipeline_parallel > w.layers && !is_cut) return layout;
  layout.layers_per_stage = std::ceil(w.layers / layout.pipeline_parallel);
  if (request.interleaving > layout.layers_per_stage) return layout;
  layout.verdict = Layout::Verdict::possible;
  layout.split.tensor = layout.tensor_parallel;
  const DomainChips domain = domain_of(request, c, layout.shape);
  if (roles->tensor != none)
    add_tensor_costs(layout, request, c, joined(request, c, domain, roles->tensor, layout.tensor_parallel));
  if (roles->data != none)
    add_data_costs(layout, request, c, joined(request, c, domain, roles->data, layout.data_parallel));
  if (is_cut)
    add_stage_costs(layout, c, roles->pipeline, domain.inner);
  else
    add_pipeline_costs(layout, request, w, c, roles->pipeline, domain.inner);
  return layout;
}

/// The shape of a workload that uses all chips alike: as given, or the degrees in order, or all chips in a row.
bool whole_machine_shape(const LayoutRequest& request, network::Shape& shape) {
  const double degrees[] = {request.tensor_parallel, request.pipeline_parallel, request.data_parallel};
  shape = request.shape;
  if (shape.count == 0) {
    shape.count = request.topology.count;
    for (std::size_t d = 0; d < shape.count; ++d) shape.sizes[d] = degrees[d];
    if (shape.count == 1 && !is_given(shape.sizes[0])) shape.sizes[0] = request.device_count;
    for (std::size_t d = 0; d < shape.count; ++d)
      if (!is_given(shape.sizes[d])) return false;
  }
  const double chips = network::chips_of(shape);
  double product = 1.0;
  bool all_said = true;
  for (const double degree : degrees) {
    if (is_given(degree))
      product *= degree;
    else
      all_said = false;
  }
  if (all_said ? product != chips : !is_given(divided(chips, product))) return false;
  return agrees(request.device_count, chips);
}

/// Rows X and columns Y of the grid of chips of a stage: its last dimension is Y, the others together X. A block column
/// of S bytes is broadcast along the rows and shifted along the columns at the same time. [dfmodel] section 4.4
///
///     broadcast S/X on the links of the last dimension     shift S/Y on those of the first
void add_grid(Layout& layout, const network::Topology& topology, const network::Shape& stage, const Convention& c,
              std::size_t pipeline, std::size_t inner) {
  std::size_t last = topology.count - 1;
  if (last == pipeline && last > 0) --last;
  layout.split.rows = network::chips_inside(stage, last);
  layout.split.columns = stage.sizes[last];
  if (layout.split.rows * layout.split.columns == 1.0) return;  // only a grid of chips sends block columns
  const bool is_all_inner = inner == topology.count && topology.count > 1;
  const bool starts_outside = pipeline == 0 ? inner < 2 : inner < 1;  // the first dimension left has outer links
  const PerLink broadcast_links = is_all_inner ? PerLink{1.0, 0.0} : PerLink{0.0, 1.0};
  const PerLink shift_links = starts_outside ? PerLink{0.0, 1.0} : PerLink{1.0, 0.0};
  const double hop = c.transfer_steps(network::DimensionKind::fully_connected, 2.0);
  layout.collectives[Collective::broadcast] = {
      broadcast_links, c.gather_steps(topology.kinds[last], layout.split.rows) * broadcast_links};
  layout.collectives[Collective::shift] = {shift_links, hop * shift_links};
}

/// Whether a workload that knows no parallelism but that of all chips is asked to have stages.
bool asks_for_stages(const LayoutRequest& request, const Convention& c) {
  if (c.stage_rule != StageRule::kernels) return false;
  if (is_given(request.pipeline_parallel)) return request.pipeline_parallel > 1.0;
  return request.roles != nullptr && request.roles->roles.pipeline != none;
}

/// Exchange and gradient all-reduce over all chips of a stage; the all-reduce runs through the dimensions in turn, each
/// over what the inner ones leave. [dfmodel] section 4.2
void add_machine_costs(Layout& layout, const network::Topology& topology, const network::Shape& stage,
                       const Convention& c, std::size_t inner) {
  LinkCost& exchange = layout.collectives[Collective::exchange];
  LinkCost& gradient = layout.collectives[Collective::gradient];
  const network::ExchangeCost cost = c.exchange(topology, stage, inner);
  exchange.bytes = {cost.first, cost.outer};
  layout.gradient_time_per_byte = SecondsPerByte{layout.split.chips > 1.0 ? c.gradient_seconds_per_byte : 0.0};
  for (std::size_t d = 0; d < topology.count; ++d) {
    const double x = stage.sizes[d];
    part(exchange.steps, d, inner) += c.all_to_all_steps(topology.kinds[d], x);
    part(gradient.steps, d, inner) += c.all_reduce_steps(topology.kinds[d], x);
    if (c.gradient_seconds_per_byte == 0.0)
      part(gradient.bytes, d, inner) +=
          c.gradient_passes * network::one_pass(topology.kinds[d], x) / network::chips_inside(stage, d);
  }
}

Layout whole_machine_layout(const LayoutRequest& request, const Workload& w, const Convention& c) {
  Layout layout;
  std::size_t pipeline = none;
  if (asks_for_stages(request, c)) {
    const std::optional<Roles> roles = roles_of(request, c, layout.shape);
    if (!roles) return layout;
    layout.pipeline_parallel = size_of(layout.shape, roles->pipeline);
    if (layout.pipeline_parallel > 1.0) {
      if (!cuts_graph(w, c, layout.pipeline_parallel) || request.interleaving > 1.0) return layout;
      pipeline = roles->pipeline;
    }
  } else if (!whole_machine_shape(request, layout.shape)) {
    return layout;
  }
  const network::Topology& topology = request.topology;
  const std::size_t inner = domain_of(request, c, layout.shape).inner;
  layout.verdict = Layout::Verdict::possible;
  layout.chips = network::chips_of(layout.shape);
  network::Shape shape = layout.shape;  // of a stage
  if (pipeline != none) {
    shape.sizes[pipeline] = 1.0;
    add_stage_costs(layout, c, pipeline, inner);
  }
  layout.split.chips = network::chips_of(shape);
  layout.data_parallel = w.spread == Spread::replicated ? layout.split.chips : 1.0;
  if (w.spread == Spread::grid)
    add_grid(layout, topology, shape, c, pipeline, inner);
  else if (w.spread == Spread::columns)
    layout.split.columns = layout.split.chips;
  add_machine_costs(layout, topology, shape, c, inner);
  return layout;
}

}  // namespace

DomainChips domain_chips(const network::Shape& shape, double domain) {
  DomainChips result;
  double left = is_given(domain) ? domain : shape.sizes[0];
  result.inner = 0;
  bool all_inner = true;
  for (std::size_t d = 0; d < shape.count; ++d) {
    result.chips[d] = std::min(shape.sizes[d], left);
    left = std::max(1.0, std::floor(left / result.chips[d]));
    all_inner = all_inner && result.chips[d] == shape.sizes[d];
    if (all_inner) result.inner = d + 1;
  }
  if (!is_given(domain)) result.inner = 1;  // also where outer dimensions have one chip
  return result;
}

Layout layout_of(const LayoutRequest& request, const Workload& workload, const Convention& convention) {
  LayoutRequest trimmed_request = request;
  trimmed_request.shape = trimmed(request.shape, request.topology.count);
  if (trimmed_request.shape.count != 0 && trimmed_request.shape.count != request.topology.count) return {};
  Layout layout = workload.spread == Spread::tensor_parallel
                      ? tensor_parallel_layout(trimmed_request, workload, convention)
                      : whole_machine_layout(trimmed_request, workload, convention);
  if (layout.verdict == Layout::Verdict::possible)
    add_bill(layout, request.topology, convention, domain_of(request, convention, layout.shape).inner);
  return layout;
}

}  // namespace dfsweep::dataflow
