/// GivenRun: evaluates the graph of a user at many points.
#pragma once

#include <vector>

#include "models/taskgraph/graph/scheduler.hpp"
#include "models/taskgraph/strategies/given_graph.hpp"
#include "models/taskgraph/strategies/setting.hpp"

namespace dfsweep::taskgraph {

/// Reuses its memory, so points allocate nothing; one object per thread.
class GivenRun {
 public:
  /// Pre: `graph` outlives the object.
  explicit GivenRun(const GivenGraph& graph);

  /// Transfers on devices use `link` of the setting, transfers on links use `outer_link`. Groups may override the
  /// rates.
  StepEstimate estimate(const Setting& setting);

  /// The schedule of the last estimate.
  [[nodiscard]] const GivenGraph& graph() const { return graph_; }
  [[nodiscard]] const Scheduler& schedule() const { return scheduler_; }
  [[nodiscard]] std::span<const TaskIndex> chain() const { return std::span(chain_).first(chain_length_); }

 private:
  struct GroupRates {
    DeviceRates device;
    LinkRates link;
  };
  void set_rates(const Setting& setting);
  /// Fills transfers_ and durations_; returns the sum of the durations.
  Seconds set_times();
  [[nodiscard]] PartTimes chain_times() const;
  [[nodiscard]] BusyFractions busy(Seconds whole) const;

  const GivenGraph& graph_;
  Scheduler scheduler_;
  std::vector<GroupRates> rates_;             ///< [group]
  std::vector<Product> products_;             ///< products of all tasks, concatenated
  std::vector<std::uint32_t> first_product_;  ///< [task] with one additional element at the end
  std::vector<Seconds> transfers_;            ///< [task]
  std::vector<Seconds> durations_;            ///< [task]
  std::vector<Seconds> free_ends_;            ///< [task] ends with a separate group for every task
  std::vector<TaskIndex> chain_;
  std::size_t chain_length_ = 0;
};

}  // namespace dfsweep::taskgraph
