/// The random-effect regression against closed forms, an independent likelihood and other ways to the same number.
#include "models/law_fits/intervals/random_effect.hpp"

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "models/law_fits/intervals/bootstrap.hpp"
#include "models/law_fits/intervals/effect_interval.hpp"
#include "models/statistics/distributions.hpp"

BOOST_AUTO_TEST_SUITE(random_effect_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;

namespace {

/// Optima without features: n groups of which only a mean is wanted.
ScatteredOptima plain(std::vector<double> values, double variance) {
  ScatteredOptima optima;
  optima.scales.assign(values.size(), {1e9, 1e9, 1e10, 0.0, 0.0});
  optima.variances.assign(values.size(), variance);
  optima.values = std::move(values);
  return optima;
}

/// Groups over N, Na and D with unequal variances and a scatter between groups.
ScatteredOptima unequal() {
  const CounterRandom random(11);
  ScatteredOptima optima;
  optima.features = {LawFeature::parameters, LawFeature::tokens};
  for (std::uint64_t g = 0; g < 14; ++g) {
    const double size = 2e8 * std::exp(2.0 * random.uniform(10 * g));
    const double tokens = 4e9 * std::exp(3.0 * random.uniform(10 * g + 1));
    optima.scales.push_back({size, size, tokens, 0.0, 0.0});
    optima.variances.push_back(1e-3 * (0.2 + 3.0 * random.uniform(10 * g + 2)));
    optima.values.push_back(1.0 - 0.7 * std::log(size) + 0.2 * std::log(tokens) +
                            0.2 * (random.uniform(10 * g + 3) - 0.5));
  }
  return optima;
}

/// A group as a row of the design, (1, ln N, ln D) about round means.
struct DesignRow {
  Eigen::Vector3d x;
  double z = 0.0;
  double variance = 0.0;
};

Eigen::Vector3d design_of(const TrainingScale& scale) {
  return {1.0, std::log(scale.parameters) - 20.0, std::log(scale.train_tokens) - 24.0};
}

std::vector<DesignRow> design_of(const ScatteredOptima& optima) {
  std::vector<DesignRow> rows;
  for (std::size_t g = 0; g < optima.values.size(); ++g)
    rows.push_back({design_of(optima.scales[g]), optima.values[g], optima.variances[g]});
  return rows;
}

/// X'W^kX.
Eigen::Matrix3d products(const std::vector<DesignRow>& rows, double tau2, int power = 1) {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (const DesignRow& row : rows) sum += row.x * row.x.transpose() / std::pow(tau2 + row.variance, power);
  return sum;
}

/// (X'WX)^-1 X'Wz.
Eigen::Vector3d coefficients(const std::vector<DesignRow>& rows, double tau2) {
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  for (const DesignRow& row : rows) right += row.x * row.z / (tau2 + row.variance);
  return products(rows, tau2).inverse() * right;
}

/// (z - Xb)'W(z - Xb).
double weighted_squares(const std::vector<DesignRow>& rows, double tau2, const Eigen::Vector3d& b) {
  double sum = 0.0;
  for (const DesignRow& row : rows) sum += (row.z - row.x.dot(b)) * (row.z - row.x.dot(b)) / (tau2 + row.variance);
  return sum;
}

/// -2 x restricted log likelihood: ln|V| + ln|X'V^-1X| + r'V^-1r.
double restricted_deviance(const std::vector<DesignRow>& rows, double tau2) {
  double log_determinant = 0.0;
  for (const DesignRow& row : rows) log_determinant += std::log(tau2 + row.variance);
  return log_determinant + std::log(products(rows, tau2).determinant()) +
         weighted_squares(rows, tau2, coefficients(rows, tau2));
}

constexpr TrainingScale anywhere = {7e9, 7e9, 1.4e12, 0.0, 0.0};

}  // namespace

// Values 1, 2, 3, 6: mean 3, sample variance 14/3. With v = 2/3 the scatter between groups is 4, hence tau = 2.
BOOST_AUTO_TEST_CASE(equal_variances_give_the_textbook_mean_and_its_interval) {
  const RandomEffectLaw law = fit_random_effect(plain({1, 2, 3, 6}, 2.0 / 3.0));
  BOOST_TEST((law.defect == FitDefect::none));
  BOOST_TEST(std::abs(law.law.intercept - 3.0) < 1e-12);
  BOOST_TEST(std::abs(law.between_sd - 2.0) < 1e-10);
  BOOST_TEST(std::abs(law.scale - 1.0) < 1e-10);
  BOOST_TEST(std::abs(law.heterogeneity - 6.0 / 7.0) < 1e-12);  // 1 - v / (14/3)
  const double se = std::sqrt(14.0 / 3.0 / 4.0);
  const double half = student_quantile(0.975, 3.0) * se;
  for (const EffectInterval method : {EffectInterval::student, EffectInterval::satterthwaite,
                                      EffectInterval::kenward_roger, EffectInterval::scaled}) {
    const EffectPrediction found = predict(law, anywhere, 0.95, method);
    BOOST_TEST_CONTEXT(name_of(method)) {
      BOOST_TEST(std::abs(found.standard_error - se) < 1e-9);
      BOOST_TEST(std::abs(found.degrees - 3.0) < 1e-8);
      BOOST_TEST(std::abs(found.interval.half_width() - half) < 1e-8);
    }
  }
  const EffectPrediction normal = predict(law, anywhere, 0.95, EffectInterval::normal);
  BOOST_TEST(std::abs(normal.interval.half_width() - normal_quantile(0.975) * se) < 1e-9);
  const double of_group = student_quantile(0.975, 3.0) * std::sqrt(se * se + 4.0);
  BOOST_TEST(std::abs(predict(law, anywhere, 0.95).of_one_group.half_width() - of_group) < 1e-8);
}

// The same values with v = 20: no scatter between groups is left, and q = (14/3) / 20 says that v was too large.
BOOST_AUTO_TEST_CASE(without_scatter_between_groups_the_scaled_interval_still_goes_by_the_data) {
  const RandomEffectLaw law = fit_random_effect(plain({1, 2, 3, 6}, 20.0));
  BOOST_TEST(law.between_sd == 0.0);
  BOOST_TEST(law.heterogeneity == 0.0);
  BOOST_TEST(std::abs(law.scale - 14.0 / 60.0) < 1e-12);
  const double t = student_quantile(0.975, 3.0);
  const double by_data = t * std::sqrt(14.0 / 12.0);
  const double by_variances = t * std::sqrt(20.0 / 4.0);
  BOOST_TEST(std::abs(predict(law, anywhere, 0.95, EffectInterval::scaled).interval.half_width() - by_data) < 1e-9);
  BOOST_TEST(std::abs(predict(law, anywhere, 0.95, EffectInterval::scaled_at_least).interval.half_width() -
                      by_variances) < 1e-9);
  BOOST_TEST(std::abs(predict(law, anywhere, 0.95, EffectInterval::student).interval.half_width() - by_variances) <
             1e-9);
}

// Exact optima: all of the scatter is between groups. Exact optima on the law: no scatter, an interval of no width.
BOOST_AUTO_TEST_CASE(optima_without_errors_of_their_own_are_a_plain_regression) {
  const RandomEffectLaw law = fit_random_effect(plain({1, 2, 3, 6}, 0.0));
  BOOST_TEST(std::abs(law.between_sd - std::sqrt(14.0 / 3.0)) < 1e-9);
  BOOST_TEST(std::abs(predict(law, anywhere, 0.95).standard_error - std::sqrt(14.0 / 12.0)) < 1e-9);
  const RandomEffectLaw exact = fit_random_effect(plain({2, 2, 2}, 0.0));
  BOOST_TEST((exact.defect == FitDefect::none));
  BOOST_TEST(predict(exact, anywhere, 0.95).value == 2.0);
  BOOST_TEST(predict(exact, anywhere, 0.95).standard_error < 1e-9);
}

BOOST_AUTO_TEST_CASE(the_scatter_has_the_greatest_restricted_likelihood) {
  const ScatteredOptima optima = unequal();
  const RandomEffectLaw law = fit_random_effect(optima);
  const double tau2 = law.between_sd * law.between_sd;
  BOOST_TEST(tau2 > 0.0);
  const std::vector<DesignRow> rows = design_of(optima);
  const double best = restricted_deviance(rows, tau2);
  for (int i = 0; i <= 400; ++i) BOOST_TEST(best <= restricted_deviance(rows, 1e-4 * i) + 1e-12);
  const double h = 1e-3 * tau2;
  const double slope = (restricted_deviance(rows, tau2 + h) - restricted_deviance(rows, tau2 - h)) / (2.0 * h);
  BOOST_TEST(std::abs(slope / (2.0 * law.tau2_information)) < 1e-4 * tau2);  // how far from a stationary point
}

BOOST_AUTO_TEST_CASE(coefficients_and_variances_are_those_of_weighted_least_squares) {
  const ScatteredOptima optima = unequal();
  const RandomEffectLaw law = fit_random_effect(optima);
  const std::vector<DesignRow> rows = design_of(optima);
  const double tau2 = law.between_sd * law.between_sd;
  const Eigen::Matrix3d variance = products(rows, tau2).inverse();
  const Eigen::Vector3d b = coefficients(rows, tau2);
  BOOST_TEST(std::abs(law.law.exponent[0] - b[1]) < 1e-9);
  BOOST_TEST(std::abs(law.law.exponent[2] - b[2]) < 1e-9);
  BOOST_TEST(std::abs(law.law.intercept - (b[0] - 20.0 * b[1] - 24.0 * b[2])) < 1e-7);
  const double q = weighted_squares(rows, tau2, b) / 11.0;
  BOOST_TEST(std::abs(law.scale - q) < 1e-9);
  BOOST_TEST(std::abs(law.standard_error.exponent[0] - std::sqrt(q * variance(1, 1))) < 1e-9);
  const Eigen::Vector3d at = design_of(anywhere);
  const EffectPrediction found = predict(law, anywhere, 0.95);
  BOOST_TEST(std::abs(found.value - at.dot(b)) < 1e-8);
  BOOST_TEST(std::abs(found.standard_error - std::sqrt(q * at.dot(variance * at))) < 1e-8);
  BOOST_TEST(found.degrees == 11.0);
}

// The widening by Kenward and Roger, and degrees of freedom, from every element of P = W - WX(X'WX)^-1X'W.
BOOST_AUTO_TEST_CASE(derivatives_for_degrees_of_freedom_match_the_whole_projection) {
  const ScatteredOptima optima = unequal();
  const RandomEffectLaw law = fit_random_effect(optima);
  const std::vector<DesignRow> rows = design_of(optima);
  const double tau2 = law.between_sd * law.between_sd;
  const Eigen::Matrix3d a = products(rows, tau2).inverse();
  double trace = 0.0;  // of PP
  for (const DesignRow& one : rows)
    for (const DesignRow& other : rows) {
      const double weight = 1.0 / (tau2 + one.variance);
      const double element =
          (&one == &other ? weight : 0.0) - weight * one.x.dot(a * other.x) / (tau2 + other.variance);
      trace += element * element;
    }
  BOOST_TEST(std::abs(law.tau2_information - 0.5 * trace) < 1e-9 * law.tau2_information);
  const Eigen::Vector3d at = design_of(anywhere);
  const Eigen::Matrix3d second = products(rows, tau2, 2);
  const Eigen::Matrix3d third = products(rows, tau2, 3);
  const double plain_variance = at.dot(a * at);
  const double slope = at.dot(a * second * a * at);
  const double degrees = 2.0 * plain_variance * plain_variance * law.tau2_information / (slope * slope);
  BOOST_TEST(std::abs(predict(law, anywhere, 0.95, EffectInterval::satterthwaite).degrees - degrees) < 1e-6 * degrees);
  const double widened =
      plain_variance + 2.0 / law.tau2_information * at.dot(a * (third - second * a * second) * a * at);
  const double error = predict(law, anywhere, 0.95, EffectInterval::kenward_roger).standard_error;
  BOOST_TEST(std::abs(error * error - widened) < 1e-8 * widened);
}

// Every group's optimum moves by 2 per unit of a coefficient of the shape whose variance is 0.01: so does their mean.
BOOST_AUTO_TEST_CASE(an_error_that_all_groups_share_does_not_average_out) {
  ScatteredOptima optima = plain({1, 2, 3, 6}, 2.0 / 3.0);
  optima.shape_responses.assign(4, 2.0);
  optima.shape_covariance = {0.01};
  const EffectPrediction found = predict(fit_random_effect(optima), anywhere, 0.95);
  BOOST_TEST(std::abs(found.standard_error * found.standard_error - (14.0 / 12.0 + 0.04)) < 1e-9);
}

BOOST_AUTO_TEST_CASE(designs_that_determine_nothing_are_named) {
  ScatteredOptima optima = unequal();
  optima.features = {LawFeature::parameters, LawFeature::activated};  // the same number in every group
  BOOST_TEST((fit_random_effect(optima).defect == FitDefect::singular_design));
  BOOST_TEST(std::isnan(predict(fit_random_effect(optima), anywhere, 0.95).value));
  BOOST_TEST((fit_random_effect(plain({1.0}, 1.0)).defect == FitDefect::too_few_groups));
  BOOST_TEST((fit_random_effect(plain({1.0, 2.0}, 1.0)).defect == FitDefect::none));
}

// n equal groups without features: one more makes the variance n / (n + 1) of what it is.
BOOST_AUTO_TEST_CASE(one_more_group_shrinks_the_variance_as_one_more_observation) {
  const RandomEffectLaw law = fit_random_effect(plain({1, 2, 3, 6}, 2.0 / 3.0));
  BOOST_TEST(std::abs(variance_ratio(law, anywhere, anywhere, 2.0 / 3.0) - 0.8) < 1e-10);
}

BOOST_AUTO_TEST_CASE(one_more_group_shrinks_the_variance_as_refitting_with_it_does) {
  const ScatteredOptima optima = unequal();
  const RandomEffectLaw law = fit_random_effect(optima);
  const double tau2 = law.between_sd * law.between_sd;
  const Eigen::Matrix3d normal = products(design_of(optima), tau2);
  const TrainingScale added = {3e9, 3e9, 3e11, 0.0, 0.0};
  const Eigen::Vector3d at = design_of(anywhere);
  const Eigen::Vector3d row = design_of(added);
  const double now = at.dot(normal.inverse() * at);
  const double then = at.dot((normal + row * row.transpose() / (tau2 + 2e-3)).inverse() * at);
  BOOST_TEST(std::abs(variance_ratio(law, anywhere, added, 2e-3) - then / now) < 1e-8);
}

// What a law file carries gives the interval of predict(), far from the means of the features too.
BOOST_AUTO_TEST_CASE(covariance_and_quantile_make_the_recommended_interval) {
  const RandomEffectLaw law = fit_random_effect(unequal());
  const TargetUncertainty known = uncertainty(law, 0.95);
  BOOST_TEST_REQUIRE(known.covariance.size() == 6U);
  for (const TrainingScale& scale : {TrainingScale{5e8, 5e8, 2e10, 0.0, 0.0}, {7e10, 7e10, 1.5e13, 0.0, 0.0}}) {
    const double row[] = {1.0, std::log(scale.parameters), std::log(scale.train_tokens)};
    double variance = 0.0;
    for (std::size_t i = 0, next = 0; i < 3; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        variance += (i == j ? 1.0 : 2.0) * row[i] * known.covariance[next++] * row[j];
    const EffectPrediction expected = predict(law, scale, 0.95);
    BOOST_TEST(known.quantile * std::sqrt(variance) == expected.interval.half_width(),
               boost::test_tools::tolerance(1e-8));
  }
}

BOOST_AUTO_TEST_SUITE_END()
