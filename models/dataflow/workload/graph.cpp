/// FLOP, levels and validation of graphs.
#include "models/dataflow/workload/graph.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "models/short_number.hpp"

namespace dfsweep::dataflow {

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

struct Amount {
  std::string_view field;
  double Kernel::*value;
};
constexpr Amount size_fields[] = {{"outer", &Kernel::outer}, {"m", &Kernel::m}, {"k", &Kernel::k}, {"n", &Kernel::n}};
constexpr Amount amounts[] = {{"weight_words", &Kernel::weight_words},
                              {"gradient_words", &Kernel::gradient_words},
                              {"memory_words", &Kernel::memory_words},
                              {"exchange_words", &Kernel::exchange_words},
                              {"exchange_total_words", &Kernel::exchange_total_words},
                              {"broadcast_words", &Kernel::broadcast_words}};

bool is_size(double value) {
  return value >= 1.0 && value < 1e15 && value == std::floor(value);
}
bool is_amount(double value) {
  return value >= 0.0 && value < 1e18;
}

std::string part(const char* name, std::size_t index) {
  return std::string(name) + "[" + std::to_string(index) + "]";
}

void check_kernel(const Kernel& kernel, const std::string& path, std::vector<EntryProblem>& problems) {
  const auto complain = [&](std::string_view field, double value, const char* reason) {
    problems.push_back({"'" + std::string(field) + "' of kernel '" + kernel.name + "' is " + short_number(value),
                        reason,
                        {path + "." + std::string(field)}});
  };
  for (const Amount& size : size_fields)
    if (!is_size(kernel.*size.value))
      complain(size.field, kernel.*size.value, "a whole number of at least 1 is needed");
  if (kernel.type == KernelType::elementwise && kernel.k != 1.0 && is_size(kernel.k))
    complain("k", kernel.k, "an element-wise kernel has k = 1");
  for (const Amount& amount : amounts)
    if (!is_amount(kernel.*amount.value))
      complain(amount.field, kernel.*amount.value, "a number of at least 0 is needed");
}

/// The edges of one cycle, in order from the first in the entry. Pre: the graph has a cycle; its edges join existing
/// kernels.
std::vector<std::size_t> edges_of_cycle(const Graph& graph) {
  std::vector<std::size_t> missing(graph.kernels.size(), 0);
  for (const Edge& edge : graph.edges) ++missing[edge.destination];
  std::vector<std::size_t> ready;
  for (std::size_t k = 0; k < missing.size(); ++k)
    if (missing[k] == 0) ready.push_back(k);
  for (std::size_t done = 0; done < ready.size(); ++done)
    for (const Edge& edge : graph.edges)
      if (edge.source == ready[done] && --missing[edge.destination] == 0) ready.push_back(edge.destination);
  // A kernel that never becomes ready has a predecessor that never does: following predecessors as many times as there
  // are kernels ends in a cycle.
  std::map<std::size_t, std::size_t> edge_to;
  for (std::size_t e = 0; e < graph.edges.size(); ++e)
    if (missing[graph.edges[e].source] > 0 && missing[graph.edges[e].destination] > 0)
      edge_to.emplace(graph.edges[e].destination, e);
  std::size_t at = edge_to.begin()->first;
  for (std::size_t step = 0; step < missing.size(); ++step) at = graph.edges[edge_to.at(at)].source;
  std::vector<std::size_t> edges;
  const std::size_t end = at;
  do {
    edges.insert(edges.begin(), edge_to.at(at));
    at = graph.edges[edges.front()].source;
  } while (at != end);
  std::rotate(edges.begin(), std::min_element(edges.begin(), edges.end()), edges.end());
  return edges;
}

/// `written`: [edge] index in the entry.
EntryProblem cycle_problem(const Graph& graph, std::span<const std::size_t> written) {
  const std::vector<std::size_t> edges = edges_of_cycle(graph);
  EntryProblem problem{"the edges form a cycle", graph.kernels[graph.edges[edges.front()].source].name, {}};
  for (const std::size_t edge : edges) {
    problem.reason += " -> " + graph.kernels[graph.edges[edge].destination].name;
    problem.fields.push_back(part("edge", written[edge]));
  }
  return problem;
}

}  // namespace

std::vector<EntryProblem> problems_of_kernels(const Graph& graph) {
  std::vector<EntryProblem> problems;
  if (graph.kernels.empty())
    problems.push_back({"the graph has no kernel", "at least one [[kernel]] is needed", {"kernel"}});
  std::map<std::string_view, std::size_t> first;
  for (std::size_t k = 0; k < graph.kernels.size(); ++k) {
    const Kernel& kernel = graph.kernels[k];
    check_kernel(kernel, part("kernel", k), problems);
    if (kernel.name.empty()) {
      problems.push_back({"kernel " + std::to_string(k) + " has no name",
                          "edges and mappings name kernels",
                          {part("kernel", k) + ".name", part("kernel", k)}});
      continue;
    }
    const auto [earlier, is_new] = first.emplace(kernel.name, k);
    if (!is_new)
      problems.push_back({"a second kernel is named '" + kernel.name + "'",
                          "edges and mappings name kernels",
                          {part("kernel", k) + ".name", part("kernel", earlier->second) + ".name"}});
  }
  return problems;
}

std::vector<EntryProblem> problems_of_edges(const Graph& graph) {
  std::vector<EntryProblem> problems;
  Graph sound{graph.kernels, {}};  // only the edges without problems
  std::vector<std::size_t> written;
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  const std::size_t count = graph.kernels.size();
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const Edge& edge = graph.edges[e];
    const auto complain = [&](std::string problem, const char* reason) {
      problems.push_back({std::move(problem), reason, {part("edge", e)}});
    };
    if (edge.source >= count || edge.destination >= count)
      complain("an edge joins an unknown kernel", "both ends must be kernels of the graph");
    else if (edge.source == edge.destination)
      complain("an edge joins kernel '" + graph.kernels[edge.source].name + "' with itself",
               "a kernel cannot consume its own output");
    else if (!pairs.insert({edge.source, edge.destination}).second)
      complain("a second edge joins '" + graph.kernels[edge.source].name + "' and '" +
                   graph.kernels[edge.destination].name + "'",
               "a pair of kernels has at most one edge");
    else {
      sound.edges.push_back(edge);
      written.push_back(e);
    }
  }
  if (!topological_levels(sound)) problems.push_back(cycle_problem(sound, written));
  return problems;
}

std::vector<EntryProblem> problems_of(const Graph& graph) {
  std::vector<EntryProblem> problems = problems_of_kernels(graph);
  for (EntryProblem& problem : problems_of_edges(graph)) problems.push_back(std::move(problem));
  return problems;
}

}  // namespace dfsweep::dataflow
