/// The joint surface: exact laws are found exactly by every route, and bad runs do not move the robust one.
#include "models/law_fits/surfaces/joint_surface.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "models/law_fits/fits/robust_surface.hpp"
#include "tests/support/steplaw_runs.hpp"

BOOST_AUTO_TEST_SUITE(joint_surface_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;
namespace tt = boost::test_tools;

namespace {

constexpr Hessian bowl = {0.012, -0.005, 0.011};
constexpr double windows[] = {0.01, 0.05};

ScalingLaw known_law() {
  return {{2.3, {-0.68, 0.0, 0.21, 0.0}}, {4.3, {0.0, -0.25, 0.575, 0.0}}};
}

SelectedRuns selected(const TrainingRuns& runs) {
  return select_runs(group_runs(runs), windows, 0.05);
}

TrainingRuns exact() {
  return testing::exact_runs({known_law(), bowl, testing::nine_scales()});
}

std::vector<std::size_t> every(const SelectedRuns& runs) {
  std::vector<std::size_t> groups(runs.groups.size());
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  return groups;
}

void check_law(const JointSurface& surface, double tolerance) {
  BOOST_TEST_REQUIRE(describe(surface.defect) == describe(FitDefect::none));
  const ScalingLaw law = known_law();
  BOOST_TEST(surface.law.learning_rate.intercept == law.learning_rate.intercept, tt::tolerance(tolerance));
  BOOST_TEST(surface.law.batch_tokens.intercept == law.batch_tokens.intercept, tt::tolerance(tolerance));
  for (std::size_t f = 0; f < law_feature_count; ++f) {
    BOOST_TEST(std::abs(surface.law.learning_rate.exponent[f] - law.learning_rate.exponent[f]) < tolerance);
    BOOST_TEST(std::abs(surface.law.batch_tokens.exponent[f] - law.batch_tokens.exponent[f]) < tolerance);
  }
  BOOST_TEST(surface.hessian.xx == bowl.xx, tt::tolerance(tolerance));
  BOOST_TEST(surface.hessian.xy == bowl.xy, tt::tolerance(tolerance));
  BOOST_TEST(surface.hessian.yy == bowl.yy, tt::tolerance(tolerance));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_linear_form_finds_an_exact_law) {
  const SelectedRuns runs = selected(exact());
  const FeatureSet all = {LawFeature::parameters, LawFeature::activated, LawFeature::tokens};
  const JointSurface surface = fit_joint_linear(joint_moments(runs, every(runs), 0), all);
  check_law(surface, 1e-7);
  BOOST_TEST(surface.rss < 1e-14);
}

BOOST_AUTO_TEST_CASE(the_general_form_finds_an_exact_law_from_a_poor_start) {
  const SelectedRuns runs = selected(exact());
  ScalingLaw start = known_law();
  start.learning_rate.intercept += 0.7;
  start.batch_tokens.exponent[2] -= 0.05;
  const auto groups = joint_moments(runs, every(runs), 1);
  check_law(fit_joint(groups, *find_law_form("unified"), start, usual_hessian), 1e-7);
  check_law(fit_joint(groups, *find_law_form("unified"), start, {0.05, 0.0, 0.002}), 1e-7);
}

BOOST_AUTO_TEST_CASE(both_forms_agree_on_noisy_runs) {
  const SelectedRuns runs = selected(testing::synthetic_runs(5, 12));
  const LawForm& form = *find_law_form("step_full");
  const auto groups = joint_moments(runs, every(runs), 0);
  const JointSurface linear = fit_joint_linear(groups, form.learning_rate);
  const JointSurface general = fit_joint(groups, form, known_law(), usual_hessian);
  BOOST_TEST(general.iterations <= 8U, "each step about doubles the digits");
  BOOST_TEST(linear.rss == general.rss, tt::tolerance(1e-9));
  BOOST_TEST(linear.residual_sd == general.residual_sd, tt::tolerance(1e-9));
  BOOST_TEST(linear.law.learning_rate.exponent[0] == general.law.learning_rate.exponent[0], tt::tolerance(1e-6));
  BOOST_TEST(linear.law.batch_tokens.exponent[2] == general.law.batch_tokens.exponent[2], tt::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(single_bad_runs_do_not_move_the_robust_surface) {
  TrainingRuns runs = exact();
  for (std::size_t run = 17; run < runs.size(); run += 81) runs.loss[run] *= 1.01;  // one of each group
  const SelectedRuns dirty = selected(runs);
  const LawForm& form = *find_law_form("unified");
  const JointSurface plain = fit_plain_joint(dirty, every(dirty), 0.05, form);
  const JointSurface robust = fit_robust_joint(dirty, every(dirty), 0.05, form);
  const TrainingScale far = {7e9, 7e9, 1.4e12};
  const double truth = known_law().at(far).x;
  BOOST_TEST(std::abs(plain.law.at(far).x - truth) > 1e-3);
  BOOST_TEST(std::abs(robust.law.at(far).x - truth) < 1e-6);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_fitted_is_named) {
  const SelectedRuns runs = selected(exact());
  const auto groups = joint_moments(runs, every(runs), 0);
  const FeatureSet all = {LawFeature::parameters, LawFeature::tokens};
  BOOST_TEST(describe(fit_joint_linear(std::span(groups).first(2), all).defect) == describe(FitDefect::too_few_groups));
  std::vector<std::size_t> of_one_size;
  for (const std::size_t g : every(runs))
    if (runs.groups[g].key.parameters == 1e8) of_one_size.push_back(g);
  const auto same = joint_moments(runs, of_one_size, 0);
  BOOST_TEST(describe(fit_joint_linear(same, all).defect) == describe(FitDefect::singular_design));
  const JointSurface general = fit_joint(same, *find_law_form("unified"), known_law(), usual_hessian);
  BOOST_TEST(describe(general.defect) == describe(FitDefect::singular_design));
  BOOST_TEST(std::isnan(general.law.learning_rate.intercept));
}

BOOST_AUTO_TEST_SUITE_END()
