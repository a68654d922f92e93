/// NeighbourFit: estimates the time at an unmeasured key from measured neighbours.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "models/measured_tables/predictors/attention_surface.hpp"

namespace dfsweep {

/// Estimates levels, i.e. log(measured time / trend). Combines two estimates with inverse-variance weights:
///
/// * differences. Kernel times jump where another wave of blocks begins, at the same positions in neighbouring rows and
///   columns of the grid. So the level is that of the next measured key in one of the four directions, plus the mean
///   difference between both positions on neighbouring lines; its variance is their spread. Without such lines the
///   difference is 0 and the variance grows with the distance.
/// * plane. A plane fitted to the twelve nearest measured keys, with weights that fall with distance.
class NeighbourFit {
 public:
  /// `levels`: [rank in us][rank in vs], NaN without a measurement. Pre: at least one level is measured.
  NeighbourFit(std::span<const double> us, std::span<const double> vs, const SurfaceForm& form,
               NodeGrid<double> levels);

  /// The level of a node estimated from all other nodes.
  [[nodiscard]] double estimate(std::size_t u, std::size_t v) const;

 private:
  struct Estimate {
    double level = 0.0;
    double precision = 0.0;  ///< 1 / variance; 0: no estimate
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

}  // namespace dfsweep
