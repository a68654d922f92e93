/// The rule that recommends a law: against plain cross-validation, blind to the group it is judged on, first of equals.
#include "models/law_fits/fits/recommendation.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/support/steplaw_runs.hpp"

BOOST_AUTO_TEST_SUITE(recommendation_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;
using namespace dfsweep::testing;

namespace {

struct Fixture {
  GroupedRuns grouped;
  SelectedRuns runs;
  ScoringGroups scoring;
  std::vector<std::size_t> groups;

  explicit Fixture(const TrainingRuns& columns)
      : grouped(group_runs(columns)),
        runs(select_runs(grouped, fit_windows, 0.01)),
        scoring(scoring_groups(grouped, runs)),
        groups(grouped.groups.size()) {
    std::iota(groups.begin(), groups.end(), std::size_t{0});
  }
};

/// Three candidates that differ much: enough for the rule, quick to fit.
std::vector<LawCandidate> few() {
  return {{*find_law_form("unified"), {LawEstimator::kept_rows, 0.0025}},
          {*find_law_form("step"), {LawEstimator::kept_rows, 0.0025}},
          {*find_law_form("params_only"), {LawEstimator::quadratic, 0.01}}};
}

std::vector<CandidateRegrets> regrets_of(const Fixture& at, const std::vector<LawCandidate>& candidates) {
  std::vector<CandidateRegrets> regrets;
  for (const LawCandidate& candidate : candidates)
    regrets.push_back(candidate_regrets(at.runs, at.scoring, at.groups, candidate));
  return regrets;
}

/// Scores as given: bilinear regrets [i][j].
CandidateRegrets made_up(std::vector<double> bilinear, std::size_t groups) {
  CandidateRegrets regrets;
  regrets.left_out.resize(groups);
  regrets.pairs.resize(bilinear.size());
  for (std::size_t i = 0; i < bilinear.size(); ++i) regrets.pairs[i].regret.bilinear = bilinear[i];
  for (std::size_t g = 0; g < groups; ++g) regrets.left_out[g] = regrets.pairs[g * groups + g];
  return regrets;
}

}  // namespace

BOOST_AUTO_TEST_CASE(regrets_are_those_of_plain_cross_validation) {
  const Fixture at(synthetic_runs(4, 8));
  const LawCandidate candidate = few()[0];
  const CandidateRegrets regrets = candidate_regrets(at.runs, at.scoring, at.groups, candidate);
  const CandidateRegrets plain = left_out_regrets(at.runs, at.scoring, at.groups, candidate);
  const auto expected =
      cross_validate(at.runs, at.scoring, leave_one_group_out(at.groups), candidate.form, candidate.method);
  for (std::size_t g = 0; g < 8; ++g) {
    BOOST_TEST(regrets.at(g, g).regret.bilinear == expected[g].regret.bilinear);
    BOOST_TEST(plain.at(g, g).regret.nearest == expected[g].regret.nearest);
  }
  const std::vector<std::size_t> others = {0, 1, 3, 4, 6, 7};
  const LawFit without = fit_law(at.runs, others, candidate.form, candidate.method);
  const GroupScore judged = score(at.scoring, 5, without.law().at(at.runs.groups[5].scale));
  BOOST_TEST(regrets.at(2, 5).regret.bilinear == judged.regret.bilinear);
  BOOST_TEST(regrets.at(2, 5).group == 5u);
  BOOST_TEST(regrets.at(5, 2).group == 2u);
}

// Two candidates, three groups. In all, the second is cheaper (0.6 to 0.7). Without group 0 the first is: 0.2 to 0.3;
// without group 1: 0.6 to 0.4; without group 2: 0.5 to 0.5, a tie, which goes to the first.
BOOST_AUTO_TEST_CASE(the_rule_by_hand) {
  const std::vector<CandidateRegrets> candidates = {
      made_up({0.5, 0.1, 0.1, 0.3, 0.1, 0.3, 0.25, 0.25, 0.1}, 3),
      made_up({0.2, 0.15, 0.15, 0.2, 0.2, 0.2, 0.25, 0.25, 0.2}, 3),
  };
  BOOST_TEST(recommend(candidates) == 1u);
  const auto judged = judge_recommendation(candidates);
  BOOST_TEST(judged[0].candidate == 0u);
  BOOST_TEST(judged[0].score.regret.bilinear == 0.5);
  BOOST_TEST(judged[1].candidate == 1u);
  BOOST_TEST(judged[1].score.regret.bilinear == 0.2);
  BOOST_TEST(judged[2].candidate == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_recommended_without_a_group_does_not_depend_on_that_group) {
  TrainingRuns runs = synthetic_runs(4, 7);
  const Fixture before(runs);
  const auto chosen = judge_recommendation(regrets_of(before, few()));
  const GroupKey spoiled = before.runs.groups[3].key;  // other losses, and a shuffled optimum, in one group only
  for (std::size_t run = 0; run < runs.size(); ++run)
    if (runs.key(run) == spoiled) runs.loss[run] = 2.0 + 1e-3 * static_cast<double>((run * 37) % 101);
  const Fixture after(runs);
  const auto again = judge_recommendation(regrets_of(after, few()));
  BOOST_TEST(again[3].candidate == chosen[3].candidate);
  BOOST_TEST(again[3].score.predicted.x == chosen[3].score.predicted.x);
  BOOST_TEST(again[3].score.predicted.y == chosen[3].score.predicted.y);
  BOOST_TEST(again[3].score.regret.bilinear != chosen[3].score.regret.bilinear);
}

BOOST_AUTO_TEST_CASE(a_candidate_without_a_fit_is_never_chosen) {
  const double nan = std::nan("");
  const std::vector<CandidateRegrets> candidates = {made_up({nan, nan, nan, nan}, 2), made_up({1.0, 1.0, 1.0, 1.0}, 2)};
  BOOST_TEST(recommend(candidates) == 1u);
  BOOST_TEST(judge_recommendation(candidates)[0].candidate == 1u);
}

// Where every parameter is activated, unified and step_full are the same law: the order of candidates decides.
BOOST_AUTO_TEST_CASE(dense_runs_recommend_the_unified_form_over_its_equal) {
  TrainingRuns runs = synthetic_runs(4, 8);
  runs.activated_parameters = runs.parameters;
  const Fixture at(runs);
  std::vector<CandidateRegrets> regrets;
  for (const LawCandidate& candidate : law_candidates())
    if (candidate.method == FitMethod{LawEstimator::kept_rows, 0.0025})
      regrets.push_back(left_out_regrets(at.runs, at.scoring, at.groups, candidate));
  const std::size_t chosen = recommend(regrets);
  const auto step_full = std::find_if(regrets.begin(), regrets.end(), [](const CandidateRegrets& each) {
    return each.candidate.form.name == "step_full";
  });
  BOOST_REQUIRE((step_full != regrets.end()));
  BOOST_TEST(regrets[0].candidate.form.name == "unified");
  for (std::size_t g = 0; g < 8; ++g)
    BOOST_TEST(regrets[0].at(g, g).regret.bilinear == step_full->at(g, g).regret.bilinear);
  BOOST_TEST(regrets[chosen].candidate.form.name != "step_full");
}

BOOST_AUTO_TEST_CASE(candidates_are_all_forms_by_estimators_that_average_runs) {
  const auto candidates = law_candidates();
  BOOST_TEST(candidates.size() == 6 * law_forms().size());
  for (const LawCandidate& candidate : candidates) {
    BOOST_TEST((candidate.method.estimator != LawEstimator::argmin));
    BOOST_TEST((find_law_form(candidate.form.name) != nullptr));
  }
}

BOOST_AUTO_TEST_SUITE_END()
