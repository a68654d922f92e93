/// Progress: what is drawn when, with a clock made of a variable and a screen made of a string.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "engine/run/progress.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(progress_test)

namespace {

using namespace dfsweep;

struct CountCase {
  double count;
  const char* text;
};
const CountCase counts[] = {{0, "0"},          {320, "320"},      {9999, "9999"},     {10000, "10.0 k"},
                            {123456, "123 k"}, {999499, "999 k"}, {999600, "1.00 M"}, {3.21e6, "3.21 M"},
                            {1e10, "10.0 G"},  {2e19, "20.0 E"}};

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

struct RateCase {
  double rate;
  const char* text;
};
const RateCase rates[] = {{0.012, "0.012/s"}, {3.33, "3.3/s"}, {42.4, "42/s"}, {123456, "123 k/s"}};

BOOST_DATA_TEST_CASE(slow_rates_keep_two_digits, boost::unit_test::data::make(rates), c) {
  BOOST_TEST(short_rate(c.rate) == c.text);
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
  BOOST_TEST(text.starts_with("  0 %  0 of 1.00 M points  60 s so far\n"));  // no rate and no time left without a point
}

BOOST_FIXTURE_TEST_CASE(a_terminal_line_is_redrawn_over_itself_and_fits, Screen) {
  Progress progress = this->progress(ProgressStyle::redrawn, 1000, 0, 30);
  now = 1.0;
  progress.add(tally_of(500, 0));
  progress.tick();
  BOOST_TEST(text == "\r 50 %  500 of 1000 points");  // "500/s" and what follows would not fit
  text.clear();
  progress.clear();
  BOOST_TEST(text == "\r" + std::string(25, ' ') + "\r");
}

BOOST_FIXTURE_TEST_CASE(a_resumed_run_counts_what_was_there_but_not_in_its_rate, Screen) {
  Progress progress = this->progress(ProgressStyle::lines, 1000, 900);
  now = 2.0;
  progress.add(tally_of(50, 0));
  progress.tick();
  BOOST_TEST(text == " 95 %  950 of 1000 points  25/s  2 s left  ok 50\n");
}

BOOST_FIXTURE_TEST_CASE(no_width_cuts_a_number, Screen) {
  for (std::size_t width = 1; width <= 80; ++width) {
    text.clear();
    now = 0.0;
    Progress progress = this->progress(ProgressStyle::redrawn, 123456, 0, width);
    now = 1.0;
    progress.add(tally_of(12345, 6789));
    progress.tick();
    BOOST_TEST_CONTEXT("width " << width) {
      BOOST_TEST(text.size() <= width);  // the carriage return counts for the column that stays free
      std::string rest = text;
      for (const char* part :
           {"\r", " 15 %", "19.1 k of 123 k points", "19.1 k/s", "5.5 s left", "ok 12.3 k", "too_big 6789"})
        if (const std::size_t at = rest.find(part); at != std::string::npos) rest.erase(at, std::string(part).size());
      BOOST_TEST(rest.find_first_not_of(' ') == std::string::npos);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(points_of_a_block_in_progress_count, Screen) {
  Progress progress = this->progress(ProgressStyle::lines, 1000);
  Tally some;
  some.in_progress = 100;
  now = 1.0;
  progress.add(some);
  progress.tick();
  BOOST_TEST(text == " 10 %  100 of 1000 points  100/s  9 s left\n");
  BOOST_TEST(progress.total().points == 0);  // only complete blocks are evaluated for good
}

BOOST_FIXTURE_TEST_CASE(a_slow_start_is_forgotten_by_the_time_left, Screen) {
  Progress progress = this->progress(ProgressStyle::lines, 1000);
  now = 20.0;  // everything is prepared in the first 20 s, and nothing is evaluated
  progress.tick();
  for (int second = 0; second < 10; ++second) {
    now += 1.0;
    progress.add(tally_of(10, 0));
    progress.tick();
  }
  // The rate of all of the time, 100 points in 30 s, would say 5 minutes.
  BOOST_TEST(text.ends_with(" 10 %  100 of 1000 points  3.3/s  90 s left  ok 100\n"));
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
