/// Cycle model: hand-computed cycles and the exact allocation against trying every one.
#include "models/kernels/core_allocation.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(core_allocation_test)

using namespace dfsweep;

namespace {

Device device_of(double cores) {
  Device device;
  device.cores = cores;
  device.systolic_width = 4;
  device.systolic_height = 2;
  device.frequency = Frequency{1e9};
  return device;
}

Kernel product(double m, double k, double n) {
  return {.name = "p", .type = KernelType::matrix, .m = m, .k = k, .n = n};
}
Kernel elementwise(double m, double n) {
  return {.name = "e", .m = m, .n = n};
}

double cycles_with(const Kernel& kernel, int lanes, int stages) {
  const double rows = std::ceil(kernel.m / (lanes * 4.0));
  return kernel.type == KernelType::elementwise ? rows * kernel.n
                                                : rows * std::ceil(kernel.n / (stages * 2.0)) * kernel.k;
}

/// Least slowest kernel over every way to deal out `cores`, kernel by kernel.
double least_by_trying(const std::vector<Kernel>& kernels, std::size_t next, int cores) {
  if (next == kernels.size()) return 0.0;
  double least = HUGE_VAL;
  for (int lanes = 1; lanes <= cores; ++lanes)
    for (int stages = 1; lanes * stages <= cores; ++stages) {
      if (stages > 1 && kernels[next].type == KernelType::elementwise) break;
      least = std::min(least, std::max(cycles_with(kernels[next], lanes, stages),
                                       least_by_trying(kernels, next + 1, cores - lanes * stages)));
    }
  return least;
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_kernel_on_one_core) {
  const std::vector<Kernel> tiles{product(9, 5, 3)};  // 3 turns of lanes, 2 of stages, 5 deep
  BOOST_TEST(partition_cycles(tiles, device_of(1)) == 30.0);
}

BOOST_AUTO_TEST_CASE(cores_beyond_the_work_do_not_help) {
  const std::vector<Kernel> tiles{product(9, 5, 3)};
  BOOST_TEST(partition_cycles(tiles, device_of(1000)) == 5.0);
}

BOOST_AUTO_TEST_CASE(elementwise_kernels_use_lanes_only) {
  const std::vector<Kernel> tiles{elementwise(16, 7)};
  BOOST_TEST(partition_cycles(tiles, device_of(1)) == 28.0);
  BOOST_TEST(partition_cycles(tiles, device_of(2)) == 14.0);
  BOOST_TEST(partition_cycles(tiles, device_of(64)) == 7.0);
}

BOOST_AUTO_TEST_CASE(more_kernels_than_cores_do_not_fit) {
  const std::vector<Kernel> tiles(3, elementwise(4, 4));
  BOOST_TEST(std::isinf(partition_cycles(tiles, device_of(2))));
  BOOST_TEST(partition_cycles(tiles, device_of(3)) == 4.0);
}

BOOST_AUTO_TEST_CASE(exact_allocation_equals_trying_all) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 120; ++trial) {
    std::vector<Kernel> tiles;
    for (int k = 0; k <= trial % 3; ++k) {
      const auto size = [&random] { return 1.0 + static_cast<double>(random() % 40); };
      tiles.push_back(random() % 3 == 0 ? elementwise(size(), size()) : product(size(), size(), size()));
    }
    const int cores = 3 + static_cast<int>(random() % 8);
    BOOST_TEST(partition_cycles(tiles, device_of(cores)) == least_by_trying(tiles, 0, cores));
  }
}

BOOST_AUTO_TEST_SUITE_END()
