/// Hessians: shapes by hand, and borders of plateaus.
#include "models/laws/hessian.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

BOOST_AUTO_TEST_SUITE(hessian_test)

using namespace dfsweep;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_CASE(shapes_by_hand) {
  const Hessian round = {2.0, 0.0, 2.0};
  const Plateau circle = plateau(round, std::numbers::e - 1.0);  // (dx^2 + dy^2) <= 1
  BOOST_TEST(circle.half_width_x == 1.0, tt::tolerance(1e-14));
  BOOST_TEST(circle.area == std::numbers::pi, tt::tolerance(1e-14));
  const Hessian tilted = {3.0, -1.0, 3.0};  // lowest along (1, 1)
  BOOST_TEST(eigenvalues(tilted).low == 2.0, tt::tolerance(1e-14));
  BOOST_TEST(eigenvalues(tilted).high == 4.0, tt::tolerance(1e-14));
  BOOST_TEST(ridge_slope(tilted) == 1.0, tt::tolerance(1e-14));
  BOOST_TEST(ridge_slope({1.0, 0.0, 2.0}) == 0.0);
  BOOST_TEST(std::isinf(ridge_slope({2.0, 0.0, 1.0})));
  BOOST_TEST(loss_excess(tilted, {1.0, 1.0}, {2.0, 1.0}) == std::expm1(1.5), tt::tolerance(1e-14));
  const LogPoint zero = minus_inverse(tilted, {1.0, 5.0});  // 3 x - y = -1, -x + 3 y = -5
  BOOST_TEST(zero.x == -1.0, tt::tolerance(1e-14));
  BOOST_TEST(zero.y == -2.0, tt::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(the_border_of_a_plateau_costs_its_excess_and_spans_its_widths) {
  const Hessian h = {0.012, -0.005, 0.011};
  const LogPoint optimum = {-6.0, 12.5};
  const Plateau flat = plateau(h, 0.0025);
  double widest_x = 0.0;
  for (const LogPoint& at : plateau_border(h, optimum, 0.0025, 720)) {
    BOOST_TEST(loss_excess(h, optimum, at) == 0.0025, tt::tolerance(1e-9));
    widest_x = std::max(widest_x, at.x - optimum.x);
  }
  BOOST_TEST(widest_x == flat.half_width_x, tt::tolerance(1e-4));
}

BOOST_AUTO_TEST_SUITE_END()
