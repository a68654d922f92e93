/// Tally: sums, and the way through a message.
#include <boost/test/unit_test.hpp>

#include <string>

#include "engine/evaluation/tally.hpp"
#include "io/packing.hpp"

BOOST_AUTO_TEST_SUITE(tally_test)

namespace {

using namespace dfsweep;

BOOST_AUTO_TEST_CASE(failures_are_told_apart_by_message_and_keep_the_lowest_point) {
  FailureLog log;
  log.add("a", 7, 1);
  log.add("b", 5, 2);
  log.add("a", 3, 4);
  BOOST_TEST(log.entries().size() == 2U);
  BOOST_TEST(log.entries()[0].first_point == 3U);
  BOOST_TEST(log.entries()[0].count == 5U);
  BOOST_TEST(log.count() == 7U);
}

BOOST_AUTO_TEST_CASE(messages_that_name_their_point_do_not_grow_without_bound) {
  FailureLog log;
  for (std::uint64_t point = 0; point < 1000; ++point) log.add("point " + std::to_string(point), point, 1);
  BOOST_TEST(log.entries().size() == FailureLog::limit + 1);
  BOOST_TEST(log.count() == 1000U);
  BOOST_TEST(log.entries().back().message == FailureLog::others);
}

BOOST_AUTO_TEST_CASE(a_tally_survives_packing) {
  Tally tally;
  const std::uint8_t status[] = {0, 0, 2, 1};
  tally.add_points(status);
  tally.blocks = 3;
  tally.in_progress = -5;
  tally.failures.add("why", 42, 1);
  const Tally back = unpack_tally(pack(tally));
  BOOST_TEST(back.points == 4U);
  BOOST_TEST(back.blocks == 3U);
  BOOST_TEST(back.in_progress == -5);
  const std::vector<std::uint64_t> expected = {2, 1, 1};
  BOOST_TEST(back.statuses == expected);
  BOOST_TEST(back.failures.entries().at(0).message == "why");
  BOOST_TEST(back.failures.entries().at(0).first_point == 42U);
}

BOOST_AUTO_TEST_CASE(a_message_that_ends_too_early_is_a_defect) {
  std::vector<std::byte> bytes = pack(Tally{});
  bytes.pop_back();
  BOOST_CHECK_THROW(static_cast<void>(unpack_tally(bytes)), MessageTooShort);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
