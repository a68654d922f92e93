/// Questions to a file of nine rows, and the same questions to random files by brute force.
#include "engine/results/scan.hpp"

#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <ostream>
#include <set>

#include "engine/console/usage_error.hpp"
#include "engine/results/best.hpp"
#include "engine/results/pareto.hpp"
#include "engine/results/row_condition.hpp"
#include "engine/results/summary.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(analysis_test)

namespace {

using Rows = std::vector<std::uint64_t>;

struct NineRows {
  ScratchFile scratch{"result.h5"};
  DatasetReader file;
  NineRows()
      : file([this] {
          nine_rows().write(scratch.path());
          return scratch.path();
        }()) {}
  [[nodiscard]] const DatasetColumn* column(const char* name) const { return file.column(name); }
};

struct BestCase {
  const char* why;
  const char* metric;
  std::vector<const char*> by;
  std::size_t top;
  const char* where;
  Rows expected;
};

const BestCase best_cases[] = {
    {"lower is better, ties by row", "time", {}, 3, "", {2, 1, 5}},
    {"higher is better", "speed", {}, 2, "", {3, 0}},
    {"fewer rows than asked for", "time", {}, 99, "", {2, 1, 5, 6, 7, 0, 3}},
    {"by labels, in table order", "time", {"device"}, 1, "", {2, 5, 6}},
    {"by numbers, ascending", "time", {"ways"}, 1, "", {6, 1, 2}},
    {"by two", "time", {"ways", "device"}, 1, "", {0, 3, 6, 1, 7, 2, 5}},
    {"by a flag", "time", {"method"}, 2, "", {1, 6, 2, 5}},
    {"where a label holds", "time", {}, 2, "device == 'h100'", {5, 3}},
    {"where numbers hold", "time", {}, 1, "ways * time >= 6 && speed < 9", {7}},
    {"a metric that is missing compares as false", "time", {}, 9, "speed < 9", {2, 6, 7}},
    {"fixed parameters are known", "time", {}, 1, "model == 'gpt3-1t' && device_count == 1024", {2}},
    {"units are understood", "time", {}, 1, "time > '2500 ms'", {6}},
    {"a condition on the status lifts the rule that only ok counts", "memory", {}, 1, "status == 'out_of_memory'", {4}},
    {"nothing holds", "time", {}, 1, "ways > 4", {}},
};

BOOST_DATA_TEST_CASE(best_rows_are_found, boost::unit_test::data::make(best_cases), best) {
  const NineRows nine;
  const RowCondition condition = row_condition(nine.file, best.where);
  BestQuestion question{.metric = nine.column(best.metric),
                        .direction = better_of(*nine.column(best.metric)),
                        .by = {},
                        .top = best.top,
                        .ok_only = !condition.names_status};
  for (const char* name : best.by) question.by.push_back(nine.column(name));
  BOOST_TEST(find_best(nine.file, question, condition.filter).rows == best.expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_left_out_is_counted) {
  const NineRows nine;
  const BestRows found =
      find_best(nine.file, {.metric = nine.column("speed"), .direction = Better::higher, .by = {}}, {});
  BOOST_TEST(found.counts.considered == 9U);
  BOOST_TEST(found.counts.not_ok[1] == 1U);
  BOOST_TEST(found.counts.not_ok[2] == 1U);
  BOOST_TEST(found.counts.no_value == 1U);
}

BOOST_AUTO_TEST_CASE(incomplete_rows_are_not_seen) {
  const NineRows nine;
  const DatasetReader half(nine.scratch.path(), nine_rows().with_rows({{0, 2}, {6, 3}}));
  const BestRows found =
      find_best(half, {.metric = half.column("time"), .direction = Better::lower, .by = {}, .top = 9}, {});
  BOOST_TEST(found.rows == (Rows{1, 6, 7, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_pareto_front_keeps_the_lowest_of_equal_rows) {
  const NineRows nine;
  ParetoQuestion question{.metrics = {{nine.column("time"), Better::lower}, {nine.column("speed"), Better::higher}}};
  const ParetoRows found = find_pareto(nine.file, question, {});
  BOOST_TEST(found.rows == (Rows{2, 1, 3}), boost::test_tools::per_element());
  BOOST_TEST(found.counts.not_ok[2] == 1U);
  BOOST_TEST(found.counts.no_value == 1U);
  question.metrics.push_back({nine.column("memory"), Better::lower});
  BOOST_TEST(find_pareto(nine.file, question, {}).rows == (Rows{2, 1, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_summary_counts_statuses_and_ranges_of_ok_rows) {
  const NineRows nine;
  const ResultSummary summary = summarize(nine.file, {});
  BOOST_TEST(summary.rows == 9U);
  BOOST_REQUIRE_EQUAL(summary.statuses.size(), 3U);
  BOOST_TEST(summary.statuses[0].rows == 7U);
  BOOST_TEST(summary.statuses[2].name == "out_of_memory");
  BOOST_TEST(summary.metrics[0].least == 1.0);
  BOOST_TEST(summary.metrics[0].most == 4.0);
  BOOST_TEST(summary.metrics[1].with_value == 6U);
  BOOST_TEST(summary.metrics[2].most == 8e9);  // the 90 GB are of a row that is not ok
}

struct BadCondition {
  const char* expression;
  const char* message;
  friend std::ostream& operator<<(std::ostream& out, const BadCondition& bad) { return out << bad.expression; }
};
const BadCondition bad_conditions[] = {
    {"devise == 'h100'", "Did you mean 'device'"},
    {"device == 'h10'", "Did you mean 'h100'"},
    {"device = 'h100'", "=="},
    {"device ==", "--where"},
    {"time > '2 GB'", "unit"},
    {"(time > 1", "--where"},
};
BOOST_DATA_TEST_CASE(malformed_conditions_say_what_is_wrong, boost::unit_test::data::make(bad_conditions), bad) {
  const NineRows nine;
  try {
    static_cast<void>(row_condition(nine.file, bad.expression));
    BOOST_ERROR("accepted");
  } catch (const UsageError& error) {
    BOOST_TEST(std::string(error.what()).find(bad.message) != std::string::npos, error.what());
  }
}

/// Random files, small enough for brute force; values from a few, so that there are many ties.
struct RandomRows {
  std::uint64_t state;
  std::vector<std::int16_t> device;
  std::vector<std::int64_t> ways;
  std::vector<std::uint8_t> status;
  std::vector<double> time;
  std::vector<double> speed;
  std::vector<double> cost;

  std::uint64_t draw(std::uint64_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state >> 33) % below;
  }
  double value() { return draw(10) == 0 ? std::nan("") : static_cast<double>(draw(7)); }

  explicit RandomRows(std::uint64_t seed) : state(seed) {
    const std::uint64_t rows = 1 + draw(200);
    for (std::uint64_t row = 0; row < rows; ++row) {
      device.push_back(static_cast<std::int16_t>(draw(3)));
      ways.push_back(static_cast<std::int64_t>(draw(4)) * 1000000007);
      status.push_back(draw(4) == 0 ? 2 : 0);
      time.push_back(value());
      speed.push_back(value());
      cost.push_back(value());
    }
  }
  void write(const std::filesystem::path& path) const {
    SmallResult result(device.size());
    result.labels("device", {"a", "b", "c"}, device).wholes("ways", ways).status(status);
    result.metric("time", "s", "lower", time)
        .metric("speed", "1", "higher", speed)
        .metric("cost", "USD", "lower", cost);
    result.write(path);
  }
};

Rows best_by_brute_force(const RandomRows& rows, std::size_t top) {
  std::map<std::pair<std::int64_t, int>, std::vector<std::pair<double, std::uint64_t>>> groups;
  for (std::uint64_t row = 0; row < rows.time.size(); ++row)
    if (rows.status[row] == 0 && !std::isnan(rows.speed[row]))
      groups[{rows.ways[row], rows.device[row]}].emplace_back(-rows.speed[row], row);
  Rows best;
  for (auto& [key, members] : groups) {
    std::sort(members.begin(), members.end());
    for (std::size_t i = 0; i < std::min(top, members.size()); ++i) best.push_back(members[i].second);
  }
  return best;
}

std::set<std::uint64_t> front_by_brute_force(const RandomRows& rows, const std::vector<std::vector<double>>& costs) {
  const auto counts = [&](std::uint64_t row) {
    return rows.status[row] == 0 &&
           std::none_of(costs.begin(), costs.end(), [row](const auto& cost) { return std::isnan(cost[row]); });
  };
  std::set<std::uint64_t> front;
  for (std::uint64_t row = 0; row < rows.time.size(); ++row) {
    bool beaten = !counts(row);
    for (std::uint64_t other = 0; other < rows.time.size() && !beaten; ++other) {
      if (other == row || !counts(other)) continue;
      const bool not_worse =
          std::all_of(costs.begin(), costs.end(), [&](const auto& cost) { return cost[other] <= cost[row]; });
      const bool equal =
          std::all_of(costs.begin(), costs.end(), [&](const auto& cost) { return cost[other] == cost[row]; });
      beaten = not_worse && (!equal || other < row);
    }
    if (!beaten) front.insert(row);
  }
  return front;
}

std::vector<double> negated(std::vector<double> values) {
  for (double& value : values) value = -value;
  return values;
}

BOOST_DATA_TEST_CASE(answers_agree_with_brute_force, boost::unit_test::data::xrange(100), seed) {
  const RandomRows rows(static_cast<std::uint64_t>(seed));
  const ScratchFile scratch("result.h5");
  rows.write(scratch.path());
  const DatasetReader file(scratch.path());
  const auto column = [&](const char* name) { return file.column(name); };

  const BestQuestion best{
      .metric = column("speed"), .direction = Better::higher, .by = {column("ways"), column("device")}, .top = 2};
  BOOST_TEST(find_best(file, best, {}).rows == best_by_brute_force(rows, 2), boost::test_tools::per_element());

  ParetoQuestion front{.metrics = {{column("time"), Better::lower}, {column("speed"), Better::higher}}};
  const Rows two = find_pareto(file, front, {}).rows;
  BOOST_TEST((std::set(two.begin(), two.end()) == front_by_brute_force(rows, {rows.time, negated(rows.speed)})));
  BOOST_TEST(std::is_sorted(two.begin(), two.end(), [&](auto a, auto b) { return rows.time[a] < rows.time[b]; }));
  front.metrics.push_back({column("cost"), Better::lower});
  const Rows three = find_pareto(file, front, {}).rows;
  BOOST_TEST((std::set(three.begin(), three.end()) ==
              front_by_brute_force(rows, {rows.time, negated(rows.speed), rows.cost})));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
