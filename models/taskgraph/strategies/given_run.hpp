/// GivenRun: the times of a user's graph at one point after another.
#pragma once

#include <vector>

#include "models/taskgraph/graph/scheduler.hpp"
#include "models/taskgraph/strategies/given_graph.hpp"
#include "models/taskgraph/strategies/setting.hpp"

namespace dfsweep::taskgraph {

/// Holds memory for one thread; points allocate nothing.
class GivenRun {
 public:
  /// Pre: `graph` outlives the object.
  explicit GivenRun(const GivenGraph& graph);

  /// Transfers on devices use `link` of the setting, those on links `outer_link`. Groups may have rates of their own.
  StepEstimate estimate(const Setting& setting);

  /// Of the last estimate.
  [[nodiscard]] const GivenGraph& graph() const { return graph_; }
  [[nodiscard]] const Scheduler& schedule() const { return scheduler_; }
  [[nodiscard]] std::span<const TaskIndex> chain() const { return std::span(chain_).first(chain_length_); }

 private:
  struct GroupRates {
    DeviceRates device;
    LinkRates link;
  };
  void set_rates(const Setting& setting);
  /// Fills transfers_ and durations_; returns the sum of the latter.
  Seconds set_times();
  [[nodiscard]] PartTimes chain_times() const;
  [[nodiscard]] BusyFractions busy(Seconds whole) const;

  const GivenGraph& graph_;
  Scheduler scheduler_;
  std::vector<GroupRates> rates_;             ///< [group]
  std::vector<Product> products_;             ///< of all tasks, one after the other
  std::vector<std::uint32_t> first_product_;  ///< [task] and one more
  std::vector<Seconds> transfers_;            ///< [task]
  std::vector<Seconds> durations_;            ///< [task]
  std::vector<Seconds> free_ends_;            ///< [task] as if every task had a group of its own
  std::vector<TaskIndex> chain_;
  std::size_t chain_length_ = 0;
};

}  // namespace dfsweep::taskgraph
