/// From indices of kept points to columns of codes: a walk over the choices of filtered axes, and plain counting in the
/// tail.
#include "engine/plan/grid_rows.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "models/all_equal.hpp"

namespace dfsweep {
namespace {

/// Iterator over the choices of the positions before `end`.
class Walk {
 public:
  /// Starts at the prefix of the `index`-th choice of all positions before the tail. Pre: end <= grid.tail_begin.
  Walk(const KeptGrid& grid, std::size_t end, std::uint64_t index) : grid_(grid), state_(end) {
    std::uint64_t weight = grid.kept / grid.tail_size;
    for (std::size_t p = 0; p < state_.size(); ++p) {
      const KeptGrid::Position& position = grid.positions[p];
      if (position.diagram == KeptGrid::none) {
        weight /= position.size;
        state_[p].code = static_cast<std::uint32_t>(index / weight);
        index %= weight;
        continue;
      }
      const DecisionDiagram& diagram = grid.diagrams[position.diagram];
      enter(p);
      const std::uint64_t others = weight / diagram.tuples(node_before(p));
      const std::uint64_t local = index / others;
      const auto arcs = state_[p].arcs;
      const auto after = std::partition_point(
          arcs.begin(), arcs.end(), [&](const DecisionDiagram::Arc& arc) { return arc.tuples_before <= local; });
      choose(p, static_cast<std::size_t>(after - arcs.begin()) - 1);
      const DecisionDiagram::Arc& arc = arcs[state_[p].arc];
      index -= arc.tuples_before * others;
      weight = others * diagram.tuples(arc.child);
    }
    rest_ = index;
  }
  /// Index of the requested choice among the choices of positions >= `end`.
  [[nodiscard]] std::uint64_t rest() const { return rest_; }

  [[nodiscard]] std::uint32_t code(std::size_t p) const { return state_[p].code; }
  /// Arcs of the last position, from the current choice on.
  [[nodiscard]] std::span<const DecisionDiagram::Arc> last_arcs() const {
    return state_.back().arcs.subspan(state_.back().arc);
  }
  /// Advances the positions before `moved` to their next choice and resets the others to their first. Returns the
  /// lowest position whose code changed. Pre: there is a next choice.
  std::size_t advance(std::size_t moved) {
    std::size_t p = moved;
    for (;;) {
      --p;
      State& state = state_[p];
      const bool is_free = grid_.positions[p].diagram == KeptGrid::none;
      if (is_free ? state.code + 1 < grid_.positions[p].size : state.arc + 1 < state.arcs.size()) {
        if (is_free)
          ++state.code;
        else
          choose(p, state.arc + 1);
        break;
      }
    }
    for (std::size_t below = p + 1; below < state_.size(); ++below) {
      if (grid_.positions[below].diagram == KeptGrid::none) {
        state_[below].code = 0;
      } else {
        enter(below);
        choose(below, 0);
      }
    }
    return p;
  }
  /// The node of its diagram at which position p begins; p may be after the walked positions.
  [[nodiscard]] DecisionDiagram::NodeId node_before(std::size_t p) const {
    const KeptGrid::Position& position = grid_.positions[p];
    if (position.previous == KeptGrid::none) return grid_.diagrams[position.diagram].root();
    const State& previous = state_[position.previous];
    return previous.arcs[previous.arc].child;
  }

 private:
  struct State {
    std::uint32_t code = 0;
    std::size_t arc = 0;  ///< index into arcs, if a diagram has this position
    std::span<const DecisionDiagram::Arc> arcs;
  };

  void enter(std::size_t p) { state_[p].arcs = grid_.diagrams[grid_.positions[p].diagram].arcs(node_before(p)); }
  void choose(std::size_t p, std::size_t arc) {
    state_[p].arc = arc;
    state_[p].code = state_[p].arcs[arc].code;
  }

