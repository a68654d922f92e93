#include "tests/support/task_simulation.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace dfsweep::testing {

namespace {

class Simulation {
 public:
  Simulation(const taskgraph::Dependences& graph, const std::vector<Seconds>& durations)
      : graph_(graph),
        durations_(durations),
        state_(graph.tasks(), State::waiting),
        ready_(graph.tasks()),
        running_(graph.groups()),
        times_{std::vector<Seconds>(graph.tasks()), std::vector<Seconds>(graph.tasks()), {}} {}

  SimulatedTimes run() {
    for (;;) {
      end_tasks();
      while (const auto task = next_to_start()) start(*task);
      if (!advance()) break;
    }
    times_.makespan = now_;
    return times_;
  }

 private:
  enum class State { waiting, ready, running, done };

  void end_tasks() {
    for (auto& task : running_)
      if (task && times_.ends[*task] == now_) {
        state_[*task] = State::done;
        task.reset();
      }
    note_ready();
  }
  void note_ready() {
    for (std::size_t t = 0; t < graph_.tasks(); ++t) {
      if (state_[t] != State::waiting) continue;
      const auto before = graph_.predecessors(t);
      if (!std::all_of(before.begin(), before.end(), [this](auto p) { return state_[p] == State::done; })) continue;
      state_[t] = State::ready;
      ready_[t] = now_;
    }
  }
  std::optional<std::size_t> next_to_start() {
    std::optional<std::size_t> best;
    for (std::size_t t = 0; t < graph_.tasks(); ++t)
      if (state_[t] == State::ready && !running_[graph_.group(t)] && (!best || ready_[t] < ready_[*best])) best = t;
    return best;
  }
  void start(std::size_t task) {
    times_.starts[task] = now_;
    times_.ends[task] = now_ + durations_[task];
    if (durations_[task] > Seconds{}) {
      state_[task] = State::running;
      running_[graph_.group(task)] = task;
    } else {
      state_[task] = State::done;
      note_ready();
    }
  }
  bool advance() {
    Seconds next{std::numeric_limits<double>::infinity()};
    for (const auto& task : running_)
      if (task) next = std::min(next, times_.ends[*task]);
    if (next == Seconds{std::numeric_limits<double>::infinity()}) return false;
    now_ = next;
    return true;
  }

  const taskgraph::Dependences& graph_;
  const std::vector<Seconds>& durations_;
  std::vector<State> state_;
  std::vector<Seconds> ready_;
  std::vector<std::optional<std::size_t>> running_;  ///< [group]
  SimulatedTimes times_;
  Seconds now_;
};

}  // namespace

SimulatedTimes simulate(const taskgraph::Dependences& graph, const std::vector<Seconds>& durations) {
  return Simulation(graph, durations).run();
}

RandomGraph random_graph(std::mt19937_64& random) {
  const auto below = [&random](std::uint64_t limit) { return static_cast<std::size_t>(random() % limit); };
  const std::size_t groups = 1 + below(5);
  const std::size_t tasks = 1 + below(24);
  const std::size_t sizes = 2 + below(8);
  const std::size_t density = 1 + below(5);
  RandomGraph graph{taskgraph::Dependences(groups), {}};
  for (std::size_t t = 0; t < tasks; ++t) {
    std::vector<taskgraph::TaskIndex> before;
    for (std::size_t p = 0; p < t; ++p)
      if (below(2 + density * 2) == 0) before.push_back(static_cast<taskgraph::TaskIndex>(p));
    graph.dependences.add(below(groups), before);
    graph.durations.push_back(Seconds{static_cast<double>(below(sizes)) * 0.25});
  }
  return graph;
}

}  // namespace dfsweep::testing
