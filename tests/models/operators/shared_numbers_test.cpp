/// Numbers for a device without rows: which devices they come from, and how far apart devices are.
#include <boost/test/unit_test.hpp>

#include "models/operators/left_out.hpp"

BOOST_AUTO_TEST_SUITE(shared_numbers_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::operators;

namespace {

TableSetting device(double peak, double bandwidth, double link) {
  TableSetting setting;
  setting.rates = {Throughput{peak}, Bandwidth{bandwidth}};
  setting.link = Bandwidth{link};
  return setting;
}

/// Exchanges of 2, 4 and 8 devices at sizes from 1 KiB to 64 MiB, that take what the form says with this launch.
OperatorTable exchanges(const char* system, const TableSetting& setting, double launch) {
  OperatorTable table;
  table.family = Family::library_exchanges;
  table.system = system;
  Numbers numbers = start_of(table.family, setting);
  numbers[0] = launch;
  for (const double devices : {2.0, 4.0, 8.0})
    for (double bytes = 1024; bytes <= 67108864; bytes *= 2) {
      table.keys.insert(table.keys.end(), {static_cast<float>(devices), static_cast<float>(bytes)});
      table.seconds.push_back(static_cast<float>(form_time(table.family, {devices, bytes}, setting, numbers).value()));
    }
  return table;
}

}  // namespace

BOOST_AUTO_TEST_CASE(devices_are_apart_by_the_doublings_of_the_rates_that_decide) {
  const TableSetting a = device(1e15, 3e12, 450e9), b = device(8e15, 48e12, 900e9);
  BOOST_TEST(how_far(Family::library_exchanges, a, b) == 1.0, tt::tolerance(1e-12));
  BOOST_TEST(how_far(Family::products, a, b) == 5.0, tt::tolerance(1e-12));  // 3 and 4 doublings
  BOOST_TEST(how_far(Family::products, b, a) == 5.0, tt::tolerance(1e-12));
  BOOST_TEST(how_far(Family::prompts, a, a) == 0.0);
}

BOOST_AUTO_TEST_CASE(numbers_are_those_of_devices_with_like_links) {
  const TableSetting slow = device(1e15, 3e12, 450e9), fast = device(1e15, 3e12, 900e9);
  const OperatorTable first = exchanges("slow", slow, 4e-6), second = exchanges("fast", fast, 12e-6);
  const std::vector<SetTable> both{{&first, slow}, {&second, fast}};
  const double like_slow = shared_numbers(both, slow)[0], like_fast = shared_numbers(both, fast)[0];
  BOOST_TEST(like_slow < 6e-6);
  BOOST_TEST(like_fast > 10e-6);
  // Halfway between both links, in doublings, both devices count alike.
  const double between = shared_numbers(both, device(1e15, 3e12, 636396103067.8928))[0];
  BOOST_TEST((like_slow < between && between < like_fast));
}

BOOST_AUTO_TEST_SUITE_END()
