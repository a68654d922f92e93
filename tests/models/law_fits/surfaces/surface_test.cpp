/// Quadratic surfaces: exact ones are found exactly, and every defect is named.
#include "models/law_fits/surfaces/surface.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/named_rows.hpp"
#include "tests/support/steplaw_runs.hpp"

BOOST_AUTO_TEST_SUITE(surface_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;
namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;

namespace {

/// One group of runs at given places, ln L = 1 + a polynomial.
SelectedGroup group_at(const std::vector<LogPoint>& places, double (*excess)(LogPoint)) {
  GroupMinimum minimum;
  for (const LogPoint& at : places) minimum.add(std::exp(at.x), std::exp(at.y), std::exp(1.0 + excess(at)));
  constexpr double windows[] = {1.0};
  RunSelection selection(minimum, windows);
  for (const LogPoint& at : places) selection.add(std::exp(at.x), std::exp(at.y), std::exp(1.0 + excess(at)));
  return {{}, {}, minimum, minimum.argmin(), minimum.box(), selection.moments()};
}

std::vector<LogPoint> grid(int across, double x0, double y0) {
  std::vector<LogPoint> places;
  for (int i = 0; i < across; ++i)
    for (int j = 0; j < across; ++j) places.push_back({x0 + 0.3 * i, y0 + 0.3 * j});
  return places;
}

std::vector<LogPoint> diagonal() {
  std::vector<LogPoint> places;
  for (int i = 0; i < 12; ++i) places.push_back({0.1 * i, 0.2 * i});
  return places;
}

double bowl(LogPoint at) {
  return 0.05 * at.x * at.x - 0.02 * at.x * at.y + 0.04 * at.y * at.y;
}
double saddle(LogPoint at) {
  return 0.05 * at.x * at.x - 0.01 * at.y * at.y;
}

struct Case {
  const char* why;
  std::vector<LogPoint> places;
  double (*excess)(LogPoint);
  FitDefect expected;
};

const Case cases[] = {
    {"sixteen runs around the optimum", grid(4, -0.4, -0.5), bowl, FitDefect::none},
    {"nine runs are too few", grid(3, -0.4, -0.5), bowl, FitDefect::too_few_runs},
    {"runs on a line say nothing across it", diagonal(), bowl, FitDefect::singular_design},
    {"a saddle has no minimum", grid(4, -0.4, -0.5), saddle, FitDefect::indefinite_hessian},
    {"the optimum is left of all runs", grid(4, 0.1, -0.5), bowl, FitDefect::optimum_outside_grid},
};

}  // namespace

BOOST_DATA_TEST_CASE(defects_are_named, bdata::make(cases), row) {
  const QuadraticSurface surface = fit_quadratic(group_at(row.places, row.excess), 0);
  BOOST_TEST(describe(surface.defect) == describe(row.expected));
  const bool has_coefficients = row.expected != FitDefect::too_few_runs && row.expected != FitDefect::singular_design;
  BOOST_TEST(std::isnan(surface.optimum.x) != has_coefficients);
}

BOOST_AUTO_TEST_CASE(an_exact_surface_is_found) {
  for (const double shift : {-0.4, 0.1}) {  // the second does not hold its optimum
    const QuadraticSurface surface = fit_quadratic(group_at(grid(4, shift, -0.5), bowl), 0);
    BOOST_TEST(surface.hessian.xx == 0.10, tt::tolerance(1e-10));
    BOOST_TEST(surface.hessian.xy == -0.02, tt::tolerance(1e-10));
    BOOST_TEST(surface.hessian.yy == 0.08, tt::tolerance(1e-10));
    BOOST_TEST(std::abs(surface.optimum.x) < 1e-12);
    BOOST_TEST(std::abs(surface.optimum.y) < 1e-12);
    BOOST_TEST(surface.minimum == 1.0, tt::tolerance(1e-13));
    BOOST_TEST(surface.rms < 1e-8);
    BOOST_TEST(surface.centre.x == shift + 0.45, tt::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_SUITE_END()
