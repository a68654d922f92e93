/// Points at which stages of a pipeline share a small graph, for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/dataflow_point.hpp"

namespace dfsweep::testing {

inline constexpr double word_bytes = 2.0;

/// Kernels of 2 * k * 100 * 100 FLOP with outputs of 100 x n words and weights; edges by numbers.
struct Sizes {
  double k = 1.0;
  double n = 100.0;
  double weights = 0.0;
};
inline Entry graph_entry(const std::vector<Sizes>& kernels, const std::vector<std::pair<int, int>>& edges) {
  Entry graph;
  graph.name = "graph";
  graph.texts["kind"] = "graph";
  graph.numbers["global_batch"] = 12;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    Entry part;
    part.texts = {{"name", "k" + std::to_string(i)}, {"type", "matrix"}};
    part.numbers = {{"m", 100}, {"k", kernels[i].k}, {"n", kernels[i].n}, {"weight_words", kernels[i].weights}};
    graph.parts["kernel"].push_back(part);
  }
  for (const auto& [from, to] : edges) {
    Entry part;
    part.texts = {{"from", "k" + std::to_string(from)}, {"to", "k" + std::to_string(to)}};
    graph.parts["edge"].push_back(part);
  }
  return graph;
}

/// One chip per stage of 1 GFLOP/s and 1 GB/s, links of 100 MB/s and 1 us.
inline DataflowPoint point_of(const Entry& graph, double stages) {
  DataflowPoint point;
  point.set("model", graph)
      .set("phase", "prefill")
      .set("device", device_entry(4, 1, 1, 0.125e9, 1e9, 1, 1))
      .set("memory", memory_entry(1e9, 0))
      .set("topology", topology_entry("r"))
      .set("tensor_parallel", 1)
      .set("data_parallel", 1)
      .set("pipeline_parallel", stages)
      .set("interconnect", interconnect_entry(1e8, 0, 1e-6))
      .set("compute_utilization", 1.0);
  return point;
}

}  // namespace dfsweep::testing
