/// Watts from work, clocks under a limit, and the cost of ownership.
#include "models/cost/step_power.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "models/cost/ownership.hpp"

BOOST_AUTO_TEST_SUITE(step_power_test)

namespace tt = boost::test_tools;
using namespace dfsweep;

namespace {

constexpr cost::PowerRange device{Watts{100}, Watts{700}};

double serving_watts(const cost::ServingWork& work) {
  return cost::serving_power({}, device, work).value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(smooth_minima_stay_below_one) {
  BOOST_TEST(cost::below_one(0.1) == 0.1, tt::tolerance(1e-8));
  BOOST_TEST(cost::below_one(1.0) == std::pow(2, -0.125), tt::tolerance(1e-12));
  BOOST_TEST(cost::below_one(100.0) <= 1.0);
  BOOST_TEST(cost::softly_below_one(1.0) == std::pow(2, -0.25), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_device_without_work_draws_its_idle_power) {
  BOOST_TEST(serving_watts({.prompts = 0, .decoding = 0}) == 100, tt::tolerance(1e-6));
  BOOST_TEST(cost::training_power({}, device, {.computing = 0}).value() == 100, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(prompts_and_products_reach_the_limit) {
  // One device that only reads prompts: smooth minimum of 0.98 and 1.
  const double reading = 0.98 / std::pow(1 + std::pow(0.98, 8), 0.125);
  BOOST_TEST(serving_watts({.prompts = 1, .decoding = 0}) == 700 * reading, tt::tolerance(1e-12));
  // Half of the peak: (1/7 + 0.26 + 1.5) / 0.95 is above 1 by far; the cap holds.
  const double watts = cost::training_power({}, device, {1.0, 0.0, 0.5}).value();
  BOOST_TEST(watts == 0.95 * 700, tt::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(exchanges_and_waiting_draw_less) {
  const double watts = cost::training_power({}, device, {0.0, 0.5, 0.0}).value();
  BOOST_TEST(watts == 0.5 * (100 + 0.26 * 700) + 0.5 * 100, tt::tolerance(1e-12));
}

// Decode steps that move half of the bandwidth at 1 % of the peak, without kernel time and with a tenth of it.
BOOST_AUTO_TEST_CASE(decode_steps_follow_the_formula) {
  const auto expected = [](double x) {
    const double busy = x / std::pow(1 + x * x * x * x, 0.25);
    const double share = 100.0 / 700 + 0.335 * busy + 0.34 * 0.5 + 3.3 * 0.01;
    return 700 * share / std::pow(1 + std::pow(share, 8), 0.125);
  };
  const double x = 0.5 / 0.85 + 0.01 / 0.6;
  BOOST_TEST(serving_watts({.byte_share = 0.5, .flop_share = 0.01}) == expected(x), tt::tolerance(1e-12));
  BOOST_TEST(serving_watts({.byte_share = 0.5, .flop_share = 0.01, .kernels = 0.1}) == expected(x + 0.1),
             tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(watts_grow_with_work_between_idle_and_limit) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> share(0, 1);
  for (int i = 0; i < 1000; ++i) {
    const double decoding = share(random);
    const cost::ServingWork work{(1 - decoding) * share(random), decoding, share(random), share(random), share(random)};
    cost::ServingWork more = work;
    more.byte_share *= 1.1;
    more.flop_share *= 1.1;
    more.kernels *= 1.1;
    BOOST_TEST((serving_watts(work) > 99 && serving_watts(work) <= 700));
    BOOST_TEST(serving_watts(more) >= serving_watts(work));
  }
}

BOOST_AUTO_TEST_CASE(clocks_fall_with_the_cube_root) {
  BOOST_TEST(cost::clock_share(device, Watts{700}) == 1);
  BOOST_TEST(cost::clock_share(device, Watts{900}) == 1);
  BOOST_TEST(cost::clock_share(device, Watts{100 + 600 / 8.0}) == 0.5, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(ownership_is_purchase_and_electricity) {
  // 1 kW for a year at 1.2: 1.2 x 8766 kWh of 0.1 USD and 0.5 kg.
  const cost::OwnershipChoices choices{1.0, 0.1 / 3.6e6, 1.2, 0.5 / 3.6e6};
  const cost::OwnedSystem system{Dollars{10000}, Watts{1000}};
  BOOST_TEST(cost::cost_of_ownership(system, choices) == 10000 + 1051.92, tt::tolerance(1e-12));
  BOOST_TEST(cost::carbon(system, choices) == 5259.6, tt::tolerance(1e-12));
  BOOST_TEST(cost::device_hour_price(absent, system, choices, 2) == 11051.92 / 2 / 8766, tt::tolerance(1e-12));
  BOOST_TEST(cost::device_hour_price(3.0, system, choices, 2) == 3.0);
  BOOST_TEST(std::isnan(cost::cost_of_ownership(system, {})));  // no years, no cost
  BOOST_TEST(std::isnan(cost::device_hour_price(absent, system, {}, 2)));
}

BOOST_AUTO_TEST_SUITE_END()
