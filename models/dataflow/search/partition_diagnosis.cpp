/// Search for the binding constraint by relaxing one constraint at a time.
#include "models/dataflow/search/partition_diagnosis.hpp"

#include <algorithm>
#include <cmath>

#include "models/dataflow/search/partition_search.hpp"

namespace dfsweep::dataflow {

namespace {

bool has_mapping(const PartitionProblem& problem) {
  PartitionSearch search;
  const SearchOutcome outcome = search.solve(problem, {.goal = SearchGoal::any}).outcome;
  return outcome == SearchOutcome::optimal || outcome == SearchOutcome::limited;
}

/// Smallest whole number of bytes for which `with(bytes)` has a mapping. Pre: true for `enough`, false for `too_few`.
template <class With>
double least_bytes(double too_few, double enough, With with) {
  too_few = std::max(std::floor(too_few), -1.0);
  enough = std::ceil(enough);
  while (enough - too_few > 1.0) {
    const double middle = std::floor(too_few + (enough - too_few) / 2.0);
    if (middle <= too_few || middle >= enough) break;  // above 2^53 not every whole number is a double
    (has_mapping(with(middle)) ? enough : too_few) = middle;
  }
  return enough;
}

Infeasibility sram_need(PartitionProblem problem) {
  Infeasibility found{.binding = BindingConstraint::sram, .available = problem.sram_capacity.value()};
  double all = 0.0;
  double most = -1.0;
  for (std::size_t k = 0; k < problem.kernels.size(); ++k) {
    const double alone = problem.kernels[k].sram_alone.value();
    all += problem.kernels[k].sram.value() + alone;
    if (alone > most) {
      most = alone;
      found.kernel = k;
    }
  }
  for (const PartitionEdge& edge : problem.edges) all += 2.0 * edge.sram_inside.value();
  const double too_few = std::max(found.available, std::ceil(most) - 1.0);
  found.needed = least_bytes(too_few, all, [&problem](double bytes) -> const PartitionProblem& {
    problem.sram_capacity = Bytes{bytes};
    return problem;
  });
  found.alone = most > found.available && found.needed == std::ceil(most);
  return found;
}

Infeasibility live_need(PartitionProblem problem) {
  Infeasibility found{.binding = BindingConstraint::live, .available = problem.live_capacity.value()};
  double all = 0.0;
  for (const PartitionEdge& edge : problem.edges) all += std::ceil(edge.traffic.value());
  found.needed = least_bytes(found.available, all, [&problem](double bytes) -> const PartitionProblem& {
    problem.live_capacity = Bytes{bytes};
    return problem;
  });
  return found;
}

Infeasibility count_need(PartitionProblem problem) {
  const std::size_t asked = problem.count;
  Infeasibility found{.binding = BindingConstraint::count, .available = static_cast<double>(asked)};
  for (std::size_t away = 1;; ++away)
    for (const bool fewer : {true, false}) {
      if (fewer && (problem.count_rule == CountRule::at_most || asked <= away)) continue;
      problem.count = fewer ? asked - away : asked + away;
      if (problem.count > problem.kernels.size() && asked < problem.count) continue;
      if (!has_mapping(problem)) continue;
      found.needed = static_cast<double>(problem.count);
      return found;
    }
}

}  // namespace

Infeasibility diagnosis_of(const PartitionProblem& problem) {
  if (has_mapping(problem)) return {};
  PartitionProblem lifted = problem;
  lifted.sram_capacity = unlimited;
  if (has_mapping(lifted)) return sram_need(problem);
  lifted = problem;
  lifted.live_capacity = unlimited;
  if (has_mapping(lifted)) return live_need(problem);
  lifted = problem;
  lifted.count_rule = CountRule::any;
  if (has_mapping(lifted)) return count_need(problem);
  lifted = problem;
  lifted.mixing = PassMixing::free;
  if (has_mapping(lifted)) return {.binding = BindingConstraint::passes};
  lifted = problem;
  lifted.live_capacity = unlimited;
  PartitionProblem roomy = problem;
  roomy.sram_capacity = unlimited;
  PartitionProblem both = lifted;
  both.sram_capacity = unlimited;
  if (has_mapping(both)) {
    Infeasibility found = sram_need(lifted);
    const Infeasibility live = live_need(roomy);
    found.binding = BindingConstraint::capacities;
    found.live_available = live.available;
    found.live_needed = live.needed;
    return found;
  }
  return {.binding = BindingConstraint::together};
}

namespace {

std::string whole(double value) {
  std::string text;
  for (; value >= 1.0; value = std::floor(value / 10.0))
    text += static_cast<char>('0' + static_cast<int>(std::fmod(value, 10.0)));
  std::reverse(text.begin(), text.end());
  return text.empty() ? "0" : text;
}

std::string more_than(double needed, double available) {
  return whole(std::ceil(needed - available)) + " B more than ";
}

std::string sram_text(const Infeasibility& found, std::string_view kernel) {
  return (found.alone ? std::string(kernel) + " alone needs " : "the partitions need ") + whole(found.needed) +
         " B of SRAM, " + more_than(found.needed, found.available) + "available";
}

std::string live_text(double needed, double available) {
  return "tensors between partitions need " + whole(needed) + " B of DRAM, " + more_than(needed, available) +
         "left for them";
}

}  // namespace

std::string text_of(const Infeasibility& found, std::string_view kernel) {
  switch (found.binding) {
    case BindingConstraint::none:
      return "a mapping exists";
    case BindingConstraint::sram:
      return sram_text(found, kernel);
    case BindingConstraint::live:
      return live_text(found.needed, found.available);
    case BindingConstraint::capacities:
      return sram_text(found, kernel) + "; " + live_text(found.live_needed, found.live_available);
    case BindingConstraint::count:
      return whole(found.available) + " partitions are requested, the nearest possible number is " +
             whole(found.needed);
    case BindingConstraint::passes:
      return "forward and backward kernels would have to share partitions";
    case BindingConstraint::together:
      return "no mapping exists even without any single one of the constraints";
  }
  return {};
}

}  // namespace dfsweep::dataflow
