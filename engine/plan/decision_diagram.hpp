/// DecisionDiagram: a set of tuples of codes as a multi-valued decision diagram with counts, so that the k-th tuple is
/// found without enumeration.
///
/// A diagram has one level per axis that it constrains, in evaluation order. A node has an arc for every code that can
/// still be completed to a tuple; equal nodes are stored once. Levels of axes from `searched_axis` on are optimised
/// over by a search: tuples that agree on all levels before them form a *group*.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace dfsweep {

class DecisionDiagram {
 public:
  using NodeId = std::uint32_t;
  static constexpr NodeId nothing = 0;   ///< terminal: the empty set
  static constexpr NodeId complete = 1;  ///< terminal: after the last level

  struct Arc {
    std::uint32_t code = 0;
    NodeId child = nothing;
    std::uint64_t tuples_before = 0;  ///< number of tuples of the preceding arcs of its node
    std::uint64_t groups_before = 0;
  };
  struct Level {
    std::size_t axis = 0;  ///< position in evaluation order; ascending from level to level
    std::uint32_t size = 0;
    bool operator==(const Level&) const = default;
  };
  /// Thrown if a diagram would not fit in memory.
  struct TooLarge {};

  /// The tuples for which `keeps` returns true; it is called once for every tuple, in lexicographic order.
  DecisionDiagram(std::vector<Level> levels, std::size_t searched_axis,
                  const std::function<bool(std::span<const std::uint32_t> codes)>& keeps);
  /// The natural join: tuples over the levels of both diagrams, whose projections are in a and in b.
  static DecisionDiagram intersection(const DecisionDiagram& a, const DecisionDiagram& b);

  /// Leaves out the tuples whose projections are not in `filter`. Only nodes on paths that the filter constrains are
  /// made anew, so that many filters cost what they change and not the size of the set each. Pre: the levels of
  /// `filter` are levels of this diagram.
  void keep(const DecisionDiagram& filter);
  /// Forgets nodes that are no longer reachable, and what keep() needs to find equal nodes. Must precede
  /// tuples_by_level() and nodes_of().
  void compact();
  /// Number of pairs of nodes that were joined for this diagram by intersection() and keep().
  [[nodiscard]] std::uint64_t joined_pairs() const { return joined_pairs_; }

  [[nodiscard]] const std::vector<Level>& levels() const { return levels_; }
  [[nodiscard]] NodeId root() const { return root_; }
  [[nodiscard]] std::uint64_t tuples() const { return nodes_[root_].tuples; }
  [[nodiscard]] std::uint64_t tuples(NodeId node) const { return nodes_[node].tuples; }
  [[nodiscard]] std::uint64_t groups(NodeId node) const { return nodes_[node].groups; }
  /// Number of tuples of the largest group.
  [[nodiscard]] std::uint64_t largest_group() const { return nodes_[root_].largest_group; }
  /// [level] sum of the tuples of all nodes; saturates at 2^64 - 1.
  [[nodiscard]] std::vector<std::uint64_t> tuples_by_level() const;
  [[nodiscard]] std::vector<NodeId> nodes_of(std::size_t level) const;
  [[nodiscard]] std::span<const Arc> arcs(NodeId node) const {
    return std::span(arcs_).subspan(nodes_[node].first_arc, nodes_[node].arc_count);
  }

 private:
  struct Node {
    std::size_t first_arc = 0;
    std::uint32_t arc_count = 0;
    std::uint32_t level = 0;
    std::uint64_t tuples = 0;
    std::uint64_t groups = 0;
    std::uint64_t largest_group = 0;
  };
  class Builder;

  void discard_unreachable();
  explicit DecisionDiagram(std::size_t searched_axis) : searched_axis_(searched_axis) {}

  std::vector<Level> levels_;
  std::size_t searched_axis_ = 0;  ///< the first searched position in evaluation order
  std::vector<Node> nodes_;
  std::vector<Arc> arcs_;
  std::unordered_multimap<std::uint64_t, NodeId> known_;  ///< nodes by the hash of their level and arcs
  std::size_t compact_arcs_ = 0;                          ///< number of arcs after the last compaction
  std::uint64_t joined_pairs_ = 0;
  NodeId root_ = nothing;
};

}  // namespace dfsweep
