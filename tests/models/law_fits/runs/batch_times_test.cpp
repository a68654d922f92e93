/// Batches and their measured steps, against times and losses computed by hand.
#include "models/law_fits/runs/batch_times.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/absent.hpp"

namespace dfsweep::law_fits {

BOOST_AUTO_TEST_SUITE(batch_times_test)

namespace {

struct TimedRuns {
  TrainingRuns runs;
  std::vector<double> times;

  void add(double tokens, double learning_rate, double batch, double loss, double time) {
    if (runs.recipes.empty()) runs.recipes = {{"dense", RunFamily::dense}};
    runs.recipe.push_back(0);
    runs.parameters.push_back(1e8);
    runs.activated_parameters.push_back(1e8);
    runs.train_tokens.push_back(tokens);
    runs.flops_per_token.push_back(6e8);
    runs.learning_rate.push_back(learning_rate);
    runs.batch_tokens.push_back(batch);
    runs.loss.push_back(loss);
    times.push_back(time);
  }
};

/// The least losses are 4 at 1e9 tokens and 2 at 4e9: s = 1/2.
TimedRuns half_power() {
  TimedRuns runs;
  runs.add(1e9, 1e-3, 1e5, 4.0, 1.0);
  runs.add(1e9, 2e-3, 1e5, 4.5, 3.0);  // the median of three steps is 1.5 s
  runs.add(1e9, 3e-3, 1e5, 5.0, 1.5);
  runs.add(1e9, 1e-3, 4e5, 4.4, 2.0);
  runs.add(1e9, 1e-3, 16e5, 8.0, 8.0);
  runs.add(1e9, 1e-3, 2e5, 4.1, absent);  // without a time it is no choice
  runs.add(4e9, 1e-3, 1e5, 2.0, absent);
  return runs;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_worse_loss_takes_more_tokens) {
  const TimedRuns runs = half_power();
  const std::vector<GroupTimes> all = batch_times(group_runs(runs.runs), runs.times);
  BOOST_REQUIRE(all.size() == 1U);  // the other group has no timed batches
  const GroupTimes& times = all.front();
  BOOST_TEST(times.loss_exponent == 0.5, boost::test_tools::tolerance(1e-12));
  BOOST_REQUIRE(times.batches.size() == 3U);
  BOOST_TEST(times.batches[0].step_time == 1.5);
  BOOST_TEST(times.batches[0].train_time == 1.5e4);  // 1e9 / 1e5 steps
  BOOST_TEST(times.batches[1].train_time == 5e3);
  BOOST_TEST(times.batches[2].train_time == 5e3);
  BOOST_TEST(times.least_loss == 0U);
  BOOST_TEST(times.fastest == 1U);
  BOOST_TEST(times.batches[0].time_to_least_loss == 1.5e4);
  BOOST_TEST(times.batches[1].time_to_least_loss == 5e3 * 1.1 * 1.1, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(times.batches[2].time_to_least_loss == 5e3 * 4.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(times.batches[1].loss_at_equal_time == 4.4 / std::sqrt(3.0), boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(without_other_token_counts_only_times_are_known) {
  TimedRuns runs;
  runs.add(1e9, 1e-3, 1e5, 4.0, 1.0);
  runs.add(1e9, 1e-3, 2e5, 4.4, 1.5);
  const std::vector<GroupTimes> all = batch_times(group_runs(runs.runs), runs.times);
  BOOST_REQUIRE(all.size() == 1U);
  BOOST_TEST(std::isnan(all.front().loss_exponent));
  BOOST_TEST(std::isnan(all.front().batches[1].time_to_least_loss));
  BOOST_TEST(all.front().fastest == 1U);
}

BOOST_AUTO_TEST_CASE(one_timed_batch_is_no_choice) {
  TimedRuns runs;
  runs.add(1e9, 1e-3, 1e5, 4.0, 1.0);
  runs.add(1e9, 1e-3, 2e5, 4.4, absent);
  BOOST_TEST(batch_times(group_runs(runs.runs), runs.times).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::law_fits
