/// Step law fits of runs whose law is known, in the shape of the released runs: what fits, bootstraps, scores and the
/// recommendation have to give follows from the law.
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <ostream>
#include <set>

#include "models/law_fits/fits/recommendation.hpp"
#include "models/law_fits/intervals/bootstrap.hpp"
#include "models/law_fits/intervals/scattered_law.hpp"
#include "tests/support/known_law_runs.hpp"
#include "tests/support/steplaw_golden.hpp"

BOOST_AUTO_TEST_SUITE(steplaw_known_law_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;
using namespace dfsweep::testing;
namespace bdata = boost::unit_test::data;

namespace {

constexpr double noise = 3e-4;  ///< of ln L, as the smoothed losses of the released runs scatter
constexpr std::size_t dense_groups = 17, expert_groups = 16;

const FittedRuns& clean() {
  static const FittedRuns runs(known_law_runs(0.0));
  return runs;
}

const FittedRuns& noisy() {
  static const FittedRuns runs(known_law_runs(noise));
  return runs;
}

const ScoringGroups& scoring(const FittedRuns& runs) {
  static const ScoringGroups of_clean = scoring_groups(clean().grouped, clean().runs);
  static const ScoringGroups of_noisy = scoring_groups(noisy().grouped, noisy().runs);
  return &runs == &clean() ? of_clean : of_noisy;
}

LogPoint optimum(const FittedRuns& runs, std::size_t group) {
  return known_law().at(runs.runs.groups[group].scale);
}

/// 0.5 d' H d of the known surface.
double excess(LogPoint best, LogPoint point) {
  const double u = point.x - best.x, v = point.y - best.y;
  return 0.5 * (known_hessian.xx * u * u + 2.0 * known_hessian.xy * u * v + known_hessian.yy * v * v);
}

/// Largest difference of a coefficient from the known law.
double error_of(const ScalingLaw& law) {
  const ScalingLaw known = known_law();
  double worst = std::max(std::abs(law.learning_rate.intercept - known.learning_rate.intercept),
                          std::abs(law.batch_tokens.intercept - known.batch_tokens.intercept));
  for (std::size_t f = 0; f < law_feature_count; ++f)
    worst = std::max({worst, std::abs(law.learning_rate.exponent[f] - known.learning_rate.exponent[f]),
                      std::abs(law.batch_tokens.exponent[f] - known.batch_tokens.exponent[f])});
  return worst;
}

}  // namespace

BOOST_AUTO_TEST_CASE(groups_hold_the_runs_of_their_grids) {
  const FittedRuns& runs = clean();
  BOOST_TEST_REQUIRE(runs.grouped.groups.size() == dense_groups + expert_groups);
  std::set<double> sizes_with_experts;
  for (std::size_t g = 0; g < runs.grouped.groups.size(); ++g) {
    const RunGroup& group = runs.grouped.groups[g];
    const bool is_dense = g < dense_groups;
    BOOST_TEST((group.key.family == RunFamily::dense) == is_dense);
    BOOST_TEST(group.minimum.runs == (is_dense ? 120.0 : 45.0));
    const GroupGrid& grid = scoring(runs).grids[g];
    BOOST_TEST(grid.distinct_x().size() == (is_dense ? 12U : 9U));
    BOOST_TEST(grid.distinct_y().size() == (is_dense ? 10U : 5U));
    if (!is_dense) sizes_with_experts.insert(group.key.parameters);
  }
  BOOST_TEST(sizes_with_experts.size() == 3U);  // two of the four recipes have the same N
}

// Without noise the surface is the law's own: its optimum, its second derivatives and its least loss.
BOOST_AUTO_TEST_CASE(surfaces_without_noise_are_the_known_ones) {
  const FittedRuns& runs = clean();
  for (const double window : {0.01, 0.02, 0.04})
    for (std::size_t g = 0; g < runs.runs.groups.size(); ++g) {
      const QuadraticSurface surface = fit_quadratic(runs.runs.groups[g], runs.runs.window(window));
      BOOST_TEST_CONTEXT("group " << g << ", window " << window) {
        BOOST_TEST_REQUIRE((surface.defect == FitDefect::none));
        check_within(surface.hessian.xx, known_hessian.xx, 1e-8, "xx");
        check_within(surface.hessian.xy, known_hessian.xy, 1e-8, "xy");
        check_within(surface.hessian.yy, known_hessian.yy, 1e-8, "yy");
        check_within(surface.optimum.x, optimum(runs, g).x, 1e-6, "ln lr");
        check_within(surface.optimum.y, optimum(runs, g).y, 1e-6, "ln B");
        check_within(surface.minimum, known_floor(runs.runs.groups[g].scale), 1e-9, "least ln L");
      }
    }
}

struct Exact {
  const char* why;
  LawEstimator estimator;
};
std::ostream& operator<<(std::ostream& out, const Exact& row) {
  return out << row.why;
}
const Exact exact[] = {{"optima of surfaces", LawEstimator::quadratic},
                       {"optima weighted by their surfaces", LawEstimator::quadratic_weighted},
                       {"one surface for all groups", LawEstimator::joint_surface}};

BOOST_DATA_TEST_CASE(surfaces_without_noise_give_the_known_law, bdata::make(exact), row) {
  const LawFit fit = fit_law(clean().runs, *find_law_form("unified"), {row.estimator, 0.01});
  BOOST_TEST_REQUIRE((fit.defect == FitDefect::none));
  BOOST_TEST(error_of(fit.law()) < 1e-6);
}

// Dense models have Na = N, so that they determine the law of models with experts.
BOOST_AUTO_TEST_CASE(dense_runs_without_noise_predict_runs_with_experts) {
  const GroupSplit split[] = {dense_to_moe(clean().runs)};
  BOOST_TEST(split[0].test.size() == expert_groups);
  const FitMethod method = {LawEstimator::quadratic_weighted, 0.01};
  const auto cost = [&](const char* form) {
    return summarize(cross_validate(clean().runs, scoring(clean()), split, *find_law_form(form), method));
  };
  BOOST_TEST(cost("unified").quadratic_max < 1e-10);
  BOOST_TEST(cost("unified").rms_error_y < 1e-5);
  // step_full puts N where the batch has Na: off by 0.25 ln(N / Na), which is 0.13 to 0.58 here.
  BOOST_TEST(cost("step_full").rms_error_x < 1e-5);
  BOOST_TEST(cost("step_full").rms_error_y > 0.13);
  BOOST_TEST(cost("step_full").rms_error_y < 0.59);
}

// A law that is off by d costs exp(0.5 d' H d) - 1 by the surface, and by the runs what the nearest of them shows.
BOOST_AUTO_TEST_CASE(published_laws_cost_what_their_distance_costs) {
  const FittedRuns& runs = clean();
  for (const char* name : {"published_mean", "deepseek", "porian"})
    for (std::size_t g = 0; g < runs.runs.groups.size(); ++g) {
      const LogPoint predicted = find_published_law(name)->at(runs.runs.groups[g].scale);
      const Regret regret = score(scoring(runs), g, predicted).regret;
      const std::string at = std::string(name) + ", group " + std::to_string(g);
      check_close(regret.quadratic, std::expm1(excess(optimum(runs, g), predicted)), 1e-4, at);
      const RunGroup& group = runs.grouped.groups[g];
      double nearest = 1e300, least = 1e300, loss = 0.0;
      for (std::size_t run = group.begin; run < group.end; ++run) {
        const double away = std::hypot(std::log(runs.grouped.learning_rate[run]) - predicted.x,
                                       std::log(runs.grouped.batch_tokens[run]) - predicted.y);
        least = std::min(least, runs.grouped.loss[run]);
        if (away < nearest) loss = runs.grouped.loss[run];
        nearest = std::min(nearest, away);
      }
      check_within(regret.nearest, loss / least - 1.0, 1e-12, at + ", nearest run");
    }
}

struct Resampling {
  FitMethod method;
  ResampleUnit unit;
  double largest_sd;  ///< of an exponent
};
std::ostream& operator<<(std::ostream& out, const Resampling& row) {
  return out << method_name(row.method) << (row.unit == ResampleUnit::row ? " by rows" : " by groups");
}
const Resampling resamplings[] = {
    {{LawEstimator::kept_rows, 0.0025}, ResampleUnit::row, 0.05},
    {{LawEstimator::kept_rows, 0.0025}, ResampleUnit::group, 0.05},
    {{LawEstimator::quadratic_weighted, 0.01}, ResampleUnit::group, 0.01},
    {{LawEstimator::joint_surface, 0.01}, ResampleUnit::group, 0.01},
};

BOOST_DATA_TEST_CASE(bootstraps_of_noisy_runs_are_about_the_known_law, bdata::make(resamplings), row) {
  constexpr std::size_t replicates = 400;
  const LawBootstrap bootstrap(noisy().runs, noisy().every_group(), *find_law_form("unified"), row.method, row.unit,
                               42);
  BOOST_TEST_REQUIRE(bootstrap.width() == 6U);  // of lr: intercept, N, D; of B: intercept, Na, D
  std::vector<double> coefficients(replicates * 6);
  bootstrap.run(0, coefficients);
  const double known[] = {3.0, -0.70, 0.20, 4.2, -0.25, 0.58};
  for (std::size_t c = 0; c < 6; ++c) {
    std::vector<double> values;
    for (std::size_t r = 0; r < replicates; ++r) values.push_back(coefficients[6 * r + c]);
    const ReplicateSummary summary = summarize(values);
    BOOST_TEST_CONTEXT("coefficient " << c << ": " << summary.mean << " +- " << summary.sd) {
      BOOST_TEST(summary.count == static_cast<double>(replicates));
      BOOST_TEST(std::abs(summary.mean - known[c]) < 4.0 * summary.sd);
      BOOST_TEST(summary.q2_5 < summary.median);
      BOOST_TEST(summary.median < summary.q97_5);
      if (c % 3 != 0) BOOST_TEST(summary.sd < row.largest_sd);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_form_of_the_known_law_is_recommended) {
  const FittedRuns& runs = noisy();
  const auto groups = runs.every_group();
  std::vector<CandidateRegrets> candidates;
  for (const LawCandidate& candidate : law_candidates())
    candidates.push_back(left_out_regrets(runs.runs, scoring(runs), groups, candidate));
  const LawCandidate& chosen = candidates[recommend(candidates)].candidate;
  BOOST_TEST(chosen.form.name == "unified");
  // It costs less than twice the noise of a loss where it was not fitted; a form without Na costs more.
  const auto cost = [&](const char* form, const FitMethod& method) {
    return summarize(
               cross_validate(runs.runs, scoring(runs), leave_one_group_out(groups), *find_law_form(form), method))
        .quadratic_mean;
  };
  BOOST_TEST(cost("unified", chosen.method) < 2.0 * noise);
  BOOST_TEST(cost("unified", chosen.method) < cost("step", chosen.method));
}

// No group effect was put in: the law that allows for one finds little, and its interval holds the known optimum.
BOOST_AUTO_TEST_CASE(prediction_intervals_hold_the_known_optimum) {
  const ScatteredLaw law = fit_scattered_law(noisy().runs, noisy().every_group(), *find_law_form("unified"));
  BOOST_TEST_REQUIRE((law.defect == FitDefect::none));
  BOOST_TEST(law.learning_rate.between_sd < 0.03);
  BOOST_TEST(law.batch_tokens.between_sd < 0.03);
  const TrainingScale target = {7e9, 7e9, 1.4e12, 0.0, 0.0};
  const auto prediction = predict(law, target, 0.95);
  BOOST_TEST(prediction[0].interval.covers(known_law().at(target).x));
  BOOST_TEST(prediction[1].interval.covers(known_law().at(target).y));
  for (const EffectPrediction& each : prediction) BOOST_TEST(each.interval.half_width() < 0.15);
}

BOOST_AUTO_TEST_SUITE_END()
