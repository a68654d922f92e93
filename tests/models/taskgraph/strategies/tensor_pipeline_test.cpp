/// The reference set-up of tensor and pipeline parallelism by hand, sharded and literal.
#include "models/taskgraph/strategies/tensor_pipeline.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/taskgraph_point.hpp"

BOOST_AUTO_TEST_SUITE(tensor_pipeline_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::testing;

namespace {

constexpr double ms = 1e-3;

// The reference set-up by hand, at s = 1024 on 1 PFLOP/s, 4 TB/s, 500 GB/s and 1 us. A step has b s = 2^20 rows.
//
// sharded, TP 8. Queries, keys, values and output: 2^20 x 4096 x 512 are 2^42 FLOP, 4.398046511104 ms each (9.67 GB
// take 2.42 ms: the products compute).
constexpr double projection = 4.398046511104 * ms;
// Scores: 1024 sequences x 4 heads times 1024 x 128 x 1024 are 2^40 FLOP, 1.1 ms; of each head 2 x 2^17 + 2^20 numbers
// of 2 B, 10.737418240 GB in all, take 2.68435456 ms: memory decides. The weighted sum has the same sizes.
constexpr double scores = 2.68435456 * ms;
// Up and down: 2^20 x 4096 x 2048 are 2^44 FLOP.
constexpr double up = 17.592186044416 * ms;
// All-reduce of 2^20 x 4096 numbers of 2 B, 2^33 B: two passes of 7/8 over 500 GB/s, 30.064771072 ms, and 14 steps.
constexpr double all_reduce = 30.078771072 * ms;
// From stage to stage 2^33 B and one step.
constexpr double transfer = 17.180869184 * ms;

// source. 3 x (2^20, 512, 12288): 13.194139533312 ms each. Scores and sum (2^20, 4096, 1024): 2^43 FLOP each. Output
// (2^20, 512, 4096): 2^42. Up and down (2^20, 512, 2048): 2^41 each. No exchange.
constexpr double source_attention = (3 * 13.194139533312 + 2 * 8.796093022208 + 4.398046511104) * ms;
constexpr double source_ffn = 2 * 2.199023255552 * ms;

}  // namespace

BOOST_AUTO_TEST_CASE(tensor_pipeline_by_hand) {
  const NamedEstimate r = reference_point().evaluate();
  BOOST_TEST(r["attention_time"] == 4 * (4 * projection + 2 * scores), tt::tolerance(1e-12));
  BOOST_TEST(r["ffn_time"] == 4 * 2 * up, tt::tolerance(1e-12));
  BOOST_TEST(r["communication_time"] == 8 * all_reduce + transfer, tt::tolerance(1e-12));
  BOOST_TEST(r["step_time"] == 490.392106772992 * ms, tt::tolerance(1e-12));
  BOOST_TEST(r["critical_path"] == r["step_time"]);  // one micro-batch: a chain
  BOOST_TEST(r["token_rate"] == 1024 * 1024 / r["step_time"], tt::tolerance(1e-12));
  BOOST_TEST(r["devices_used"] == 16);
  BOOST_TEST(r["speedup"] == 1);
  BOOST_TEST(r["busy_fraction"] == (r["step_time"] - transfer) / 2 / r["step_time"], tt::tolerance(1e-12));
  BOOST_TEST(std::isnan(r["time_per_output_token"]));  // of phase decode
}

BOOST_AUTO_TEST_CASE(tensor_pipeline_of_the_source_by_hand) {
  const NamedEstimate r = reference_point().set("convention", "source").evaluate();
  BOOST_TEST(r["attention_time"] == 4 * source_attention, tt::tolerance(1e-12));
  BOOST_TEST(r["ffn_time"] == 4 * source_ffn, tt::tolerance(1e-12));
  BOOST_TEST(r["communication_time"] == transfer, tt::tolerance(1e-12));
  BOOST_TEST(r["step_time"] == 281.06365985024 * ms, tt::tolerance(1e-12));
}

/// Stages of two layers: two micro-batches overlap but for the first and the last stage. Half a batch takes half the
/// time, but for latencies.
BOOST_AUTO_TEST_CASE(micro_batches_fill_the_pipeline) {
  const NamedEstimate r = reference_point().set("micro_batches", 2).evaluate();
  const double half_layer = (4 * projection + 2 * scores + 2 * up + 2 * (all_reduce - 14e-6)) / 2 + 2 * 14e-6;
  const double half_transfer = (transfer - 1e-6) / 2 + 1e-6;
  BOOST_TEST(r["step_time"] == 3 * 2 * half_layer + half_transfer, tt::tolerance(1e-4));  // weights are read twice
}

BOOST_AUTO_TEST_SUITE_END()
