/// Kernels and edges of experts.
#include "models/dataflow/workload/expert_kernels.hpp"

namespace dfsweep::dataflow {

namespace {

bool has_shared_experts(const TransformerSizes& s) {
  return has_experts(s) && s.routed.shared_ffn_hidden > 0.0;
}
/// Width of the first product of the shared experts: their gate and their input in one.
double shared_width(const TransformerSizes& s) {
  return (is_gated(s) ? 2.0 : 1.0) * s.routed.shared_ffn_hidden;
}

}  // namespace

void add_expert_kernels(LayerBuilder& layer, const TransformerSizes& s) {
  const double h = s.hidden;
  const RoutedSizes& r = s.routed;
  layer.product("Router", 1, r.stored, h, r.stored * h);
  layer.routing(Routing::router);
  layer.ffn_elementwise("Dispatch", h);
  layer.product("Combine", 1, h, r.per_token, 0);
  layer.routing(Routing::gather);
  if (!has_shared_experts(s)) return;
  layer.product("Shared_FFN0", 1, shared_width(s), h, shared_width(s) * h);
  layer.elementwise("Shared_GeLU", 1, r.shared_ffn_hidden);
  layer.product("Shared_FFN1", 1, h, r.shared_ffn_hidden, r.shared_ffn_hidden * h);
}

void add_expert_edges(LayerBuilder& layer, const TransformerSizes& s) {
  layer.edge("LayerNorm_2", "Router");
  layer.edge("LayerNorm_2", "Dispatch");
  layer.edge("Router", "Dispatch");
  layer.edge("Router", "Combine");
  layer.edge("FFN1", "Combine");
  if (!has_shared_experts(s)) return;
  layer.edge("LayerNorm_2", "Shared_FFN0");
  layer.edge("Shared_FFN0", "Shared_GeLU");
  layer.edge("Shared_GeLU", "Shared_FFN1");
  layer.edge("Shared_FFN1", "Add_2");
}

void add_expert_backward_kernels(LayerBuilder& layer, const TransformerSizes& s) {
  const double h = s.hidden;
  const RoutedSizes& r = s.routed;
  layer.ffn_elementwise("Combine_bwd", h);
  layer.product("Gates_bwd", 1, 1, h, 0);
  layer.spread_over_experts();
  layer.product("Router_bwd", 1, h, r.stored, r.stored * h);
  layer.routing(Routing::router);
  layer.product("Dispatch_bwd", 1, h, r.per_token, 0);
  layer.routing(Routing::gather);
  layer.weight_update("Router_bwd_weight_update", h, r.stored, r.stored * h);
  layer.routing(Routing::router);
  if (!has_shared_experts(s)) return;
  const double shared = r.shared_ffn_hidden;
  layer.product("Shared_FFN1_bwd", 1, shared, h, shared * h);
  layer.elementwise("Shared_GeLU_bwd", 1, shared_width(s));
  layer.product("Shared_FFN0_bwd", 1, h, shared_width(s), shared_width(s) * h);
  layer.weight_update("Shared_FFN1_bwd_weight_update", shared, h, shared * h);
  layer.weight_update("Shared_FFN0_bwd_weight_update", h, shared_width(s), shared_width(s) * h);
}

void add_expert_backward_edges(LayerBuilder& layer, const TransformerSizes& s) {
  constexpr std::pair<const char*, const char*> routed[] = {{"DropOut_3_bwd", "Combine_bwd"},
                                                            {"Router", "Combine_bwd"},
                                                            {"DropOut_3_bwd", "Gates_bwd"},
                                                            {"FFN1", "Gates_bwd"},
                                                            {"Gates_bwd", "Router_bwd"},
                                                            {"Router_bwd", "LayerNorm_2_bwd"},
                                                            {"Gates_bwd", "Router_bwd_weight_update"},
                                                            {"LayerNorm_2", "Router_bwd_weight_update"},
                                                            {"Dispatch_bwd", "LayerNorm_2_bwd"}};
  for (const auto& [source, destination] : routed) layer.edge(source, destination);
  if (!has_shared_experts(s)) return;
  constexpr std::pair<const char*, const char*> shared[] = {{"Loss_bwd", "Shared_FFN1_bwd"},
                                                            {"Shared_FFN1_bwd", "Shared_GeLU_bwd"},
                                                            {"Shared_FFN0", "Shared_GeLU_bwd"},
                                                            {"Shared_GeLU_bwd", "Shared_FFN0_bwd"},
                                                            {"Shared_FFN0_bwd", "LayerNorm_2_bwd"},
                                                            {"Loss_bwd", "Shared_FFN1_bwd_weight_update"},
                                                            {"Shared_GeLU", "Shared_FFN1_bwd_weight_update"},
                                                            {"Shared_GeLU_bwd", "Shared_FFN0_bwd_weight_update"},
                                                            {"LayerNorm_2", "Shared_FFN0_bwd_weight_update"}};
  for (const auto& [source, destination] : shared) layer.edge(source, destination);
}

}  // namespace dfsweep::dataflow
