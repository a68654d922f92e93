/// Kernels and edges of transformer layers.
#include "models/dataflow/workload/transformer.hpp"

#include <map>
#include <string_view>

namespace dfsweep::dataflow {

namespace {

/// Adds kernels and edges by name to a graph.
class LayerBuilder {
 public:
  explicit LayerBuilder(const TransformerSizes& sizes) : sizes_(sizes) {}

  void pass(Pass pass) { pass_ = pass; }
  void elementwise(std::string_view name, double outer, double m) {
    add({.name = std::string(name), .outer = outer, .m = m, .n = sizes_.sequence_length, .tiling = Tiling::n});
  }
  /// A product with `weight` parameters (0: both operands are activations), streamed along the sequence.
  void product(std::string_view name, double outer, double m, double k, double weight) {
    add({.name = std::string(name),
         .type = KernelType::matrix,
         .outer = outer,
         .m = m,
         .k = k,
         .n = sizes_.sequence_length,
         .weight_words = weight,
         .tiling = Tiling::n});
  }
  /// The gradient (m x n) of a weight, summed over the sequence.
  void weight_update(std::string_view name, double m, double n, double weight) {
    add({.name = std::string(name),
         .type = KernelType::matrix,
         .m = m,
         .k = sizes_.sequence_length,
         .n = n,
         .gradient_words = weight,
         .tiling = Tiling::k});
  }
  void edge(std::string_view source, std::string_view destination) {
    graph_.edges.push_back({index_.find(source)->second, index_.find(destination)->second});
  }
  Graph graph() { return std::move(graph_); }

 private:
  void add(Kernel kernel) {
    kernel.pass = pass_;
    index_[kernel.name] = graph_.kernels.size();
    graph_.kernels.push_back(std::move(kernel));
  }

  const TransformerSizes& sizes_;
  Pass pass_ = Pass::forward;
  Graph graph_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

/// Parameters of the four attention weights and of one feed-forward matrix.
struct Weights {
  double query;
  double key_value;
  double projection;
  double feed_forward;
};

Weights weights_of(const TransformerSizes& s) {
  const double query = s.heads * s.head_dim * s.hidden;
  return {query, s.key_value_heads * s.head_dim * s.hidden, query, s.ffn_hidden * s.hidden};
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
  layer.product("FFN0", 1, s.ffn_hidden, h, w.feed_forward);
  layer.elementwise("GeLU", 1, s.ffn_hidden);
  layer.product("FFN1", 1, h, s.ffn_hidden, w.feed_forward);
  layer.elementwise("DropOut_3", 1, h);
  layer.elementwise("Add_2", 1, h);
  if (s.feed_forward == FeedForward::gated) {
    layer.product("FFN_Gate", 1, s.ffn_hidden, h, w.feed_forward);
    layer.elementwise("FFN_Multiply", 1, s.ffn_hidden);
  }
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
                                                               {"Add_1", "LayerNorm_2"},
                                                               {"LayerNorm_2", "FFN0"},
                                                               {"FFN0", "GeLU"}};
  for (const auto& [source, destination] : attention) layer.edge(source, destination);
  if (s.feed_forward == FeedForward::gated) {
    layer.edge("LayerNorm_2", "FFN_Gate");
    layer.edge("GeLU", "FFN_Multiply");
    layer.edge("FFN_Gate", "FFN_Multiply");
    layer.edge("FFN_Multiply", "FFN1");
  } else {
    layer.edge("GeLU", "FFN1");
  }
  layer.edge("FFN1", "DropOut_3");
  layer.edge("DropOut_3", "Add_2");
  layer.edge("Add_1", "Add_2");
}

void add_backward_kernels(LayerBuilder& layer, const TransformerSizes& s) {
  const double h = s.hidden;
  const double a = s.heads;
  const double d = s.head_dim;
  const double l = s.sequence_length;
  const Weights w = weights_of(s);
  layer.elementwise("Loss_bwd", 1, h);
  layer.elementwise("DropOut_3_bwd", 1, h);
  layer.product("FFN1_bwd", 1, s.ffn_hidden, h, w.feed_forward);
  layer.elementwise("GeLU_bwd", 1, s.ffn_hidden);
  layer.product("FFN0_bwd", 1, h, s.ffn_hidden, w.feed_forward);
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
  layer.weight_update("FFN1_bwd_weight_update", s.ffn_hidden, h, w.feed_forward);
  layer.weight_update("FFN0_bwd_weight_update", h, s.ffn_hidden, w.feed_forward);
  layer.weight_update("PROJ_GEMM_bwd_weight_update", h, a * d, w.projection);
  layer.weight_update("V_bwd_weight_update", h, s.key_value_heads * d, w.key_value);
  layer.weight_update("K_bwd_weight_update", h, s.key_value_heads * d, w.key_value);
  layer.weight_update("Q_bwd_weight_update", h, a * d, w.query);
  if (s.feed_forward == FeedForward::gated) {
    layer.elementwise("FFN_Multiply_bwd", 1, s.ffn_hidden);
    layer.product("FFN_Gate_bwd", 1, h, s.ffn_hidden, w.feed_forward);
    layer.weight_update("FFN_Gate_bwd_weight_update", h, s.ffn_hidden, w.feed_forward);
  }
}

void add_backward_edges(LayerBuilder& layer, const TransformerSizes& s) {
  const bool gated = s.feed_forward == FeedForward::gated;
  layer.edge("Loss_bwd", "DropOut_3_bwd");
  layer.edge("DropOut_3_bwd", "FFN1_bwd");
  if (gated) {
    layer.edge("FFN1_bwd", "FFN_Multiply_bwd");
    layer.edge("FFN_Multiply_bwd", "GeLU_bwd");
    layer.edge("FFN_Multiply_bwd", "FFN_Gate_bwd");
    layer.edge("GeLU", "FFN_Multiply_bwd");
    layer.edge("FFN_Gate", "FFN_Multiply_bwd");
    layer.edge("FFN_Gate_bwd", "LayerNorm_2_bwd");
    layer.edge("FFN_Multiply_bwd", "FFN_Gate_bwd_weight_update");
    layer.edge("LayerNorm_2", "FFN_Gate_bwd_weight_update");
  } else {
    layer.edge("FFN1_bwd", "GeLU_bwd");
  }
  constexpr std::pair<const char*, const char*> others[] = {{"GeLU_bwd", "FFN0_bwd"},
                                                            {"FFN0_bwd", "LayerNorm_2_bwd"},
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
                                                            {"DropOut_3_bwd", "FFN1_bwd_weight_update"},
                                                            {"GeLU_bwd", "FFN0_bwd_weight_update"},
                                                            {"LayerNorm_2", "FFN0_bwd_weight_update"},
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
