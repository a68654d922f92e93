#include "models/training/step/stage_time.hpp"

#include <algorithm>

#include "models/kernels/layer.hpp"
#include "models/kernels/smooth_maximum.hpp"
#include "models/training/communication/layer_exchange.hpp"

namespace dfsweep::training {

namespace {

/// Kernels that a layer repeats in its backward pass. Scores are repeated where they were materialized: flash kernels
/// never keep them, and count what they repeat as their backward pass.
Seconds repeated_kernels(const KernelTimes& forward, const TrainingPoint& point) {
  const Execution& e = point.execution;
  const Seconds scores = e.attention == AttentionKernel::materialized ? forward.attention : Seconds{};
  switch (e.recompute) {
    case Recompute::none:
      return Seconds{};
    case Recompute::attention:
      return scores;
    case Recompute::elementwise:
      return scores + forward.elementwise;
    case Recompute::selective:
      return scores + forward.elementwise + (forward.matrix + forward.cast) / 2;
    case Recompute::full:
      return forward.total();
    case Recompute::latent:
      return scores + forward.elementwise +
             products_times(latent_up_products(point.architecture, e), e, point.accelerator, point.software).total();
  }
  return Seconds{};
}

/// What a ring or exchange takes beyond the scores that it runs beside.
Seconds beyond(Seconds exchange, Seconds computing) {
  return std::max(Seconds{}, exchange - computing);
}

/// Launches of a recorded step wait for nothing.
Seconds host_time(LayerKind kind, const TrainingPoint& point) {
  const HostTimes& host = point.software.host;
  const Architecture& a = point.architecture;
  const Execution& e = point.execution;
  if (e.step_graph) return Seconds{};
  const double repeated = e.recompute == Recompute::full ? e.recomputed_layers : 0.0;
  const double local = std::min(host.most_experts, a.experts.count / e.parallel.expert);
  const Seconds dense = e.task == Task::low_rank ? host.adapter_layer : host.layer;
  const Seconds both_passes = kind == LayerKind::dense ? dense : host.expert_layer + local * host.expert;
  if (e.phase == Phase::forward) return both_passes / 3;
  return (1 + repeated / 3) * both_passes;
}

/// Of exchanges of experts that take `whole` and stay visible for `visible` in a pass: what the computing of the pass
/// that is paired with it hides, so that at most whole - computing stays.
Seconds hidden_by(Seconds computing, Seconds whole, Seconds visible) {
  return visible - std::min(visible, std::max(Seconds{}, whole - computing));
}

/// Computing that ring exchanges of sequences run beside, by pass.
struct BesideRing {
  Seconds forward;
  Seconds backward;
};

/// Exchanges of experts that a pair of passes hides beside the computing that hides no ring exchange: no part of it
/// hides two exchanges. The backward pass has the exchanges of repeated layers. `share`: by which the layer gets
/// shorter where an exchange does, less than 1 where it waits for launches.
Seconds hidden_in_pair(const LayerCost& cost, const BesideRing& ring, const TrainingPoint& point, double share) {
  const LinkEfficiency& links = point.software.links;
  if (point.execution.schedule != Schedule::dual_pipe || !(links.expert_visible > 0)) return Seconds{};
  const Seconds forward = cost.expert_exchange / exchanges(point.execution);
  const Seconds backward = cost.expert_exchange - forward;
  const Seconds hidden_forward =
      hidden_by(links.pair_hidden * (cost.backward_input + cost.backward_weight + cost.recompute - ring.backward),
                forward / links.expert_visible, forward);
  const Seconds hidden_backward =
      hidden_by(links.pair_hidden * (cost.forward - ring.forward), backward / links.expert_visible, backward);
  return share * (hidden_forward + hidden_backward);
}

/// Of exchanges of tensors and experts, and of launches, a third belongs to the forward pass and the rest to the
/// backward pass; `context`: visible exchange of sequences in the forward pass. With D the time without the host, H the
/// launches and S their smooth maximum, `share` is (S-H)/D: a pass of d has share times d and its part of H, together
/// S, and no pass gets longer where another one gets shorter.
PassTimes pass_times(const LayerCost& cost, Seconds context, Seconds host, double share) {
  const Seconds exchanges = cost.tensor_exchange + cost.expert_exchange;
  const Seconds backward = cost.backward_input + cost.recompute + 2 * exchanges / 3 + cost.context_exchange - context;
  return {share * (cost.forward + exchanges / 3 + context) + host / 3, share * backward + 2 * host / 3,
          share * cost.backward_weight};
}

LayerCost layer_cost(LayerKind kind, const TrainingPoint& point, const Placement& placement) {
  const Architecture& a = point.architecture;
  const Execution& e = point.execution;
  const LinkEfficiency& links = point.software.links;
  const LayerTimes kernels = layer_times(a, e, kind, point.accelerator, point.software);

  LayerCost cost;
  cost.forward = kernels.forward.total();
  const bool has_backward = e.phase == Phase::train;
  if (has_backward) {
    cost.backward_input = kernels.backward_input.total();
    cost.backward_weight = kernels.backward_weight.total();
    cost.recompute = e.recomputed_layers * repeated_kernels(kernels.forward, point);
  }
  const double tensor_visible = e.tensor_overlap == TensorOverlap::overlapped ? links.tensor_visible : 1.0;
  cost.tensor_exchange = exchanges(e) * tensor_visible * tensor_exchange(a, e, placement.tensor, point.network, links);
  if (kind == LayerKind::experts)
    cost.expert_exchange = exchanges(e) * links.expert_visible * expert_exchange(a, e, placement, point.network, links);
  const Seconds context = context_exchange(a, e, placement.context, point.network, links);
  const bool ring = e.context_exchange == ContextExchange::ring;
  const Seconds visible_forward = beyond(context, ring ? kernels.forward.attention : Seconds{});
  cost.context_exchange = visible_forward;
  const Seconds context_backward = (ring ? 2 : 1) * context;  // a ring sends keys and values, then their gradients
  if (has_backward)
    cost.context_exchange += beyond(context_backward, ring ? kernels.backward_input.attention : Seconds{});
  const BesideRing beside{context - visible_forward, context_backward - (cost.context_exchange - visible_forward)};
  const Seconds device = cost.total();
  const Seconds host = host_time(kind, point);
  cost.host = smooth_maximum(device, host) - device;
  const double share = (cost.total() - host) / device;
  cost.passes =
      has_backward ? pass_times(cost, visible_forward, host, share) : PassTimes{cost.total(), Seconds{}, Seconds{}};
  if (has_backward) cost.hidden_in_pair = hidden_in_pair(cost, beside, point, share);
  return cost;
}

}  // namespace

double exchanges(const Execution& e) {
  if (e.phase == Phase::forward) return 1;
  return 2 + (e.recompute == Recompute::full ? e.recomputed_layers : 0.0);
}

Seconds LayerCost::total() const {
  return forward + backward_input + backward_weight + recompute + tensor_exchange + expert_exchange + context_exchange +
         host;
}

PassTimes operator+(const PassTimes& a, const PassTimes& b) {
  return {a.forward + b.forward, a.backward_input + b.backward_input, a.backward_weight + b.backward_weight};
}

PassTimes operator*(double count, const PassTimes& passes) {
  return {count * passes.forward, count * passes.backward_input, count * passes.backward_weight};
}

LayerCost operator+(const LayerCost& a, const LayerCost& b) {
  return {a.forward + b.forward,
          a.backward_input + b.backward_input,
          a.backward_weight + b.backward_weight,
          a.recompute + b.recompute,
          a.tensor_exchange + b.tensor_exchange,
          a.expert_exchange + b.expert_exchange,
          a.context_exchange + b.context_exchange,
          a.host + b.host,
          a.passes + b.passes,
          a.hidden_in_pair + b.hidden_in_pair};
}

LayerCost operator*(double count, const LayerCost& c) {
  return {count * c.forward,         count * c.backward_input,  count * c.backward_weight,  count * c.recompute,
          count * c.tensor_exchange, count * c.expert_exchange, count * c.context_exchange, count * c.host,
          count * c.passes,          count * c.hidden_in_pair};
}

LayerCost mean_layer_cost(const TrainingPoint& point, const Placement& placement) {
  const Architecture& a = point.architecture;
  LayerCost mean;
  if (const double dense = dense_layers(a); dense > 0)
    mean = mean + dense / all_layers(a) * layer_cost(LayerKind::dense, point, placement);
  if (const double routed = expert_layers(a); routed > 0)
    mean = mean + routed / all_layers(a) * layer_cost(LayerKind::experts, point, placement);
  return mean;
}

StageParts stage_parts(const TrainingPoint& point, const Placement& placement) {
  const Architecture& a = point.architecture;
  const VocabularyTimes ends = vocabulary_times(a, point.execution, point.accelerator, point.software);
  LayerCost output;
  output.forward = ends.forward;
  if (point.execution.phase == Phase::train) output.backward_input = output.backward_weight = ends.backward / 2;
  output.passes = {output.forward, output.backward_input, output.backward_weight};
  return {mean_layer_cost(point, placement), (1 + a.prediction_layers) * output, all_layers(a),
          point.execution.parallel.pipeline};
}

double vocabulary_load(const StageParts& parts) {
  return parts.output.total() / parts.layer.total();
}

StageTimes stage_times(const StageParts& parts, const StageLoad& load) {
  return {parts.layers / parts.stages * parts.layer + 1 / parts.stages * parts.output,
          std::max(0.0, load.heaviest - load.mean) * parts.layer.total(), load, load.first_layers * parts.layer.passes,
          load.last_layers * parts.layer.passes + parts.output.passes};
}

}  // namespace dfsweep::training
