#include "engine/sweep/statuses.hpp"

#include <array>

namespace dfsweep {

std::uint8_t code_of(SearchStatus status, const Estimator& estimator) {
  return static_cast<std::uint8_t>(estimator.statuses().size() + index_of(status));
}

std::span<const StatusInfo> search_statuses() {
  static constexpr std::array<StatusInfo, 3> table = {{
      {"no_feasible", "the searched space has no feasible execution of this rank"},
      {"limit_not_met", "feasible, but a condition of the search does not hold"},
      {"bounded", "not evaluated: a bound shows that the point cannot be among the best"},
  }};
  return table;
}

std::vector<StatusInfo> statuses_of(const SweepSpec& spec) {
  const auto own = spec.estimator->statuses();
  std::vector<StatusInfo> statuses(own.begin(), own.end());
  if (!spec.search) return statuses;
  const auto added = search_statuses();
  const bool has_all =
      !spec.search->conditions.empty() ||
      (spec.search->direction == Better::lower && spec.estimator->gives_lower_bound(spec.search->metric, spec.values));
  statuses.insert(statuses.end(), added.begin(), has_all ? added.end() : added.begin() + 1);
  return statuses;
}

}  // namespace dfsweep
