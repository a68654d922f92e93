/// The curvature that groups share is that of their basins, however far their optima scatter about a law.
#include "models/law_fits/surfaces/common_curvature.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "models/law_fits/surfaces/joint_surface.hpp"
#include "models/statistics/distributions.hpp"
#include "models/statistics/random.hpp"

BOOST_AUTO_TEST_SUITE(common_curvature_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;

namespace {

constexpr Hessian truth = {0.023, -0.009, 0.023};
constexpr double noise = 6e-4;

/// Numbers of one set of simulated runs, in the order in which they are asked for.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  double uniform() { return random_.uniform(next_++); }
  double normal() { return normal_quantile(uniform() * 0.999999 + 5e-7); }

 private:
  CounterRandom random_;
  std::uint64_t next_ = 0;
};

struct Design {
  double scatter = 0.0;  ///< standard deviation of optima about the law, in ln lr and ln B
  double step = 0.45;    ///< between runs in ln lr and ln B
};

/// 33 groups of runs on a grid of 4.5 by 4.5 about their optima, ln L = 0.5 d' H d + noise.
SelectedRuns simulated(const Design& design, std::uint64_t seed, double kept_below) {
  Draw draw(seed);
  TrainingRuns runs;
  runs.recipes = {{"dense", RunFamily::dense}};
  for (int g = 0; g < 33; ++g) {
    const double n = std::exp(std::log(5e7) + draw.uniform() * std::log(100.0));
    const double d = n * std::exp(std::log(5.0) + draw.uniform() * std::log(40.0));
    const double x = 2.3 - 0.68 * std::log(n) + 0.21 * std::log(d) + design.scatter * draw.normal();
    const double y = 4.3 - 0.25 * std::log(n) + 0.575 * std::log(d) + design.scatter * draw.normal();
    const double shift_u = design.step * (draw.uniform() - 0.5);
    const double shift_v = design.step * (draw.uniform() - 0.5);
    const int half = static_cast<int>(std::floor(2.25 / design.step));
    for (int i = -half; i <= half; ++i)
      for (int j = -half; j <= half; ++j) {
        const double u = design.step * i + shift_u;
        const double v = design.step * j + shift_v;
        runs.recipe.push_back(0);
        runs.parameters.push_back(n);
        runs.activated_parameters.push_back(n);
        runs.train_tokens.push_back(d);
        runs.flops_per_token.push_back(6.0 * n);
        runs.learning_rate.push_back(std::exp(x + u));
        runs.batch_tokens.push_back(std::exp(y + v));
        runs.loss.push_back(2.5 * std::exp(0.5 * (truth.xx * u * u + 2.0 * truth.xy * u * v + truth.yy * v * v) +
                                           noise * draw.normal()));
      }
  }
  return select_runs(group_runs(runs), fit_windows, kept_below);
}

std::vector<std::size_t> all_of(const SelectedRuns& runs) {
  std::vector<std::size_t> groups(runs.groups.size());
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  return groups;
}

Hessian mean_of(const std::vector<Hessian>& all) {
  Hessian mean;
  for (const Hessian& each : all) {
    mean.xx += each.xx / static_cast<double>(all.size());
    mean.xy += each.xy / static_cast<double>(all.size());
    mean.yy += each.yy / static_cast<double>(all.size());
  }
  return mean;
}

void check_near_truth(const Hessian& found, const Design& design) {
  constexpr double tolerance = 0.04;  // choosing runs by their noisy loss alone costs 2 %
  BOOST_TEST_CONTEXT("scatter " << design.scatter << ", step " << design.step) {
    BOOST_TEST(std::abs(found.xx / truth.xx - 1.0) < tolerance);
    BOOST_TEST(std::abs(found.xy / truth.xy - 1.0) < tolerance);
    BOOST_TEST(std::abs(found.yy / truth.yy - 1.0) < tolerance);
  }
}

}  // namespace

// Single runs give a cubic shape, sums per group a quadratic one; the mean of 20 sets is near the truth for both.
BOOST_AUTO_TEST_CASE(scatter_between_groups_does_not_flatten_the_basins) {
  for (const double scatter : {0.0, 0.1, 0.2, 0.3})
    for (const double kept_below : {0.08, 0.0}) {
      const Design design{scatter};
      std::vector<Hessian> found;
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const SelectedRuns runs = simulated(design, seed, kept_below);
        const CommonCurvature common = fit_common_curvature(runs, all_of(runs));
        BOOST_TEST_REQUIRE(common.is_known());
        BOOST_TEST(common.window == 0.01);
        BOOST_TEST((common.surface.shape == (kept_below > 0.0 ? SurfaceShape::cubic : SurfaceShape::quadratic)));
        found.push_back(common.surface.hessian());
      }
      check_near_truth(mean_of(found), design);
    }
}

// What the surface with optima on the law makes of the same runs: less than half of the curvature at a scatter of 0.3.
BOOST_AUTO_TEST_CASE(optima_that_must_lie_on_a_law_flatten_the_basins) {
  std::vector<Hessian> found;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const SelectedRuns runs = simulated({0.3}, seed, 0.0);
    found.push_back(fit_joint_linear(joint_moments(runs, all_of(runs), runs.window(0.01)),
                                     FeatureSet{LawFeature::parameters, LawFeature::tokens})
                        .hessian);
  }
  BOOST_TEST(mean_of(found).xx < 0.5 * truth.xx);
}

// On coarse grids fewer than 11 runs are within 1 % of the best: the next window that has them is taken.
BOOST_AUTO_TEST_CASE(coarse_grids_take_a_wider_window) {
  const Design design{0.2, 0.75};
  std::vector<Hessian> found;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SelectedRuns runs = simulated(design, seed, 0.08);
    const CommonCurvature common = fit_common_curvature(runs, all_of(runs));
    BOOST_TEST_REQUIRE(common.is_known());
    BOOST_TEST(common.window > 0.01);
    found.push_back(common.surface.hessian());
  }
  check_near_truth(mean_of(found), design);
}

BOOST_AUTO_TEST_CASE(without_enough_runs_there_is_no_curvature) {
  const SelectedRuns runs = simulated({0.0, 2.0}, 1, 0.08);
  const CommonCurvature common = fit_common_curvature(runs, all_of(runs));
  BOOST_TEST(!common.is_known());
  BOOST_TEST((common.surface.defect == FitDefect::too_few_runs));
}

BOOST_AUTO_TEST_SUITE_END()
