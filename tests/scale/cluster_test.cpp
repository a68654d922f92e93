/// Ten thousand ranks and 10^10 points in virtual time: efficiency, load of rank 0, and no block lost or evaluated
/// twice without need. DFSWEEP_LONG_TESTS=1 takes ten times the ranks and blocks of the ordinary form, and more deaths.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/scale/virtual_cluster.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(cluster_test)

namespace {

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

bool is_long() {
  const char* value = std::getenv("DFSWEEP_LONG_TESTS");
  return value != nullptr && std::string_view(value) == "1";
}

struct Case {
  const char* why;
  double skew;
  std::uint32_t alike;
  double slow_sync_share;
  double least_efficiency;
};
/// Blocks of a second on the mean, and 81 of them for each rank.
const Case cases[] = {
    {"all blocks cost the same", 1.0, 1, 0.0, 0.97},
    {"costs 100 to 1 that an axis decides: neighbours cost the same", 100.0, 50, 0.0, 0.95},
    {"costs 100 to 1, each block for itself: the longest of 4.7 s is 6 % of the run", 100.0, 1, 0.0, 0.95},
    {"one commit of a hundred takes 5 s, so the last one does", 100.0, 50, 0.01, 0.91},
};

BOOST_DATA_TEST_CASE(ranks_are_busy_until_the_end, bdata::make(cases), c) {
  const std::uint32_t scale = is_long() ? 10 : 1;
  // 10^10 points in blocks of 12 288, the least multiple of 4096 with at most 2^20 blocks.
  const VirtualSweep sweep{.blocks = 81'380 * scale, .mean_seconds = 1.0, .skew = c.skew, .alike = c.alike};
  const VirtualCluster cluster{.ranks = 1000 * scale, .straggler_share = 0.01, .slow_sync_share = c.slow_sync_share};
  const Rehearsal result = VirtualRun(cluster, sweep).run();
  std::printf(
      "%u ranks, %u blocks, %s: %.1f s, efficiency %.3f; rank 0: %llu messages, %.1f %% busy; file system: %.1f %% "
      "busy "
      "with metadata\n",
      cluster.ranks, sweep.blocks, c.why, result.elapsed, result.efficiency,
      static_cast<unsigned long long>(result.messages), 100.0 * result.server_busy, 100.0 * result.metadata_busy);
  BOOST_TEST(result.efficiency >= c.least_efficiency);
  BOOST_TEST(result.server_busy < 0.25);
  BOOST_TEST(result.lost_blocks == 0U);
  BOOST_TEST(result.needless == 0U);
  BOOST_TEST(result.repeated == 0U);
}

BOOST_AUTO_TEST_CASE(short_blocks_come_in_batches_where_ranks_are_many) {
  const std::uint32_t ranks = is_long() ? 10'000 : 1000;
  const VirtualSweep sweep{.blocks = 1000 * ranks / 10, .mean_seconds = is_long() ? 0.02 : 0.002};
  const Rehearsal result = VirtualRun({.ranks = ranks}, sweep).run();
  BOOST_TEST(result.server_busy < 0.6);
  BOOST_TEST(result.lost_blocks == 0U);
  BOOST_TEST(result.needless == 0U);
}

/// Whatever dies whenever: every block is recorded at the end, no run evaluates a recorded block or one block twice,
/// and no more blocks are repeated than the ranks can have held at the deaths.
BOOST_AUTO_TEST_CASE(no_block_is_lost_or_repeated_without_need) {
  const std::uint64_t rounds = is_long() ? 3000 : 300;
  std::uint64_t deaths_tried = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const CounterRandom random(round);
    const VirtualCluster cluster{.ranks = static_cast<std::uint32_t>(1 + random.index(0, 0, 64)),
                                 .straggler_share = 0.2 * random.uniform(1),
                                 .straggler_factor = 1.0 + 9.0 * random.uniform(2),
                                 .slow_sync_share = 0.1 * random.uniform(3),
                                 .bytes_per_second = random.uniform(4) < 0.5 ? 1e7 : 1e11,
                                 .restart = 1.0};
    const VirtualSweep sweep{.blocks = static_cast<std::uint32_t>(1 + random.index(0, 5, 1000)),
                             .mean_seconds = 0.01 + random.uniform(6),
                             .skew = 1.0 + 99.0 * random.uniform(7),
                             .alike = static_cast<std::uint32_t>(1 + random.index(0, 8, 20)),
                             .seed = round};
    const double expected = sweep.mean_seconds * sweep.blocks / cluster.ranks;
    std::vector<double> deaths;
    for (std::uint64_t d = 0; d < random.index(0, 9, 6); ++d) deaths.push_back(1.2 * expected * random.uniform(10 + d));
    const Rehearsal result = VirtualRun(cluster, sweep).run(deaths);
    BOOST_REQUIRE_EQUAL(result.lost_blocks, 0U);
    BOOST_REQUIRE_EQUAL(result.needless, 0U);
    if (deaths.empty()) BOOST_REQUIRE_EQUAL(result.repeated, 0U);
    deaths_tried += deaths.size();
  }
  std::printf("%llu virtual runs with %llu deaths\n", static_cast<unsigned long long>(rounds),
              static_cast<unsigned long long>(deaths_tried));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
