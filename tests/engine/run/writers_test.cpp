/// What the log of a run says about its writers.
#include "engine/run/writers.hpp"

#include <fmt/format.h>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(writers_test)

namespace {

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

/// A line of the log, `second` seconds after noon.
std::string line(int second, std::string_view part, std::string_view event, std::string_view fields) {
  return fmt::format(R"({{"time":"2026-11-24T12:00:{:02}.000Z","event":"{}","part":"{}","host":"n1"{}}})", second,
                     event, part, fields) +
         '\n';
}
std::string start(int second, std::string_view part, std::string_view hosts = R"("n1")") {
  return line(second, part, "start", fmt::format(R"(,"hosts":[{}],"ranks":2,"threads":4)", hosts));
}
std::string progress(int second, std::string_view part, int points, int seconds, int left) {
  return line(second, part, "progress",
              fmt::format(R"(,"points":{},"blocks":1,"seconds":{},"points_left":{})", points, seconds, left));
}

struct WriterCase {
  const char* reason;
  std::string log;
  std::size_t writers;
  WriterState state;  ///< of the first
  double rate;        ///< points per second of the first; negative: unknown
  double left;        ///< seconds of all; negative: unknown
  const char* trouble;
};
std::ostream& operator<<(std::ostream& out, const WriterCase& c) {
  return out << c.reason;
}

const WriterCase logs[] = {
    {"an empty log", "", 0, WriterState::working, -1, -1, ""},
    {"a start says nothing about the rate", start(0, "1/1"), 1, WriterState::working, -1, -1, ""},
    {"100 points in 2 s, 900 left at 50/s", start(0, "1/1") + progress(2, "1/1", 100, 2, 900), 1, WriterState::working,
     50, 18, ""},
    {"the rate of late: 300 points in 10 s, 600 left at 30/s",
     start(0, "1/1") + progress(2, "1/1", 100, 2, 900) + progress(12, "1/1", 400, 12, 600), 1, WriterState::working, 30,
     20, ""},
    {"nothing new since the last line: the average, 100 points in 10 s",
     start(0, "1/1") + progress(2, "1/1", 100, 2, 900) + progress(10, "1/1", 100, 10, 900), 1, WriterState::working, 10,
     90, ""},
    {"parts end with the slowest: 18 s and 90 s",
     start(0, "1/2") + start(0, "2/2") + progress(2, "1/2", 100, 2, 900) + progress(2, "2/2", 20, 2, 900), 2,
     WriterState::working, 50, 90, ""},
    {"a part without a rate makes the end unknown", start(0, "1/2") + start(0, "2/2") + progress(2, "1/2", 100, 2, 900),
     2, WriterState::working, 50, -1, ""},
    {"a part that is complete does not count",
     start(0, "1/2") + start(0, "2/2") + progress(2, "2/2", 20, 2, 900) + line(3, "1/2", "evaluated", ""), 2,
     WriterState::complete, -1, 90, ""},
    {"stopped", start(0, "1/1") + line(3, "1/1", "stopped", R"(,"reason":"time limit")"), 1, WriterState::stopped, -1,
     -1, ""},
    {"an error ends a writer", start(0, "1/1") + line(3, "1/1", "error", R"(,"message":"disk full")"), 1,
     WriterState::failed, -1, -1, "disk full"},
    {"failed points do not",
     start(0, "1/1") + line(3, "1/1", "failed_points", R"(,"count":2,"point":17,"message":"bad")"), 1,
     WriterState::working, -1, -1, "2 failed points, point 17: bad"},
    {"a start after a start: the first one was killed; its rate is forgotten, its failure is not",
     start(0, "1/1") + progress(2, "1/1", 100, 2, 900) + start(9, "1/1"), 1, WriterState::working, -1, -1,
     "ended without a last line: killed, or its node died"},
    {"a start after an early stop is no failure",
     start(0, "1/1") + line(3, "1/1", "stopped", R"(,"reason":"signal")") + start(9, "1/1"), 1, WriterState::working,
     -1, -1, ""},
    {"torn lines, lines of others and lines of former versions are ignored",
     "{\"time\":\"20" + start(0, "1/1") +
         "\xff\n\n[1]\n{\"time\":\"2026-11-24T12:00:01.000Z\",\"event\":\"stopped\"}\n" + start(1, "1/1") +
         R"({"time":"soon","event":"error","part":"1/1"})" + "\n{\"part\":7}\n",
     1, WriterState::working, -1, -1, ""},
};

struct StampCase {
  const char* text;
  double seconds;  ///< negative: malformed
};
const StampCase stamps[] = {{"1970-01-01T00:00:00.000Z", 0.0},
                            {"1970-01-02T00:00:01.250Z", 86401.25},
                            {"1970-01-01T00:00:02Z", 2.0},
                            {"2026-11-24T12:00:00.000Z", 1795521600.0},
                            {"", -1},
                            {"noon", -1},
                            {"1970-01-01T00:00:00", -1},
                            {"1970-01-01", -1}};

}  // namespace

BOOST_DATA_TEST_CASE(a_log_says_who_works, bdata::make(logs), c) {
  const std::vector<Writer> writers = writers_of(c.log);
  BOOST_TEST_REQUIRE(writers.size() == c.writers);
  BOOST_TEST(seconds_left(writers).value_or(-1.0) == c.left);
  if (writers.empty()) return;
  BOOST_TEST((writers[0].state == c.state));
  BOOST_TEST(writers[0].points_per_second.value_or(-1.0) == c.rate);
  BOOST_TEST(writers[0].trouble == c.trouble);
}

BOOST_AUTO_TEST_CASE(writers_are_in_the_order_of_their_parts_and_name_their_hosts) {
  const std::vector<Writer> writers =
      writers_of(start(5, "10/12") + start(1, "2/12", R"("n3","n4")") + progress(9, "1/12", 5, 4, 3));
  BOOST_TEST_REQUIRE(writers.size() == 3U);
  BOOST_TEST(writers[0].part == "1/12");
  BOOST_TEST(writers[1].part == "2/12");
  BOOST_TEST(writers[2].part == "10/12");
  // The first has the host of its line, because the log does not go back to its start.
  BOOST_TEST((writers[0].hosts == std::vector<std::string>{"n1"}));
  BOOST_TEST((writers[1].hosts == std::vector<std::string>{"n3", "n4"}));
  BOOST_TEST(writers[1].ranks == 2U);
  BOOST_TEST(writers[1].threads == 4U);
  BOOST_TEST(utc_text(writers[1].seen) == "2026-11-24 12:00:01 UTC");
}

BOOST_AUTO_TEST_CASE(times_of_a_log) {
  for (const StampCase& c : stamps) BOOST_TEST(seconds_of_utc(c.text).value_or(-1.0) == c.seconds, c.text);
}

BOOST_AUTO_TEST_SUITE_END()
