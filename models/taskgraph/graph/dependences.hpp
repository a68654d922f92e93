/// Dependences: the group and the predecessors of every task of a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dfsweep::taskgraph {

using TaskIndex = std::uint32_t;

/// Tasks are numbered in topological order: predecessors have lower numbers. These numbers also break ties.
class Dependences {
 public:
  explicit Dependences(std::size_t groups) : groups_(groups) {}

  /// Adds a task that runs on `group` after all of `predecessors`; returns its number. Pre: the group and the
  /// predecessors exist.
  TaskIndex add(std::size_t group, std::span<const TaskIndex> predecessors);

  [[nodiscard]] std::size_t tasks() const { return group_.size(); }
  [[nodiscard]] std::size_t groups() const { return groups_; }
  [[nodiscard]] std::size_t group(std::size_t task) const { return group_[task]; }
  [[nodiscard]] std::span<const TaskIndex> predecessors(std::size_t task) const {
    return std::span(predecessors_).subspan(first_[task], first_[task + 1] - first_[task]);
  }

 private:
  std::size_t groups_;
  std::vector<std::uint32_t> group_;     ///< [task]
  std::vector<std::uint32_t> first_{0};  ///< [task] index of its first predecessor; one additional element at the end
  std::vector<TaskIndex> predecessors_;
};

}  // namespace dfsweep::taskgraph
