/// Decoding of devices, memories and interconnects.
#include "models/machine/hardware.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/dataflow_point.hpp"

BOOST_AUTO_TEST_SUITE(hardware_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::testing;

BOOST_AUTO_TEST_CASE(peak_comes_from_the_cores_where_they_are_known) {
  Entry entry = device_entry(1280, 32, 6, 1.25e9, 671088640, 16522.25, 444.7);
  entry.numbers["peak_flops"] = 614e12;  // the rounded figure of a data sheet
  const Decoded<Device> device = decode_device(entry);
  BOOST_TEST(device.problems.empty());
  BOOST_TEST(device.value.peak_flops.value() == 2.0 * 32 * 6 * 1280 * 1.25e9);
  BOOST_TEST(device.value.peak_flops.value() == 614.4e12, tt::tolerance(1e-15));
  BOOST_TEST(device.value.has_cores());
}

BOOST_AUTO_TEST_CASE(a_device_may_have_a_peak_alone) {
  Entry entry;
  entry.numbers["peak_flops"] = 1e15;
  const Decoded<Device> device = decode_device(entry);
  BOOST_TEST(device.problems.empty());
  BOOST_TEST(device.value.peak_flops.value() == 1e15);
  BOOST_TEST(!device.value.has_cores());
  BOOST_TEST(device.value.sram_capacity.value() == 0.0);
}

BOOST_AUTO_TEST_CASE(a_price_or_power_that_nobody_gave_is_unknown_and_not_zero) {
  Entry entry;
  entry.numbers["peak_flops"] = 1e15;
  BOOST_TEST(std::isnan(decode_device(entry).value.price.value()));
  BOOST_TEST(std::isnan(decode_device(entry).value.power.value()));
  entry.numbers["price"] = 0.0;
  BOOST_TEST(decode_device(entry).value.price.value() == 0.0);
}

BOOST_AUTO_TEST_CASE(all_problems_are_found) {
  Entry entry;
  entry.numbers = {{"sram_capacity", -1}, {"price", -2}};
  BOOST_TEST(decode_device(entry).problems.size() == 3u);  // and no peak
  entry.numbers = {{"cores", 1.5}, {"systolic_width", 0}, {"frequency", -1}, {"peak_flops", 0}, {"price", -2}};
  BOOST_TEST(decode_device(entry).problems.size() == 5u);  // also without a height, which the cycle model needs
  entry.numbers["systolic_height"] = 2.5;
  BOOST_TEST(decode_device(entry).problems.size() == 6u);
  BOOST_TEST(decode_memory({}).problems.size() == 2u);  // bandwidth and capacity
  BOOST_TEST(decode_interconnect({}).problems.size() == 1u);
  BOOST_TEST(decode_memory(memory_entry(1e12, 1e-10)).problems.empty());
  BOOST_TEST(decode_interconnect(interconnect_entry(1e11, 1e-10)).problems.empty());
}

BOOST_AUTO_TEST_CASE(figures_replace_those_of_a_memory) {
  const Memory given = decode_memory(memory_entry(1e12, 1e-10)).value;
  BOOST_TEST(memory_with(given, {}).bandwidth.value() == 1e12);
  BOOST_TEST(memory_with(given, {.bandwidth = 2e12}).bandwidth.value() == 2e12);
  BOOST_TEST(memory_with(given, {.bandwidth = 2e12}).capacity.value() == given.capacity.value());
  BOOST_TEST(memory_with(given, {.capacity = 3e9}).capacity.value() == 3e9);
}

BOOST_AUTO_TEST_CASE(a_bandwidth_alone_is_a_memory_of_unlimited_capacity) {
  const Memory memory = memory_with(std::nullopt, {.bandwidth = 2e12});
  BOOST_TEST(memory.bandwidth.value() == 2e12);
  BOOST_TEST(std::isinf(memory.capacity.value()));
  BOOST_TEST(std::isnan(memory.price_per_bandwidth.value()));
  BOOST_TEST(std::isnan(memory.power_per_bandwidth.value()));
}

BOOST_AUTO_TEST_SUITE_END()
