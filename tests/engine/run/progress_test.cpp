/// Progress: what is drawn when, with a clock made of a variable and a screen made of a string.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "engine/run/progress.hpp"
#include "tests/support/named_rows.hpp"

namespace {

using namespace dfsweep;

struct CountCase {
  double count;
  const char* text;
};
const CountCase counts[] = {{0, "0"},          {320, "320"},      {9999, "9999"},     {10000, "10.0 k"},
                            {123456, "123 k"}, {999499, "999 k"}, {999600, "1.00 M"}, {3.21e6, "3.21 M"},
                            {1e10, "10.0 G"},  {2e19, "20.0 E"}};

BOOST_AUTO_TEST_SUITE(progress_test)

BOOST_DATA_TEST_CASE(counts_have_three_digits_and_a_prefix, boost::unit_test::data::make(counts), c) {
  BOOST_TEST(short_count(c.count) == c.text);
}

struct TimeCase {
  double seconds;
  const char* text;
};
const TimeCase times[] = {{0.123, "0.12 s"}, {5.0, "5 s"},         {42.4, "42 s"},
                          {120, "2 min"},    {3960, "1 h 06 min"}, {3e5, "3 d 11 h"}};

BOOST_DATA_TEST_CASE(times_are_short, boost::unit_test::data::make(times), c) {
  BOOST_TEST(short_time(c.seconds) == c.text);
}

struct Screen {
  double now = 0.0;
  std::string text;
  Progress progress(ProgressStyle style, std::uint64_t total, std::uint64_t before = 0, std::size_t width = 0) {
    return Progress(
        style, total, before, {"ok", "failed", "too_big"},
        {.print = [this](std::string_view piece) { text += piece; }, .now = [this] { return now; }, .width = width});
  }
};

Tally tally_of(std::uint64_t ok, std::uint64_t too_big) {
  Tally tally;
  tally.points = ok + too_big;
  tally.blocks = 1;
  tally.statuses = {ok, 0, too_big};
  return tally;
}

BOOST_FIXTURE_TEST_CASE(plain_lines_come_with_every_twentieth_but_not_more_than_one_a_second, Screen) {
  Progress progress = this->progress(ProgressStyle::lines, 1000);
  for (int step = 0; step < 100; ++step) {
    now += 0.25;
    progress.add(tally_of(8, 2));
    progress.tick();
  }
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 20);  // 5 % each, 1.25 s apart
  BOOST_TEST(text.substr(0, text.find('\n')) == "  5 %  50 of 1000 points  40/s  24 s left  ok 40  too_big 10");
  BOOST_TEST(text.find('\r') == std::string::npos);
  BOOST_TEST(text.find('\x1b') == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_slow_run_says_something_every_minute, Screen) {
  Progress progress = this->progress(ProgressStyle::lines, 1000000);
  for (int second = 0; second < 150; ++second) {
    now += 1.0;
    progress.tick();
  }
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 2);
}

BOOST_FIXTURE_TEST_CASE(a_terminal_line_is_redrawn_over_itself_and_fits, Screen) {
  Progress progress = this->progress(ProgressStyle::redrawn, 1000, 0, 30);
  now = 1.0;
  progress.add(tally_of(500, 0));
  progress.tick();
  BOOST_TEST(text == "\r 50 %  500 of 1000 points  50");
  text.clear();
  progress.clear();
  BOOST_TEST(text == "\r" + std::string(29, ' ') + "\r");
}

BOOST_FIXTURE_TEST_CASE(a_resumed_run_counts_what_was_there_but_not_in_its_rate, Screen) {
  Progress progress = this->progress(ProgressStyle::lines, 1000, 900);
  now = 2.0;
  progress.add(tally_of(50, 0));
  progress.tick();
  BOOST_TEST(text == " 95 %  950 of 1000 points  25/s  2 s left  ok 50\n");
}

BOOST_FIXTURE_TEST_CASE(quiet_is_quiet, Screen) {
  Progress progress = this->progress(ProgressStyle::quiet, 10);
  now = 100.0;
  progress.add(tally_of(10, 0));
  progress.tick();
  progress.clear();
  BOOST_TEST(text.empty());
  BOOST_TEST(progress.total().points == 10);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
