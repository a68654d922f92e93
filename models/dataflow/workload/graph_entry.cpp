/// Decoding of user graphs.
#include "models/dataflow/workload/graph_entry.hpp"

#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "models/declared_fields.hpp"

namespace dfsweep::dataflow {

namespace {

constexpr std::size_t most_kernels = 10'000;
constexpr std::string_view type_names[] = {"matrix", "elementwise"};
constexpr KernelType types_by_name[] = {KernelType::matrix, KernelType::elementwise};
constexpr std::string_view tiling_names[] = {"none", "n", "k"};
constexpr Tiling tilings_by_name[] = {Tiling::none, Tiling::n, Tiling::k};
constexpr std::string_view pass_names[] = {"forward", "backward"};
constexpr Pass passes_by_name[] = {Pass::forward, Pass::backward};

std::span<const Entry> parts_of(const Entry& entry, WorkloadField name) {
  const auto found = entry.parts.find(name.name());
  return found == entry.parts.end() ? std::span<const Entry>() : found->second;
}

Kernel decode_kernel(const Entry& entry, const std::string& path, std::vector<EntryProblem>& problems) {
  Kernel kernel;
  kernel.name = entry.text_or(WorkloadField("kernel.name"), entry.name);
  FieldsOf<WorkloadField> fields(entry, problems, path, "kernel '" + kernel.name + "'");
  kernel.type = types_by_name[fields.choice_or("kernel.type", type_names, 0)];
  kernel.outer = fields.number_or("kernel.outer", 1.0);
  kernel.m = fields.number_or("kernel.m", 1.0);
  kernel.k = fields.number_or("kernel.k", 1.0);
  kernel.n = fields.number_or("kernel.n", 1.0);
  kernel.weight_words = fields.number_or("kernel.weight_words", 0.0);
  kernel.gradient_words = fields.number_or("kernel.gradient_words", 0.0);
  kernel.memory_words = fields.number_or("kernel.memory_words", 0.0);
  kernel.exchange_words = fields.number_or("kernel.exchange_words", 0.0);
  kernel.tiling = tilings_by_name[fields.choice_or("kernel.tiling", tiling_names, 0)];
  kernel.pass = passes_by_name[fields.choice_or("kernel.pass", pass_names, 0)];
  return kernel;
}

using KernelNumbers = std::map<std::string, std::size_t, std::less<>>;

/// The kernel at an end of an edge; empty, with a problem added, where it does not exist.
std::optional<std::size_t> kernel_at(const Entry& edge, WorkloadField end, const std::string& path,
                                     const KernelNumbers& kernels, std::vector<EntryProblem>& problems) {
  const std::string name = edge.text_or(end, "");
  if (const auto found = kernels.find(name); found != kernels.end()) return found->second;
  const bool is_given = edge.texts.contains(end.name());
  problems.push_back(
      {"'" + std::string(end.name()) + "' of an edge " + (is_given ? "names '" + name + "'" : "is missing"),
       is_given ? "no kernel has this name" : "an edge needs the names of two kernels",
       {path + "." + std::string(end.name()), "kernel[].name"}});
  return std::nullopt;
}

void append(std::vector<EntryProblem>& all, std::vector<EntryProblem> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

}  // namespace

DecodedGraph decode_graph(const Entry& entry) {
  DecodedGraph decoded;
  std::vector<EntryProblem>& problems = decoded.problems;
  Graph& graph = decoded.graph;
  FieldsOf<WorkloadField> fields(entry, problems);
  decoded.layers = fields.whole_or("layers", 1.0, 1.0, 1e15);
  decoded.boundary_words = fields.not_negative_or("boundary_words", 0.0);
  const std::span<const Entry> kernels = parts_of(entry, "kernel");
  if (kernels.size() > most_kernels) {
    fields.complain("kernel", " has too many elements", "a graph has at most " + std::to_string(most_kernels));
    return decoded;
  }
  KernelNumbers numbers;
  for (const Entry& part : kernels) {
    const std::string path = "kernel[" + std::to_string(graph.kernels.size()) + "]";
    Kernel kernel = decode_kernel(part, path, problems);
    if (!part.texts.contains(WorkloadField("kernel.name").name()) && kernels.size() > 1) {
      kernel.name = path;
      problems.push_back({"'name' of " + path + " is missing", "edges and mappings name kernels", {path + ".name"}});
    }
    numbers.emplace(kernel.name, graph.kernels.size());
    graph.kernels.push_back(std::move(kernel));
  }
  append(problems, problems_of_kernels(graph));
  const std::span<const Entry> edges = parts_of(entry, "edge");
  std::set<std::string> unknown;  ///< edges with problems already reported
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::string path = "edge[" + std::to_string(e) + "]";
    const auto from = kernel_at(edges[e], "edge.from", path, numbers, problems);
    const auto to = kernel_at(edges[e], "edge.to", path, numbers, problems);
    graph.edges.push_back({from.value_or(kernels.size()), to.value_or(kernels.size())});
    if (!from || !to) unknown.insert("edge[" + std::to_string(e) + "]");
  }
  std::vector<EntryProblem> more = problems_of_edges(graph);
  std::erase_if(more, [&unknown](const EntryProblem& problem) { return unknown.contains(problem.fields.front()); });
  append(problems, std::move(more));
  return decoded;
}

}  // namespace dfsweep::dataflow
