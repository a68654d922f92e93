/// Ensembles: percentiles, moments and modes by hand.
#include "models/law_fits/intervals/ensemble.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

BOOST_AUTO_TEST_SUITE(ensemble_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;
namespace tt = boost::test_tools;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

BOOST_AUTO_TEST_CASE(percentiles_lie_between_order_statistics) {
  const double sorted[] = {1.0, 2.0, 4.0, 8.0, 16.0};  // h = 4 p
  BOOST_TEST(percentile(sorted, 0.0) == 1.0);
  BOOST_TEST(percentile(sorted, 0.5) == 4.0);
  BOOST_TEST(percentile(sorted, 0.625) == 6.0);
  BOOST_TEST(percentile(sorted, 1.0) == 16.0);
  BOOST_TEST(percentile(std::span(sorted).first(1), 0.3) == 1.0);
}

BOOST_AUTO_TEST_CASE(values_that_are_missing_do_not_count) {
  const double values[] = {3.0, nan_value, 1.0, 2.0, nan_value};
  const ReplicateSummary summary = summarize(values);
  BOOST_TEST(summary.count == 3.0);
  BOOST_TEST(summary.mean == 2.0);
  BOOST_TEST(summary.sd == 1.0);
  BOOST_TEST(summary.median == 2.0);
  BOOST_TEST(summary.q2_5 == 1.05, tt::tolerance(1e-14));
  BOOST_TEST(std::isnan(summarize(std::span(values).subspan(1, 1)).mean));
}

BOOST_AUTO_TEST_CASE(an_ensemble_predicts_the_spread_of_its_laws) {
  std::vector<ScalingLaw> laws(3);
  for (int i = 0; i < 3; ++i) {
    laws[static_cast<std::size_t>(i)].learning_rate = {static_cast<double>(i), {-1.0, 0.0, 0.0, 0.0}};
    laws[static_cast<std::size_t>(i)].batch_tokens = {-2.0 * i, {0.0, 0.0, 0.5, 0.0}};
  }
  laws.push_back(laws[0]);
  laws.back().learning_rate.intercept = nan_value;
  const EnsemblePrediction predicted = predict_ensemble(laws, {std::exp(3.0), 1.0, std::exp(4.0), 0.0, 0.0});
  BOOST_TEST(predicted.ln_learning_rate.count == 3.0);
  BOOST_TEST(predicted.ln_learning_rate.mean == -2.0, tt::tolerance(1e-14));
  BOOST_TEST(predicted.ln_batch_tokens.mean == 0.0);
  BOOST_TEST(predicted.of_mean_coefficients.x == -2.0, tt::tolerance(1e-14));
  BOOST_TEST(predicted.correlation == -1.0, tt::tolerance(1e-14));
  BOOST_TEST(predicted.learning_rate.median == std::exp(-2.0), tt::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(the_mode_is_where_values_crowd) {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(1.0 + 0.001 * i);
  values.push_back(-3.0);
  values.push_back(8.0);
  BOOST_TEST(density_mode(values) == 1.05, tt::tolerance(0.01));
}

BOOST_AUTO_TEST_SUITE_END()
