/// Roots of functions that are -1 at 0: exact, in few evaluations, and in lanes as alone.
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>

#include "models/lanes.hpp"
#include "models/queueing/steady/root.hpp"

BOOST_AUTO_TEST_SUITE(root_test)

using namespace dfsweep;
using namespace dfsweep::queueing;

namespace {

struct Found {
  double root = 0.0;
  int evaluations = 0;
};

template <class Function>
Found root_of(const Function& function, double high, double first) {
  Found found;
  const auto counted = [&](double x, bool) {
    ++found.evaluations;
    return function(x);
  };
  found.root = root_from_zero<double>(counted, high, first, true).root;
  return found;
}

/// Users of x that decode over 10: x and a wait that grows without end towards 20, from where on it is infinite.
template <class Number>
Number waiting(const Number& x, const Number& weight) {
  const Number room = 20.0 - x;
  return choose(room > 0.0, 0.1 * x + weight * x / room - 1.0, INFINITY);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_line_takes_two_evaluations) {
  const Found found = root_of([](double x) { return x / 3.0 - 1.0; }, 100.0, 50.0);
  BOOST_TEST(found.root == 3.0, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(found.evaluations == 2);
}

BOOST_AUTO_TEST_CASE(a_smooth_curve_takes_few_evaluations) {
  for (const double bend : {-0.04, 0.01, 0.3}) {
    const double wanted = 3.0;
    const double slope = 1.0 / wanted - bend * wanted;  // so that the root is there
    const Found found = root_of([&](double x) { return x * (slope + bend * x) - 1.0; }, 4.0, 2.5);
    BOOST_TEST(found.root == wanted, boost::test_tools::tolerance(1e-8));
    BOOST_TEST(found.evaluations <= 5);
  }
}

BOOST_AUTO_TEST_CASE(infinite_values_are_above_the_root) {
  const Found found = root_of([](double x) { return waiting(x, 1e-3); }, 1000.0, 900.0);
  BOOST_TEST(waiting(found.root, 1e-3) == 0.0, boost::test_tools::tolerance(1e-8));
  BOOST_TEST(found.evaluations <= 20);
}

BOOST_AUTO_TEST_CASE(a_root_at_the_end_is_found) {
  const Found found = root_of([](double x) { return x / 3.0 - 1.0; }, 3.0, 1.0);
  BOOST_TEST(found.root == 3.0, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(lanes_have_the_bits_of_each_alone) {
  const std::array<double, 4> weights{0.0, 1e-3, 0.5, 40.0};
  using Four = Lanes<4>;
  const auto weight = read_lanes<Four>(weights.data(), weights.size());
  const auto together = [&](const Four& x, const LaneMask<4>&) { return waiting(x, weight); };
  const Four found = root_from_zero<Four>(together, 18.0, 9.0, LaneMask<4>(true)).root;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Found alone = root_of([&](double x) { return waiting(x, weights[i]); }, 18.0, 9.0);
    BOOST_TEST(found[i] == alone.root);
  }
}

BOOST_AUTO_TEST_SUITE_END()
