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

double& part(PerLink& amounts, std::size_t dimension) {
  return dimension == 0 ? amounts.first : amounts.outer;
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

void add_bill(Layout& layout, const network::Topology& topology, const Convention& convention) {
  for (std::size_t d = 0; d < topology.count; ++d) {
    const network::NetworkUnits units = network::units_of_dimension(topology, layout.shape, d);
    if (layout.chips > 1.0) {
      part(layout.link_units, d) += units.links;
      part(layout.link_power_units, d) += d == 2 ? convention.third_dimension_link_power * units.links : units.links;
      if (layout.chips > convention.chips_without_switch) part(layout.switch_units, d) += units.switches;
      part(layout.switch_power_units, d) += units.switches;
    }
  }
}

double passes_of(const LayoutRequest& request, const Convention& convention, network::DimensionKind kind) {
  if (kind == network::DimensionKind::fully_connected) return convention.all_reduce_passes_fully_connected;
  return is_given(request.all_reduce_passes) ? request.all_reduce_passes : convention.all_reduce_passes;
}

/// (min(H,p)-1)/(min(H,p)) on the fast links and (p/H - 1)/q on the slow ones. [dfmodel] section 4.3
PerLink domain_pass(double domain, double chips, double slow_share) {
  if (domain >= chips) return {chips > 1.0 ? (chips - 1.0) / chips : 0.0, 0.0};
  return {(domain - 1.0) / domain, (chips / domain - 1.0) / slow_share};
}

PerLink operator*(double factor, PerLink amounts) {
  return {factor * amounts.first, factor * amounts.outer};
}

void add_tensor_costs(Layout& layout, const LayoutRequest& request, const Convention& c, const Roles& roles) {
  const double p = layout.tensor_parallel;
  if (p <= 1.0) return;
  const network::DimensionKind kind = request.topology.kinds[roles.tensor];
  const double passes = passes_of(request, c, kind);
  if (is_given(request.high_bandwidth_domain)) {
    const PerLink pass = domain_pass(request.high_bandwidth_domain, p, p);
    layout.all_reduce = passes * pass;
    layout.all_gather = c.gather(kind, p) / network::one_pass(kind, p) * pass;
    (request.high_bandwidth_domain >= p ? layout.all_to_all.first : layout.all_to_all.outer) = c.all_to_all(kind, p);
  } else {
    part(layout.all_reduce, roles.tensor) = passes * network::one_pass(kind, p);
    part(layout.all_gather, roles.tensor) = c.gather(kind, p);
    part(layout.all_to_all, roles.tensor) = c.all_to_all(kind, p);
  }
  part(layout.all_reduce_steps, roles.tensor) = c.all_reduce_steps(kind, p);
  part(layout.all_gather_steps, roles.tensor) = c.gather_steps(kind, p);
  part(layout.all_to_all_steps, roles.tensor) = c.all_to_all_steps(kind, p);
}

void add_data_costs(Layout& layout, const LayoutRequest& request, const Convention& c, const Roles& roles) {
  const double p = layout.data_parallel;
  if (p <= 1.0) return;
  const network::DimensionKind kind = request.topology.kinds[roles.data];
  if (is_given(request.high_bandwidth_domain))
    layout.gradient =
        c.gradient_passes * domain_pass(request.high_bandwidth_domain, p, request.high_bandwidth_domain >= p ? 1.0 : p);
  else
    part(layout.gradient, roles.data) = c.gradient_passes * network::one_pass(kind, p);
  part(layout.gradient_steps, roles.data) = c.all_reduce_steps(kind, p);
}

void add_pipeline_costs(Layout& layout, const LayoutRequest& request, const Workload& w, const Convention& c,
                        const Roles& roles) {
  const double stages = layout.pipeline_parallel;
  const double boundary = w.boundary_words * w.word_bytes;
  if (c.bubble == BubbleRule::layers)
    layout.bubble = (stages - 1.0) / std::max(layout.layers_per_stage - 1.0, 1.0);
  else
    layout.bubble = (stages - 1.0) / request.interleaving;
  if (roles.pipeline == none) return;
  const bool training = w.phase == Phase::train;
  if (c.pipeline_transfer == PipelineTransfer::once_per_step) {
    if (training) part(layout.transfer_once, roles.pipeline) = 2.0 * boundary * w.layers;
  } else if (stages > 1.0) {
    const double directions = (training ? 2.0 : 1.0) * request.interleaving;
    part(layout.transfer_per_pass, roles.pipeline) = directions * boundary;
    part(layout.transfer_steps, roles.pipeline) =
        directions * c.transfer_steps(network::DimensionKind::fully_connected, 2.0);
  }
}

/// Whether `stages` stages of the pipeline share one graph.
bool cuts_graph(const Workload& w, const Convention& c, double stages) {
  return c.stage_rule == StageRule::kernels && w.layers == 1.0 && stages > 1.0 &&
         stages <= static_cast<double>(w.graph.kernels.size());
}

void add_stage_costs(Layout& layout, const Convention& c, std::size_t pipeline) {
  layout.stages_per_graph = layout.pipeline_parallel;
  part(layout.stage_link, pipeline) = 1.0;
  part(layout.stage_link_steps, pipeline) = c.transfer_steps(network::DimensionKind::fully_connected, 2.0);
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
  add_tensor_costs(layout, request, c, *roles);
  add_data_costs(layout, request, c, *roles);
  if (is_cut)
    add_stage_costs(layout, c, roles->pipeline);
  else
    add_pipeline_costs(layout, request, w, c, *roles);
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

/// Rows and columns of the grid of chips of a stage: the last of its dimensions and the others. [dfmodel] section 4.4
void add_grid(Layout& layout, const network::Topology& topology, const network::Shape& stage, const Convention& c,
              std::size_t pipeline) {
  std::size_t last = topology.count - 1;
  if (last == pipeline && last > 0) --last;
  layout.split.rows = network::chips_inside(stage, last);
  layout.split.columns = stage.sizes[last];
  layout.broadcast_steps.outer = c.gather_steps(topology.kinds[last], layout.split.rows);
  const double hop = c.transfer_steps(network::DimensionKind::fully_connected, 2.0);
  const bool starts_outside = pipeline == 0;  // the first dimension left has outer links
  layout.shift = starts_outside ? PerLink{0.0, 1.0} : PerLink{1.0, 0.0};
  layout.shift_steps = starts_outside ? PerLink{0.0, hop} : PerLink{hop, 0.0};
}

/// Whether a workload that knows no parallelism but that of all chips is asked to have stages.
bool asks_for_stages(const LayoutRequest& request, const Convention& c) {
  if (c.stage_rule != StageRule::kernels) return false;
  if (is_given(request.pipeline_parallel)) return request.pipeline_parallel > 1.0;
  return request.roles != nullptr && request.roles->roles.pipeline != none;
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
  layout.verdict = Layout::Verdict::possible;
  layout.chips = network::chips_of(layout.shape);
  network::Shape shape = layout.shape;  // of a stage
  if (pipeline != none) {
    shape.sizes[pipeline] = 1.0;
    add_stage_costs(layout, c, pipeline);
  }
  layout.split.chips = network::chips_of(shape);
  layout.data_parallel = w.spread == Spread::replicated ? layout.split.chips : 1.0;
  if (w.spread == Spread::grid)
    add_grid(layout, topology, shape, c, pipeline);
  else if (w.spread == Spread::columns)
    layout.split.columns = layout.split.chips;
  const network::ExchangeCost exchange = c.exchange(topology, shape);
  layout.exchange = {exchange.first, exchange.outer};
  layout.gradient_seconds_per_byte = layout.split.chips > 1.0 ? c.gradient_seconds_per_byte : 0.0;
  for (std::size_t d = 0; d < topology.count; ++d) {
    const double x = shape.sizes[d];
    part(layout.exchange_steps, d) += c.all_to_all_steps(topology.kinds[d], x);
    part(layout.gradient_steps, d) += c.all_reduce_steps(topology.kinds[d], x);
    if (c.gradient_seconds_per_byte == 0.0)
      part(layout.gradient, d) +=
          c.gradient_passes * network::one_pass(topology.kinds[d], x) / network::chips_inside(shape, d);
  }
  return layout;
}

}  // namespace

Layout layout_of(const LayoutRequest& request, const Workload& workload, const Convention& convention) {
  LayoutRequest trimmed_request = request;
  trimmed_request.shape = trimmed(request.shape, request.topology.count);
  if (trimmed_request.shape.count != 0 && trimmed_request.shape.count != request.topology.count) return {};
  Layout layout = workload.spread == Spread::tensor_parallel
                      ? tensor_parallel_layout(trimmed_request, workload, convention)
                      : whole_machine_layout(trimmed_request, workload, convention);
  if (layout.verdict == Layout::Verdict::possible) add_bill(layout, request.topology, convention);
  return layout;
}

}  // namespace dfsweep::dataflow
