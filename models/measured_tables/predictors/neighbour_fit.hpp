/// NeighbourFit: the time at a key that was not measured, from measured keys around it.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "models/measured_tables/predictors/attention_surface.hpp"

namespace dfsweep::inference {

/// Estimates levels, which are logs of the ratio of measured time to trend. Two estimates are weighed by the inverse of
/// their variances:
///
/// * differences. Kernels step where another wave of blocks begins, at the same places in neighbouring rows and columns
///   of the grid. So the level is that of the next measured key in one of the four directions, plus the mean difference
///   that neighbouring lines show between the two places; its variance is their spread. Without such lines the
///   difference is 0 and the variance grows with the distance.
/// * plane. A plane through the twelve nearest measured keys, the nearer the heavier.
class NeighbourFit {
 public:
  /// `levels`: [u][v], NaN where nothing was measured. Pre: ranks are those of `us` and `vs`; some level is measured.
  NeighbourFit(std::span<const double> us, std::span<const double> vs, const SurfaceForm& form,
               NodeGrid<double> levels);

  /// The level expected at a node from all others; what was measured there is not used.
  [[nodiscard]] double estimate(std::size_t u, std::size_t v) const;

 private:
  struct Estimate {
    double level = 0.0;
    double precision = 0.0;  ///< 1 / variance; 0 where nothing is known
  };
  struct Key {
    std::size_t node = 0;
    std::array<double, 2> position{};
    double level = 0.0;
  };
  double level_at(std::ptrdiff_t u, std::ptrdiff_t v) const;
  Estimate from_differences(std::size_t u, std::size_t v) const;
  Estimate from_direction(std::size_t u, std::size_t v, std::ptrdiff_t step_u, std::ptrdiff_t step_v) const;
  Estimate from_plane(std::size_t u, std::size_t v) const;

  NodeGrid<double> levels_;
  NodeGrid<std::array<double, 2>> positions_;
  std::vector<Key> keys_;  ///< the measured nodes
};

}  // namespace dfsweep::inference
