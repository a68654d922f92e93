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

Seconds host_time(LayerKind kind, const TrainingPoint& point) {
  const HostTimes& host = point.software.host;
  const Architecture& a = point.architecture;
  const Execution& e = point.execution;
  const double repeated = e.recompute == Recompute::full ? e.recomputed_layers : 0.0;
  const double local = std::min(host.most_experts, a.experts.count / e.parallel.expert);
  const Seconds both_passes = kind == LayerKind::dense ? host.layer : host.expert_layer + local * host.expert;
  if (e.phase == Phase::forward) return both_passes / 3;
  return (1 + repeated / 3) * both_passes;
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
  cost.context_exchange = beyond(context, ring ? kernels.forward.attention : Seconds{});
  if (has_backward) cost.context_exchange += beyond(2 * context, ring ? kernels.backward_input.attention : Seconds{});
  const Seconds device = cost.total();
  cost.host = smooth_maximum(device, host_time(kind, point)) - device;
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

LayerCost operator+(const LayerCost& a, const LayerCost& b) {
  return {a.forward + b.forward,
          a.backward_input + b.backward_input,
          a.backward_weight + b.backward_weight,
          a.recompute + b.recompute,
          a.tensor_exchange + b.tensor_exchange,
          a.expert_exchange + b.expert_exchange,
          a.context_exchange + b.context_exchange,
          a.host + b.host};
}

LayerCost operator*(double count, const LayerCost& c) {
  return {count * c.forward,         count * c.backward_input,  count * c.backward_weight,  count * c.recompute,
          count * c.tensor_exchange, count * c.expert_exchange, count * c.context_exchange, count * c.host};
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

StageTimes stage_times(const TrainingPoint& point, const Placement& placement) {
  const Architecture& a = point.architecture;
  const Execution& e = point.execution;
  const double stages = e.parallel.pipeline;
  const LayerCost layer = mean_layer_cost(point, placement);
  const VocabularyTimes ends = vocabulary_times(a, e, point.accelerator, point.software);
  LayerCost output;
  output.forward = ends.forward;
  if (e.phase == Phase::train) output.backward_input = output.backward_weight = ends.backward / 2;
  const double outputs = 1 + a.prediction_layers;
  const double vocabulary = outputs * output.total() / layer.total();
  const StageLoad load = stage_load(all_layers(a), vocabulary, stages, e.stage_split);
  const LayerCost mean = all_layers(a) / stages * layer + outputs / stages * output;
  return {mean, std::max(0.0, load.heaviest - load.mean) * layer.total(), load};
}

}  // namespace dfsweep::training
