/// Pareto fronts in one pass: a sorted staircase for two metrics, a list of non-dominated rows for more.
#include "engine/results/pareto.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep {
namespace {

/// Costs are metrics, negated if higher is better. Rows arrive in ascending order, so the first of equal rows is kept.
class Staircase {
 public:
  void offer(double x, double y, std::uint64_t row) {
    auto next = steps_.upper_bound(x);
    if (next != steps_.begin() && std::prev(next)->second.y <= y) return;
    const auto first = next != steps_.begin() && std::prev(next)->first == x ? std::prev(next) : next;
    auto last = first;
    while (last != steps_.end() && last->second.y >= y) ++last;
    steps_.emplace_hint(steps_.erase(first, last), x, Step{y, row});
  }
  [[nodiscard]] std::vector<std::uint64_t> rows() const {
    std::vector<std::uint64_t> rows;
    for (const auto& [x, step] : steps_) rows.push_back(step.row);
    return rows;
  }

 private:
  struct Step {
    double y = 0.0;
    std::uint64_t row = 0;
  };
  std::map<double, Step> steps_;  ///< ascending in the first cost, hence descending in the second
};

class UndominatedList {
 public:
  void offer(std::span<const double> costs, std::uint64_t row) {
    const auto dominates = [](std::span<const double> a, std::span<const double> b) {
      return std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) { return x <= y; });
    };
    for (const Member& member : members_)
      if (dominates(member.costs, costs)) return;
    std::erase_if(members_, [&](const Member& member) { return dominates(costs, member.costs); });
    members_.push_back({{costs.begin(), costs.end()}, row});
  }
  [[nodiscard]] std::vector<std::uint64_t> rows() const {
    std::vector<Member> sorted = members_;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint64_t> rows;
    for (const Member& member : sorted) rows.push_back(member.row);
    return rows;
  }

 private:
  struct Member {
    std::vector<double> costs;
    std::uint64_t row = 0;
    auto operator<=>(const Member&) const = default;
  };
  std::vector<Member> members_;
};

}  // namespace

ParetoRows find_pareto(const DatasetReader& file, const ParetoQuestion& question, const RowFilter& filter) {
  DFSWEEP_EXPECT(question.metrics.size() >= 2);
  std::vector<const DatasetColumn*> columns = {file.column("status")};
  std::vector<double> signs;
  for (const auto& [metric, direction] : question.metrics) {
    DFSWEEP_EXPECT(direction != Better::neither);
    columns.push_back(metric);
    signs.push_back(direction == Better::higher ? -1.0 : 1.0);
  }
  ParetoRows result;
  Staircase staircase;
  UndominatedList list;
  std::vector<double> costs(signs.size());
  scan_rows(file, columns, filter, [&](const RowChunk& chunk) {
    for (std::size_t i = 0; i < chunk.kept.size(); ++i) {
      if (chunk.kept[i] == 0) continue;
      ++result.counts.considered;
      if (question.ok_only && chunk.values[0][i] != 0.0) {
        ++result.counts.not_ok[static_cast<std::uint8_t>(chunk.values[0][i])];
        continue;
      }
      for (std::size_t m = 0; m < costs.size(); ++m) costs[m] = signs[m] * chunk.values[m + 1][i];
      const bool has_values = std::none_of(costs.begin(), costs.end(), [](double cost) { return !is_given(cost); });
      if (!has_values)
        ++result.counts.no_value;
      else if (costs.size() == 2)
        staircase.offer(costs[0], costs[1], chunk.first_row + i);
      else
        list.offer(costs, chunk.first_row + i);
    }
  });
  result.rows = costs.size() == 2 ? staircase.rows() : list.rows();
  return result;
}

}  // namespace dfsweep
