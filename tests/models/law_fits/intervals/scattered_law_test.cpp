/// The law with intervals: near the truth in its own units of error, from single runs and from sums, left out in turn.
#include "models/law_fits/intervals/scattered_law.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/support/steplaw_runs.hpp"

BOOST_AUTO_TEST_SUITE(scattered_law_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;
using namespace dfsweep::testing;

namespace {

struct Fixture {
  GroupedRuns grouped = group_runs(synthetic_runs(5, 12));
  SelectedRuns runs = select_runs(grouped, fit_windows, 0.02);
  SelectedRuns sums = select_runs(grouped, fit_windows, 0.0);
  std::vector<std::size_t> groups = std::vector<std::size_t>(12);
  Fixture() { std::iota(groups.begin(), groups.end(), std::size_t{0}); }
};

const Fixture& fixture() {
  static const Fixture once;
  return once;
}

const LawForm& unified() {
  return *find_law_form("unified");
}

constexpr TrainingScale target = {7e9, 7e9, 1.4e12, 0.0, 0.0};

/// The runs follow lr = exp(2.3) N^-0.68 D^0.21, B = exp(4.3) Na^-0.25 D^0.575 without scatter between groups.
void check_near_truth(const ScatteredLaw& law) {
  const double x = 2.3 - 0.68 * std::log(7e9) + 0.21 * std::log(1.4e12);
  const double y = 4.3 - 0.25 * std::log(7e9) + 0.575 * std::log(1.4e12);
  const auto [rate, batch] = predict(law, target, 0.95);
  BOOST_TEST(std::abs(rate.value - x) < 4.0 * rate.standard_error);
  BOOST_TEST(std::abs(batch.value - y) < 4.0 * batch.standard_error);
  BOOST_TEST(rate.standard_error < 0.1);
  BOOST_TEST(batch.standard_error < 0.1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(far_beyond_the_runs_the_truth_is_a_few_standard_errors_away) {
  const ScatteredLaw law = fit_scattered_law(fixture().runs, fixture().groups, unified());
  BOOST_TEST((law.defect == FitDefect::none));
  BOOST_TEST((law.choice.shape == SurfaceShape::cubic));
  check_near_truth(law);
}

BOOST_AUTO_TEST_CASE(sums_alone_give_a_quadratic_surface_and_intervals) {
  const ScatteredLaw law = fit_scattered_law(fixture().sums, fixture().groups, unified());
  BOOST_TEST((law.defect == FitDefect::none));
  BOOST_TEST((law.choice.shape == SurfaceShape::quadratic));
  check_near_truth(law);
}

BOOST_AUTO_TEST_CASE(sensitivity_has_a_row_for_each_surface_that_the_runs_allow) {
  const auto rows = interval_sensitivity(fixture().runs, fixture().groups, unified(), target, 0.95);
  BOOST_TEST(rows.size() == 8u);
  const auto law = fit_scattered_law(fixture().runs, fixture().groups, unified());
  const auto is_usual = [](const SensitivityRow& row) { return row.choice == SurfaceChoice{}; };
  const auto usual = std::find_if(rows.begin(), rows.end(), is_usual);
  BOOST_REQUIRE((usual != rows.end()));
  BOOST_TEST(usual->prediction[0].interval.low == predict(law, target, 0.95)[0].interval.low);
  BOOST_TEST(interval_sensitivity(fixture().sums, fixture().groups, unified(), target, 0.95).size() == 4u);
}

BOOST_AUTO_TEST_CASE(a_group_left_out_takes_no_part) {
  const ScoringGroups scoring = scoring_groups(fixture().grouped, fixture().runs);
  const std::vector<GroupSplit> splits = {{"one", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {11}}};
  const auto scores = cross_validate_scattered(fixture().runs, scoring, splits, unified());
  BOOST_REQUIRE(scores.size() == 1u);
  const ScatteredLaw law = fit_scattered_law(fixture().runs, splits[0].train, unified());
  BOOST_TEST(scores[0].group == 11u);
  BOOST_TEST(scores[0].predicted.x == law.law().at(fixture().runs.groups[11].scale).x);
}

BOOST_AUTO_TEST_CASE(too_few_groups_are_named_and_predict_nothing) {
  const std::vector<std::size_t> three = {0, 1, 2};
  const ScatteredLaw law = fit_scattered_law(fixture().runs, three, unified());
  BOOST_TEST((law.defect == FitDefect::too_few_groups));
  BOOST_TEST(std::isnan(predict(law, target, 0.95)[0].interval.low));
}

BOOST_AUTO_TEST_SUITE_END()
