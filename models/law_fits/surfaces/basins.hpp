/// Basins: the runs of each group around its best run, with a first estimate of the optimum.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "models/law_fits/surfaces/surface.hpp"

namespace dfsweep::law_fits {

/// A run in coordinates relative to the best run of its group.
struct BasinRun {
  double x = 0.0;  ///< ln lr
  double y = 0.0;  ///< ln B
  double s = 0.0;  ///< ln L - ln min L
  double rel = 0.0;
};

/// The runs of one group and the estimated optimum, relative to the best run.
struct Basin {
  RunMoments sums;
  std::vector<BasinRun> runs;  ///< empty where only sums are used
  LogPoint optimum;
  FitDefect defect = FitDefect::none;
};

/// Runs with rel < window of each of `groups`, and their sums. Pre: runs.kept_below >= window.
[[nodiscard]] std::vector<Basin> basins_of_runs(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                                double window);

/// Only the sums over these runs. Pre: window is one of runs.windows.
[[nodiscard]] std::vector<Basin> basins_of_sums(const SelectedRuns& runs, std::span<const std::size_t> groups,
                                                double window);

/// Sets the defect of basins with fewer than least_surface_runs runs.
void mark_small(std::vector<Basin>& basins);

/// Estimates the optimum of every basin without a defect by the fit of ln L = c_g + p_g u + q_g v + a1 u^2 + a2 u v +
/// a3 v^2, which is linear. Sets the defect of basins whose runs are on a line. Returns a1, a2, a3; empty where they
/// have no minimum.
[[nodiscard]] std::optional<std::array<double, 3>> place_optima(std::vector<Basin>& basins);

/// Sums of products of (1, u, v, u^2, u v, v^2) with each other, row-major, and with s.
[[nodiscard]] std::array<double, 36> polynomial_products(const RunMoments& sums);
[[nodiscard]] std::array<double, 6> polynomial_losses(const RunMoments& sums);

}  // namespace dfsweep::law_fits
