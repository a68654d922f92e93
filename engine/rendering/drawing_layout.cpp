/// Edge routing: gaps between lines of boxes have horizontal tracks, channels at the sides have vertical lanes, as many
/// as needed.
#include "engine/rendering/drawing_layout.hpp"

#include <algorithm>
#include <tuple>

namespace dfsweep {
namespace {

constexpr std::size_t nodes_per_line = 8;
constexpr double node_gap = 26.0;
constexpr double track_pitch = 11.0;
constexpr double lane_pitch = 8.0;
constexpr double padding = 10.0;
constexpr double frame_gap = 10.0;
constexpr double page_margin = 16.0;

enum class Way : std::uint8_t { straight, above, left, right };

/// The horizontal segment of an edge in the gap above or below a line of boxes.
struct Reach {
  std::size_t edge = 0;
  double from = 0.0;  ///< horizontal extent; from <= to
  double to = 0.0;
};

/// [interval] its row; greedy packing in the given order, without overlaps in a row.
std::vector<std::size_t> packed(const std::vector<std::pair<double, double>>& intervals) {
  std::vector<std::vector<std::pair<double, double>>> rows;
  std::vector<std::size_t> row_of;
  for (const auto& interval : intervals) {
    const auto is_free = [&](const auto& row) {
      return std::none_of(row.begin(), row.end(), [&](const auto& taken) {
        return taken.first <= interval.second && interval.first <= taken.second;
      });
    };
    const auto row = std::find_if(rows.begin(), rows.end(), is_free);
    row_of.push_back(static_cast<std::size_t>(row - rows.begin()));
    if (row == rows.end())
      rows.push_back({interval});
    else
      row->push_back(interval);
  }
  return row_of;
}

class Router {
 public:
  /// `left`: number of lanes to reserve on the left.
  Router(const Drawing& drawing, const DrawingRoom& room, std::size_t left)
      : drawing_(drawing), room_(room), left_(left) {}

  [[nodiscard]] DrawingLayout layout() {
    place_in_lines();
    choose_ways();
    place_columns();
    place_ports();
    fill_gaps();
    place_rows();
    fill_lanes();
    draw_routes();
    return std::move(result_);
  }
  /// Number of lanes used on the left; does not depend on the number reserved.
  [[nodiscard]] std::size_t lanes_at_left() const { return lanes_at_left_; }

 private:
  struct Line {
    std::size_t group = 0;
    std::size_t tracks_above = 0;
    std::size_t tracks_below = 0;
    double y = 0.0;  ///< top of the boxes
  };
  struct End {
    double x = 0.0;
    std::size_t track = 0;
  };

  void place_in_lines() {
    slot_.resize(drawing_.nodes.size());
    line_of_.resize(drawing_.nodes.size());
    for (std::size_t group = 0; group < drawing_.groups.size(); ++group) {
      std::size_t count = 0;
      for (std::size_t node = 0; node < drawing_.nodes.size(); ++node) {
        if (drawing_.nodes[node].group != group) continue;
        if (count % nodes_per_line == 0) lines_.push_back({.group = group});
        slot_[node] = count++ % nodes_per_line;
        line_of_[node] = lines_.size() - 1;
        slots_ = std::max(slots_, slot_[node] + 1);
      }
    }
  }

  void choose_ways() {
    for (const Drawing::Edge& edge : drawing_.edges) {
      Way way = Way::right;
      if (drawing_.nodes[edge.from].group == drawing_.nodes[edge.to].group) {
        way = Way::left;
        if (line_of_[edge.from] == line_of_[edge.to])
          way = slot_[edge.to] == slot_[edge.from] + 1 ? Way::straight : Way::above;
      }
      ways_.push_back(way);
    }
  }

  void place_columns() {
    left_lanes_ = page_margin + room_.facts_width + padding;
    const double first = left_lanes_ + static_cast<double>(left_) * lane_pitch + node_gap / 2.0;
    const double pitch = room_.node_width + node_gap;
    result_.boxes.resize(drawing_.nodes.size());
    for (std::size_t node = 0; node < result_.boxes.size(); ++node)
      result_.boxes[node] = {first + static_cast<double>(slot_[node]) * pitch, 0.0, room_.node_width,
                             room_.node_height};
    frames_right_ = first + static_cast<double>(slots_) * pitch - node_gap / 2.0;
    result_.amounts_x = frames_right_ + padding / 2.0;
    right_lanes_ = result_.amounts_x + room_.amount_width + padding;
  }

