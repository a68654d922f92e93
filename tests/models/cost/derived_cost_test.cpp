/// Derived prices and powers: hand-computed devices, and growth with every part over the whole range.
#include "models/cost/derived_cost.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

BOOST_AUTO_TEST_SUITE(derived_cost_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using cost::DeviceParts;

namespace {

/// 1 PFLOP/s, 100 MB, 3 TB/s and 100 GB of HBM3, 450 GB/s inside the node and 50 GB/s outside.
DeviceParts one_peta() {
  return {Throughput{1e15},       Bytes{100e6},     Bandwidth{3e12}, Bytes{100e9},
          MemoryTechnology::hbm3, Bandwidth{450e9}, Bandwidth{50e9}};
}

/// A part times `factor`.
DeviceParts grown(DeviceParts parts, int part, double factor) {
  if (part == 0) parts.peak = factor * parts.peak;
  if (part == 1) parts.sram = factor * parts.sram;
  if (part == 2) parts.memory_bandwidth = factor * parts.memory_bandwidth;
  if (part == 3) parts.memory_capacity = factor * parts.memory_capacity;
  if (part == 4) parts.links = factor * parts.links;
  if (part == 5) parts.network = factor * parts.network;
  return parts;
}

}  // namespace

BOOST_AUTO_TEST_CASE(price_is_a_sum_of_parts) {
  const cost::ByPart<Dollars> price = cost::derived_price(one_peta());
  BOOST_TEST(price.chip.value() == 12900 + 3460.0, tt::tolerance(1e-12));              // P = 1; 34.6 USD/MB
  BOOST_TEST(price.memory.value() == 1.28 * (3000 + 15 * 100), tt::tolerance(1e-12));  // 15 USD/GB of HBM3
  BOOST_TEST(price.links.value() == 6.55 * 450 + 40 * 50, tt::tolerance(1e-12));
  BOOST_TEST(price.host.value() == 10400);
  BOOST_TEST(price.total().value() == 16360 + 5760 + 4947.5 + 10400, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(power_is_a_sum_of_parts) {
  const cost::ByPart<Watts> power = cost::derived_power(one_peta());
  BOOST_TEST(power.chip.value() == 411 + 41.0, tt::tolerance(1e-12));
  BOOST_TEST(power.memory.value() == 0.0612 * 3000 + 10, tt::tolerance(1e-12));
  BOOST_TEST(power.links.value() == 0.0309 * 450, tt::tolerance(1e-12));
  BOOST_TEST(power.device().value() == 452 + 193.6 + 13.905, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(formats_count_by_their_multipliers) {
  Accelerator a;
  a.peak_16bit = Throughput{1e15};
  BOOST_TEST(cost::equivalent_peak(a).value() == 1e15);
  a.peak_8bit = Throughput{2e15};  // the usual double rate needs no more multipliers
  BOOST_TEST(cost::equivalent_peak(a).value() == 1e15);
  a.peak_4bit = Throughput{6e15};
  BOOST_TEST(cost::equivalent_peak(a).value() == 1.5e15);
}

// From a millionth to a million times a device of today: positive, finite, growing with every part, without jumps.
BOOST_AUTO_TEST_CASE(everything_grows_with_every_part) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> decades(-6, 6);
  for (int i = 0; i < 300; ++i) {
    DeviceParts parts = one_peta();
    for (int part = 0; part < 6; ++part) parts = grown(parts, part, std::pow(10, decades(random)));
    parts.memory = static_cast<MemoryTechnology>(random() % static_cast<unsigned>(MemoryTechnology::count));
    const double price = cost::derived_price(parts).total().value();
    const double power = cost::derived_power(parts).total().value();
    BOOST_TEST_REQUIRE((std::isfinite(price) && price > 0 && std::isfinite(power) && power > 0));
    for (int part = 0; part < 6; ++part) {
      const DeviceParts more = grown(parts, part, 1.001);
      const double more_price = cost::derived_price(more).total().value();
      const double more_power = cost::derived_power(more).total().value();
      BOOST_TEST((more_price >= price && more_price <= 1.0011 * price));
      BOOST_TEST((more_power >= power && more_power <= 1.0011 * power));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
