/// Fits of batch laws to simulated runs: what they find, and what they say they cannot find.
#include "models/law_fits/batches/batch_law_fit.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <initializer_list>

#include "models/statistics/random.hpp"

BOOST_AUTO_TEST_SUITE(batch_law_fit_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::law_fits;

namespace {

/// What simulated runs obey.
struct Truth {
  double samples = 1e5;
  double critical = 100.0;
  double four_bits = 1.1;
  double spread = 0.04;
};

/// Runs of each batch, `count` of each format, evaluated every `interval` sequences; each batch is a system.
std::vector<TargetRun> simulated(const Truth& truth, std::initializer_list<double> batches,
                                 std::initializer_list<MatrixFormat> formats, int count, double interval,
                                 std::uint64_t seed) {
  const CounterRandom random(seed);
  std::uint64_t k = 0;
  std::vector<TargetRun> runs;
  std::size_t system = 0;
  for (const double batch : batches) {
    for (const MatrixFormat format : formats)
      for (int i = 0; i < count; ++i) {
        const double factor = format == MatrixFormat::bits4 ? truth.four_bits : 1.0;
        const double samples =
            truth.samples * (1.0 + batch / truth.critical) * factor * std::exp(truth.spread * normal_draw(random, k++));
        TargetRun run;
        run.batch = batch;
        run.format = format;
        run.evaluations = {interval, interval, 0.0, 0.0};
        run.reached_at = whole_run::observed_end(samples, batch, run.evaluations).samples;
        run.failed_at = run.reached_at - std::ceil(interval / batch) * batch;
        run.system = system;
        runs.push_back(run);
      }
    ++system;
  }
  return runs;
}

bool is_inside(const whole_run::Estimated& number, double value) {
  return number.interval.low <= value && value <= number.interval.high;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_known_law_is_found) {
  const Truth truth;
  const BatchLawFit fit =
      fit_batch_law(simulated(truth, {16, 64, 256}, {MatrixFormat::bits8, MatrixFormat::bits4}, 40, 10'000, 1));
  BOOST_TEST(fit.law.samples.value == truth.samples, tt::tolerance(0.02));
  BOOST_TEST(fit.law.critical_batch.value == truth.critical, tt::tolerance(0.05));
  BOOST_TEST(fit.law.four_bits.value == truth.four_bits, tt::tolerance(0.02));
  BOOST_TEST(fit.law.spread.value == truth.spread, tt::tolerance(0.15));
  BOOST_TEST(fit.critical_is_identified());
  BOOST_TEST(fit.spread_is_seen);
}

BOOST_AUTO_TEST_CASE(intervals_contain_the_truth_as_often_as_they_say) {
  const Truth truth;
  int samples = 0;
  int critical = 0;
  int factor = 0;
  constexpr int sets = 100;
  for (int set = 0; set < sets; ++set) {
    const BatchLawFit fit = fit_batch_law(simulated(truth, {16, 64, 256}, {MatrixFormat::bits8, MatrixFormat::bits4},
                                                    10, 10'000, 100 + static_cast<std::uint64_t>(set)));
    samples += is_inside(fit.law.samples, truth.samples) ? 1 : 0;
    critical += is_inside(fit.law.critical_batch, truth.critical) ? 1 : 0;
    factor += is_inside(fit.law.four_bits, truth.four_bits) ? 1 : 0;
  }
  for (const int inside : {samples, critical, factor}) BOOST_TEST(inside >= 90);
}

BOOST_AUTO_TEST_CASE(batches_that_cost_nothing_do_not_identify_the_critical_batch) {
  Truth truth;
  truth.critical = 1e9;
  const BatchLawFit fit = fit_batch_law(simulated(truth, {16, 32}, {MatrixFormat::bits8}, 10, 10'000, 2));
  BOOST_TEST(!fit.critical_is_identified());
  BOOST_TEST(fit.law.critical_batch.interval.low > 32.0);
  BOOST_TEST(!is_given(fit.law.four_bits.value));
}

BOOST_AUTO_TEST_CASE(one_batch_identifies_no_critical_batch) {
  const BatchLawFit fit = fit_batch_law(simulated({}, {64}, {MatrixFormat::bits8}, 10, 10'000, 3));
  BOOST_TEST(!fit.critical_is_identified());
}

BOOST_AUTO_TEST_CASE(equal_ends_leave_the_spread_to_its_prior) {
  const BatchLawFit fit = fit_batch_law(simulated({}, {16, 64}, {MatrixFormat::bits8}, 5, 1e6, 4));
  BOOST_TEST(!fit.spread_is_seen);
  BOOST_TEST(fit.law.spread.value > 0.005);
  BOOST_TEST(fit.law.spread.value < 0.2);
}

BOOST_AUTO_TEST_CASE(runs_that_never_reach_the_target_count_as_longer) {
  std::vector<TargetRun> runs = simulated({}, {16, 64}, {MatrixFormat::bits8}, 10, 10'000, 5);
  const double before = fit_batch_law(runs).law.samples.value;
  for (std::size_t i = 0; i < 5; ++i) {
    TargetRun never = runs[i];
    never.failed_at = 1.2 * never.reached_at;
    never.reached_at = std::numeric_limits<double>::infinity();
    runs.push_back(never);
  }
  BOOST_TEST(fit_batch_law(runs).law.samples.value > before);
  for (TargetRun& run : runs) run.reached_at = std::numeric_limits<double>::infinity();
  BOOST_TEST((fit_batch_law(runs).defect == BatchFitDefect::no_success));
}

BOOST_AUTO_TEST_CASE(left_out_systems_are_predicted_from_the_others) {
  Truth truth;
  truth.spread = 1e-3;
  const std::vector<LeftOutConfiguration> left_out =
      left_out_systems(simulated(truth, {16, 32, 64, 128}, {MatrixFormat::bits8}, 5, 1000, 6));
  BOOST_TEST(left_out.size() == 4U);
  BOOST_TEST(mean_error(left_out) < 0.02);
}

BOOST_AUTO_TEST_SUITE_END()
