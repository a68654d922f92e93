/// Intervals from replicates: percentiles by hand, the corrections of BCa by hand and against explicit refits.
#include "models/law_fits/intervals/bootstrap_interval.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "models/statistics/distributions.hpp"
#include "tests/support/steplaw_runs.hpp"

BOOST_AUTO_TEST_SUITE(bootstrap_interval_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;
using namespace dfsweep::testing;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr TrainingScale far_away = {7e9, 7e9, 1.4e12, 0.0, 0.0};

/// 0, 1, ..., count - 1 in a mixed order.
std::vector<double> integers(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<double>((i * 7) % count);
  return values;
}

std::vector<std::size_t> every(const SelectedRuns& runs) {
  std::vector<std::size_t> groups(runs.groups.size());
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  return groups;
}

const LawForm& unified() {
  return *find_law_form("unified");
}

}  // namespace

BOOST_AUTO_TEST_CASE(percentiles_are_linear_between_replicates_and_leave_out_failures) {
  std::vector<double> values = integers(101);
  Interval found = percentile_interval(values, 0.95);
  BOOST_TEST(std::abs(found.low - 2.5) < 1e-12);
  BOOST_TEST(std::abs(found.high - 97.5) < 1e-12);
  values.insert(values.begin() + 3, not_a_number);
  found = percentile_interval(values, 0.9);
  BOOST_TEST(std::abs(found.low - 5.0) < 1e-12);
  BOOST_TEST(std::abs(found.high - 95.0) < 1e-12);
  const std::vector<double> failures = {not_a_number};
  BOOST_TEST(std::isnan(percentile_interval(failures, 0.9).low));
}

BOOST_AUTO_TEST_CASE(without_bias_and_skew_bca_is_the_percentile_interval) {
  const std::vector<double> values = integers(1000);
  const std::vector<double> even = {-1.0, 1.0, -2.0, 2.0};
  const Interval found = bca_interval(values, 500.0, even, 0.95);
  const Interval plain = percentile_interval(values, 0.95);
  BOOST_TEST(std::abs(found.low - plain.low) < 1e-9);
  BOOST_TEST(std::abs(found.high - plain.high) < 1e-9);
}

// Share below the estimate 0.6: z0 = 0.2533. Influences 0, 0, 3: a = 27 / (6 27) = 1/6.
BOOST_AUTO_TEST_CASE(bias_and_acceleration_move_the_percentiles_as_written) {
  const std::vector<double> values = integers(1000);
  const std::vector<double> skewed = {0.0, 0.0, 3.0};
  const double z0 = normal_quantile(0.6);
  const auto share = [z0](double z) { return normal_cdf(z0 + (z0 + z) / (1.0 - (z0 + z) / 6.0)); };
  const Interval found = bca_interval(values, 600.0, skewed, 0.9);
  const double z = normal_quantile(0.95);
  BOOST_TEST(std::abs(found.low - 999.0 * share(-z)) < 1e-9);
  BOOST_TEST(std::abs(found.high - 999.0 * share(z)) < 1e-9);
  BOOST_TEST(std::isnan(bca_interval(values, -1.0, skewed, 0.9).low));  // all replicates above the estimate
}

// Influence of a row from closed forms against fits without that row, for all rows.
BOOST_AUTO_TEST_CASE(bca_of_rows_is_that_of_explicit_refits) {
  const GroupedRuns grouped = group_runs(synthetic_runs(3, 6));
  const FitMethod method = {LawEstimator::kept_rows, 0.0025};
  const SelectedRuns runs = select_runs(grouped, fit_windows, 0.0025);
  const auto groups = every(runs);
  const auto found = bootstrap_intervals(runs, groups, unified(), {method, ResampleUnit::row, 5, 400}, far_away, 0.95);

  std::vector<double> without;
  for (const KeptRun& left_out : runs.kept) {
    SelectedRuns fewer = runs;
    RunMoments& m = fewer.groups[left_out.group].moments[runs.window(0.0025)];
    RunMoments one;
    const LogPoint reference = runs.groups[left_out.group].reference;
    one.add(left_out.x - reference.x, left_out.y - reference.y, left_out.s, -1.0);
    m += one;
    without.push_back(fit_law(fewer, groups, unified(), method).law().at(far_away).x);
  }
  const double estimate = fit_law(runs, groups, unified(), method).law().at(far_away).x;
  for (double& value : without) value = estimate - value;
  const LawBootstrap bootstrap(runs, groups, unified(), method, ResampleUnit::row, 5);
  std::vector<double> coefficients(400 * bootstrap.width());
  bootstrap.run(0, coefficients);
  std::vector<double> values;
  for (std::size_t r = 0; r < 400; ++r)
    values.push_back(bootstrap.law({coefficients.data() + r * bootstrap.width(), bootstrap.width()}).at(far_away).x);
  const Interval expected = bca_interval(values, estimate, without, 0.95);
  BOOST_TEST(std::abs(found[0].bca.low - expected.low) < 1e-7);
  BOOST_TEST(std::abs(found[0].bca.high - expected.high) < 1e-7);
  BOOST_TEST(std::abs(found[0].percentile.low - percentile_interval(values, 0.95).low) < 1e-12);
  BOOST_TEST(expected.low != percentile_interval(values, 0.95).low);
}

BOOST_AUTO_TEST_CASE(resampled_groups_scatter_as_the_model_says_where_groups_are_alike) {
  const CounterRandom random(9);
  ScatteredOptima optima;  // a mean of 60 values of variance 1, known to be 0.5 + 0.5
  for (std::uint64_t g = 0; g < 60; ++g) {
    optima.scales.push_back(far_away);
    optima.values.push_back(normal_quantile(random.uniform(g)));
    optima.variances.push_back(0.5);
  }
  const RandomEffectLaw law = fit_random_effect(optima);
  const ScatterIntervals found = resampled_scatter(optima, law, far_away, 0.95, 3, 4000);
  const double half = predict(law, far_away, 0.95).interval.half_width();
  BOOST_TEST(std::abs(found.studentised.half_width() / half - 1.0) < 0.06);
  BOOST_TEST(std::abs(found.percentile.half_width() / half - 1.0) < 0.06);
  BOOST_TEST(found.percentile.half_width() < found.studentised.half_width());  // knows nothing of degrees of freedom
  const ScatterIntervals again = resampled_scatter(optima, law, far_away, 0.95, 3, 4000);
  BOOST_TEST(again.studentised.low == found.studentised.low);
}

BOOST_AUTO_TEST_SUITE_END()
