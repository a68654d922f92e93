#include "models/hyperparameters/joint_normal.hpp"

#include "models/hyperparameters/least_squares.hpp"

namespace dfsweep {

void JointNormal::add(const JointMoments& group, const std::array<double, 5>& w, const Sensitivity& sensitivity,
                      const std::array<double, most_coefficients>& f, const std::array<double, most_coefficients>& g) {
  std::array<double, 5> slope{};  // qs - qq w: minus half the derivative of the cost
  for (std::size_t i = 0; i < 5; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < 5; ++j) sum += group.qq[i][j] * w[j];
    slope[i] = group.qs[i] - sum;
    cost_ -= w[i] * (group.qs[i] + slope[i]);
  }
  cost_ += group.ss;
  const auto& [dh, jx, jy] = sensitivity;
  const std::array<double, 2> qx = {jx[0] * group.qq[3][3] + jx[1] * group.qq[4][3],
                                    jx[0] * group.qq[3][4] + jx[1] * group.qq[4][4]};
  const std::array<double, 2> qy = {jy[0] * group.qq[3][3] + jy[1] * group.qq[4][3],
                                    jy[0] * group.qq[3][4] + jy[1] * group.qq[4][4]};
  const double xx = qx[0] * jx[0] + qx[1] * jx[1];
  const double xy = qx[0] * jy[0] + qx[1] * jy[1];
  const double yy = qy[0] * jy[0] + qy[1] * jy[1];
  const double slope_x = jx[0] * slope[3] + jx[1] * slope[4];
  const double slope_y = jy[0] * slope[3] + jy[1] * slope[4];
  std::array<double, curvatures> hx{};
  std::array<double, curvatures> hy{};
  for (std::size_t i = 0; i < curvatures; ++i) {
    std::array<double, 5> row{};
    for (std::size_t k = 0; k < 5; ++k) row[k] = group.qq[i][k] + dh[i][0] * group.qq[3][k] + dh[i][1] * group.qq[4][k];
    b_[i] += slope[i] + dh[i][0] * slope[3] + dh[i][1] * slope[4];
    for (std::size_t j = 0; j <= i; ++j) at(i, j) += row[j] + dh[j][0] * row[3] + dh[j][1] * row[4];
    hx[i] = jx[0] * row[3] + jx[1] * row[4];
    hy[i] = jy[0] * row[3] + jy[1] * row[4];
  }
  for (std::size_t c = 0; c < x_size_; ++c) {
    const std::size_t row = curvatures + c;
    b_[row] += f[c] * slope_x;
    for (std::size_t i = 0; i < curvatures; ++i) at(row, i) += f[c] * hx[i];
    for (std::size_t d = 0; d <= c; ++d) at(row, curvatures + d) += xx * f[c] * f[d];
    bend_[row][0] += f[c] * slope[3];
    bend_[row][1] += f[c] * slope[4];
  }
  for (std::size_t c = 0; c < y_size_; ++c) {
    const std::size_t row = curvatures + x_size_ + c;
    b_[row] += g[c] * slope_y;
    for (std::size_t i = 0; i < curvatures; ++i) at(row, i) += g[c] * hy[i];
    for (std::size_t d = 0; d < x_size_; ++d) at(row, curvatures + d) += xy * g[c] * f[d];
    for (std::size_t d = 0; d <= c; ++d) at(row, curvatures + x_size_ + d) += yy * g[c] * g[d];
    bend_[row][1] += g[c] * slope[3];
    bend_[row][2] += g[c] * slope[4];
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

}  // namespace dfsweep
