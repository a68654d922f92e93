/// Stop: time limits as written, and what may be started when; all with a clock made of a variable.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "engine/run/stop.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(stop_test)

namespace {

using namespace dfsweep;
using Seconds = Stop::Seconds;

struct TimeLimitCase {
  const char* why;
  const char* text;
  double seconds;  // negative: refused
};
const TimeLimitCase time_limits[] = {
    {"a plain number is seconds", "90", 90.0},
    {"fractions", "0.5", 0.5},
    {"seconds", "90s", 90.0},
    {"minutes", "30m", 1800.0},
    {"hours", "2h", 7200.0},
    {"days", "1d", 86400.0},
    {"minutes and seconds", "5:00", 300.0},
    {"hours, minutes and seconds", "1:30:00", 5400.0},
    {"as squeue prints days", "1-02:00:00", 93600.0},
    {"empty", "", -1.0},
    {"no time at all", "0", 0.0},
    {"as a queue prints that no time is left", "0:00", 0.0},
    {"as a queue prints that there is no limit", "UNLIMITED", INFINITY},
    {"negative", "-5", -1.0},
    {"not a number", "soon", -1.0},
    {"unknown unit", "5y", -1.0},
    {"four fields", "1:2:3:4", -1.0},
    {"a missing field", "1::3", -1.0},
    {"infinite", "inf", -1.0},
    {"trailing garbage", "5 m", -1.0},
};

BOOST_DATA_TEST_CASE(time_limits_are_read_as_written, boost::unit_test::data::make(time_limits), c) {
  const auto limit = parse_time_limit(c.text);
  BOOST_TEST(limit.has_value() == (c.seconds >= 0.0));
  if (limit) BOOST_TEST(limit->count() == c.seconds);
}

struct Fixture {
  double now = 0.0;
  SignalState state;
  Stop stop_with(std::optional<Seconds> limit) {
    return Stop(limit, {.now = [this] { return Seconds(now); }, .signals = [this] { return state; }});
  }
};

BOOST_FIXTURE_TEST_CASE(nothing_stops_a_run_without_limit, Fixture) {
  const Stop stop = stop_with(std::nullopt);
  now = 1e9;
  BOOST_TEST(stop.may_start(Seconds(1e9)));
  BOOST_TEST((stop.urgency() == Urgency::none));
  BOOST_TEST((stop.reason() == StopReason::none));
}

BOOST_FIXTURE_TEST_CASE(without_any_time_nothing_is_started, Fixture) {
  const Stop stop = stop_with(Seconds(0.0));
  now = 1e-3;
  BOOST_TEST(!stop.may_start(Seconds(0.0)));
  BOOST_TEST((stop.reason() == StopReason::time_limit));
}

BOOST_FIXTURE_TEST_CASE(an_infinite_limit_is_none, Fixture) {
  const Stop stop = stop_with(Seconds(INFINITY));
  now = 1e9;
  BOOST_TEST(stop.may_start(Seconds(1e9)));
  BOOST_TEST((stop.urgency() == Urgency::none));
}

BOOST_FIXTURE_TEST_CASE(no_block_is_started_that_cannot_finish_in_time, Fixture) {
  const Stop stop = stop_with(Seconds(100.0));  // 2 s are kept free
  now = 50.0;
  BOOST_TEST(stop.may_start(Seconds(40.0)));
  BOOST_TEST(stop.may_start(Seconds(48.0)));
  BOOST_TEST(!stop.may_start(Seconds(48.5)));
  BOOST_TEST((stop.reason() == StopReason::time_limit));
  BOOST_TEST((stop.urgency() == Urgency::polite));  // blocks in progress go on
  BOOST_TEST(!stop.may_start(Seconds(0.0)));        // and the decision stays
  now = 98.5;
  BOOST_TEST((stop.urgency() == Urgency::at_once));
}

BOOST_FIXTURE_TEST_CASE(a_short_limit_keeps_a_twentieth_free, Fixture) {
  const Stop stop = stop_with(Seconds(1.0));
  now = 0.94;
  BOOST_TEST((stop.urgency() == Urgency::none));
  now = 0.96;
  BOOST_TEST((stop.urgency() == Urgency::at_once));
}

BOOST_FIXTURE_TEST_CASE(a_polite_signal_lets_blocks_finish_within_the_grace, Fixture) {
  const Stop stop = stop_with(std::nullopt);
  now = 10.0;
  state = {Urgency::polite, 10};
  BOOST_TEST(!stop.may_start(Seconds(0.0)));
  BOOST_TEST((stop.reason() == StopReason::signal));
  now = 10.0 + Stop::grace.count();
  BOOST_TEST((stop.urgency() == Urgency::polite));
  now += 1.0;
  BOOST_TEST((stop.urgency() == Urgency::at_once));
}

BOOST_FIXTURE_TEST_CASE(an_urgent_signal_is_urgent, Fixture) {
  const Stop stop = stop_with(std::nullopt);
  state = {Urgency::at_once, 15};
  BOOST_TEST((stop.urgency() == Urgency::at_once));
}

BOOST_FIXTURE_TEST_CASE(the_first_reason_stays, Fixture) {
  Stop stop = stop_with(Seconds(10.0));
  stop.request(StopReason::failures);
  now = 9.9;
  BOOST_TEST((stop.urgency() == Urgency::at_once));
  BOOST_TEST((stop.reason() == StopReason::failures));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
