/// Scheduler: start and end times of the tasks of a graph, where each group runs its tasks in order of readiness.
#pragma once

#include <span>
#include <vector>

#include "models/taskgraph/graph/dependences.hpp"
#include "models/units.hpp"

namespace dfsweep::taskgraph {

/// Rule: a task is ready when its last predecessor ends, or at time 0 without predecessors. A group runs one task at a
/// time without preemption. An idle group starts the task that became ready first; on ties, the one with the lowest
/// number. A group is never idle while it has a ready task.
///
/// So each group runs its tasks in the order of (ready time, number), and start = max(ready, end of the previous task
/// on the group). Processing all tasks in this order gives all times in one pass; a heap finds the order. The order is
/// reused in the next call as long as the times agree with it, which is checked, so results do not depend on earlier
/// calls.
class Scheduler {
 public:
  /// Pre: `dependences` outlive the object.
  explicit Scheduler(const Dependences& dependences);

  /// End of the last task; 0 without tasks. `durations`: [task], none negative. Allocates nothing.
  Seconds run(std::span<const Seconds> durations);

  /// [task] Start times of the last run.
  [[nodiscard]] std::span<const Seconds> starts() const { return starts_; }
  [[nodiscard]] std::span<const Seconds> ends() const { return ends_; }

  /// The critical chain of the last run in order of time: tasks without gaps from time 0 to the end. Each starts when
  /// the previous one ends, because it depends on it (preferred; lowest number) or runs on the same group. Their times
  /// add up to the makespan. `chain`: space for every task; returns the filled part.
  [[nodiscard]] std::span<const TaskIndex> critical_chain(std::span<TaskIndex> chain) const;

  /// [group] Busy time in the last run.
  [[nodiscard]] std::span<const Seconds> busy() const { return busy_; }

 private:
  struct Ready {
    Seconds time;
    TaskIndex task;
    friend bool operator<(const Ready& a, const Ready& b) {
      return a.time < b.time || (a.time == b.time && a.task < b.task);
    }
    friend bool operator>(const Ready& a, const Ready& b) { return b < a; }
  };
  bool follow_order(std::span<const Seconds> durations);
  void find_order(std::span<const Seconds> durations);
  void place(TaskIndex task, Seconds ready, Seconds duration);
  [[nodiscard]] Seconds ready_time(TaskIndex task) const;
  [[nodiscard]] TaskIndex last_task() const;
  /// The task whose end determines the start of a task that starts after 0.
  [[nodiscard]] TaskIndex cause_of(TaskIndex task) const;

  const Dependences& graph_;
  std::vector<std::uint32_t> first_successor_;  ///< [task] with one additional element at the end
  std::vector<TaskIndex> successors_;
  std::vector<TaskIndex> order_;  ///< order of the last run
  std::vector<Seconds> starts_;
  std::vector<Seconds> ends_;
  std::vector<TaskIndex> before_;  ///< [task] previous task on its group; itself where it is the first
  std::vector<Seconds> busy_;      ///< [group]
  std::vector<TaskIndex> latest_;  ///< [group] its last task so far; tasks() before the first
  std::vector<std::uint32_t> missing_;
  std::vector<Ready> heap_;
  Seconds makespan_;
};

/// Longest path through the dependences, as if every task had a separate group: a lower bound on the makespan. `ends`:
/// space for every task.
[[nodiscard]] Seconds longest_path(const Dependences& graph, std::span<const Seconds> durations,
                                   std::span<Seconds> ends);

}  // namespace dfsweep::taskgraph
