/// Which group to run next: widths by refitting, order, and what there is to choose from.
#include "models/law_fits/intervals/next_runs.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "tests/support/steplaw_runs.hpp"

BOOST_AUTO_TEST_SUITE(next_runs_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;
using namespace dfsweep::testing;

namespace {

struct Fixture {
  SelectedRuns runs = select_runs(group_runs(synthetic_runs(7, 20)), fit_windows, 0.02);
  std::vector<std::size_t> groups = std::vector<std::size_t>(20);
  ScatteredLaw law;
  Fixture() {
    std::iota(groups.begin(), groups.end(), std::size_t{0});
    law = fit_scattered_law(runs, groups, *find_law_form("unified"));
  }
};

constexpr TrainingScale target = {7e9, 7e9, 1.4e12, 0.0, 0.0};

}  // namespace

BOOST_AUTO_TEST_CASE(groups_towards_the_target_shrink_its_interval_most) {
  const Fixture at;
  BOOST_REQUIRE((at.law.defect == FitDefect::none));
  const std::vector<TrainingScale> choices = {
      {4e8, 4e8, 2e10, 0.0, 0.0}, {4e9, 4e9, 4e11, 0.0, 0.0}, {1e9, 1e9, 1e11, 0.0, 0.0}};
  const auto ranked = rank_next_groups(at.law, target, choices);
  BOOST_TEST(ranked[0].scale.parameters == 4e9);
  BOOST_TEST(ranked[1].scale.parameters == 1e9);
  BOOST_TEST(ranked[2].scale.parameters == 4e8);
  BOOST_TEST(ranked[0].run_flop == 6.0 * 4e9 * 4e11);
  for (const NextGroup& next : ranked) {
    BOOST_TEST(next.width_ratio[0] > 0.0);
    BOOST_TEST(next.width_ratio[0] < 1.0);
    BOOST_TEST(std::abs(next.mean_width_ratio - std::sqrt(next.width_ratio[0] * next.width_ratio[1])) < 1e-15);
  }
}

// Each ratio is that of a refit with the group added, tau held: done for the learning rate through the optima.
BOOST_AUTO_TEST_CASE(ratios_use_the_median_group_s_variance) {
  const Fixture at;
  std::vector<double> variances;
  for (const LocatedOptimum& located : at.law.surface.groups) variances.push_back(located.covariance.xx);
  std::sort(variances.begin(), variances.end());
  const TrainingScale added = {3e9, 3e9, 1e11, 0.0, 0.0};
  const auto ranked = rank_next_groups(at.law, target, std::vector<TrainingScale>{added});
  const double expected = std::sqrt(variance_ratio(at.law.learning_rate, target, added, variances[10]));
  BOOST_TEST(std::abs(ranked[0].width_ratio[0] - expected) < 1e-14);
}

BOOST_AUTO_TEST_CASE(choices_are_the_models_that_were_run_and_two_larger_dense_ones) {
  TrainingRuns runs = synthetic_runs(7, 3);
  for (std::size_t run = 0; run < runs.size(); ++run) {
    runs.parameters[run] = run / 120 == 2 ? 8e9 : 1e9;
    runs.activated_parameters[run] = 1e9;
    runs.train_tokens[run] = run / 120 == 0 ? 1e10 : 4e10;
  }
  const SelectedRuns selected = select_runs(group_runs(runs), fit_windows, 0.01);
  const auto choices = next_group_choices(selected, std::vector<std::size_t>{0, 1, 2});
  std::set<std::pair<double, double>> models;
  std::set<double> tokens;
  for (const TrainingScale& choice : choices) {
    models.insert({choice.parameters, choice.activated_parameters});
    tokens.insert(choice.train_tokens);
  }
  BOOST_TEST((models == std::set<std::pair<double, double>>{{1e9, 1e9}, {2e9, 2e9}, {4e9, 4e9}, {8e9, 1e9}}));
  BOOST_TEST((tokens == std::set<double>{1e10, 2e10, 4e10, 8e10, 16e10}));
  BOOST_TEST(choices.size() == 20u);
}

BOOST_AUTO_TEST_CASE(a_law_with_a_defect_ranks_nothing) {
  const Fixture at;
  const std::vector<std::size_t> two = {0, 1};
  const ScatteredLaw law = fit_scattered_law(at.runs, two, *find_law_form("unified"));
  BOOST_TEST((law.defect == FitDefect::too_few_groups));
  const std::vector<TrainingScale> choices = {target};
  BOOST_TEST(rank_next_groups(law, target, choices).empty());
}

BOOST_AUTO_TEST_SUITE_END()
