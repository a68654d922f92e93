/// Dispatcher: the queue of a rank that is alone. tests/mpi has the rest.
#include <boost/test/unit_test.hpp>

#include "engine/run/dispatcher.hpp"

BOOST_AUTO_TEST_SUITE(dispatcher_test)

namespace {

using namespace dfsweep;

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
