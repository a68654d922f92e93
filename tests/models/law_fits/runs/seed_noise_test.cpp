/// Variance between seeds, against sums by hand.
#include "models/law_fits/runs/seed_noise.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "tests/support/named_rows.hpp"

namespace dfsweep::law_fits {

BOOST_AUTO_TEST_SUITE(seed_noise_test)

namespace {

namespace bdata = boost::unit_test::data;

struct NoiseCase {
  const char* why;
  std::vector<std::vector<double>> log_losses;  ///< [setting]
  std::size_t settings, runs, diverged;
  double degrees, squares;  ///< sum of squares about the means of the settings; NaN: no value
};

const NoiseCase noise_cases[] = {
    {"two seeds 0.02 apart lie 0.01 from their mean", {{0.0, 0.02}}, 1, 2, 0, 1, 2 * 1e-4},
    {"the level of the loss does not count", {{1.0, 1.02}}, 1, 2, 0, 1, 2 * 1e-4},
    {"sums of squares add up, and degrees of freedom", {{0.0, 0.02}, {2.0, 2.03, 2.06}}, 2, 5, 0, 3, 2e-4 + 2 * 9e-4},
    {"means of settings differ and are no noise", {{0.0, 0.0}, {5.0, 5.0}}, 2, 4, 0, 2, 0.0},
    {"0.2 in ln L is 22 % more: it has diverged", {{0.0, 0.02, 0.2}}, 1, 2, 1, 1, 2 * 1e-4},
    {"0.18 in ln L is 19.7 % more: it has not", {{0.0, 0.18}}, 1, 2, 0, 1, 2 * 0.0081},
    {"one seed is left: no variance", {{0.0, 0.3}}, 0, 0, 1, 0, absent},
};

}  // namespace

BOOST_DATA_TEST_CASE(variance_is_pooled_within_settings, bdata::make(noise_cases), c) {
  std::vector<SeedRepeats> settings;
  for (const std::vector<double>& logs : c.log_losses) {
    SeedRepeats setting{settings.size(), {}};
    for (const double log : logs) setting.losses.push_back(std::exp(log));
    settings.push_back(setting);
  }
  const SeedNoise noise = pooled_seed_noise(settings, 0.95);
  BOOST_TEST(noise.settings == c.settings);
  BOOST_TEST(noise.runs == c.runs);
  BOOST_TEST(noise.diverged == c.diverged);
  BOOST_TEST(noise.degrees == c.degrees);
  if (std::isnan(c.squares))
    BOOST_TEST(std::isnan(noise.sd));
  else
    BOOST_TEST(std::abs(noise.sd - std::sqrt(c.squares / c.degrees)) < 1e-14);
}

// Chi-square of two degrees of freedom is exponential: its quantile p is -2 ln(1 - p).
BOOST_AUTO_TEST_CASE(interval_is_that_of_chi_square) {
  const SeedRepeats setting{0, {1.0, std::exp(0.03), std::exp(0.06)}};
  const SeedNoise noise = pooled_seed_noise({&setting, 1}, 0.95);
  const auto close = boost::test_tools::tolerance(1e-10);
  BOOST_TEST(noise.interval.low == std::sqrt(1.8e-3 / (-2.0 * std::log(0.025))), close);
  BOOST_TEST(noise.interval.high == std::sqrt(1.8e-3 / (-2.0 * std::log(0.975))), close);
}

// Of three values the variance of the middle one is 1 - sqrt(3) / pi; beyond ten, values by numerical integration.
BOOST_AUTO_TEST_CASE(medians_scatter_less_than_single_runs) {
  BOOST_TEST(median_variance(1) == 1.0);
  BOOST_TEST(median_variance(2) == 0.5);
  BOOST_TEST(std::abs(median_variance(3) - (1.0 - std::numbers::sqrt3 / std::numbers::pi)) < 5e-6);
  const std::pair<std::size_t, double> more[] = {{11, 0.13716}, {12, 0.11752}, {13, 0.1168}, {14, 0.10217}};
  for (const auto& [runs, variance] : more)
    BOOST_TEST(std::abs(median_variance(runs) / variance - 1.0) < 0.01, runs << " runs");
}

// Group 0 has a repeated run (twice: 1/2) and a single one (1) within 1 %, and one 5 % above; group 1 is not asked for.
BOOST_AUTO_TEST_CASE(settings_near_the_optimum_are_averaged) {
  TrainingRuns runs;
  runs.recipes = {{"dense", RunFamily::dense}};
  const auto add = [&runs](double tokens, double rate, double loss) {
    runs.recipe.push_back(0);
    for (std::vector<double>* column : {&runs.parameters, &runs.activated_parameters, &runs.flops_per_token})
      column->push_back(1e8);
    runs.train_tokens.push_back(tokens);
    runs.learning_rate.push_back(rate);
    runs.batch_tokens.push_back(1e5);
    runs.loss.push_back(loss);
  };
  add(1e9, 1e-3, 2.0);
  add(2e9, 1e-3, 1.9);
  add(1e9, 2e-3, 2.01);
  add(1e9, 4e-3, 2.1);
  const SeedRepeats repeats[] = {{2, {2.0, 2.02}}, {3, {2.1, 2.1, 2.1}}};
  const GroupedRuns grouped = group_runs(runs);
  const std::size_t first[] = {0};
  BOOST_TEST(mean_median_variance(grouped, repeats, first, 0.01) == 0.75);
  BOOST_TEST(std::isnan(mean_median_variance(grouped, repeats, {}, 0.01)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::law_fits
