/// Energy and money for tokens.
#include "models/machine/token_costs.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/absent.hpp"

BOOST_AUTO_TEST_SUITE(token_costs_test)

namespace tt = boost::test_tools;
using namespace dfsweep;

// Two devices of 500 W together, each 7.2 USD an hour, yield 100 tokens per second.
BOOST_AUTO_TEST_CASE(all_devices_pay_for_all_tokens) {
  const YieldingDevices devices{2.0, Watts{500}, 7.2, 100.0};
  BOOST_TEST(energy_per_token(devices) == 5.0);
  BOOST_TEST(cost_per_million_tokens(devices) == 40.0, tt::tolerance(1e-12));  // 10^4 s of 0.004 USD
}

BOOST_AUTO_TEST_CASE(unknown_prices_and_powers_stay_unknown) {
  const YieldingDevices devices{2.0, Watts{absent}, absent, 100.0};
  BOOST_TEST(std::isnan(energy_per_token(devices)));
  BOOST_TEST(std::isnan(cost_per_million_tokens(devices)));
}

BOOST_AUTO_TEST_SUITE_END()
