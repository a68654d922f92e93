/// Conditions of a search: which ok points are candidates, how the others are counted, and what is said of them.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "engine/evaluation/range_evaluation.hpp"
#include "engine/evaluation/search_conditions.hpp"
#include "engine/evaluation/search_reduction.hpp"
#include "engine/sweep/statuses.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/toy_sweep.hpp"

BOOST_AUTO_TEST_SUITE(search_conditions_test)

namespace {

using namespace dfsweep;

/// 3 flavours x 10 sizes x 2 capacities; time is flavour (1, 2, 3) times size in ns; sizes above 8 B do not fit into
/// the first capacity. Of 60 points 54 (3 x 8 + 3 x 10) are ok.
constexpr const char* sixty_points =
    "[parameters]\nflavour = ['plain', 'rich', 'odd']\nsize = { from = '1 B', to = '10 B', step = '1 B' }\n"
    "capacity = ['8 B', '20 B']\n[search]\nover = ['size', 'capacity']\nminimize = 'memory'\nwhere = ";

struct Case {
  const char* why;
  const char* where;
  std::uint64_t limit_not_met;
};

const Case cases[] = {
    {"a quantity with unit: sizes of plain up to 8, of rich up to 4 and of odd up to 2 remain, twice each: 16 + 8 + 4 "
     "are candidates",
     "\"time <= '8.5 ns'\"", 54 - 16 - 8 - 4},
    {"sizes below 8: 7 of both capacities", "\"memory < '8 B'\"", 54 - 3 * 14},
    {"sizes up to 8", "\"memory <= 8\"", 54 - 3 * 16},
    {"a number is in base units", "\"time <= 8.5e-9\"", 54 - 16 - 8 - 4},
    {"the parser, not a loop: the number comes first", "\"'8.5 ns' >= time\"", 54 - 16 - 8 - 4},
    {"greater: sizes of at least 9 exist with the second capacity only", "\"memory >= '9 B'\"", 54 - 6},
    {"strictly greater", "\"memory > '9 B'\"", 54 - 3},
    {"several conditions are a conjunction: plain sizes 3 to 8 twice",
     "[\"time <= '8.5 ns'\", \"memory >= '3 B' && flavour == 'plain'\"]", 54 - 12},
    {"a metric that does not apply makes its condition false: the margin of odd flavours, 18 points", "\"margin >= 0\"",
     18},
    {"also where the expression would be true for NaN", "\"!(margin < 0)\"", 18},
    {"a metric of names", "\"colour != 'rich'\"", 18},
    {"metrics and parameters in one condition: sizes up to half of the capacity, 4 + 10", "\"memory * 2 <= capacity\"",
     54 - 3 * 14},
    {"no point is a candidate", "\"time < 0\"", 54},
    {"every point is a candidate", "\"time > 0 || memory > 0\"", 0},
};

BOOST_DATA_TEST_CASE(violations_are_counted_and_never_win, boost::unit_test::data::make(cases), c) {
  const ToySweep sweep(std::string(sixty_points) + c.where + "\n");
  PointBuffer points;
  EstimateBuffer estimates;
  Tally tally;
  sweep.rows.decode(0, sweep.rows.kept(), points);
  evaluate_range(*sweep.spec.estimator, *sweep.prepared, points, estimates, tally);
  SearchConditions(sweep.spec).apply(points, estimates, tally);
  const std::uint8_t code = code_of(SearchStatus::limit_not_met, *sweep.spec.estimator);
  BOOST_TEST(tally.statuses.at(status_ok) == 54 - c.limit_not_met);
  BOOST_TEST((code < tally.statuses.size() ? tally.statuses[code] : 0) == c.limit_not_met);
  BOOST_TEST(tally.statuses.at(ToyEstimator::status_too_big) == 6U);

  SearchReduction reduction(sweep.plan, 0, sweep.rows.groups());
  reduction.add(0, points, estimates);
  std::uint64_t rejected = 0;
  for (const GroupResult& group : reduction.groups()) {
    BOOST_REQUIRE_EQUAL(group.rejections.size(), statuses_of(sweep.spec).size());
    rejected += group.rejections[code];
    BOOST_TEST(group.best.size() == (group.rejections[status_ok] > 0 ? 1U : 0U));
    for (const Candidate& best : group.best)
      BOOST_TEST(SearchConditions(sweep.spec).violated(best.codes, best.metrics).empty());
  }
  BOOST_TEST(rejected == c.limit_not_met);
}

BOOST_AUTO_TEST_CASE(metrics_of_conditions_are_wanted) {
  const ToySweep sweep(std::string(sixty_points) + "[\"time < 1\", \"margin > time\"]\n");
  const std::vector<MetricIndex> expected = {ToyEstimator::time, ToyEstimator::margin};
  BOOST_TEST(metrics_of_conditions(sweep.spec) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_violation_names_the_values) {
  const ToySweep sweep(std::string(sixty_points) + "[\"time < '2 ns'\", \"margin >= '1 B'\", \"memory > 0\"]\n");
  const std::vector<std::uint32_t> codes = {2, 0, 0};
  std::vector<double> metrics(ToyEstimator::metric_count, absent);
  metrics[ToyEstimator::time] = 3e-9;
  metrics[ToyEstimator::memory] = 1;
  const std::vector<std::string> expected = {"time < '2 ns' (time 3.000 ns)", "margin >= '1 B' (margin none)"};
  BOOST_TEST(SearchConditions(sweep.spec).violated(codes, metrics) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(only_searches_with_conditions_have_their_statuses) {
  const ToySweep sweep("[parameters]\nsize = ['1 B', '2 B']\n[search]\nover = ['size']\nminimize = 'time'\n");
  BOOST_TEST(statuses_of(sweep.spec).back().name == "no_feasible");
  const ToySweep limited(
      "[parameters]\nsize = ['1 B', '2 B']\n[search]\nover = ['size']\nminimize = 'time'\nwhere = 'time < 1'\n");
  BOOST_TEST(statuses_of(limited.spec).size() == statuses_of(sweep.spec).size() + 2);
  BOOST_TEST(statuses_of(limited.spec)[code_of(SearchStatus::bounded, *limited.spec.estimator)].name == "bounded");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
