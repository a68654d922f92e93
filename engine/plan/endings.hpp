/// Endings: precomputed lists of the choices of the last positions of a kept grid, one list per state before them.
///
/// Because equal nodes of a decision diagram are stored once, a few thousand listed choices cover millions of points;
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
  /// Lists as many of the last positions as fit into a small table. Pre: the grid has no tail.
  explicit Endings(const KeptGrid& grid);

  /// The first listed position; earlier positions are enumerated by a walk.
  [[nodiscard]] std::size_t begin() const { return begin_; }
  /// False if lists would not save work.
  [[nodiscard]] bool are_listed() const { return !starts_.empty(); }

  /// The range of choices that follow a state of the earlier positions.
  struct List {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  /// `node_before(position)`: the node of the diagram of `position` at which its choices begin.
  template <class NodeBefore>
  [[nodiscard]] List list(NodeBefore node_before) const {
    std::size_t index = 0;
    for (const Branch& branch : branches_) index += branch.stride * branch.ordinals[node_before(branch.first_position)];
    return {starts_[index], starts_[index + 1] - starts_[index]};
  }
  /// [choice] codes of a listed position; offsets(): [choice] the part of the point index from all listed positions.
  [[nodiscard]] std::span<const std::uint32_t> codes(std::size_t position) const { return codes_[position - begin_]; }
  [[nodiscard]] std::span<const std::uint64_t> offsets() const { return offsets_; }

 private:
  /// A diagram with listed positions.
  struct Branch {
    std::size_t diagram = 0;
    std::size_t first_position = 0;
    std::vector<DecisionDiagram::NodeId> nodes;  ///< possible start nodes of its listed levels
    std::vector<std::uint32_t> ordinals;         ///< [node] its index in `nodes`
    std::size_t stride = 1;                      ///< factor of the ordinal in the index of a state
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