  /// Spaces the ports on the upper and lower side of a box evenly, in the order of the edges.
  void place_ports() {
    tails_.resize(ways_.size());
    heads_.resize(ways_.size());
    for (std::size_t node = 0; node < result_.boxes.size(); ++node) {
      std::vector<double*> upper;
      std::vector<double*> lower;
      for (std::size_t e = 0; e < ways_.size(); ++e) {
        if (ways_[e] == Way::straight) continue;
        if (drawing_.edges[e].to == node) upper.push_back(&heads_[e].x);
        if (drawing_.edges[e].from == node) (ways_[e] == Way::above ? upper : lower).push_back(&tails_[e].x);
      }
      for (const std::vector<double*>* ports : {&upper, &lower})
        for (std::size_t i = 0; i < ports->size(); ++i)
          *(*ports)[i] = result_.boxes[node].x +
                         room_.node_width * static_cast<double>(i + 1) / static_cast<double>(ports->size() + 1);
    }
  }

  /// Assigns tracks: first edges within a line (short ones nearest to it), then edges to the left lanes, then to the
  /// right lanes, each in an order without crossings among its kind.
  void fill_gaps() {
    for (std::size_t line = 0; line < lines_.size(); ++line) {
      std::vector<Reach> above;
      std::vector<Reach> below;
      for (std::size_t e = 0; e < ways_.size(); ++e) {
        if (ways_[e] == Way::straight) continue;
        if (line_of_[drawing_.edges[e].to] == line) above.push_back(reach(e, heads_[e].x));
        if (line_of_[drawing_.edges[e].from] == line && ways_[e] != Way::above) below.push_back(reach(e, tails_[e].x));
      }
      lines_[line].tracks_above = fill(above, heads_);
      lines_[line].tracks_below = fill(below, tails_);
    }
  }

  Reach reach(std::size_t edge, double x) const {
    switch (ways_[edge]) {
      case Way::above:
        return {edge, std::min(tails_[edge].x, heads_[edge].x), std::max(tails_[edge].x, heads_[edge].x)};
      case Way::left:
        return {edge, left_lanes_, x};
      case Way::right:
      case Way::straight:
        break;
    }
    return {edge, x, right_lanes_};
  }

  std::size_t fill(std::vector<Reach>& reaches, std::vector<End>& ends) const {
    const auto rank = [this](const Reach& r) { return std::tuple(ways_[r.edge], r.to - r.from, r.edge); };
    std::sort(reaches.begin(), reaches.end(), [&](const Reach& a, const Reach& b) { return rank(a) < rank(b); });
    std::vector<std::pair<double, double>> intervals;
    for (const Reach& r : reaches) intervals.emplace_back(r.from, r.to);
    const std::vector<std::size_t> tracks = packed(intervals);
    std::size_t count = 0;
    for (std::size_t i = 0; i < reaches.size(); ++i) {
      ends[reaches[i].edge].track = tracks[i];
      count = std::max(count, tracks[i] + 1);
    }
    return count;
  }

  void place_rows() {
    double y = room_.head;
    std::size_t line = 0;
    for (std::size_t group = 0; group < drawing_.groups.size(); ++group) {
      Box frame{page_margin, y, frames_right_ - page_margin, 0.0};
      double inner = y + padding;
      for (; line < lines_.size() && lines_[line].group == group; ++line) {
        inner += static_cast<double>(lines_[line].tracks_above) * track_pitch;
        lines_[line].y = inner;
        inner += room_.node_height + static_cast<double>(lines_[line].tracks_below) * track_pitch + padding;
      }
      frame.height = std::max(inner - y, room_.fact_lines * room_.line_height + 2.0 * padding);
      result_.frames.push_back(frame);
      y += frame.height + frame_gap;
    }
    for (std::size_t node = 0; node < result_.boxes.size(); ++node) result_.boxes[node].y = lines_[line_of_[node]].y;
    result_.page.height = y + page_margin - frame_gap;
  }

