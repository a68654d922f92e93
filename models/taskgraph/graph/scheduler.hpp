/// Scheduler: when every task of a graph starts and ends where each group runs its tasks in order of readiness.
#pragma once

#include <span>
#include <vector>

#include "models/taskgraph/graph/dependences.hpp"
#include "models/units.hpp"

namespace dfsweep::taskgraph {

/// The rule. A task is ready when its last predecessor ends, at time 0 where it has none. A group runs one task at a
/// time and finishes what it started. A free group starts, of its ready tasks, the one that was ready first; of those
/// ready at the same time the one with the lowest number. A free group never waits while it has a ready task.
///
/// So each group runs its tasks in the order of (ready time, number), and start = max(ready, end of the task before it
/// on the group). Taking the tasks of all groups in this order gives every time in one pass; the order itself is found
/// with a heap. It is kept from one call to the next and used as long as the times agree with it, which is checked:
/// results never depend on what was computed before.
class Scheduler {
 public:
  /// Pre: `dependences` outlive the object.
  explicit Scheduler(const Dependences& dependences);

  /// End of the last task; 0 without tasks. `durations`: [task], none negative. Allocates nothing.
  Seconds run(std::span<const Seconds> durations);

  /// Of the last run. [task]
  [[nodiscard]] std::span<const Seconds> starts() const { return starts_; }
  [[nodiscard]] std::span<const Seconds> ends() const { return ends_; }

  /// A chain of tasks without gaps from time 0 to the end of the last run, first to last: each starts when the one
  /// before it ends, because it waits for it (preferred; lowest number) or because it runs on the same group. The
  /// times of its tasks add up to the makespan. `chain`: room for every task; returns what was filled.
  [[nodiscard]] std::span<const TaskIndex> critical_chain(std::span<TaskIndex> chain) const;

  /// Time that a group is busy, of the last run. [group]
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
  /// What made a task that starts after 0 wait until then.
  [[nodiscard]] TaskIndex cause_of(TaskIndex task) const;

  const Dependences& graph_;
  std::vector<std::uint32_t> first_successor_;  ///< [task] and one more
  std::vector<TaskIndex> successors_;
  std::vector<TaskIndex> order_;  ///< of the last run
  std::vector<Seconds> starts_;
  std::vector<Seconds> ends_;
  std::vector<TaskIndex> before_;  ///< [task] the one before it on its group; itself where there is none
  std::vector<Seconds> busy_;      ///< [group]
  std::vector<TaskIndex> latest_;  ///< [group] its last task so far; tasks() where there is none
  std::vector<std::uint32_t> missing_;
  std::vector<Ready> heap_;
  Seconds makespan_;
};

/// Longest path through the dependences alone, as if every task had a group of its own: a lower bound of the makespan.
/// `ends`: room for every task.
[[nodiscard]] Seconds longest_path(const Dependences& graph, std::span<const Seconds> durations,
                                   std::span<Seconds> ends);

}  // namespace dfsweep::taskgraph
