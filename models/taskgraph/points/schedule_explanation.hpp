/// Explanation of a schedule: how busy each group is, the tasks of the critical path, and a timeline.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "models/explanation.hpp"
#include "models/taskgraph/graph/scheduler.hpp"

namespace dfsweep::taskgraph {

/// A scheduled graph with names for its parts.
struct RunSchedule {
  const Dependences& graph;
  const Scheduler& schedule;
  std::span<const TaskIndex> chain;  ///< tasks of the critical chain
  Seconds whole;
  std::function<std::string(std::size_t)> group_name;
  std::function<double(std::size_t)> group_devices;  ///< devices of a group; 0: a link
  std::function<std::string(TaskIndex)> task_name;
};

/// Adds two sections and, unless there are too many tasks for a readable drawing, the timeline.
void add_schedule(const RunSchedule& run, Explanation& all);

}  // namespace dfsweep::taskgraph