  const KeptGrid& grid_;
  std::vector<State> state_;
  std::uint64_t rest_ = 0;
};

void fill_tail(const KeptGrid& grid, std::uint64_t first, std::size_t count, PointBuffer& buffer) {
  std::uint64_t stride = 1;
  for (std::size_t p = grid.positions.size(); p-- > grid.tail_begin;) {
    const KeptGrid::Position& position = grid.positions[p];
    std::uint32_t* column = buffer.codes[position.axis].data();
    auto code = static_cast<std::uint32_t>(first / stride % position.size);
    std::uint64_t run = stride - first % stride;
    for (std::size_t out = 0; out < count; run = stride) {
      if (stride == 1) {
        const std::size_t length = std::min<std::size_t>(position.size - code, count - out);
        std::iota(column + out, column + out + length, code);
        out += length;
        code = 0;
      } else {
        const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(run, count - out));
        std::fill_n(column + out, length, code);
        out += length;
        if (++code == position.size) code = 0;
      }
    }
    stride *= position.size;
  }
}

/// Adds the contribution of the tail to the point indices.
void add_tail(const KeptGrid& grid, PointBuffer& buffer) {
  constexpr std::size_t at_once = 256;  // small, so that slow axes do not vary within it
  for (std::size_t begin = 0; begin < buffer.points.size(); begin += at_once) {
    const auto points = std::span(buffer.points).subspan(begin, std::min(at_once, buffer.points.size() - begin));
    std::uint64_t same = 0;  // contribution of the axes that do not vary here
    for (std::size_t p = grid.tail_begin; p < grid.positions.size(); ++p) {
      const KeptGrid::Position& position = grid.positions[p];
      const auto codes = std::span<const std::uint32_t>(buffer.codes[position.axis]).subspan(begin, points.size());
      if (all_equal(codes))
        same += codes[0] * position.stride;
      else
        for (std::size_t i = 0; i < points.size(); ++i) points[i] += codes[i] * position.stride;
    }
    for (std::uint64_t& point : points) point += same;
  }
}

/// Writes codes of walked positions as runs, and sums their contribution to the point index.
class WalkedColumns {
 public:
  WalkedColumns(const KeptGrid& grid, const Walk& walk, std::size_t count, PointBuffer& buffer) : walk_(walk) {
    for (std::size_t p = 0; p < count; ++p) {
      const KeptGrid::Position& position = grid.positions[p];
      runs_.push_back({buffer.codes[position.axis].data(), position.stride, 0, walk.code(p)});
      index_ += position.stride * walk.code(p);
    }
  }
  [[nodiscard]] std::uint64_t index() const { return index_; }
  /// Call after an advance of the walk: from point `out` on, positions >= `changed` have other codes.
  void advance(std::size_t changed, std::size_t out) {
    for (std::size_t p = changed; p < runs_.size(); ++p) {
      Run& run = runs_[p];
      write(run, out);
      index_ += run.stride * (std::uint64_t{walk_.code(p)} - run.code);  // modulo 2^64
      run.begin = out;
      run.code = walk_.code(p);
    }
  }
  void finish(std::size_t count) const {
    for (const Run& run : runs_) write(run, count);
  }

 private:
  /// The current run of equal codes of a position; it begins at output point `begin`.
  struct Run {
    std::uint32_t* column;
    std::uint64_t stride;
    std::size_t begin;
    std::uint32_t code;
  };
  static void write(const Run& run, std::size_t end) {
    for (std::size_t i = run.begin; i < end; ++i) run.column[i] = run.code;
  }

  const Walk& walk_;
  std::vector<Run> runs_;
  std::uint64_t index_ = 0;
};

/// Fills the columns of the positions before the tail and their contribution to the point indices. Pre: there is such a
/// position, and count > 0.
void fill_choices(const KeptGrid& grid, std::uint64_t first, std::size_t count, PointBuffer& buffer) {
  Walk walk(grid, grid.tail_begin, first / grid.tail_size);
  std::uint64_t in_tail = first % grid.tail_size;
  const std::size_t last = grid.tail_begin - 1;
  WalkedColumns walked(grid, walk, last, buffer);
  std::uint32_t* const last_codes = buffer.codes[grid.positions[last].axis].data();
  for (std::size_t out = 0;;) {
    for (const DecisionDiagram::Arc& arc : walk.last_arcs()) {
      const std::size_t end = std::min<std::uint64_t>(out + grid.tail_size - in_tail, count);
      in_tail = 0;
      const std::uint64_t point = walked.index() + grid.positions[last].stride * arc.code;
      for (; out < end; ++out) {
        last_codes[out] = arc.code;
        buffer.points[out] = point;
      }
      if (out == count) return walked.finish(count);
    }
    walked.advance(walk.advance(last), out);
  }
}

/// The same by copying listed endings. Pre: they are listed, and count > 0.
void fill_endings(const KeptGrid& grid, const Endings& endings, std::uint64_t first, std::size_t count,
                  PointBuffer& buffer) {
  Walk walk(grid, endings.begin(), first);
  WalkedColumns walked(grid, walk, endings.begin(), buffer);
  std::size_t skipped = walk.rest();
  for (std::size_t out = 0;;) {
    const Endings::List list = endings.list([&](std::size_t position) { return walk.node_before(position); });
    const std::size_t from = list.first + skipped;
    const std::size_t copied = std::min(list.count - skipped, count - out);
    skipped = 0;
    for (std::size_t p = endings.begin(); p < grid.positions.size(); ++p)
      std::copy_n(endings.codes(p).data() + from, copied, buffer.codes[grid.positions[p].axis].data() + out);
    const std::uint64_t* const offsets = endings.offsets().data() + from;
    std::uint64_t* const points = buffer.points.data() + out;
    const std::uint64_t index = walked.index();
    for (std::size_t i = 0; i < copied; ++i) points[i] = index + offsets[i];
    out += copied;
    if (out == count) return walked.finish(count);
    walked.advance(walk.advance(endings.begin()), out);
  }
}

}  // namespace

void decode_kept(const KeptGrid& grid, const Endings& endings, std::uint64_t first, std::size_t count,
                 PointBuffer& buffer) {
  buffer.codes.resize(grid.positions.size());
  for (auto& column : buffer.codes) column.resize(count);
  buffer.points.resize(count);
  if (count == 0) return;
  fill_tail(grid, first, count, buffer);
  if (grid.tail_begin == 0 && !grid.has_groups) return std::iota(buffer.points.begin(), buffer.points.end(), first);
  if (endings.are_listed()) return fill_endings(grid, endings, first, count, buffer);
  if (grid.tail_begin > 0)
    fill_choices(grid, first, count, buffer);
  else
    std::fill(buffer.points.begin(), buffer.points.end(), std::uint64_t{0});
  if (grid.tail_begin < grid.positions.size()) add_tail(grid, buffer);
}

}  // namespace dfsweep
