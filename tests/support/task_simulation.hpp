/// TaskSimulation: tasks on groups of devices event by event, as an observer with a clock would see them; and random
/// graphs for it.
#pragma once

#include <random>
#include <vector>

#include "models/taskgraph/graph/dependences.hpp"
#include "models/units.hpp"

namespace dfsweep::testing {

struct SimulatedTimes {
  std::vector<Seconds> starts;  ///< [task]
  std::vector<Seconds> ends;    ///< [task]
  Seconds makespan;
};

/// Time goes from one end of a task to the next. At every time, tasks that end are marked, then free groups start tasks
/// one by one: of all ready tasks of free groups the one that was ready first, lowest number among equals; a task of no
/// duration ends at once.
[[nodiscard]] SimulatedTimes simulate(const taskgraph::Dependences& graph, const std::vector<Seconds>& durations);

struct RandomGraph {
  taskgraph::Dependences dependences{0};
  std::vector<Seconds> durations;
};

/// Up to 24 tasks on up to 5 groups; durations of few sizes, 0 among them, so that ties are frequent.
[[nodiscard]] RandomGraph random_graph(std::mt19937_64& random);

}  // namespace dfsweep::testing
