/// Bottom-up construction of decision diagrams; equal nodes are stored once.
#include "engine/plan/decision_diagram.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "models/hash_step.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t max_arcs = std::size_t{1} << 26;
constexpr std::size_t small_diagram = std::size_t{1} << 16;  // arcs; below it unreachable ones are kept

}  // namespace

/// Adds nodes to a diagram, or finds an equal existing node.
class DecisionDiagram::Builder {
 public:
  explicit Builder(DecisionDiagram& diagram) : diagram_(diagram) {
    if (!diagram_.nodes_.empty()) return;
    diagram_.nodes_.push_back({});
    diagram_.nodes_.push_back({0, 0, 0, 1, 1, 1});
  }

  /// Finds or adds the node with these arcs and sets their prefix counts. Pre: no arc leads to `nothing`.
  NodeId node(std::uint32_t level, std::vector<Arc>& arcs) {
    if (arcs.empty()) return nothing;
    Node fresh{diagram_.arcs_.size(), static_cast<std::uint32_t>(arcs.size()), level, 0, 0, 0};
    std::uint64_t hash = level;
    for (Arc& arc : arcs) {
      const Node& child = diagram_.nodes_[arc.child];
      arc.tuples_before = fresh.tuples;
      arc.groups_before = fresh.groups;
      fresh.tuples += child.tuples;
      fresh.groups += child.groups;
      fresh.largest_group = std::max(fresh.largest_group, child.largest_group);
      hash = hash_step(hash, (std::uint64_t{arc.code} << 32) | arc.child);
    }
    if (diagram_.levels_[level].axis >= diagram_.searched_axis_) {
      fresh.groups = 1;
      fresh.largest_group = fresh.tuples;
    }
    const auto [begin, end] = diagram_.known_.equal_range(hash);
    for (auto candidate = begin; candidate != end; ++candidate)
      if (is_same(candidate->second, level, arcs)) return candidate->second;
    if (diagram_.arcs_.size() + arcs.size() > max_arcs) throw TooLarge{};
    diagram_.arcs_.insert(diagram_.arcs_.end(), arcs.begin(), arcs.end());
    diagram_.nodes_.push_back(fresh);
    const auto id = static_cast<NodeId>(diagram_.nodes_.size() - 1);
    diagram_.known_.emplace(hash, id);
    return id;
  }

  /// The node of all kept tuples that begin with codes[0, level).
  NodeId enumerate(std::uint32_t level, std::vector<std::uint32_t>& codes,
                   const std::function<bool(std::span<const std::uint32_t>)>& keeps) {
    if (level == diagram_.levels_.size()) return keeps(codes) ? complete : nothing;
    std::vector<Arc> arcs;
    for (std::uint32_t code = 0; code < diagram_.levels_[level].size; ++code) {
      codes[level] = code;
      const NodeId child = enumerate(level + 1, codes, keeps);
      if (child != nothing) arcs.push_back({code, child, 0, 0});
    }
    return node(level, arcs);
  }

  NodeId intersect(const DecisionDiagram& a, NodeId in_a, const DecisionDiagram& b, NodeId in_b, std::uint32_t level) {
    if (in_a == nothing || in_b == nothing) return nothing;
    if (level == diagram_.levels_.size()) return complete;
    const std::uint64_t key = (std::uint64_t{in_a} << 32) | in_b;
    if (const auto found = joined_.find(key); found != joined_.end()) return found->second;
    const std::size_t axis = diagram_.levels_[level].axis;
    const bool on_a = in_a != complete && a.levels_[a.nodes_[in_a].level].axis == axis;
    const bool on_b = in_b != complete && b.levels_[b.nodes_[in_b].level].axis == axis;
    std::vector<Arc> arcs;
    const auto keep = [&](std::uint32_t code, NodeId next_a, NodeId next_b) {
      const NodeId child = intersect(a, next_a, b, next_b, level + 1);
      if (child != nothing) arcs.push_back({code, child, 0, 0});
    };
    if (on_a && on_b) {
      const auto arcs_a = a.arcs(in_a);
      const auto arcs_b = b.arcs(in_b);
      for (std::size_t i = 0, j = 0; i < arcs_a.size() && j < arcs_b.size();) {
        if (arcs_a[i].code == arcs_b[j].code) keep(arcs_a[i].code, arcs_a[i].child, arcs_b[j].child);
        const std::uint32_t code = std::min(arcs_a[i].code, arcs_b[j].code);
        i += arcs_a[i].code == code;
        j += arcs_b[j].code == code;
      }
    } else if (on_a) {
      for (const Arc& arc : a.arcs(in_a)) keep(arc.code, arc.child, in_b);
    } else {
      for (const Arc& arc : b.arcs(in_b)) keep(arc.code, in_a, arc.child);
    }
    const NodeId result = node(level, arcs);
    joined_.emplace(key, result);
    ++diagram_.joined_pairs_;
    return result;
  }

