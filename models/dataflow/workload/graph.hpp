/// Graph: the kernels of one layer (or one whole program) and the tensors that flow between them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/decoded.hpp"
#include "models/kernels/kernel.hpp"

namespace dfsweep::dataflow {

/// The output of `source`, consumed by `destination` (indices into Graph::kernels). A tensor with several consumers is
/// several edges, each counted in full: it is replicated per consumer. [dfmodel] section 1
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

/// Level of every kernel: length of the longest path that leads to it; nothing where the graph has a cycle.
[[nodiscard]] std::optional<std::vector<std::size_t>> topological_levels(const Graph& graph);

/// What is wrong with a graph, its kernels and edges named as parts of an entry ("kernel[0].m", "edge[2]"). Of kernels:
/// at least one, sizes whole and >= 1, amounts of data >= 0, distinct names. Of edges: between different existing
/// kernels, none twice, no cycle.
[[nodiscard]] std::vector<EntryProblem> problems_of_kernels(const Graph& graph);
[[nodiscard]] std::vector<EntryProblem> problems_of_edges(const Graph& graph);
/// Both.
[[nodiscard]] std::vector<EntryProblem> problems_of(const Graph& graph);

}  // namespace dfsweep::dataflow
