/// Regret: nearest runs, interpolation with holes, and valleys, on grids small enough to see.
#include "models/law_fits/fits/regret.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <tuple>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(regret_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;
namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;

namespace {

using Place = std::tuple<double, double, double>;  ///< ln lr, ln B, ln L - ln min L

GroupGrid grid_of(const std::vector<Place>& places) {
  GroupedRuns runs;
  runs.groups.push_back({{}, 0.0, {}, 0, places.size()});
  for (const auto& [x, y, excess] : places) {
    runs.learning_rate.push_back(std::exp(x));
    runs.batch_tokens.push_back(std::exp(y));
    runs.loss.push_back(2.0 * std::exp(excess));
    runs.rel.push_back(std::expm1(excess));
  }
  return {runs, 0};
}

const std::vector<Place> square = {{0.0, 0.0, 0.0}, {0.0, 1.0, 0.1}, {1.0, 0.0, 0.2}, {1.0, 1.0, 0.7}};
const std::vector<Place> with_hole = {{0.0, 0.0, 0.0}, {0.0, 1.0, 0.1}, {1.0, 0.0, 0.2}};
const std::vector<Place> two_runs = {{0.0, 0.0, 0.3}, {1.0, 1.0, 0.0}};

struct Case {
  const char* why;
  const std::vector<Place>* places;
  LogPoint at;
  double nearest;   ///< ln of 1 + regret
  double bilinear;  ///< ln of 1 + regret
};

const Case cases[] = {
    {"on a run", &square, {1.0, 0.0}, 0.2, 0.2},
    {"in the middle", &square, {0.5, 0.5}, 0.0, 0.25},
    {"nearer to one corner", &square, {0.75, 0.75}, 0.7, 0.1875 * 0.1 + 0.1875 * 0.2 + 0.5625 * 0.7},
    {"outside: moved to the border", &square, {5.0, 0.25}, 0.2, 0.75 * 0.2 + 0.25 * 0.7},
    {"a missing corner is left out", &with_hole, {0.5, 0.5}, 0.0, 0.1},
    {"only a missing corner: the nearest run", &with_hole, {1.0, 1.0}, 0.1, 0.1},
    {"beyond a missing corner: nearest to the moved point", &two_runs, {0.3, -9.0}, 0.3, 0.3},
};

}  // namespace

BOOST_DATA_TEST_CASE(losses_between_runs, bdata::make(cases), row) {
  const GroupGrid grid = grid_of(*row.places);
  BOOST_TEST(std::log1p(grid.regret_nearest(row.at)) == row.nearest, tt::tolerance(1e-12));
  BOOST_TEST(std::log1p(grid.regret_bilinear(row.at)) == row.bilinear, tt::tolerance(1e-7));
}

BOOST_AUTO_TEST_CASE(of_runs_equally_near_the_first_counts) {
  BOOST_TEST(grid_of(square).nearest({0.5, 0.5}) == 0U);
  BOOST_TEST(grid_of(square).nearest({0.5, 1.0}) == 1U);
}

BOOST_AUTO_TEST_CASE(of_two_runs_at_a_place_the_better_is_its_loss) {
  std::vector<Place> places = square;
  places.push_back({1.0, 1.0, 0.4});
  BOOST_TEST(grid_of(places).excess(1, 1) == 0.4, tt::tolerance(1e-12));
  BOOST_TEST(std::isnan(grid_of(with_hole).excess(1, 1)));
}

BOOST_AUTO_TEST_CASE(the_quadratic_count_needs_a_surface) {
  QuadraticSurface surface;
  surface.hessian = {2.0, 0.0, 2.0};
  surface.optimum = {0.0, 0.0};
  const GroupGrid grid = grid_of(square);
  BOOST_TEST(regret_at(grid, surface, {0.5, 0.0}).quadratic == std::expm1(0.25), tt::tolerance(1e-12));
  surface.defect = FitDefect::optimum_outside_grid;
  BOOST_TEST(!std::isnan(regret_at(grid, surface, {0.5, 0.0}).quadratic));
  surface.defect = FitDefect::indefinite_hessian;
  BOOST_TEST(std::isnan(regret_at(grid, surface, {0.5, 0.0}).quadratic));
  BOOST_TEST(std::isnan(regret_at(grid, surface, {std::nan(""), 0.0}).nearest));
}

BOOST_AUTO_TEST_CASE(valleys_are_counted_beyond_the_noise) {
  const double rows[3][5] = {{0.4, 0.1, 0.0, 0.2, 0.5},   // one valley
                             {0.4, 0.1, 0.15, 0.1, 0.5},  // a ripple of 0.05
                             {0.9, 0.3, 0.6, 0.4, 0.8}};  // two valleys
  std::vector<Place> places;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 5; ++j) places.push_back({static_cast<double>(i), static_cast<double>(j), rows[i][j]});
  const Unimodality coarse = unimodality(grid_of(places), 0.06);
  BOOST_TEST(coarse.lines == 8U, "three rows and five columns");
  BOOST_TEST(coarse.unimodal == 7U);
  const Unimodality fine = unimodality(grid_of(places), 0.01);
  BOOST_TEST(fine.unimodal == 6U);
}

BOOST_AUTO_TEST_SUITE_END()
