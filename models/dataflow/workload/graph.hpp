/// Graph: the kernels of one layer (or one whole program) and the tensors that flow between them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/decoded.hpp"
#include "models/kernels/kernel.hpp"

namespace dfsweep::dataflow {

/// The output of `source`, consumed by `destination` (indices into Graph::kernels). A tensor with several consumers has
/// an edge for each, counted in full: the tensor is replicated per consumer. [dfmodel] section 1
struct Edge {
  std::size_t source = 0;
  std::size_t destination = 0;
};

struct Graph {
  std::vector<Kernel> kernels;
  std::vector<Edge> edges;
};

/// FLOP of all kernels, in the order of the kernels.
[[nodiscard]] double flop_of(const Graph& graph);

/// Level of every kernel: length of the longest path to it; empty where the graph has a cycle.
[[nodiscard]] std::optional<std::vector<std::size_t>> topological_levels(const Graph& graph);

/// Problems of the kernels of a graph, with paths as in an entry ("kernel[0].m"). A graph needs at least one kernel,
/// sizes whole and >= 1, amounts of data >= 0, and distinct names.
[[nodiscard]] std::vector<EntryProblem> problems_of_kernels(const Graph& graph);
[[nodiscard]] std::vector<EntryProblem> problems_of_edges(const Graph& graph);
/// Problems of kernels and edges ("edge[2]"). Edges join different existing kernels, at most one per pair, without
/// cycles.
[[nodiscard]] std::vector<EntryProblem> problems_of(const Graph& graph);

}  // namespace dfsweep::dataflow
