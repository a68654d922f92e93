#include "models/law_fits/surfaces/basins.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "models/expect.hpp"

namespace dfsweep::law_fits {

std::vector<Basin> basins_of_runs(const SelectedRuns& runs, std::span<const std::size_t> groups, double window) {
  DFSWEEP_EXPECT(runs.kept_below >= window);
  std::vector<std::size_t> place(runs.groups.size(), groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) place[groups[i]] = i;
  std::vector<Basin> basins(groups.size());
  for (const KeptRun& run : runs.kept) {
    if (place[run.group] == groups.size() || !(run.rel < window)) continue;
    const LogPoint reference = runs.groups[run.group].reference;
    Basin& basin = basins[place[run.group]];
    basin.runs.push_back({run.x - reference.x, run.y - reference.y, run.s, run.rel});
    basin.sums.add(basin.runs.back().x, basin.runs.back().y, run.s, 1.0);
  }
  return basins;
}

std::vector<Basin> basins_of_sums(const SelectedRuns& runs, std::span<const std::size_t> groups, double window) {
  const std::size_t number = runs.window(window);
  std::vector<Basin> basins(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) basins[i].sums = runs.groups[groups[i]].moments[number];
  return basins;
}

void mark_small(std::vector<Basin>& basins) {
  for (Basin& basin : basins)
    if (basin.sums.n < least_surface_runs) basin.defect = FitDefect::too_few_runs;
}

std::optional<std::array<double, 3>> place_optima(std::vector<Basin>& basins) {
  Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  std::vector<Eigen::Matrix<double, 3, 3>> response(basins.size());
  std::vector<Eigen::Vector3d> own(basins.size());
  for (std::size_t g = 0; g < basins.size(); ++g) {
    if (basins[g].defect != FitDefect::none) continue;
    const auto products = polynomial_products(basins[g].sums);
    const auto losses = polynomial_losses(basins[g].sums);
    const Eigen::Map<const Eigen::Matrix<double, 6, 6>> all(products.data());
    const Eigen::Map<const Eigen::Matrix<double, 6, 1>> with_loss(losses.data());
    const Eigen::Matrix3d a = all.topLeftCorner<3, 3>();
    const Eigen::Matrix3d ab = all.topRightCorner<3, 3>();
    const double n = basins[g].sums.n;
    if (!(a.determinant() > 1e-6 * n * n * n)) {  // runs on a line; grid steps are above 0.2
      basins[g].defect = FitDefect::singular_design;
      continue;
    }
    const Eigen::LDLT<Eigen::Matrix3d> solver(a);
    response[g] = solver.solve(ab);
    own[g] = solver.solve(with_loss.head<3>());
    normal += all.bottomRightCorner<3, 3>() - ab.transpose() * response[g];
    right += with_loss.tail<3>() - ab.transpose() * own[g];
  }
  const Eigen::Vector3d shape = normal.ldlt().solve(right);
  const Hessian hessian{2.0 * shape[0], shape[1], 2.0 * shape[2]};
  if (!hessian.positive_definite()) return std::nullopt;
  for (std::size_t g = 0; g < basins.size(); ++g) {
    if (basins[g].defect != FitDefect::none) continue;
    const Eigen::Vector3d line = own[g] - response[g] * shape;
    basins[g].optimum = minus_inverse(hessian, {line[1], line[2]});
  }
  return std::array<double, 3>{shape[0], shape[1], shape[2]};
}

std::array<double, 36> polynomial_products(const RunMoments& m) {
  return {m.n,  m.u,   m.v,   m.uu,   m.uv,   m.vv,    //
          m.u,  m.uu,  m.uv,  m.uuu,  m.uuv,  m.uvv,   //
          m.v,  m.uv,  m.vv,  m.uuv,  m.uvv,  m.vvv,   //
          m.uu, m.uuu, m.uuv, m.uuuu, m.uuuv, m.uuvv,  //
          m.uv, m.uuv, m.uvv, m.uuuv, m.uuvv, m.uvvv,  //
          m.vv, m.uvv, m.vvv, m.uuvv, m.uvvv, m.vvvv};
}

std::array<double, 6> polynomial_losses(const RunMoments& m) {
  return {m.s, m.su, m.sv, m.suu, m.suv, m.svv};
}

}  // namespace dfsweep::law_fits
