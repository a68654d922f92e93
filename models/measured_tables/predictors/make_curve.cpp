#include "models/measured_tables/predictors/make_curve.hpp"

#include "models/measured_tables/predictors/fitted_curve.hpp"
#include "models/measured_tables/predictors/forest_curve.hpp"

namespace dfsweep {

Curve make_curve(std::span<const CurvePoint> points, PredictionMethod method) {
  // At jumps, forests of 250 trees differ by several per cent between seeds. Eight times as many trees converge to the
  // mean and cost little with one feature.
  constexpr ForestSettings many_trees{.trees = 2000};
  return method == PredictionMethod::forest ? forest_curve(points, many_trees) : fitted_curve(points);
}

}  // namespace dfsweep
