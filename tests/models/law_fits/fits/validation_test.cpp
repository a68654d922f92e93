/// Validation: what is left out, and that an exact law costs nothing where it was not fitted.
#include "models/law_fits/fits/validation.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "tests/support/steplaw_runs.hpp"

BOOST_AUTO_TEST_SUITE(validation_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;
namespace tt = boost::test_tools;

namespace {

ScalingLaw known_law() {
  return {{2.3, {-0.68, 0.0, 0.21, 0.0}}, {4.3, {0.0, -0.25, 0.575, 0.0}}};
}

TrainingRuns exact() {
  return testing::exact_runs({known_law(), {0.012, -0.005, 0.011}, testing::nine_scales(), 0.3});
}

const std::vector<std::size_t> nine = {0, 1, 2, 3, 4, 5, 6, 7, 8};

}  // namespace

BOOST_AUTO_TEST_CASE(each_group_is_left_out_once) {
  const auto splits = leave_one_group_out(std::vector<std::size_t>{2, 5, 7});
  BOOST_TEST(splits.size() == 3U);
  BOOST_TEST(splits[1].test == std::vector<std::size_t>{5}, tt::per_element());
  const std::vector<std::size_t> rest = {2, 7};
  BOOST_TEST(splits[1].train == rest, tt::per_element());
}

// Groups of 2 n have twice the work of n: the sum of the groups that all splits fit to, counted.
BOOST_AUTO_TEST_CASE(the_work_of_leaving_every_group_out_is_linear_in_the_groups) {
  for (const std::size_t count : {5U, 64U, 65U, 130U, 1000U, 2000U}) {
    std::vector<std::size_t> groups(count);
    for (std::size_t i = 0; i < count; ++i) groups[i] = 3 * i;  // numbers need not be places
    std::vector<std::size_t> tested;
    std::size_t fitted = 0;
    for (const GroupSplit& split : left_out_splits(groups)) {
      std::vector<std::size_t> both = split.train;
      both.insert(both.end(), split.test.begin(), split.test.end());
      std::sort(both.begin(), both.end());
      BOOST_TEST((both == groups), "a group is in neither part or in both, of " << count);
      BOOST_TEST(std::is_sorted(split.train.begin(), split.train.end()));
      tested.insert(tested.end(), split.test.begin(), split.test.end());
      fitted += split.train.size();
    }
    std::sort(tested.begin(), tested.end());
    BOOST_TEST((tested == groups), "a group is not tested exactly once, of " << count);
    const std::size_t expected = count <= most_left_out_alone ? count * (count - 1) : (fold_count - 1) * count;
    BOOST_TEST(fitted == expected);
  }
}

BOOST_AUTO_TEST_CASE(folds_are_drawn_and_do_not_fall_into_step_with_a_grid) {
  std::vector<std::size_t> groups(1000);
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  for (const GroupSplit& split : left_out_splits(groups)) {
    BOOST_TEST(split.name == "folds");
    BOOST_TEST(split.test.size() == 100U);
    std::vector<std::size_t> of_last_digit(10);  // 10 values of D: a fold has some groups of each
    for (const std::size_t g : split.test) ++of_last_digit[g % 10];
    for (const std::size_t seen : of_last_digit) BOOST_TEST((seen >= 2 && seen <= 20));
  }
}

BOOST_AUTO_TEST_CASE(extrapolation_leaves_out_what_is_largest) {
  const SelectedRuns runs = select_runs(group_runs(exact()), fit_windows, 0.0);
  // Groups are ordered by activated parameters; the tests count N and D themselves.
  for (const GroupSplit& split : extrapolation_splits(runs, nine)) {
    BOOST_TEST(split.train.size() + split.test.size() == 9U);
    BOOST_TEST_CONTEXT(split.name) {
      if (split.name == "greatest_parameters")
        for (const std::size_t g : nine)
          BOOST_TEST((runs.groups[g].key.parameters == 1.5e9) ==
                     (std::find(split.test.begin(), split.test.end(), g) != split.test.end()));
      if (split.name == "greatest_tokens")
        for (const std::size_t g : nine)
          BOOST_TEST((runs.groups[g].key.train_tokens == 7e10) ==
                     (std::find(split.test.begin(), split.test.end(), g) != split.test.end()));
      if (split.name == "greatest_compute") BOOST_TEST(split.test.size() == 3U);
    }
  }
}

BOOST_AUTO_TEST_CASE(transfer_is_fitted_to_dense_groups) {
  TrainingRuns runs = exact();
  runs.recipes.push_back({"moe", RunFamily::moe});
  for (std::size_t run = 0; run < 2 * 81; ++run) runs.recipe[run] = 1;
  const GroupSplit split = dense_to_moe(select_runs(group_runs(runs), fit_windows, 0.0));
  BOOST_TEST(split.train.size() == 7U);
  const std::vector<std::size_t> moe = {7, 8};
  BOOST_TEST(split.test == moe, tt::per_element());
}

BOOST_AUTO_TEST_CASE(an_exact_law_costs_nothing_on_groups_left_out) {
  const GroupedRuns grouped = group_runs(exact());
  const SelectedRuns runs = select_runs(grouped, fit_windows, 0.04);
  const ScoringGroups scoring = scoring_groups(grouped, runs);
  const auto scores = cross_validate(runs, scoring, leave_one_group_out(nine), *find_law_form("unified"),
                                     {LawEstimator::quadratic_weighted, 0.01});
  const ScoreSummary summary = summarize(scores);
  BOOST_TEST(summary.groups == 9U);
  BOOST_TEST(summary.quadratic_max < 1e-12);
  BOOST_TEST(summary.rms_error_x < 1e-6);
  // The four runs around the optimum differ by the mixed term only, 2 h_xy (0.15)^2.
  BOOST_TEST(summary.nearest_max < 2.26e-4);
}

BOOST_AUTO_TEST_CASE(a_fit_with_a_defect_scores_nothing) {
  const GroupedRuns grouped = group_runs(exact());
  const SelectedRuns runs = select_runs(grouped, fit_windows, 0.04);
  const ScoringGroups scoring = scoring_groups(grouped, runs);
  const GroupSplit too_little[] = {{"two groups", {0, 1}, {2}}};
  const auto scores =
      cross_validate(runs, scoring, too_little, *find_law_form("step"), {LawEstimator::kept_rows, 0.0025});
  BOOST_TEST(std::isnan(scores[0].regret.nearest));
  BOOST_TEST(std::isnan(summarize(scores).nearest_mean));
}

BOOST_AUTO_TEST_SUITE_END()
