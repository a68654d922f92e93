/// Surfaces: exact at points of the grid and for power laws, and what lies outside the grid.
#include "models/operators/log_surface.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

BOOST_AUTO_TEST_SUITE(log_surface_test)

namespace tt = boost::test_tools;
using namespace dfsweep::operators;

namespace {

constexpr LogAxes<2> small_grid{{{0.0, 0.0, 1.0, 4}, {8.0, 3.0, 1.0, 3}}};  // 1, 2, 4, 8; 0, 8, 24

struct SurfaceCase {
  const char* why;
  double first;
  double second;
  double value;
};
// Values at the points: first^2 (8 + second).
const SurfaceCase surface_cases[] = {
    {"a point of the grid", 2.0, 8.0, 64.0},
    {"the first point", 1.0, 0.0, 8.0},
    {"the last point", 8.0, 24.0, 2048.0},
    {"between points of the first key", 3.0, 0.0, 72.0},
    {"between points of the second key", 1.0, 4.0, 12.0},
    {"between points of both", 6.0, 20.0, 1008.0},
    {"below the grid the edge", 0.25, 0.0, 8.0},
    {"above the grid the last slope goes on", 16.0, 56.0, 16384.0},
};

}  // namespace

BOOST_AUTO_TEST_CASE(power_laws_are_exact) {
  std::vector<double> values;
  for (std::size_t point = 0; point < points_of(small_grid); ++point) {
    const auto keys = keys_at(small_grid, point);
    values.push_back(keys[0] * keys[0] * (8.0 + keys[1]));
  }
  const LogSurface<2> surface(small_grid, values);
  for (const SurfaceCase& c : surface_cases)
    BOOST_TEST_CONTEXT(c.why) BOOST_TEST(surface.at({c.first, c.second}) == c.value, tt::tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(values_never_fall_along_any_axis) {
  const LogAxes<2> grid{{{0.0, 0.0, 1.0, 2}, {0.0, 0.0, 1.0, 3}}};
  std::vector<double> values{1.0, 5.0, 2.0, 3.0, 1.0, 9.0};
  never_fall(grid, values);
  const std::vector<double> expected{1.0, 5.0, 5.0, 3.0, 5.0, 9.0};
  BOOST_TEST(values == expected, tt::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
