#include "models/law_fits/surfaces/joint_normal.hpp"

#include "models/statistics/least_squares.hpp"

namespace dfsweep::law_fits {

namespace {

/// j' Q k over (U, V).
double form(const JointMoments& group, const std::array<double, 2>& j, const std::array<double, 2>& k) {
  return j[0] * (group.qq[3][3] * k[0] + group.qq[3][4] * k[1]) +
         j[1] * (group.qq[4][3] * k[0] + group.qq[4][4] * k[1]);
}

}  // namespace

void JointNormal::add(const JointMoments& group, const std::array<double, 5>& w, const Sensitivity& sensitivity,
                      const CoefficientRow& f, const CoefficientRow& g) {
  GroupSlope seen;
  for (std::size_t i = 0; i < 5; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < 5; ++j) sum += group.qq[i][j] * w[j];
    seen.slope[i] = group.qs[i] - sum;
    cost_ -= w[i] * (group.qs[i] + seen.slope[i]);
  }
  cost_ += group.ss;
  const auto& dh = sensitivity.h;
  for (std::size_t i = 0; i < curvatures; ++i) {
    auto& row = seen.curvature[i];
    for (std::size_t k = 0; k < 5; ++k) row[k] = group.qq[i][k] + dh[i][0] * group.qq[3][k] + dh[i][1] * group.qq[4][k];
    b_[i] += seen.slope[i] + dh[i][0] * seen.slope[3] + dh[i][1] * seen.slope[4];
    for (std::size_t j = 0; j <= i; ++j) at(i, j) += row[j] + dh[j][0] * row[3] + dh[j][1] * row[4];
  }
  add_target({curvatures, x_size_, 0}, f, sensitivity.x, group, seen);
  add_target({curvatures + x_size_, y_size_, 1}, g, sensitivity.y, group, seen);
  const double xy = form(group, sensitivity.x, sensitivity.y);
  for (std::size_t c = 0; c < y_size_; ++c)
    for (std::size_t d = 0; d < x_size_; ++d) at(curvatures + x_size_ + c, curvatures + d) += xy * g[c] * f[d];
}

void JointNormal::add_target(const Target& target, const CoefficientRow& values, const std::array<double, 2>& moves,
                             const JointMoments& group, const GroupSlope& seen) {
  const double own = form(group, moves, moves);
  const double slope = moves[0] * seen.slope[3] + moves[1] * seen.slope[4];
  std::array<double, curvatures> mixed{};
  for (std::size_t i = 0; i < curvatures; ++i)
    mixed[i] = moves[0] * seen.curvature[i][3] + moves[1] * seen.curvature[i][4];
  for (std::size_t c = 0; c < target.size; ++c) {
    const std::size_t row = target.first + c;
    b_[row] += values[c] * slope;
    for (std::size_t i = 0; i < curvatures; ++i) at(row, i) += values[c] * mixed[i];
    for (std::size_t d = 0; d <= c; ++d) at(row, target.first + d) += own * values[c] * values[d];
    bend_[row][target.bend] += values[c] * seen.slope[3];
    bend_[row][target.bend + 1] += values[c] * seen.slope[4];
  }
}

double JointNormal::explained(std::span<const double> unknowns) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < size(); ++i) sum += b_[i] * unknowns[i];
  return sum;
}

bool JointNormal::step(Curvature curvature, double damping, std::span<double> unknowns) const {
  std::array<double, most_unknowns* most_unknowns> a = a_;
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) {
    a[i * n + i] *= 1.0 + damping;
    unknowns[i] = b_[i];
    if (curvature == Curvature::exact && i >= curvatures)
      for (std::size_t h = 0; h < curvatures; ++h) a[i * n + h] += bend_[i][h];
  }
  return solve_positive(std::span(a).first(n * n), unknowns);
}

}  // namespace dfsweep::law_fits
