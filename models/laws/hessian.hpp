/// The curvature of ln L around an optimum in (ln lr, ln B), with excess loss and plateaus.
/// Source: docs/models/hyperparameters.md.
#pragma once

#include <cstddef>
#include <vector>

#include "models/laws/law.hpp"

namespace dfsweep {

/// Second derivatives of ln L.
struct Hessian {
  double xx = 0.0;
  double xy = 0.0;
  double yy = 0.0;
  [[nodiscard]] double determinant() const { return xx * yy - xy * xy; }
  [[nodiscard]] bool positive_definite() const { return xx > 0.0 && determinant() > 0.0; }
  bool operator==(const Hessian&) const = default;
};

/// Eigenvalues in ascending order.
struct Eigenvalues {
  double low = 0.0;
  double high = 0.0;
};
[[nodiscard]] Eigenvalues eigenvalues(const Hessian& hessian);
/// Slope d ln B / d ln lr of the eigenvector with the smallest eigenvalue.
[[nodiscard]] double ridge_slope(const Hessian& hessian);
/// Minimum of the quadratic: -H^-1 gradient. Pre: H is not singular.
[[nodiscard]] LogPoint minus_inverse(const Hessian& hessian, LogPoint gradient);
/// exp(0.5 d' H d) - 1, d = point - optimum.
[[nodiscard]] double loss_excess(const Hessian& hessian, LogPoint optimum, LogPoint point);

/// The set { z : (z - z*)' H (z - z*) <= 2 ln(1 + d) } of excess d.
struct Plateau {
  double half_width_x = 0.0;  ///< largest extent in ln lr: sqrt(2 ln(1 + d) (H^-1)_xx)
  double half_width_y = 0.0;  ///< largest extent in ln B
  double area = 0.0;          ///< 2 pi ln(1 + d) / sqrt(det H)
};
/// Pre: H is positive definite.
[[nodiscard]] Plateau plateau(const Hessian& hessian, double excess);
/// `count` points on the boundary, anticlockwise from the +x direction.
[[nodiscard]] std::vector<LogPoint> plateau_border(const Hessian& hessian, LogPoint optimum, double excess,
                                                   std::size_t count);

}  // namespace dfsweep
