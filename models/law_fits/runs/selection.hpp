/// Selection: runs near the best of their group as sums, the input of fits in memory proportional to the groups.
///
/// Needs two passes over the runs, GroupMinimum and then RunSelection per group, because rel = L / min L - 1 depends on
/// the least loss of the group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/law_fits/runs/runs.hpp"

namespace dfsweep::law_fits {

/// Sums over runs of products of u = ln lr - x0, v = ln B - y0 and s = ln L - ln min L, where (x0, y0) is the run of
/// least loss in the group. Runs may be weighted.
struct RunMoments {
  double n = 0.0;
  double u = 0.0, v = 0.0, uu = 0.0, uv = 0.0, vv = 0.0;
  double uuu = 0.0, uuv = 0.0, uvv = 0.0, vvv = 0.0;
  double uuuu = 0.0, uuuv = 0.0, uuvv = 0.0, uvvv = 0.0, vvvv = 0.0;
  double s = 0.0, su = 0.0, sv = 0.0, suu = 0.0, suv = 0.0, svv = 0.0, ss = 0.0;

  void add(double run_u, double run_v, double run_s, double weight);
  RunMoments& operator+=(const RunMoments& other);
};

/// Second pass over one group. Selections of consecutive pieces of a group are merged in their order.
class RunSelection {
 public:
  /// `windows`: ascending strict upper bounds on rel.
  RunSelection(const GroupMinimum& minimum, std::span<const double> windows);
  void add(double learning_rate, double batch_tokens, double loss);
  void merge(const RunSelection& later);
  /// [window] Sums of the runs with rel < window.
  [[nodiscard]] std::vector<RunMoments> moments() const;

 private:
  std::vector<double> windows_;
  double least_loss_;
  LogPoint reference_;
  std::vector<RunMoments> rings_;  ///< [window] runs in this window but not in the previous one
};

/// Windows (bounds on rel) for the fits of the released runs.
inline constexpr double fit_windows[] = {0.00125, 0.0025, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.04};

struct SelectedGroup {
  GroupKey key;
  TrainingScale scale;
  GroupMinimum minimum;
  LogPoint reference;  ///< (x0, y0), origin of the moments
  GridBox box;
  std::vector<RunMoments> moments;  ///< [window]
};

/// A single run that was kept for fits and bootstraps.
struct KeptRun {
  std::uint32_t group = 0;
  double x = 0.0;    ///< ln lr
  double y = 0.0;    ///< ln B
  double s = 0.0;    ///< ln L - ln min L
  double rel = 0.0;  ///< L / min L - 1
};

/// Input of all fits.
struct SelectedRuns {
  std::vector<double> windows;        ///< ascending
  std::vector<SelectedGroup> groups;  ///< in group order
  std::vector<KeptRun> kept;          ///< runs with rel < `kept_below`, in file order
  double kept_below = 0.0;

  /// Index of a window. Pre: it is one of `windows`.
  [[nodiscard]] std::size_t window(double bound) const;
};

/// Pre: `windows` ascending.
[[nodiscard]] SelectedRuns select_runs(const GroupedRuns& runs, std::span<const double> windows, double kept_below);

}  // namespace dfsweep::law_fits
