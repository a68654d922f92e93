/// Regret of a law: the loss at its prediction over the least loss of the group, by three definitions.
#pragma once

#include <span>
#include <vector>

#include "models/law_fits/surfaces/surface.hpp"

namespace dfsweep::law_fits {

/// The runs of a group as a grid for looking up losses.
class GroupGrid {
 public:
  GroupGrid(const GroupedRuns& runs, std::size_t group);

  /// Index in GroupedRuns of the run nearest to a point in (ln lr, ln B); the first on ties.
  [[nodiscard]] std::size_t nearest(LogPoint point) const;
  /// rel of the nearest run.
  [[nodiscard]] double regret_nearest(LogPoint point) const;
  /// exp(t - min t) - 1 with t = ln L interpolated bilinearly between the distinct lr and B of the group; The point is
  /// clamped to the box of the grid. Corners without a run are left out and the other weights normalised; where less
  /// than 1e-9 of weight remains, the run nearest to the clamped point is used.
  [[nodiscard]] double regret_bilinear(LogPoint point) const;
  [[nodiscard]] std::span<const double> distinct_x() const { return xs_; }  ///< ascending ln lr
  [[nodiscard]] std::span<const double> distinct_y() const { return ys_; }  ///< ascending ln B
  /// ln L - ln min L at (x index, y index); NaN without a run; the minimum of several runs.
  [[nodiscard]] double excess(std::size_t x, std::size_t y) const { return excess_[x * ys_.size() + y]; }

 private:
  std::size_t begin_;
  std::vector<LogPoint> points_;  ///< [run of the group]
  std::vector<double> rel_;       ///< [run of the group]
  std::vector<double> xs_;
  std::vector<double> ys_;
  std::vector<double> excess_;  ///< [x][y]
};

struct Regret {
  double nearest = 0.0;
  double bilinear = 0.0;
  double quadratic = 0.0;       ///< exp(0.5 d' H d) - 1 with the surface of the group; NaN where it has a defect
  std::size_t nearest_run = 0;  ///< index in GroupedRuns
};
[[nodiscard]] Regret regret_at(const GroupGrid& grid, const QuadraticSurface& surface, LogPoint predicted);

/// Unimodality of the grid of a group: rows and columns with one valley deeper than the noise.
struct Unimodality {
  std::size_t lines = 0;     ///< rows and columns with at least three runs
  std::size_t unimodal = 0;  ///< lines with one valley
};
/// `tolerance`: changes of ln L up to this size are noise.
[[nodiscard]] Unimodality unimodality(const GroupGrid& grid, double tolerance);

}  // namespace dfsweep::law_fits
