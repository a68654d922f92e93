/// Get_Time and transfers by hand.
#include "models/taskgraph/work/products.hpp"

#include <boost/test/unit_test.hpp>

#include "models/taskgraph/work/exchange.hpp"

BOOST_AUTO_TEST_SUITE(products_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::taskgraph;

namespace {

/// 1 TFLOP/s, 100 GB/s, two bytes a number.
constexpr DeviceRates device{1.0 / Throughput{1e12}, 1.0 / Bandwidth{1e11}, Bytes{2.0}, nullptr};

}  // namespace

BOOST_AUTO_TEST_CASE(the_slower_of_computing_and_memory_decides) {
  // 2 x 1000^3 = 2 GFLOP take 2 ms; 3 x 1000^2 numbers of 2 B are 6 MB, which take 60 us.
  BOOST_TEST(product_time({1, 1000, 1000, 1000}, device).value() == 2e-3, tt::tolerance(1e-12));
  // A row: 2 MFLOP take 2 us; 1 002 000 numbers are 2.004 MB, which take 20.04 us.
  BOOST_TEST(product_time({1, 1, 1000, 1000}, device).value() == 20.04e-6, tt::tolerance(1e-12));
  BOOST_TEST(product_time({5, 1, 1000, 1000}, device).value() == 5 * 20.04e-6, tt::tolerance(1e-12));
  BOOST_TEST(product_time({}, device).value() == 0.0);
}

BOOST_AUTO_TEST_CASE(scores_cost_traffic_only_where_they_are_written) {
  // 10 heads of 100 rows, 1000 keys, width 10: 2 MFLOP a product and head, 20 MFLOP in all heads take 20 us. Numbers:
  // 100 x 10 + 10 x 1000 + 100 x 1000 = 111 000, of ten heads 2.22 MB, 22.2 us; both products have as many.
  const AttentionCore core{10, 100, 1000, 10, 5};
  BOOST_TEST(materialized_attention_time(core, device).value() == 2 * 22.2e-6, tt::tolerance(1e-12));
  // Both products at once take 40 us; queries and results, 2 x 10 x 100 x 10, and the keys and values of 5 heads,
  // 2 x 5 x 1000 x 10, are 120 000 numbers, 2.4 us.
  BOOST_TEST(flash_attention_time(core, device).value() == 40e-6, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(rings_and_transfers) {
  constexpr LinkRates link{1.0 / Bandwidth{1e9}, Seconds{1e-6}};
  // An all-gather of 8 MB among 4: 3/4 of it over each link, three steps.
  BOOST_TEST(exchange_time({Bytes{8e6}, 1, 4}, link).value() == 6e-3 + 3e-6, tt::tolerance(1e-12));
  BOOST_TEST(exchange_time({Bytes{8e6}, 2, 1}, link).value() == 0.0);
  BOOST_TEST(transfer_time(Bytes{8e6}, 4, link).value() == 2e-3 + 1e-6, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
