/// LayerBuilder: adds the kernels and edges of a transformer layer to a graph.
#pragma once

#include <algorithm>
#include <map>
#include <string_view>

#include "models/dataflow/workload/graph.hpp"
#include "models/dataflow/workload/transformer_sizes.hpp"

namespace dfsweep::dataflow {

/// Adds kernels and edges by name to a graph.
class LayerBuilder {
 public:
  explicit LayerBuilder(const TransformerSizes& sizes) : sizes_(sizes) {}

  void pass(Pass pass) { pass_ = pass; }
  void elementwise(std::string_view name, double outer, double m) {
    add({.name = std::string(name), .outer = outer, .m = m, .n = sizes_.sequence_length, .tiling = Tiling::n});
  }
  /// An element-wise kernel of the feed-forward network: of each expert where there are experts.
  void ffn_elementwise(std::string_view name, double m) {
    elementwise(name, 1, m);
    spread_over_experts();
  }
  /// A product of the feed-forward network with its weights, of each expert where there are experts.
  void ffn_product(std::string_view name, double m, double k) {
    product(name, 1, m, k, std::max(sizes_.routed.stored, 1.0) * m * k);
    spread_over_experts();
  }
  void ffn_update(std::string_view name, double m, double n) {
    weight_update(name, m, n, std::max(sizes_.routed.stored, 1.0) * m * n);
    spread_over_experts();
  }
  void routing(Routing routing) { graph_.kernels.back().routing = routing; }
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

  /// Divides the last kernel among the experts, each with its own tokens.
  void spread_over_experts() {
    if (sizes_.routed.stored == 0.0) return;
    Kernel& kernel = graph_.kernels.back();
    kernel.outer = sizes_.routed.busy;
    (kernel.tiling == Tiling::k ? kernel.k : kernel.n) = sizes_.routed.tokens_per_expert;
    kernel.routing = Routing::experts;
  }

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

[[nodiscard]] inline bool is_gated(const TransformerSizes& s) {
  return s.feed_forward == FeedForward::gated;
}
[[nodiscard]] inline bool has_experts(const TransformerSizes& s) {
  return s.routed.stored > 0.0;
}

}  // namespace dfsweep::dataflow
