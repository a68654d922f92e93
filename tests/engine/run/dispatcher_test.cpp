/// Dispatcher: how many blocks a request is given, and the queue of a rank that is alone. tests/mpi has the rest.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "engine/run/dispatcher.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(dispatcher_test)

namespace {

using namespace dfsweep;

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

BOOST_DATA_TEST_CASE(requests_are_granted_with_measure, boost::unit_test::data::make(grants), c) {
  BOOST_TEST(grant(c.wanted, c.left, c.ranks) == c.granted);
}

bool never() {
  return false;
}

BOOST_AUTO_TEST_CASE(a_rank_alone_gets_every_block_in_order) {
  const auto alone = make_serial_communicator();
  Dispatcher dispatcher(*alone, {3, 5, 8}, {.tally = [](const Tally&) { return Dispatch::proceed; }, .result = {}});
  BOOST_TEST(dispatcher.next(never).value() == 3U);
  BOOST_TEST(dispatcher.next(never).value() == 5U);
  BOOST_TEST(dispatcher.next(never).value() == 8U);
  BOOST_TEST(!dispatcher.next(never).has_value());
  dispatcher.finish();
}

BOOST_AUTO_TEST_CASE(close_and_too_many_failures_end_the_handing_out) {
  const auto alone = make_serial_communicator();
  Dispatcher closed(*alone, {1, 2}, {.tally = [](const Tally&) { return Dispatch::proceed; }, .result = {}});
  closed.close();
  BOOST_TEST(!closed.next(never).has_value());
  Dispatcher failing(*alone, {1, 2}, {.tally = [](const Tally&) { return Dispatch::stop; }, .result = {}});
  BOOST_TEST(failing.next(never).has_value());
  failing.report(Tally{});
  BOOST_TEST(!failing.next(never).has_value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
