#include "models/taskgraph/graph/scheduler.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "models/expect.hpp"

namespace dfsweep::taskgraph {

Scheduler::Scheduler(const Dependences& dependences)
    : graph_(dependences),
      first_successor_(dependences.tasks() + 1),
      order_(dependences.tasks()),
      starts_(dependences.tasks()),
      ends_(dependences.tasks()),
      before_(dependences.tasks()),
      busy_(dependences.groups()),
      latest_(dependences.groups()),
      missing_(dependences.tasks()) {
  std::iota(order_.begin(), order_.end(), TaskIndex{0});
  heap_.reserve(dependences.tasks());
  for (std::size_t task = 0; task < graph_.tasks(); ++task)
    for (const TaskIndex predecessor : graph_.predecessors(task)) ++first_successor_[predecessor + 1];
  std::partial_sum(first_successor_.begin(), first_successor_.end(), first_successor_.begin());
  successors_.resize(first_successor_.back());
  std::vector<std::uint32_t> next(first_successor_.begin(), first_successor_.end() - 1);
  for (TaskIndex task = 0; task < graph_.tasks(); ++task)
    for (const TaskIndex predecessor : graph_.predecessors(task)) successors_[next[predecessor]++] = task;
}

Seconds Scheduler::run(std::span<const Seconds> durations) {
  DFSWEEP_EXPECT(durations.size() == graph_.tasks());
  if (!follow_order(durations)) find_order(durations);
  return makespan_;
}

Seconds Scheduler::ready_time(TaskIndex task) const {
  Seconds ready{};
  for (const TaskIndex predecessor : graph_.predecessors(task)) ready = std::max(ready, ends_[predecessor]);
  return ready;
}

void Scheduler::place(TaskIndex task, Seconds ready, Seconds duration) {
  const std::size_t group = graph_.group(task);
  const bool is_first = latest_[group] == graph_.tasks();
  before_[task] = is_first ? task : latest_[group];
  starts_[task] = is_first ? ready : std::max(ready, ends_[latest_[group]]);
  ends_[task] = starts_[task] + duration;
  busy_[group] += duration;
  latest_[group] = task;
  makespan_ = std::max(makespan_, ends_[task]);
}

bool Scheduler::follow_order(std::span<const Seconds> durations) {
  makespan_ = Seconds{};
  std::fill(busy_.begin(), busy_.end(), Seconds{});
  std::fill(latest_.begin(), latest_.end(), static_cast<TaskIndex>(graph_.tasks()));
  Ready last{Seconds{}, 0};
  for (const TaskIndex task : order_) {
    const Ready here{ready_time(task), task};
    if (here < last) return false;
    last = here;
    place(task, here.time, durations[task]);
  }
  return true;
}

void Scheduler::find_order(std::span<const Seconds> durations) {
  makespan_ = Seconds{};
  std::fill(busy_.begin(), busy_.end(), Seconds{});
  std::fill(latest_.begin(), latest_.end(), static_cast<TaskIndex>(graph_.tasks()));
  heap_.clear();
  for (TaskIndex task = 0; task < graph_.tasks(); ++task) {
    missing_[task] = static_cast<std::uint32_t>(graph_.predecessors(task).size());
    if (missing_[task] == 0) heap_.push_back({Seconds{}, task});
  }
  std::make_heap(heap_.begin(), heap_.end(), std::greater{});
  for (TaskIndex& next : order_) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater{});
    const Ready here = heap_.back();
    heap_.pop_back();
    next = here.task;
    place(here.task, here.time, durations[here.task]);
    for (std::uint32_t s = first_successor_[here.task]; s < first_successor_[here.task + 1]; ++s) {
      const TaskIndex successor = successors_[s];
      if (--missing_[successor] > 0) continue;
      heap_.push_back({ready_time(successor), successor});
      std::push_heap(heap_.begin(), heap_.end(), std::greater{});
    }
  }
}

TaskIndex Scheduler::last_task() const {
  return static_cast<TaskIndex>(std::max_element(ends_.begin(), ends_.end()) - ends_.begin());
}

TaskIndex Scheduler::cause_of(TaskIndex task) const {
  for (const TaskIndex predecessor : graph_.predecessors(task))
    if (ends_[predecessor] == starts_[task]) return predecessor;
  return before_[task];
}

std::span<const TaskIndex> Scheduler::critical_chain(std::span<TaskIndex> chain) const {
  DFSWEEP_EXPECT(chain.size() >= graph_.tasks());
  if (ends_.empty()) return {};
  std::size_t length = 0;
  for (TaskIndex task = last_task();; task = cause_of(task)) {
    chain[length++] = task;
    if (starts_[task] == Seconds{}) break;
  }
  std::reverse(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(length));
  return chain.first(length);
}

Seconds longest_path(const Dependences& graph, std::span<const Seconds> durations, std::span<Seconds> ends) {
  Seconds longest{};
  for (std::size_t task = 0; task < graph.tasks(); ++task) {
    Seconds start{};
    for (const TaskIndex predecessor : graph.predecessors(task)) start = std::max(start, ends[predecessor]);
    ends[task] = start + durations[task];
    longest = std::max(longest, ends[task]);
  }
  return longest;
}

}  // namespace dfsweep::taskgraph