  /// The tuples of `in` of this diagram that begin at `in_filter`. `whole`: [level of the filter] number of tuples of a
  /// node that keeps all.
  NodeId keep(NodeId in, const DecisionDiagram& filter, NodeId in_filter, std::span<const std::uint64_t> whole) {
    if (in_filter == nothing) return nothing;
    if (in_filter == complete) return in;
    const Node& node_of_filter = filter.nodes_[in_filter];
    if (node_of_filter.tuples == whole[node_of_filter.level]) return in;
    const std::uint64_t key = (std::uint64_t{in} << 32) | in_filter;
    if (const auto found = joined_.find(key); found != joined_.end()) return found->second;
    const std::uint32_t level = diagram_.nodes_[in].level;
    const std::span<const Arc> constrained = filter.arcs(in_filter);
    const bool is_constrained = diagram_.levels_[level].axis == filter.levels_[node_of_filter.level].axis;
    std::vector<Arc> arcs;
    bool is_changed = false;
    for (std::size_t i = 0, j = 0; i < diagram_.nodes_[in].arc_count; ++i) {
      const Arc arc = diagram_.arcs_[diagram_.nodes_[in].first_arc + i];  // a copy: arcs_ grows below
      while (is_constrained && j < constrained.size() && constrained[j].code < arc.code) ++j;
      const bool is_kept = !is_constrained || (j < constrained.size() && constrained[j].code == arc.code);
      const NodeId next = is_constrained && is_kept ? constrained[j].child : in_filter;
      const NodeId child = is_kept ? keep(arc.child, filter, next, whole) : nothing;
      is_changed = is_changed || child != arc.child;
      if (child != nothing) arcs.push_back({arc.code, child, 0, 0});
    }
    const NodeId result = is_changed ? node(level, arcs) : in;
    joined_.emplace(key, result);
    ++diagram_.joined_pairs_;
    return result;
  }

  /// The same node of another diagram with the same levels.
  NodeId copy(const DecisionDiagram& from, NodeId in) {
    if (in == nothing || in == complete) return in;
    if (const auto found = joined_.find(in); found != joined_.end()) return found->second;
    std::vector<Arc> arcs;
    for (const Arc& arc : from.arcs(in)) arcs.push_back({arc.code, copy(from, arc.child), 0, 0});
    const NodeId result = node(from.nodes_[in].level, arcs);
    joined_.emplace(in, result);
    return result;
  }

 private:
  [[nodiscard]] bool is_same(NodeId candidate, std::uint32_t level, std::span<const Arc> arcs) const {
    const std::span<const Arc> others = diagram_.arcs(candidate);
    return diagram_.nodes_[candidate].level == level &&
           std::equal(others.begin(), others.end(), arcs.begin(), arcs.end(),
                      [](const Arc& x, const Arc& y) { return x.code == y.code && x.child == y.child; });
  }

  DecisionDiagram& diagram_;
  std::unordered_map<std::uint64_t, NodeId> joined_;  // by a pair of nodes
};

DecisionDiagram::DecisionDiagram(std::vector<Level> levels, std::size_t searched_axis,
                                 const std::function<bool(std::span<const std::uint32_t>)>& keeps)
    : levels_(std::move(levels)), searched_axis_(searched_axis) {
  std::vector<std::uint32_t> codes(levels_.size());
  root_ = Builder(*this).enumerate(0, codes, keeps);
}

DecisionDiagram DecisionDiagram::intersection(const DecisionDiagram& a, const DecisionDiagram& b) {
  DecisionDiagram result(a.searched_axis_);
  std::merge(a.levels_.begin(), a.levels_.end(), b.levels_.begin(), b.levels_.end(), std::back_inserter(result.levels_),
             [](const Level& x, const Level& y) { return x.axis < y.axis; });
  result.levels_.erase(std::unique(result.levels_.begin(), result.levels_.end()), result.levels_.end());
  result.root_ = Builder(result).intersect(a, a.root_, b, b.root_, 0);
  return result;
}

void DecisionDiagram::keep(const DecisionDiagram& filter) {
  std::vector<std::uint64_t> whole(filter.levels_.size(), 1);
  for (std::size_t level = whole.size(); level-- > 0;)
    whole[level] = filter.levels_[level].size * (level + 1 < whole.size() ? whole[level + 1] : 1);
  const auto restrict = [&] { root_ = Builder(*this).keep(root_, filter, filter.root_, whole); };
  try {
    restrict();
  } catch (const TooLarge&) {  // perhaps only because of nodes that are no longer reachable
    discard_unreachable();
    restrict();
  }
  if (arcs_.size() > 2 * compact_arcs_ + small_diagram) discard_unreachable();
}

void DecisionDiagram::discard_unreachable() {
  DecisionDiagram fresh(searched_axis_);
  fresh.levels_ = levels_;
  fresh.root_ = Builder(fresh).copy(*this, root_);
  fresh.compact_arcs_ = fresh.arcs_.size();
  fresh.joined_pairs_ = joined_pairs_;
  *this = std::move(fresh);
}

void DecisionDiagram::compact() {
  discard_unreachable();
  known_ = {};
}

std::vector<std::uint64_t> DecisionDiagram::tuples_by_level() const {
  std::vector<std::uint64_t> sums(levels_.size(), 0);
  for (std::size_t node = complete + 1; node < nodes_.size(); ++node) {
    std::uint64_t& sum = sums[nodes_[node].level];
    if (__builtin_add_overflow(sum, nodes_[node].tuples, &sum)) sum = std::numeric_limits<std::uint64_t>::max();
  }
  return sums;
}

std::vector<DecisionDiagram::NodeId> DecisionDiagram::nodes_of(std::size_t level) const {
  std::vector<NodeId> found;
  for (std::size_t node = complete + 1; node < nodes_.size(); ++node)
    if (nodes_[node].level == level) found.push_back(static_cast<NodeId>(node));
  return found;
}

}  // namespace dfsweep
