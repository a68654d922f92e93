/// Operators between products by hand.
#include "models/taskgraph/strategies/operators.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/taskgraph_point.hpp"

BOOST_AUTO_TEST_SUITE(operators_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::taskgraph;
using namespace dfsweep::testing;

/// Ten rows of width 64 on four devices, which add up 10 x 64 numbers after an exchange; f = 256, without a gate.
BOOST_AUTO_TEST_CASE(words_by_hand) {
  Transformer t;
  t.hidden = 64;
  AttentionWork attention;
  attention.projections[0] = {1.0, 10.0, 64.0, 16.0};
  attention.exchange = {Bytes{}, 2.0, 4.0, 640.0};
  const OperatorWork first = attention_operators(t, attention);
  BOOST_TEST(first.norm == 2 * 640);
  BOOST_TEST(first.residual == 3 * 640);
  BOOST_TEST(first.aggregation == 3 * 640 * 0.75);
  BOOST_TEST(first.activation == 0);
  const FfnWork ffn{{{{1.0, 10.0, 64.0, 64.0}, {1.0, 10.0, 64.0, 64.0}}}, {Bytes{}, 2.0, 4.0, 640.0}, 0.0};
  BOOST_TEST(ffn_operators(t, ffn).activation == 2 * 10 * 64);
}

/// The reference set-up on 8 devices: 4 layers, 1024 x 1024 rows of width 4096, f = 16384, BF16 at 4 TB/s.
BOOST_AUTO_TEST_CASE(they_are_the_other_time_of_a_step) {
  const NamedEstimate tasks = reference_point().evaluate();
  const NamedEstimate r = reference_point().set("nodes", "operators").evaluate();
  const double rows = 1048576;
  const double block = (2 + 3 + 3 * 0.875) * rows * 4096;
  const double layer = 2 * block + 2 * rows * 16384 / 8;
  BOOST_TEST(tasks["other_time"] == 0);
  BOOST_TEST(r["other_time"] == 4 * layer * 2 / 4e12, tt::tolerance(1e-12));
  BOOST_TEST(r["step_time"] == tasks["step_time"] + r["other_time"], tt::tolerance(1e-12));
}

/// Prefill gathers keys and values, which adds nothing up; decoding adds up partial results.
BOOST_AUTO_TEST_CASE(a_pool_aggregates_while_decoding) {
  Transformer t;
  t.hidden = 64;
  t.heads = t.key_value_heads = 4;
  t.head_dim = 16;
  const auto of = [&](const Batch& batch) {
    return attention_operators(t, sharded_convention().pool_attention(t, batch, 4.0, 2.0, Bytes{2.0}));
  };
  BOOST_TEST(of({8.0, 100.0, 100.0, false}).aggregation == 0);
  BOOST_TEST(of({8.0, 1.0, 100.0, true}).aggregation == 3 * 8 * 64 * 0.75);
}

BOOST_AUTO_TEST_CASE(explain_lists_them) {
  const Explanation all = reference_point().set("nodes", "operators").set("strategy", "attention_pool").explain();
  BOOST_TEST_REQUIRE(all.sections.size() >= 2U);
  const Explanation& products = all.sections[all.sections.size() - 2];  // before the price of a device
  BOOST_TEST_REQUIRE(products.sections.size() == 1U);
  BOOST_TEST(products.sections.front().table.rows.size() == 6U);
}

BOOST_AUTO_TEST_SUITE_END()
