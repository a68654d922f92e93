/// Graph: the kernels of one layer (or one whole program) and the tensors that flow between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/decoded.hpp"

namespace dfsweep::dataflow {

enum class KernelType : std::uint8_t { matrix, elementwise };
enum class Pass : std::uint8_t { forward, backward };
/// The dimension along which a kernel is streamed tile by tile; it cannot be sharded.
enum class Tiling : std::uint8_t { none, n, k };

/// outer independent products of an (m x k) with a (k x n) matrix; element-wise kernels have k = 1.
/// Sizes are whole numbers >= 1; amounts of data are in words.
struct Kernel {
  std::string name;
  KernelType type = KernelType::elementwise;
  double outer = 1.0;
  double m = 1.0;
  double k = 1.0;
  double n = 1.0;
  double weight_words = 0.0;          ///< parameters that the kernel reads
  double gradient_words = 0.0;        ///< gradient that replicas sum up: the kernel is a weight update
  double memory_words = 0.0;          ///< further traffic with DRAM, per chip and pass
  double exchange_words = 0.0;        ///< sent by every chip to all others, evenly
  double exchange_total_words = 0.0;  ///< the same, summed over the machine
  double broadcast_words = 0.0;       ///< block column sent along the rows of a grid of chips, undivided
  Tiling tiling = Tiling::none;
  Pass pass = Pass::forward;
};

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

/// 2 outer m k n for matrix kernels, outer m n for element-wise ones (one FLOP per element).
[[nodiscard]] double flop_of(const Kernel& kernel);
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
