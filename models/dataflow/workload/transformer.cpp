/// Kernels and edges of transformer layers.
#include "models/dataflow/workload/transformer.hpp"

#include <utility>

#include "models/dataflow/workload/expert_kernels.hpp"

namespace dfsweep::dataflow {

namespace {

/// Parameters of the attention weights.
struct Weights {
  double query;
  double key_value;
  double projection;
};

Weights weights_of(const TransformerSizes& s) {
  const double query = s.heads * s.head_dim * s.hidden;
  return {query, s.key_value_heads * s.head_dim * s.hidden, query};
}

void add_forward_kernels(LayerBuilder& layer, const TransformerSizes& s) {
  const double h = s.hidden;
  const double a = s.heads;
  const double d = s.head_dim;
  const Weights w = weights_of(s);
  layer.elementwise("Add_Prev_Layer", 1, h);
  layer.elementwise("LayerNorm_1", 1, h);
  layer.product("Q", a, d, h, w.query);
  layer.product("K", s.key_value_heads, d, h, w.key_value);
  layer.product("V", s.key_value_heads, d, h, w.key_value);
  layer.product("MHA_GEMM_1", a, s.sequence_length, d, 0);
  layer.elementwise("SOFTMAX", a, s.sequence_length);
  layer.elementwise("DropOut_1", a, s.sequence_length);
  layer.product("MHA_GEMM_2", a, d, s.sequence_length, 0);
  layer.product("PROJ_GEMM", 1, h, a * d, w.projection);
  layer.elementwise("DropOut_2", 1, h);
  layer.elementwise("Add_1", 1, h);
  layer.elementwise("LayerNorm_2", 1, h);
  layer.ffn_product("FFN0", s.ffn_hidden, h);
  layer.ffn_elementwise("GeLU", s.ffn_hidden);
  layer.ffn_product("FFN1", h, s.ffn_hidden);
  layer.elementwise("DropOut_3", 1, h);
  layer.elementwise("Add_2", 1, h);
  if (is_gated(s)) {
    layer.ffn_product("FFN_Gate", s.ffn_hidden, h);
    layer.ffn_elementwise("FFN_Multiply", s.ffn_hidden);
  }
  if (has_experts(s)) add_expert_kernels(layer, s);
}

void add_forward_edges(LayerBuilder& layer, const TransformerSizes& s) {
  constexpr std::pair<const char*, const char*> attention[] = {{"Add_Prev_Layer", "LayerNorm_1"},
                                                               {"LayerNorm_1", "Q"},
                                                               {"LayerNorm_1", "K"},
                                                               {"LayerNorm_1", "V"},
                                                               {"Q", "MHA_GEMM_1"},
                                                               {"K", "MHA_GEMM_1"},
                                                               {"MHA_GEMM_1", "SOFTMAX"},
                                                               {"SOFTMAX", "DropOut_1"},
                                                               {"V", "MHA_GEMM_2"},
                                                               {"DropOut_1", "MHA_GEMM_2"},
                                                               {"MHA_GEMM_2", "PROJ_GEMM"},
                                                               {"PROJ_GEMM", "DropOut_2"},
                                                               {"DropOut_2", "Add_1"},
                                                               {"Add_Prev_Layer", "Add_1"},
                                                               {"Add_1", "LayerNorm_2"}};
  for (const auto& [source, destination] : attention) layer.edge(source, destination);
  const char* const entrance = has_experts(s) ? "Dispatch" : "LayerNorm_2";
  layer.edge(entrance, "FFN0");
  layer.edge("FFN0", "GeLU");
  if (is_gated(s)) {
    layer.edge(entrance, "FFN_Gate");
    layer.edge("GeLU", "FFN_Multiply");
    layer.edge("FFN_Gate", "FFN_Multiply");
    layer.edge("FFN_Multiply", "FFN1");
  } else {
    layer.edge("GeLU", "FFN1");
  }
  layer.edge(has_experts(s) ? "Combine" : "FFN1", "DropOut_3");
  layer.edge("DropOut_3", "Add_2");
  layer.edge("Add_1", "Add_2");
  if (has_experts(s)) add_expert_edges(layer, s);
}

void add_backward_kernels(LayerBuilder& layer, const TransformerSizes& s) {
  const double h = s.hidden;
  const double a = s.heads;
  const double d = s.head_dim;
  const double l = s.sequence_length;
  const Weights w = weights_of(s);
  layer.elementwise("Loss_bwd", 1, h);
  layer.elementwise("DropOut_3_bwd", 1, h);
  layer.ffn_product("FFN1_bwd", s.ffn_hidden, h);
  layer.ffn_elementwise("GeLU_bwd", s.ffn_hidden);
  layer.ffn_product("FFN0_bwd", h, s.ffn_hidden);
  layer.elementwise("LayerNorm_2_bwd", 1, h);
  layer.elementwise("DropOut_2_bwd", 1, h);
  layer.product("PROJ_GEMM_bwd", 1, a * d, h, w.projection);
  layer.product("MHA_GEMM_2_bwd1", a, l, d, 0);
  layer.product("MHA_GEMM_2_bwd2", a, d, l, 0);
  layer.product("V_bwd", 1, h, s.key_value_heads * d, w.key_value);
  layer.elementwise("DropOut_1_bwd", a, l);
  layer.elementwise("SOFTMAX_bwd", a, l);
  layer.product("MHA_GEMM_1_bwd1", a, d, l, 0);
  layer.product("MHA_GEMM_1_bwd2", a, d, l, 0);
  layer.product("Q_bwd", a, d, h, w.query);
  layer.product("K_bwd", s.key_value_heads, d, h, w.key_value);
  layer.ffn_update("FFN1_bwd_weight_update", s.ffn_hidden, h);
  layer.ffn_update("FFN0_bwd_weight_update", h, s.ffn_hidden);
  layer.weight_update("PROJ_GEMM_bwd_weight_update", h, a * d, w.projection);
  layer.weight_update("V_bwd_weight_update", h, s.key_value_heads * d, w.key_value);
  layer.weight_update("K_bwd_weight_update", h, s.key_value_heads * d, w.key_value);
  layer.weight_update("Q_bwd_weight_update", h, a * d, w.query);
  if (is_gated(s)) {
    layer.ffn_elementwise("FFN_Multiply_bwd", s.ffn_hidden);
    layer.ffn_product("FFN_Gate_bwd", h, s.ffn_hidden);
    layer.ffn_update("FFN_Gate_bwd_weight_update", h, s.ffn_hidden);
  }
  if (has_experts(s)) add_expert_backward_kernels(layer, s);
}

void add_backward_edges(LayerBuilder& layer, const TransformerSizes& s) {
  const bool gated = is_gated(s);
  const char* const entrance = has_experts(s) ? "Dispatch" : "LayerNorm_2";
  const char* const entrance_bwd = has_experts(s) ? "Dispatch_bwd" : "LayerNorm_2_bwd";
  const char* const result_bwd = has_experts(s) ? "Combine_bwd" : "DropOut_3_bwd";
  layer.edge("Loss_bwd", "DropOut_3_bwd");
  layer.edge(result_bwd, "FFN1_bwd");
  if (gated) {
    layer.edge("FFN1_bwd", "FFN_Multiply_bwd");
    layer.edge("FFN_Multiply_bwd", "GeLU_bwd");
    layer.edge("FFN_Multiply_bwd", "FFN_Gate_bwd");
    layer.edge("GeLU", "FFN_Multiply_bwd");
    layer.edge("FFN_Gate", "FFN_Multiply_bwd");
    layer.edge("FFN_Gate_bwd", entrance_bwd);
    layer.edge("FFN_Multiply_bwd", "FFN_Gate_bwd_weight_update");
    layer.edge(entrance, "FFN_Gate_bwd_weight_update");
  } else {
    layer.edge("FFN1_bwd", "GeLU_bwd");
  }
  const std::pair<const char*, const char*> others[] = {{"GeLU_bwd", "FFN0_bwd"},
                                                        {"FFN0_bwd", entrance_bwd},
                                                        {"LayerNorm_2_bwd", "DropOut_2_bwd"},
                                                        {"DropOut_2_bwd", "PROJ_GEMM_bwd"},
                                                        {"PROJ_GEMM_bwd", "MHA_GEMM_2_bwd1"},
                                                        {"V", "MHA_GEMM_2_bwd1"},
                                                        {"PROJ_GEMM_bwd", "MHA_GEMM_2_bwd2"},
                                                        {"DropOut_1", "MHA_GEMM_2_bwd2"},
                                                        {"MHA_GEMM_2_bwd1", "DropOut_1_bwd"},
                                                        {"MHA_GEMM_2_bwd2", "V_bwd"},
                                                        {"DropOut_1_bwd", "SOFTMAX_bwd"},
                                                        {"SOFTMAX_bwd", "MHA_GEMM_1_bwd1"},
                                                        {"SOFTMAX_bwd", "MHA_GEMM_1_bwd2"},
                                                        {"K", "MHA_GEMM_1_bwd1"},
                                                        {"Q", "MHA_GEMM_1_bwd2"},
                                                        {"MHA_GEMM_1_bwd1", "Q_bwd"},
                                                        {"MHA_GEMM_1_bwd2", "K_bwd"},
                                                        {result_bwd, "FFN1_bwd_weight_update"},
                                                        {"GeLU_bwd", "FFN0_bwd_weight_update"},
                                                        {entrance, "FFN0_bwd_weight_update"},
                                                        {"DropOut_2_bwd", "PROJ_GEMM_bwd_weight_update"},
                                                        {"MHA_GEMM_2", "PROJ_GEMM_bwd_weight_update"},
                                                        {"MHA_GEMM_2_bwd2", "V_bwd_weight_update"},
                                                        {"LayerNorm_1", "V_bwd_weight_update"},
                                                        {"MHA_GEMM_1_bwd2", "K_bwd_weight_update"},
                                                        {"LayerNorm_1", "K_bwd_weight_update"},
                                                        {"MHA_GEMM_1_bwd1", "Q_bwd_weight_update"},
                                                        {"LayerNorm_1", "Q_bwd_weight_update"}};
  for (const auto& [source, destination] : others) layer.edge(source, destination);
  layer.edge(gated ? "FFN_Multiply" : "GeLU", "FFN1_bwd_weight_update");
  if (has_experts(s)) add_expert_backward_edges(layer, s);
}

}  // namespace

Graph transformer_forward(const TransformerSizes& sizes) {
  LayerBuilder layer(sizes);
  add_forward_kernels(layer, sizes);
  add_forward_edges(layer, sizes);
  return layer.graph();
}

Graph transformer_training(const TransformerSizes& sizes) {
  LayerBuilder layer(sizes);
  add_forward_kernels(layer, sizes);
  add_forward_edges(layer, sizes);
  layer.pass(Pass::backward);
  add_backward_kernels(layer, sizes);
  add_backward_edges(layer, sizes);
  return layer.graph();
}

}  // namespace dfsweep::dataflow
