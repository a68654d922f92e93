/// Scores over several results: a hand-computed case, and brute force over random results.
#include "engine/scores/scores.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>

#include "engine/console/usage_error.hpp"
#include "models/statistics/random.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(scores_test)

namespace {

/// Training of devices a, b, c with two degrees each: cost 5 4 | 2 3 | failed.
SmallResult training() {
  SmallResult result(6);
  result.labels("device", {"a", "b", "c"}, {0, 0, 1, 1, 2, 2})
      .wholes("degree", {1, 2, 1, 2, 1, 2})
      .status({0, 0, 0, 0, 1, 1})
      .metric("cost", "USD", "lower", {5, 4, 2, 3, NAN, NAN})
      .fixed("memory", std::int64_t{80});
  return result;
}

/// Serving of devices b, a, d, in another order of labels: price 10, 1, 1.
SmallResult serving() {
  SmallResult result(3);
  result.labels("device", {"b", "d", "a"}, {0, 2, 1})
      .wholes("memory", {80, 80, 80})
      .status({0, 0, 0})
      .metric("price", "USD", "lower", {10, 1, 1});
  return result;
}

struct TwoResults {
  ScratchFile first{"a.h5"};
  ScratchFile second{"b.h5"};
  std::vector<DatasetReader> files;
  TwoResults(const SmallResult& a, const SmallResult& b) {
    a.write(first.path());
    b.write(second.path());
    files.reserve(2);
    files.emplace_back(first.path());
    files.emplace_back(second.path());
  }
  [[nodiscard]] ScoreQuestion question(const std::vector<std::string>& by, const std::string& text,
                                       Better direction = Better::lower) const {
    ScoreQuestion asked{.results = {{"A", &files[0]}, {"B", &files[1]}},
                        .conditions = {RowCondition{}, RowCondition{}},
                        .by = by,
                        .objective = {}};
    const std::vector<ScoredName> names = {{"A", scorable_columns(files[0])}, {"B", scorable_columns(files[1])}};
    asked.objective = objective_of(text, direction, "--minimize", names);
    return asked;
  }
};

std::string device_of(const Scores& scores, const ScoredMachine& machine) {
  return scores.axes[0].labels[machine.codes[0]];
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_best_row_of_each_result_counts) {
  const TwoResults two(training(), serving());
  const Scores sum = scores_of(two.question({"device"}, "cost(A) + 0.1 * price(B)"));
  BOOST_REQUIRE(sum.machines.size() == 2U);  // c has no feasible row, d is in B alone
  BOOST_TEST(device_of(sum, sum.machines[0]) == "b");
  BOOST_TEST(sum.machines[0].score == 3.0);  // 2 + 0.1 x 10
  BOOST_TEST(sum.machines[0].rows == (std::vector<std::uint64_t>{2, 0}), boost::test_tools::per_element());
  BOOST_TEST(sum.machines[1].score == 4.1);  // 4 + 0.1 x 1
  BOOST_TEST(sum.machines[1].rows == (std::vector<std::uint64_t>{1, 1}), boost::test_tools::per_element());
  BOOST_TEST((sum.machines[0].is_on_front && sum.machines[1].is_on_front));  // b is cheaper to train, a to serve
  BOOST_TEST(sum.machines_of == (std::vector<std::uint64_t>{2, 3}), boost::test_tools::per_element());
  const Scores worst = scores_of(two.question({"device"}, "max(cost(A), price(B), 1)"));
  BOOST_TEST(device_of(worst, worst.machines[0]) == "a");  // 4 against 10
  BOOST_TEST(worst.machines[0].score == 4.0);
  const Scores most = scores_of(two.question({"device"}, "min(cost(A), price(B))", Better::higher));
  BOOST_TEST(device_of(most, most.machines[0]) == "b");  // least of 3 and 10 against least of 5 and 1
  BOOST_TEST(most.machines[0].score == 3.0);
}

BOOST_AUTO_TEST_CASE(an_axis_may_be_fixed_in_one_result) {
  const TwoResults two(training(), serving());
  const Scores scores = scores_of(two.question({"device", "memory"}, "cost(A) + price(B)"));
  BOOST_REQUIRE(scores.machines.size() == 2U);
  BOOST_TEST(scores.axes[1].numbers[scores.machines[0].codes[1]] == 80.0);
  BOOST_TEST(device_of(scores, scores.machines[0]) == "a");  // 5 against 12
  BOOST_TEST(!scores_of(two.question({"device"}, "cost(A) + price(B)")).axes.empty());
}

BOOST_AUTO_TEST_CASE(axes_that_differ_are_refused) {
  const TwoResults two(training(), serving());
  const auto message = [&](const std::vector<std::string>& by) -> std::string {
    try {
      (void)scores_of(two.question(by, "cost(A) + price(B)"));
      return "none";
    } catch (const UsageError& error) {
      return error.what();
    }
  };
  BOOST_TEST(message({"degree"}) == "--by: result B has no parameter 'degree'. It has: device, memory.");
  BOOST_TEST(message({"cost"}) == "--by: 'cost' is not a parameter of result A.");
  SmallResult labels(1);
  labels.labels("memory", {"hbm"}, {0}).status({0}).metric("price", "USD", "lower", {1});
  const TwoResults mixed(training(), labels);
  BOOST_CHECK_EXCEPTION((void)scores_of(mixed.question({"memory"}, "cost(A) + price(B)")), UsageError,
                        [](const UsageError& error) {
                          return std::string(error.what()) ==
                                 "--by: 'memory' is a name in one of the results A and B and a number in the other.";
                        });
}

/// Brute force: for each pair of values of two axes the least of each part over all rows.
BOOST_AUTO_TEST_CASE(scores_equal_brute_force) {
  constexpr std::uint64_t rows = 300;
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    std::uint64_t drawn = 0;
    const auto draw = [&](std::uint64_t most) { return random_bits(trial, drawn++) % most; };
    const auto random_result = [&](const char* metric) {
      std::vector<std::int64_t> x;
      std::vector<std::int64_t> y;
      std::vector<std::uint8_t> status;
      std::vector<double> values;
      for (std::uint64_t row = 0; row < rows; ++row) {
        x.push_back(static_cast<std::int64_t>(draw(6)) * 3 - 5);
        y.push_back(static_cast<std::int64_t>(draw(5)));
        status.push_back(draw(4) == 0 ? 2 : 0);
        values.push_back(draw(10) == 0 ? NAN : static_cast<double>(draw(40)));
      }
      SmallResult result(rows);
      result.wholes("x", x).wholes("y", y).status(status).metric(metric, "s", "lower", values);
      std::map<std::pair<std::int64_t, std::int64_t>, double> least;
      for (std::uint64_t row = 0; row < rows; ++row) {
        if (status[row] != 0 || std::isnan(values[row])) continue;
        const auto [found, is_new] = least.try_emplace({x[row], y[row]}, values[row]);
        found->second = std::min(found->second, values[row]);
      }
      return std::pair(result, least);
    };
    const auto [a, least_a] = random_result("cost");
    const auto [b, least_b] = random_result("price");
    const TwoResults two(a, b);
    const Scores scores = scores_of(two.question({"x", "y"}, "cost(A) + 2 * price(B)"));
    std::vector<double> expected;
    for (const auto& [machine, cost] : least_a)
      if (least_b.contains(machine)) expected.push_back(cost + 2 * least_b.at(machine));
    std::sort(expected.begin(), expected.end());
    BOOST_REQUIRE(scores.machines.size() == expected.size());
    for (std::size_t m = 0; m < expected.size(); ++m) {
      const ScoredMachine& machine = scores.machines[m];
      BOOST_TEST(machine.score == expected[m]);
      const bool is_dominated =
          std::any_of(scores.machines.begin(), scores.machines.end(), [&](const ScoredMachine& other) {
            return other.parts[0] <= machine.parts[0] && other.parts[1] <= machine.parts[1] &&
                   other.parts != machine.parts;
          });
      BOOST_TEST(machine.is_on_front == !is_dominated);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
