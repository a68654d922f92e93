/// From indices of kept points to columns of codes: a walk over the choices of filtered axes, and plain counting in the
/// tail.
#include <algorithm>
#include <numeric>

#include "engine/plan/grid_rows.hpp"

namespace dfsweep {

/// Where a walk over the choices of all positions before the tail stands.
class GridRows::Walk {
 public:
  /// At the `index`-th choice.
  Walk(const GridRows& rows, std::uint64_t index) : rows_(rows), state_(rows.tail_begin_) {
    std::uint64_t weight = rows.kept_ / rows.tail_size_;
    for (std::size_t p = 0; p < state_.size(); ++p) {
      const Position& position = rows.positions_[p];
      if (position.diagram == none) {
        weight /= position.size;
        state_[p].code = static_cast<std::uint32_t>(index / weight);
        index %= weight;
        continue;
      }
      const DecisionDiagram& diagram = rows.diagrams_[position.diagram];
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
  }

  [[nodiscard]] std::uint32_t code(std::size_t p) const { return state_[p].code; }
  /// Arcs of the last position from the present choice on.
  [[nodiscard]] std::span<const DecisionDiagram::Arc> last_arcs() const {
    return state_.back().arcs.subspan(state_.back().arc);
  }
  /// Goes to the next choice of the positions before the last, and to the first arc of the last. Returns the lowest
  /// position whose code changed. Pre: there is a next choice.
  std::size_t advance() {
    std::size_t p = state_.size() - 1;
    for (;;) {
      --p;
      State& state = state_[p];
      const bool is_free = rows_.positions_[p].diagram == none;
      if (is_free ? state.code + 1 < rows_.positions_[p].size : state.arc + 1 < state.arcs.size()) {
        if (is_free)
          ++state.code;
        else
          choose(p, state.arc + 1);
        break;
      }
    }
    for (std::size_t below = p + 1; below < state_.size(); ++below) {
      if (rows_.positions_[below].diagram == none) {
        state_[below].code = 0;
      } else {
        enter(below);
        choose(below, 0);
      }
    }
    return p;
  }

 private:
  struct State {
    std::uint32_t code = 0;
    std::size_t arc = 0;  ///< into arcs, where a diagram has this position
    std::span<const DecisionDiagram::Arc> arcs;
  };

  [[nodiscard]] DecisionDiagram::NodeId node_before(std::size_t p) const {
    const Position& position = rows_.positions_[p];
    if (position.previous == none) return rows_.diagrams_[position.diagram].root();
    const State& previous = state_[position.previous];
    return previous.arcs[previous.arc].child;
  }
  void enter(std::size_t p) { state_[p].arcs = rows_.diagrams_[rows_.positions_[p].diagram].arcs(node_before(p)); }
  void choose(std::size_t p, std::size_t arc) {
    state_[p].arc = arc;
    state_[p].code = state_[p].arcs[arc].code;
  }

  const GridRows& rows_;
  std::vector<State> state_;
};

void GridRows::decode(std::uint64_t first, std::size_t count, PointBuffer& buffer) const {
  buffer.codes.resize(positions_.size());
  for (auto& column : buffer.codes) column.resize(count);
  if (tail_begin_ > 0 && count > 0) {
    Walk walk(*this, first / tail_size_);
    std::uint64_t in_tail = first % tail_size_;
    const std::size_t last = tail_begin_ - 1;
    std::vector<std::size_t> begin(tail_begin_, 0);  // where the present code of a position begins in the output
    std::vector<std::uint32_t*> columns;
    for (std::size_t p = 0; p < tail_begin_; ++p) columns.push_back(buffer.codes[positions_[p].axis].data());
    std::vector<std::uint32_t> codes(tail_begin_);
    for (std::size_t p = 0; p < tail_begin_; ++p) codes[p] = walk.code(p);
    for (std::size_t out = 0;;) {
      for (const DecisionDiagram::Arc& arc : walk.last_arcs()) {
        const std::size_t run = std::min<std::uint64_t>(tail_size_ - in_tail, count - out);
        std::fill_n(columns[last] + out, run, arc.code);
        in_tail = 0;
        out += run;
        if (out == count) break;
      }
      if (out == count) break;
      for (std::size_t p = walk.advance(); p < last; ++p) {
        std::fill(columns[p] + begin[p], columns[p] + out, codes[p]);
        begin[p] = out;
        codes[p] = walk.code(p);
      }
    }
    for (std::size_t p = 0; p < last; ++p) std::fill(columns[p] + begin[p], columns[p] + count, codes[p]);
  }
  fill_tail(first, count, buffer);
  fill_points(first, count, buffer);
}

void GridRows::fill_tail(std::uint64_t first, std::size_t count, PointBuffer& buffer) const {
  std::uint64_t stride = 1;
  for (std::size_t p = positions_.size(); p-- > tail_begin_;) {
    const Position& position = positions_[p];
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

void GridRows::fill_points(std::uint64_t first, std::size_t count, PointBuffer& buffer) const {
  buffer.points.resize(count);
  if (tail_begin_ == 0 && !has_search_) return std::iota(buffer.points.begin(), buffer.points.end(), first);
  std::fill(buffer.points.begin(), buffer.points.end(), std::uint64_t{0});
  for (const Position& position : positions_) {
    const std::uint32_t* column = buffer.codes[position.axis].data();
    for (std::size_t i = 0; i < count; ++i) buffer.points[i] += column[i] * position.stride;
  }
}

}  // namespace dfsweep
