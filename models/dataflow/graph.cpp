/// FLOP, levels and validation of graphs.
#include "models/dataflow/graph.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace dfsweep {

double flop_of(const Kernel& kernel) {
  const double elements = kernel.outer * kernel.m * kernel.n;
  return kernel.type == KernelType::matrix ? 2.0 * elements * kernel.k : elements;
}

double flop_of(const Graph& graph) {
  double flop = 0.0;
  for (const Kernel& kernel : graph.kernels) flop += flop_of(kernel);
  return flop;
}

std::optional<std::vector<std::size_t>> topological_levels(const Graph& graph) {
  const std::size_t count = graph.kernels.size();
  std::vector<std::size_t> missing(count, 0);
  for (const Edge& edge : graph.edges) ++missing[edge.destination];
  std::vector<std::size_t> levels(count, 0);
  std::vector<std::size_t> ready;
  for (std::size_t k = 0; k < count; ++k)
    if (missing[k] == 0) ready.push_back(k);
  for (std::size_t done = 0; done < ready.size(); ++done)
    for (const Edge& edge : graph.edges) {
      if (edge.source != ready[done]) continue;
      levels[edge.destination] = std::max(levels[edge.destination], levels[edge.source] + 1);
      if (--missing[edge.destination] == 0) ready.push_back(edge.destination);
    }
  if (ready.size() < count) return std::nullopt;
  return levels;
}

namespace {

bool is_size(double value) {
  return value >= 1.0 && value < 1e15 && value == std::floor(value);
}
bool is_amount(double value) {
  return value >= 0.0 && value < 1e18;
}

void check_kernel(const Kernel& kernel, std::vector<std::string>& problems) {
  if (!is_size(kernel.outer) || !is_size(kernel.m) || !is_size(kernel.k) || !is_size(kernel.n))
    problems.push_back("kernel '" + kernel.name + "' has a size that is no whole number >= 1");
  if (kernel.type == KernelType::elementwise && kernel.k != 1.0)
    problems.push_back("element-wise kernel '" + kernel.name + "' has k other than 1");
  for (const double words : {kernel.weight_words, kernel.gradient_words, kernel.memory_words, kernel.exchange_words,
                             kernel.exchange_total_words, kernel.broadcast_words})
    if (!is_amount(words)) problems.push_back("kernel '" + kernel.name + "' has a negative amount of data");
}

}  // namespace

std::vector<std::string> problems_of(const Graph& graph) {
  std::vector<std::string> problems;
  if (graph.kernels.empty()) problems.push_back("has no kernel");
  std::set<std::string> names;
  for (const Kernel& kernel : graph.kernels) {
    check_kernel(kernel, problems);
    if (!names.insert(kernel.name).second) problems.push_back("has two kernels named '" + kernel.name + "'");
  }
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  const std::size_t count = graph.kernels.size();
  for (const Edge& edge : graph.edges) {
    if (edge.source >= count || edge.destination >= count)
      problems.push_back("has an edge to an unknown kernel");
    else if (edge.source == edge.destination)
      problems.push_back("has an edge from kernel '" + graph.kernels[edge.source].name + "' to itself");
    else if (!pairs.insert({edge.source, edge.destination}).second)
      problems.push_back("has two edges from '" + graph.kernels[edge.source].name + "' to '" +
                         graph.kernels[edge.destination].name + "'");
  }
  if (problems.empty() && !topological_levels(graph)) problems.push_back("has a cycle");
  return problems;
}

}  // namespace dfsweep
