#include "models/taskgraph/graph/dependences.hpp"

#include "models/expect.hpp"

namespace dfsweep::taskgraph {

TaskIndex Dependences::add(std::size_t group, std::span<const TaskIndex> predecessors) {
  DFSWEEP_EXPECT(group < groups_);
  const auto task = static_cast<TaskIndex>(group_.size());
  for (const TaskIndex predecessor : predecessors) {
    DFSWEEP_EXPECT(predecessor < task);
    predecessors_.push_back(predecessor);
  }
  group_.push_back(static_cast<std::uint32_t>(group));
  first_.push_back(static_cast<std::uint32_t>(predecessors_.size()));
  return task;
}

}  // namespace dfsweep::taskgraph
