/// BlockQueue: how many blocks a request is given, in which order, and which ranks get no more.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <numeric>

#include "engine/run/block_queue.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(block_queue_test)

namespace {

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

struct GrantCase {
  const char* why;
  std::size_t wanted;
  std::size_t left;
  std::size_t ranks;
  std::size_t granted;
};
const GrantCase grants[] = {
    {"nothing is left", 4, 0, 2, 0},
    {"at least one", 0, 10, 2, 1},
    {"what is wanted while much is left", 4, 100, 2, 4},
    {"half of an equal share near the end", 4, 12, 2, 3},
    {"one by one at the end", 4, 3, 2, 1},
    {"the last one", 4, 1, 7, 1},
};

BOOST_DATA_TEST_CASE(requests_are_granted_with_measure, bdata::make(grants), c) {
  BOOST_TEST(grant(c.wanted, c.left, c.ranks) == c.granted);
}

struct WantedCase {
  const char* why;
  double seconds;
  std::size_t blocks;
  std::size_t ranks;
  std::size_t wanted;
};
const WantedCase wanted[] = {
    {"nothing measured yet", 1e-5, 0, 2, 1},
    {"blocks of a second", 1.0, 1, 10'000, 1},
    {"blocks of 0.1 ms: twenty take 2 ms, four are allowed", 1e-3, 10, 2, 4},
    {"blocks of 0.8 ms: two take no more than 2 ms", 8e-3, 10, 2, 2},
    {"blocks of 2 ms: one", 20e-3, 10, 2, 1},
    {"10 000 ranks with blocks of 20 ms: five, so that each asks ten times a second", 40e-3, 2, 10'000, 5},
    {"and with blocks of 1 ms not more than 16", 2e-3, 2, 10'000, 16},
};

BOOST_DATA_TEST_CASE(short_blocks_are_asked_for_together, bdata::make(wanted), c) {
  BOOST_TEST(wanted_blocks(c.seconds, c.blocks, c.ranks) == c.wanted);
}

BOOST_AUTO_TEST_CASE(reports_of_many_ranks_are_rarer) {
  BOOST_TEST(report_interval_seconds(1) == 0.1);
  BOOST_TEST(report_interval_seconds(1000) == 0.1);
  BOOST_TEST(report_interval_seconds(10'000) == 1.0);
}

std::vector<BlockId> first_blocks(std::uint32_t count) {
  std::vector<BlockId> blocks(count);
  std::iota(blocks.begin(), blocks.end(), BlockId{0});
  return blocks;
}

std::vector<BlockId> take_all(BlockQueue& queue, std::uint32_t rank) {
  std::vector<BlockId> taken;
  for (auto next = queue.take(rank, 1).blocks; !next.empty(); next = queue.take(rank, 1).blocks)
    taken.push_back(next.front());
  return taken;
}

BOOST_AUTO_TEST_CASE(unmeasured_blocks_keep_their_order) {
  BlockQueue queue({7, 3, 5, 1}, 1);
  const std::vector<BlockId> expected = {7, 3, 5, 1};
  BOOST_TEST(take_all(queue, 0) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_second_half_starts_with_neighbours_of_expensive_blocks) {
  BlockQueue queue({0, 2, 4, 6, 1, 3, 5}, 1);  // the even ones are taken and measured first
  for (const BlockId block : {0U, 2U, 4U, 6U}) BOOST_TEST(queue.take(0, 1).blocks.front() == block);
  const MeasuredBlock measured[] = {{0, 1.0}, {2, 1.0}, {4, 9.0}, {6, 4.0}};
  queue.note(0, measured);
  // Means of the neighbours: 1 has 1, 3 has 5, 5 has 6.5.
  const std::vector<BlockId> expected = {5, 3, 1};
  BOOST_TEST(take_all(queue, 0) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_slow_rank_gets_nothing_when_the_others_end_before_it) {
  BlockQueue queue(first_blocks(20), 4);
  const auto evaluate = [&](std::uint32_t rank, double seconds) {
    const MeasuredBlock measured[] = {{queue.take(rank, 1).blocks.front(), seconds}};
    queue.note(rank, measured);
  };
  for (const std::uint32_t rank : {1U, 2U, 3U}) evaluate(rank, rank == 3 ? 6.0 : 1.0);
  // Mean 8/3 s; 17 blocks are left: 17 * 8/3 / 4 = 11.3 s, longer than the 6 s of rank 3.
  BOOST_TEST(!queue.take(3, 1).blocks.empty());
  for (int i = 0; i < 12; ++i) evaluate(1, 1.0);
  // Mean 20/15 s; 4 left: 1.3 s.
  BOOST_TEST(queue.take(3, 1).blocks.empty());
  BOOST_TEST(!queue.take(2, 1).blocks.empty());
  BOOST_TEST(take_all(queue, 1).size() == 3U);
}

BOOST_AUTO_TEST_CASE(rank_0_gets_blocks_while_any_is_left) {
  BlockQueue queue(first_blocks(8), 2);
  const MeasuredBlock slow[] = {{queue.take(0, 1).blocks.front(), 100.0}};
  queue.note(0, slow);
  const MeasuredBlock fast[] = {{queue.take(1, 1).blocks.front(), 1.0}};
  queue.note(1, fast);
  BOOST_TEST(take_all(queue, 0).size() == 6U);
}

BOOST_AUTO_TEST_CASE(measured_blocks_of_others_are_ignored) {
  BlockQueue queue({4}, 1);
  const MeasuredBlock strange[] = {{5, 1.0}, {4'000'000'000U, 1.0}};
  queue.note(0, strange);
  queue.note(7, strange);
  BOOST_TEST(take_all(queue, 0).size() == 1U);
  BlockQueue empty({}, 3);
  BOOST_TEST(empty.take(2, 1).blocks.empty());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