  double y_above(std::size_t edge) const {
    return result_.boxes[drawing_.edges[edge].to].y - track_pitch * static_cast<double>(heads_[edge].track + 1) +
           track_pitch / 4.0;
  }
  double y_below(std::size_t edge) const {
    return result_.boxes[drawing_.edges[edge].from].y + room_.node_height +
           track_pitch * static_cast<double>(tails_[edge].track + 1);
  }

  /// Assigns lanes: shorter edges get nearer lanes.
  void fill_lanes() {
    lane_.resize(ways_.size());
    for (const Way way : {Way::left, Way::right}) {
      std::vector<std::size_t> edges;
      for (std::size_t e = 0; e < ways_.size(); ++e)
        if (ways_[e] == way) edges.push_back(e);
      const auto rank = [this](std::size_t e) { return std::tuple(y_above(e) - y_below(e), e); };
      std::sort(edges.begin(), edges.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
      std::vector<std::pair<double, double>> intervals;
      for (const std::size_t e : edges) intervals.emplace_back(y_below(e) - 1.0, y_above(e) + 1.0);
      const std::vector<std::size_t> lanes = packed(intervals);
      for (std::size_t i = 0; i < edges.size(); ++i) lane_[edges[i]] = lanes[i];
      const std::size_t count = lanes.empty() ? 0 : *std::max_element(lanes.begin(), lanes.end()) + 1;
      if (way == Way::right)
        close_channel(count);
      else
        lanes_at_left_ = count;
    }
  }

  void close_channel(std::size_t lanes) {
    const double top = room_.head;
    double right = frames_right_;
    if (lanes > 0) {
      const double width = static_cast<double>(lanes - 1) * lane_pitch + 2.0 * padding;
      result_.channel = {right_lanes_ - padding, top, width, result_.page.height - page_margin - top};
      right = right_lanes_ - padding + width;
    }
    result_.page.width = right + page_margin;
  }

  /// Width from the outermost to the innermost left lane.
  double left_reach() const { return left_ == 0 ? 0.0 : static_cast<double>(left_ - 1) * lane_pitch; }

  void draw_routes() {
    for (std::size_t e = 0; e < ways_.size(); ++e) {
      const Box& from = result_.boxes[drawing_.edges[e].from];
      const Box& to = result_.boxes[drawing_.edges[e].to];
      const double bottom = from.y + from.height;
      Route route{.corners = {}, .crosses = ways_[e] == Way::right, .lane = lane_[e]};
      const double lane = static_cast<double>(lane_[e]) * lane_pitch;
      if (ways_[e] == Way::straight) {
        const double middle = from.y + from.height / 2.0;
        route.corners = {{from.x + from.width, middle}, {to.x, middle}};
      } else if (ways_[e] == Way::above) {
        const double y = y_above(e);
        route.corners = {{tails_[e].x, from.y}, {tails_[e].x, y}, {heads_[e].x, y}, {heads_[e].x, to.y}};
      } else {
        const double x = ways_[e] == Way::right ? right_lanes_ + lane : left_lanes_ + left_reach() - lane;
        route.corners = {{tails_[e].x, bottom}, {tails_[e].x, y_below(e)}, {x, y_below(e)},
                         {x, y_above(e)},       {heads_[e].x, y_above(e)}, {heads_[e].x, to.y}};
      }
      result_.routes.push_back(std::move(route));
    }
  }

  const Drawing& drawing_;
  const DrawingRoom& room_;
  std::size_t left_;
  std::size_t lanes_at_left_ = 0;
  DrawingLayout result_;
  std::vector<Line> lines_;
  std::vector<std::size_t> line_of_;  ///< [node]
  std::vector<std::size_t> slot_;     ///< [node]
  std::size_t slots_ = 1;             ///< number of slots of the longest line
  std::vector<Way> ways_;             ///< [edge]; the next three members, too
  std::vector<End> tails_;
  std::vector<End> heads_;
  std::vector<std::size_t> lane_;
  double left_lanes_ = 0.0;
  double right_lanes_ = 0.0;
  double frames_right_ = 0.0;
};

}  // namespace

DrawingLayout layout_of(const Drawing& drawing, const DrawingRoom& room) {
  Router trial(drawing, room, 0);
  (void)trial.layout();
  return Router(drawing, room, trial.lanes_at_left()).layout();
}

}  // namespace dfsweep
