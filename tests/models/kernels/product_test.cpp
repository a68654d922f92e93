/// Rooflines of matrix products by hand.
#include "models/kernels/product.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(product_test)

namespace tt = boost::test_tools;
using namespace dfsweep;

/// 2 x 1000^3 FLOP at 1 PFLOP/s are 2 us; 3 x 1000^2 numbers of 2 B at 4 TB/s 1.5 us. Three products: three times.
BOOST_AUTO_TEST_CASE(a_large_product_is_bound_by_compute) {
  const ProductTimes t = product_times({3.0, 1000.0, 1000.0, 1000.0}, Throughput{1e15}, Bandwidth{4e12}, Bytes{2.0});
  BOOST_TEST(t.compute.value() == 6e-6, tt::tolerance(1e-12));
  BOOST_TEST(t.memory.value() == 4.5e-6, tt::tolerance(1e-12));
  BOOST_TEST(t.total().value() == t.compute.value());
}

/// One row: the weights decide. 1000 + 10^6 + 1000 numbers.
BOOST_AUTO_TEST_CASE(a_single_row_is_bound_by_memory) {
  const ProductTimes t = product_times({1.0, 1.0, 1000.0, 1000.0}, Throughput{1e15}, Bandwidth{4e12}, Bytes{2.0});
  BOOST_TEST(t.compute.value() == 2e-9, tt::tolerance(1e-12));
  BOOST_TEST(t.memory.value() == 1.002e6 * 2 / 4e12, tt::tolerance(1e-12));
  BOOST_TEST(t.total().value() == t.memory.value());
}

BOOST_AUTO_TEST_CASE(no_products_take_no_time) {
  BOOST_TEST(product_times({0.0, 9.0, 9.0, 9.0}, Throughput{1.0}, Bandwidth{1.0}, Bytes{1.0}).total().value() == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
