/// Optima of surfaces of one shape: recovered exactly without noise, with errors as stated with it, defects by name.
#include "models/law_fits/surfaces/shared_surface.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "models/law_fits/intervals/bootstrap.hpp"
#include "models/statistics/distributions.hpp"

BOOST_AUTO_TEST_SUITE(shared_surface_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;

namespace {

using Shape = std::array<double, most_shape_terms>;
constexpr Shape bowl = {0.00575, -0.0045, 0.00575, 0, 0, 0, 0};
constexpr Shape skewed = {0.007, -0.0043, 0.0058, 0.0014, -0.0004, 0.0003, -0.0002};

double height(const Shape& a, double u, double v) {
  return a[0] * u * u + a[1] * u * v + a[2] * v * v + a[3] * u * u * u + a[4] * u * u * v + a[5] * u * v * v +
         a[6] * v * v * v;
}

LogPoint optimum_of(std::size_t group) {
  return {-7.0 + 0.11 * static_cast<double>(group), 12.5 - 0.07 * static_cast<double>(group)};
}

/// `groups` grids of 9 x 9 runs in steps of 0.3 about their optima, with normal noise of `noise`.
GroupedRuns grid_runs(const Shape& shape, std::size_t groups, double noise, std::uint64_t seed) {
  const CounterRandom random(seed);
  TrainingRuns runs;
  runs.recipes = {{"dense", RunFamily::dense}};
  std::uint64_t k = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    for (int i = -4; i <= 4; ++i) {
      for (int j = -4; j <= 4; ++j) {
        const double u = 0.3 * i + 0.05;  // the optimum is on no run
        const double v = 0.3 * j - 0.08;
        runs.recipe.push_back(0);
        runs.parameters.push_back(1e8 * static_cast<double>(g + 1));
        runs.activated_parameters.push_back(runs.parameters.back());
        runs.train_tokens.push_back(1e10);
        runs.flops_per_token.push_back(1e9);
        runs.learning_rate.push_back(std::exp(optimum_of(g).x + u));
        runs.batch_tokens.push_back(std::exp(optimum_of(g).y + v));
        const double error = noise * normal_quantile(random.uniform(k++) * 0.999999 + 5e-7);
        runs.loss.push_back(2.5 * std::exp(height(shape, u, v) + error));
      }
    }
  }
  return group_runs(runs);
}

SelectedRuns selected(const GroupedRuns& runs) {
  return select_runs(runs, fit_windows, 0.04);
}

std::vector<std::size_t> first(std::size_t count) {
  std::vector<std::size_t> groups(count);
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  return groups;
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_noise_shape_and_optima_are_exact) {
  const SelectedRuns bowls = selected(grid_runs(bowl, 4, 0.0, 1));
  const SelectedRuns skews = selected(grid_runs(skewed, 4, 0.0, 1));
  const auto check = [](const SharedSurface& found, const Shape& shape) {
    BOOST_TEST((found.defect == FitDefect::none));
    for (std::size_t k = 0; k < shape_terms(found.shape); ++k)
      BOOST_TEST(std::abs(found.coefficient[k] - shape[k]) < 1e-9);
    for (std::size_t g = 0; g < found.groups.size(); ++g) {
      BOOST_TEST(std::abs(found.groups[g].optimum.x - optimum_of(g).x) < 1e-8);
      BOOST_TEST(std::abs(found.groups[g].optimum.y - optimum_of(g).y) < 1e-8);
    }
    BOOST_TEST(found.residual_sd < 1e-9);
  };
  check(fit_shared_surface(bowls, first(4), 0.01, SurfaceShape::quadratic), bowl);
  check(fit_shared_surface(bowls, first(4), 0.01, SurfaceShape::cubic), bowl);
  check(fit_shared_surface(skews, first(4), 0.01, SurfaceShape::cubic), skewed);
  check(fit_shared_surface(skews, first(4), 0.01, SurfaceShape::cubic, RunWindow::by_fit), skewed);
}

// A quadratic shape moves the optimum of a skewed basin, and the more so the wider the window; a cubic one does not.
BOOST_AUTO_TEST_CASE(a_cubic_shape_keeps_the_optimum_where_windows_widen) {
  const SelectedRuns runs = selected(grid_runs(skewed, 4, 0.0, 1));
  const auto miss = [&runs](double window, SurfaceShape shape) {
    return fit_shared_surface(runs, first(4), window, shape).groups[0].optimum.x - optimum_of(0).x;
  };
  BOOST_TEST(miss(0.01, SurfaceShape::quadratic) < -0.05);
  BOOST_TEST(miss(0.015, SurfaceShape::quadratic) < miss(0.0075, SurfaceShape::quadratic));
  for (const double window : {0.0075, 0.01, 0.015}) BOOST_TEST(std::abs(miss(window, SurfaceShape::cubic)) < 1e-8);
}

BOOST_AUTO_TEST_CASE(a_group_s_optimum_does_not_depend_on_the_order_of_the_groups) {
  const SelectedRuns runs = selected(grid_runs(skewed, 3, 6e-4, 5));
  const std::vector<std::size_t> turned = {2, 0, 1};
  const SharedSurface one = fit_shared_surface(runs, first(3), 0.01, SurfaceShape::cubic);
  const SharedSurface other = fit_shared_surface(runs, turned, 0.01, SurfaceShape::cubic);
  for (std::size_t i = 0; i < turned.size(); ++i)
    BOOST_TEST(std::abs(other.groups[i].optimum.x - one.groups[turned[i]].optimum.x) < 1e-8);
}

// Errors over their stated standard errors, 40 sets of 6 groups: mean square 1, within 4 sd of a mean of 480 squares.
BOOST_AUTO_TEST_CASE(errors_of_optima_are_as_large_as_stated) {
  double squares = 0.0;
  double count = 0.0;
  double noise = 0.0;
  for (std::uint64_t set = 0; set < 40; ++set) {
    const SelectedRuns runs = selected(grid_runs(bowl, 6, 6e-4, 100 + set));
    const SharedSurface found = fit_shared_surface(runs, first(6), 0.01, SurfaceShape::cubic);
    BOOST_REQUIRE((found.defect == FitDefect::none));
    noise += found.residual_sd / 40.0;
    for (std::size_t g = 0; g < 6; ++g) {
      const LocatedOptimum& located = found.groups[g];
      double variance_x = located.covariance.xx;
      double variance_y = located.covariance.yy;
      for (std::size_t i = 0; i < most_shape_terms; ++i) {
        for (std::size_t j = 0; j < most_shape_terms; ++j) {
          const double shared = found.covariance[i * most_shape_terms + j];
          variance_x += located.shape_response[i].x * shared * located.shape_response[j].x;
          variance_y += located.shape_response[i].y * shared * located.shape_response[j].y;
        }
      }
      const double dx = located.optimum.x - optimum_of(g).x;
      const double dy = located.optimum.y - optimum_of(g).y;
      squares += dx * dx / variance_x + dy * dy / variance_y;
      count += 2.0;
    }
  }
  BOOST_TEST(std::abs(squares / count - 1.0) < 4.0 * std::sqrt(2.0 / count));
  BOOST_TEST(std::abs(noise / 6e-4 - 1.0) < 0.05);
}

// Choosing runs by their noisy losses makes the bowl too shallow; choosing by a first fit does not.
BOOST_AUTO_TEST_CASE(windows_by_fit_do_not_flatten_the_bowl) {
  double by_loss = 0.0;
  double by_fit = 0.0;
  for (std::uint64_t set = 0; set < 20; ++set) {
    const SelectedRuns runs = selected(grid_runs(bowl, 12, 6e-4, 300 + set));
    const auto curvature = [&runs](RunWindow chosen) {
      return fit_shared_surface(runs, first(12), 0.005, SurfaceShape::quadratic, chosen).coefficient[0] / bowl[0];
    };
    by_loss += curvature(RunWindow::by_loss) / 20.0;
    by_fit += curvature(RunWindow::by_fit) / 20.0;
  }
  BOOST_TEST(by_loss < 0.985);
  BOOST_TEST(std::abs(by_fit - 1.0) < 0.01);
}

// The window is one that sums were made for, or single runs are summed here.
BOOST_AUTO_TEST_CASE(a_quadratic_shape_needs_sums_only) {
  const GroupedRuns grouped = grid_runs(skewed, 5, 6e-4, 21);
  const std::array<double, 1> other = {0.0025};
  const std::array<double, 1> wanted = {0.01};
  const SelectedRuns single = select_runs(grouped, other, 0.01);
  const SelectedRuns sums = select_runs(grouped, wanted, 0.0);
  const SharedSurface by_run = fit_shared_surface(single, first(5), 0.01, SurfaceShape::quadratic);
  const SharedSurface by_sum = fit_shared_surface(sums, first(5), 0.01, SurfaceShape::quadratic);
  BOOST_TEST(sums.kept.empty());
  BOOST_TEST(std::abs(by_sum.residual_sd / by_run.residual_sd - 1.0) < 1e-9);
  for (std::size_t g = 0; g < 5; ++g) {
    const LocatedOptimum& a = by_run.groups[g];
    const LocatedOptimum& b = by_sum.groups[g];
    BOOST_TEST(std::abs(a.optimum.x - b.optimum.x) < 1e-9);
    BOOST_TEST(std::abs(a.covariance.xy / b.covariance.xy - 1.0) < 1e-7);
    for (std::size_t k = 0; k < 3; ++k)
      BOOST_TEST(std::abs(a.shape_response[k].y - b.shape_response[k].y) < 1e-6 * std::abs(a.shape_response[k].y));
  }
}

BOOST_AUTO_TEST_CASE(groups_that_cannot_be_located_are_named_and_left_out) {
  GroupedRuns runs = grid_runs(bowl, 3, 0.0, 1);
  const auto spoil = [&runs](std::size_t group, auto spoiled) {  // runs far above the window
    for (std::size_t run = runs.groups[group].begin; run < runs.groups[group].end; ++run)
      if (spoiled(run)) {
        runs.loss[run] = 10.0;
        runs.rel[run] = 3.0;
      }
  };
  std::size_t left = 0;
  spoil(0, [&left](std::size_t) { return ++left > 10; });
  const double batch = runs.groups[1].minimum.batch_tokens;
  spoil(1, [&](std::size_t run) { return std::abs(runs.batch_tokens[run] / batch - 1.0) > 0.01; });
  const SelectedRuns few = selected(runs);
  const SharedSurface found = fit_shared_surface(few, first(3), 0.04, SurfaceShape::quadratic);
  BOOST_TEST((found.groups[0].defect == FitDefect::too_few_runs));
  BOOST_TEST((found.groups[1].defect == FitDefect::too_few_runs));  // one row of the grid: 9 runs
  BOOST_TEST((found.groups[2].defect == FitDefect::none));
  BOOST_TEST(std::abs(found.groups[2].optimum.x - optimum_of(2).x) < 1e-8);
  BOOST_TEST(std::isnan(found.groups[0].optimum.x));
}

BOOST_AUTO_TEST_CASE(surfaces_without_a_minimum_are_named) {
  Shape saddle = bowl;
  saddle[2] = -0.003;
  const SelectedRuns runs = selected(grid_runs(saddle, 3, 0.0, 1));
  BOOST_TEST(
      (fit_shared_surface(runs, first(3), 0.01, SurfaceShape::quadratic).defect == FitDefect::indefinite_hessian));
  const SelectedRuns none = selected(grid_runs(bowl, 1, 0.0, 1));
  BOOST_TEST((fit_shared_surface(none, {}, 0.01, SurfaceShape::cubic).defect == FitDefect::too_few_runs));
}

BOOST_AUTO_TEST_SUITE_END()
