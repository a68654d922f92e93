/// Normal equations of the joint surface: gradient and second derivatives of the cost by the curvature and two laws.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "models/law_fits/law_basis.hpp"
#include "models/law_fits/surfaces/joint_moments.hpp"

namespace dfsweep::law_fits {

inline constexpr std::size_t curvatures = 3;  ///< h1, h2, h3
/// (h1, h2, h3), then two targets.
inline constexpr std::size_t most_unknowns = curvatures + 2 * most_coefficients;

/// Values of (1, f - mean f, ...) for a group.
using CoefficientRow = std::array<double, most_coefficients>;

/// Derivatives of w = (h1, h2, h3, U, V) of a group by the unknowns: a coefficient of the learning-rate law changes (U,
/// V) by its feature times `x`, a coefficient of the batch law by its feature times `y`.
struct Sensitivity {
  std::array<std::array<double, 2>, curvatures> h{};  ///< d(U, V) / dh
  std::array<double, 2> x{};
  std::array<double, 2> y{};
};

/// Least squares in the unknowns (h1, h2, h3, a, b): half of the gradient and the second derivatives of the cost.
class JointNormal {
 public:
  JointNormal(std::size_t x_size, std::size_t y_size) : x_size_(x_size), y_size_(y_size) {}
  [[nodiscard]] std::size_t size() const { return curvatures + x_size_ + y_size_; }
  void clear() { *this = JointNormal(x_size_, y_size_); }

  /// Adds a group with features `f` for the learning rate and `g` for the batch, at its `w`.
  void add(const JointMoments& group, const std::array<double, 5>& w, const Sensitivity& sensitivity,
           const CoefficientRow& f, const CoefficientRow& g);

  [[nodiscard]] double cost() const { return std::max(0.0, cost_); }

  /// Reduction of the cost by the unknowns, where w is linear in them and was added at zero.
  [[nodiscard]] double explained(std::span<const double> unknowns) const;

  enum class Curvature : std::uint8_t {
    linear,  ///< w linearised in the unknowns (Gauss-Newton)
    exact,   ///< with the second derivatives of (U, V) = -H (z* - reference) (Newton)
  };
  /// Fills `unknowns` with the step to the minimum, with the diagonal multiplied by 1 + `damping`; false where the
  /// equations are singular.
  [[nodiscard]] bool step(Curvature curvature, double damping, std::span<double> unknowns) const;

 private:
  /// Common factors of the terms of a group.
  struct GroupSlope {
    std::array<double, 5> slope{};                              ///< qs - qq w: minus half the derivative of the cost
    std::array<std::array<double, 5>, curvatures> curvature{};  ///< (dw / dh) qq
  };
  /// Position of a target among the unknowns; `bend`: first curvature that multiplies a coefficient in U.
  struct Target {
    std::size_t first = 0;
    std::size_t size = 0;
    std::size_t bend = 0;
  };
  void add_target(const Target& target, const CoefficientRow& values, const std::array<double, 2>& moves,
                  const JointMoments& group, const GroupSlope& seen);
  double& at(std::size_t row, std::size_t column) { return a_[row * size() + column]; }

  std::size_t x_size_;
  std::size_t y_size_;
  std::array<double, most_unknowns * most_unknowns> a_{};  ///< lower triangle
  std::array<double, most_unknowns> b_{};
  std::array<std::array<double, curvatures>, most_unknowns>
      bend_{};  ///< [coefficient][h] second-order terms of Curvature::exact
  double cost_ = 0.0;
};

}  // namespace dfsweep::law_fits
