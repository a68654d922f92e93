/// Endings: the choices of the last positions of a kept grid, listed once for each state in which they can begin.
///
/// Equal parts of a decision diagram are stored once, so that a few thousand listed choices end millions of points;
/// decoding copies them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/plan/kept_grid.hpp"

namespace dfsweep {

class Endings {
 public:
  Endings() = default;
  /// Of as many last positions as a small table has room for. Pre: the grid has no tail.
  explicit Endings(const KeptGrid& grid);

  /// The first position that is listed; positions before it are walked.
  [[nodiscard]] std::size_t begin() const { return begin_; }
  /// False if listing saves nothing.
  [[nodiscard]] bool are_listed() const { return !starts_.empty(); }

  /// The choices that follow a state of the positions before.
  struct List {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  /// `node_before(position)`: node of the diagram of a listed position that its choices begin at.
  template <class NodeBefore>
  [[nodiscard]] List list(NodeBefore node_before) const {
    std::size_t index = 0;
    for (const Branch& branch : branches_) index += branch.stride * branch.ordinals[node_before(branch.first_position)];
    return {starts_[index], starts_[index + 1] - starts_[index]};
  }
  /// Codes of a listed position, and what all of them add to the index of a point: [choice].
  [[nodiscard]] std::span<const std::uint32_t> codes(std::size_t position) const { return codes_[position - begin_]; }
  [[nodiscard]] std::span<const std::uint64_t> offsets() const { return offsets_; }

 private:
  /// A diagram that has listed positions.
  struct Branch {
    std::size_t diagram = 0;
    std::size_t first_position = 0;
    std::vector<DecisionDiagram::NodeId> nodes;  ///< in which its listed levels can begin
    std::vector<std::uint32_t> ordinals;         ///< [node] its place in `nodes`
    std::size_t stride = 1;                      ///< of the ordinal in the number of a state
  };
  void add_lists(const KeptGrid& grid);
  void add_choices(const KeptGrid& grid, std::size_t position, std::vector<DecisionDiagram::NodeId>& nodes,
                   std::vector<std::uint32_t>& codes, std::uint64_t offset);

  std::size_t begin_ = 0;
  std::vector<Branch> branches_;
  std::vector<std::size_t> starts_;  ///< [state] first choice; one more at the end
  std::vector<std::vector<std::uint32_t>> codes_;
  std::vector<std::uint64_t> offsets_;
};

}  // namespace dfsweep
