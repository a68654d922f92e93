/// Kernels and edges of DLRM, HPL and FFT.
#include "models/dataflow/workload/programs.hpp"

#include <cmath>

namespace dfsweep::dataflow {

namespace {

std::string numbered(const char* name, std::size_t number) {
  return name + std::to_string(number);
}

}  // namespace

Graph dlrm_graph(const DlrmSizes& sizes) {
  const auto layers = static_cast<std::size_t>(sizes.mlp_layers);
  const double p = sizes.mlp_width;
  const double b = sizes.samples_per_chip;
  Graph graph;
  for (std::size_t l = 1; l <= layers; ++l)
    graph.kernels.push_back({.name = numbered("MLP_", l),
                             .type = KernelType::matrix,
                             .m = p,
                             .k = p,
                             .n = b,
                             .weight_words = p * p,
                             .pass = Pass::forward});
  for (std::size_t l = layers; l >= 1; --l)
    graph.kernels.push_back({.name = numbered("MLP_bwd_", l),
                             .type = KernelType::matrix,
                             .m = p,
                             .k = p,
                             .n = b,
                             .weight_words = p * p,
                             .pass = Pass::backward});
  for (std::size_t l = layers; l >= 1; --l)
    graph.kernels.push_back({.name = numbered("MLP_weight_update_", l),
                             .type = KernelType::matrix,
                             .m = p,
                             .k = b,
                             .n = p,
                             .gradient_words = p * p,
                             .pass = Pass::backward});
  const double embeddings = sizes.tables * sizes.pooled_rows * sizes.embedding_dim * b;
  const auto bottom = static_cast<std::size_t>(sizes.bottom_layers);
  for (const std::size_t k : {bottom - 1, 2 * layers - bottom}) {
    graph.kernels[k].memory_words = embeddings;
    graph.kernels[k].exchange_words = embeddings;
  }
  for (std::size_t i = 1; i < layers; ++i) graph.edges.push_back({i - 1, i});
  for (std::size_t i = layers + 1; i < 2 * layers; ++i) graph.edges.push_back({i - 1, i});
  for (std::size_t i = 1; i < layers; ++i) graph.edges.push_back({i - 1, 3 * layers - i - 1});
  for (std::size_t i = layers + 1; i < 2 * layers; ++i) graph.edges.push_back({i - 1, layers + i});
  return graph;
}

Graph hpl_graph(const HplSizes& sizes) {
  Graph graph;
  const auto steps = static_cast<std::size_t>(sizes.steps);
  for (std::size_t i = 0; i < steps; ++i) {
    const double side = sizes.matrix_size - static_cast<double>(i) * sizes.block_size;
    graph.kernels.push_back({.name = numbered("Step_", i),
                             .type = KernelType::matrix,
                             .m = side,
                             .k = side,
                             .n = sizes.block_size,
                             .broadcast_words = side * sizes.block_size});
    if (i > 0) graph.edges.push_back({i - 1, i});
  }
  return graph;
}

Graph fft_graph(const FftSizes& sizes) {
  const double q = std::sqrt(sizes.length);
  const double k = std::floor(4.0 * std::log2(q) / std::log2(sizes.radix) * sizes.radix);
  Graph graph;
  for (const char* name : {"FFT_rows", "FFT_columns"})
    graph.kernels.push_back({.name = name, .type = KernelType::matrix, .m = q, .k = k, .n = q});
  graph.kernels[1].exchange_total_words = q * q;
  graph.edges.push_back({0, 1});
  return graph;
}

}  // namespace dfsweep::dataflow
