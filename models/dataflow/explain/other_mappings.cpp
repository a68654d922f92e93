/// Neighbours of a mapping, each evaluated as a complete step.
#include "models/dataflow/explain/other_mappings.hpp"

#include <cmath>
#include <map>

#include "models/absent.hpp"
#include "models/dataflow/mapping/best_mapping.hpp"

namespace dfsweep::dataflow {

namespace {

/// Node limit of each search, which keeps explanations fast.
constexpr std::int64_t search_nodes = 2'000'000;

/// Relative tolerance: smaller differences come from rounding.
constexpr double rounding = 1e-12;

struct Choice {
  std::string name;
  Assignment assignment;  ///< empty: no such mapping
  double step_time = absent;
  std::string note;
};

class Neighbours {
 public:
  Neighbours(const ExplainedMapping& at, const MappingRequest& request)
      : at_(at), request_(request), count_(partition_count(at.mapped.assignment)) {}

  /// Step time with an assignment; NaN where it is not feasible.
  double step_time(const Assignment& assignment, double num_tile) const {
    MappingRequest request = request_;
    request.assignment = assignment;
    request.limits.partitions = 0.0;
    request.limits.max_partitions = 0.0;
    request.num_tile = num_tile;
    MappedWorkload mapped = mapped_workload(at_.partitions, request);
    if (!mapped.problem.empty()) return absent;
    mapped.dense = at_.mapped.dense;
    mapped.dense_share = at_.mapped.dense_share;
    std::vector<NetworkTime> scratch(network_count(mapped));
    const Step step = step_of(mapped, at_.workload(), at_.layout, at_.convention, at_.inputs, scratch);
    return step.status == StepStatus::ok ? step.step_time.value() : absent;
  }

  Choice best_within(const std::string& name, const MappingLimits& limits) const {
    Choice choice{.name = name, .assignment = {}, .note = {}};
    MappingRequest request = request_;
    request.limits = limits;
    const BestMapping best = best_mapping(at_.partitions, at_.layout, at_.inputs, at_.device, request, search_nodes);
    choice.note = best.problem;
    if (best.assignment.empty()) return choice;
    choice.assignment = best.assignment;
    choice.step_time = step_time(best.assignment, best.num_tile);
    if (best.gap > 0.0) choice.note = "not proven: the search stopped at its limit";
    return choice;
  }

  Choice best_with(std::size_t partitions) const {
    MappingLimits limits = request_.limits;
    limits.partitions = static_cast<double>(partitions);
    limits.max_partitions = 0.0;
    return best_within("best with " + std::to_string(partitions) + (partitions == 1 ? " partition" : " partitions"),
                       limits);
  }

  /// The fastest mapping with one kernel moved; the first on ties, in ascending order of kernels and partitions.
  Choice one_moved() const {
    Choice best{.name = "one kernel moved", .assignment = {}, .note = "no kernel can move alone"};
    for (std::size_t kernel = 0; kernel < at_.mapped.assignment.size(); ++kernel)
      for (std::size_t to = 0; to < count_; ++to) {
        if (to == at_.mapped.assignment[kernel]) continue;
        Assignment moved = at_.mapped.assignment;
        moved[kernel] = to;
        if (!mapping_problem(at_.graph(), moved, phases_only()).empty()) continue;
        const double time = step_time(without_holes(moved), at_.schedules.front()->num_tile);
        if (!(time < best.step_time || (best.assignment.empty() && is_given(time)))) continue;
        best.assignment = std::move(moved);
        best.step_time = time;
        best.note = at_.graph().kernels[kernel].name + " to partition " + std::to_string(to);
      }
    return best;
  }

  std::size_t count() const { return count_; }

 private:
  MappingLimits phases_only() const {
    MappingLimits limits;
    limits.phase_order = request_.limits.phase_order;
    return limits;
  }

  static Assignment without_holes(const Assignment& assignment) {
    std::map<std::size_t, std::size_t> numbers;
    for (const std::size_t partition : assignment) numbers[partition] = 0;
    std::size_t next = 0;
    for (auto& [partition, number] : numbers) number = next++;
    Assignment result;
    for (const std::size_t partition : assignment) result.push_back(numbers[partition]);
    return result;
  }

  const ExplainedMapping& at_;
  const MappingRequest& request_;
  std::size_t count_;
};

std::vector<Choice> choices_of(const ExplainedMapping& at, const MappingRequest& request) {
  const Neighbours neighbours(at, request);
  std::vector<Choice> choices{neighbours.one_moved()};
  if (neighbours.count() > 1) choices.push_back(neighbours.best_with(neighbours.count() - 1));
  if (neighbours.count() < at.graph().kernels.size()) choices.push_back(neighbours.best_with(neighbours.count() + 1));
  if (!is_given(at.mapped.optimality_gap))
    choices.push_back(neighbours.best_within("best under the same limits", request.limits));
  Choice separate{.name = "kernel by kernel", .assignment = kernel_by_kernel(at.graph()), .note = {}};
  separate.step_time = neighbours.step_time(separate.assignment, request.num_tile);
  choices.push_back(std::move(separate));
  std::erase_if(choices, [&at](const Choice& c) { return c.assignment == at.mapped.assignment; });
  return choices;
}

}  // namespace

Explanation explain_other_mappings(const ExplainedMapping& at, const MappingRequest& request) {
  Explanation section{.title = "other mappings", .facts = {}, .table = {}, .sections = {}};
  section.table.headings = {"mapping", "partitions", "step time", "over this one", "note"};
  section.table.units = {"", "", "s", "", ""};
  const double here = at.step.status == StepStatus::ok ? at.step.step_time.value() : absent;
  const auto add = [&](const Choice& choice) {
    const double partitions =
        choice.assignment.empty() ? absent : static_cast<double>(kernels_of_partitions(choice.assignment).size());
    section.table.rows.push_back({choice.name, partitions, choice.step_time, choice.step_time / here, choice.note});
  };
  add({.name = "this one", .assignment = at.mapped.assignment, .step_time = here, .note = {}});
  const Choice* next = nullptr;
  std::string as_fast;
  const std::vector<Choice> choices = choices_of(at, request);
  for (const Choice& choice : choices) {
    add(choice);
    if (!is_given(choice.step_time)) continue;
    if (std::abs(choice.step_time - here) <= rounding * here)
      as_fast += (as_fast.empty() ? "" : ", ") + choice.name;
    else if (next == nullptr || choice.step_time < next->step_time)
      next = &choice;
  }
  if (!as_fast.empty()) section.facts.push_back({"as fast", as_fast, ""});
  if (next == nullptr) return section;
  section.facts.push_back({"next best of these", next->name, ""});
  section.facts.push_back({"costs, per step", next->step_time - here, "s"});
  return section;
}

}  // namespace dfsweep::dataflow
