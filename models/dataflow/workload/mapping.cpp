/// Fixed assignments, assignments of users, and their validity.
#include "models/dataflow/workload/mapping.hpp"

#include <algorithm>
#include <cmath>

#include "models/declared_fields.hpp"
#include "models/short_number.hpp"

namespace dfsweep::dataflow {

namespace {

constexpr double most_partitions = 1e6;
constexpr MappingField assignment_field = "assignment";

bool is_partition(double value) {
  return value >= 0.0 && value < most_partitions && value == std::floor(value);
}

/// Problem of a backward kernel that shares or precedes a partition with forward kernels against the phase order.
std::string pass_problem(const Graph& graph, const Assignment& assignment, PhaseOrder order) {
  std::size_t last_forward = 0;
  bool has_forward = false;
  for (std::size_t k = 0; k < assignment.size(); ++k)
    if (graph.kernels[k].pass == Pass::forward) {
      last_forward = std::max(last_forward, assignment[k]);
      has_forward = true;
    }
  for (std::size_t k = 0; has_forward && k < assignment.size(); ++k) {
    if (graph.kernels[k].pass == Pass::forward) continue;
    if (assignment[k] < last_forward) return "'" + graph.kernels[k].name + "' is mapped before a forward kernel";
    if (assignment[k] == last_forward && order == PhaseOrder::separate)
      return "'" + graph.kernels[k].name + "' is mapped together with a forward kernel";
  }
  return "";
}

}  // namespace

Assignment kernel_by_kernel(const Graph& graph) {
  const std::size_t count = graph.kernels.size();
  std::vector<std::size_t> missing(count, 0);
  for (const Edge& edge : graph.edges) ++missing[edge.destination];
  Assignment assignment(count, count);
  for (std::size_t position = 0; position < count; ++position) {
    std::size_t next = 0;
    while (assignment[next] != count || missing[next] != 0) ++next;
    assignment[next] = position;
    for (const Edge& edge : graph.edges)
      if (edge.source == next) --missing[edge.destination];
  }
  return assignment;
}

Assignment single_partition(const Graph& graph) {
  return Assignment(graph.kernels.size(), 0);
}

std::size_t partition_count(const Assignment& assignment) {
  return assignment.empty() ? 0 : *std::max_element(assignment.begin(), assignment.end()) + 1;
}

std::vector<std::vector<std::size_t>> kernels_of_partitions(const Assignment& assignment) {
  std::vector<std::vector<std::size_t>> partitions(partition_count(assignment));
  for (std::size_t k = 0; k < assignment.size(); ++k) partitions[assignment[k]].push_back(k);
  std::erase_if(partitions, [](const std::vector<std::size_t>& kernels) { return kernels.empty(); });
  return partitions;
}

std::string mapping_problem(const Graph& graph, const Assignment& assignment, const MappingLimits& limits) {
  if (assignment.size() != graph.kernels.size()) return "the mapping does not match the kernels of this graph";
  for (const Edge& edge : graph.edges)
    if (assignment[edge.source] > assignment[edge.destination])
      return "'" + graph.kernels[edge.source].name + "' is mapped after '" + graph.kernels[edge.destination].name +
             "', which consumes it";
  const std::size_t used = kernels_of_partitions(assignment).size();
  if (limits.partitions > 0.0 && static_cast<double>(used) != limits.partitions)
    return "the mapping has " + std::to_string(used) + " partitions, not the requested number";
  if (limits.max_partitions > 0.0 && static_cast<double>(used) > limits.max_partitions)
    return "the mapping has " + std::to_string(used) + " partitions, more than allowed";
  if (limits.phase_order == PhaseOrder::free) return "";
  if (limits.phase_order != PhaseOrder::halves) return pass_problem(graph, assignment, limits.phase_order);
  const std::size_t count = partition_count(assignment);
  const bool has_backward = std::any_of(graph.kernels.begin(), graph.kernels.end(),
                                        [](const Kernel& kernel) { return kernel.pass == Pass::backward; });
  for (std::size_t k = 0; has_backward && k < assignment.size(); ++k) {
    const bool forward = graph.kernels[k].pass == Pass::forward;
    if (forward ? 2 * assignment[k] + 1 > count : 2 * assignment[k] + 1 < count)
      return "'" + graph.kernels[k].name + "' is mapped in the half of the other pass";
  }
  return "";
}

Decoded<GivenMapping> decode_mapping(const Entry& entry) {
  Decoded<GivenMapping> decoded;
  GivenMapping& mapping = decoded.value;
  const auto check = [&decoded](double partition, const std::string& whose, std::string field) {
    if (!is_partition(partition))
      decoded.problems.push_back({"the partition" + whose + " is " + short_number(partition),
                                  "a whole number of at least 0 is needed",
                                  {field}});
  };
  if (const auto list = entry.lists.find(assignment_field.name()); list != entry.lists.end()) {
    mapping.by_position = list->second;
    for (std::size_t k = 0; k < mapping.by_position.size(); ++k)
      check(mapping.by_position[k], "", "assignment[" + std::to_string(k) + "]");
  } else if (const auto table = entry.parts.find(assignment_field.name());
             table != entry.parts.end() && !table->second.empty()) {
    for (const auto& [name, partition] : table->second.front().numbers) {
      mapping.by_name.emplace_back(name, partition);
      check(partition, " of '" + name + "'", "assignment." + name);
    }
  } else {
    decoded.problems.push_back(
        {"'assignment' is missing",
         "a mapping gives the partition of every kernel, as a list in the order of the kernels or "
         "as a table with their names",
         {"assignment"}});
  }
  return decoded;
}

Assignment assignment_for(const Graph& graph, const GivenMapping& mapping) {
  Assignment assignment;
  if (mapping.by_name.empty()) {
    for (const double partition : mapping.by_position) assignment.push_back(static_cast<std::size_t>(partition));
  } else {
    if (mapping.by_name.size() != graph.kernels.size()) return {};
    for (const Kernel& kernel : graph.kernels)
      for (const auto& [name, partition] : mapping.by_name)
        if (name == kernel.name) assignment.push_back(static_cast<std::size_t>(partition));
  }
  return assignment.size() == graph.kernels.size() ? assignment : Assignment{};
}

}  // namespace dfsweep::dataflow
