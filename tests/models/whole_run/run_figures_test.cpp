/// Figures of a whole run: hand-computed ones, what has no run, and properties on random runs.
#include "models/whole_run/run_figures.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/statistics/random.hpp"
#include "models/whole_run/run_law.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(run_figures_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::whole_run;

namespace {

/// 100 sequences of 1000 tokens in 2 s on 64 devices of 500 W each.
RunStep plain_step() {
  return {Seconds{2.0}, 100.0, 1000.0, 64.0, Watts{32'000.0}, NumberFormat::fp8};
}

Architecture small_model() {
  Architecture a;
  a.layers = 24;
  a.hidden = 2048;
  a.heads = 16;
  a.key_value_heads = 16;
  a.head_dim = 128;
  a.ffn_hidden = 8192;
  a.vocabulary = 32'000;
  return a;
}

/// lr = 1e-3 and B = 1e5 tokens at any scale, H = (0.02, -0.005, 0.02), L = 1.5 + 400 N^-0.34 + 400 D^-0.28.
EntryLaw plain_law() {
  EntryLaw law;
  law.learning_rate.intercept = std::log(1e-3);
  law.batch_tokens.intercept = std::log(1e5);
  law.curvature = Hessian{0.02, -0.005, 0.02};
  law.range = ScaleRange{{1e8, 1e10}, {1e8, 1e10}, {1e9, 1e12}};
  law.loss = SpreadLossLaw{{1.5, std::log(400.0), std::log(400.0), 0.34, 0.28}, 0.005};
  return law;
}

/// E0 1000 sequences of 1000 tokens, Bc 100, to a loss of 3.
BatchLaw plain_batch_law() {
  BatchLaw law;
  law.samples = {1000.0, {950.0, 1050.0}};
  law.critical_batch = {100.0, {80.0, 120.0}};
  law.spread = {0.03, {0.03, 0.03}};
  law.batches = {10.0, 100.0};
  law.target_loss = 3.0;
  law.sequence_length = 1000.0;
  return law;
}

RunFigures figures_of(const RunChoices& choices) {
  return run_figures_of(plain_step(), choices, {});
}

struct NoRun {
  const char* why;
  RunChoices choices;
  RunStatus status;
};

const EntryLaw law_of_all = plain_law();
const BatchLaw batch_law_of_all = plain_batch_law();
const Architecture model_of_all = small_model();

RunChoices with_law(double target) {
  RunChoices c;
  c.law = &law_of_all;
  c.model = &model_of_all;
  c.target_loss = target;
  return c;
}

RunChoices with_batch_law(double target) {
  RunChoices c;
  c.batch_law = &batch_law_of_all;
  c.target_loss = target;
  return c;
}

RunChoices with_failures(double device_hours, double restart) {
  RunChoices c;
  c.train_tokens = 1e9;
  c.device_hours_per_interruption = device_hours;
  c.save_time = 10.0;
  c.restart_time = restart;
  return c;
}

const NoRun no_runs[] = {
    {"below the floor of the law", with_law(1.6), RunStatus::target_out_of_reach},
    {"a target that the batch law does not know", with_batch_law(2.5), RunStatus::target_unknown},
    {"a target without any law",
     [] {
       RunChoices c;
       c.target_loss = 2.0;
       return c;
     }(),
     RunStatus::target_unknown},
    {"no time between interruptions", with_failures(1e-3, 600), RunStatus::never_completes},
    {"restarts of 22 times M, of which e^-22 = 3e-10 is useful", with_failures(0.1, 22 * 5.625),
     RunStatus::never_completes},
};

}  // namespace

BOOST_AUTO_TEST_CASE(tokens_and_budgets) {
  RunChoices c;
  c.train_tokens = 1e9;  // 1e4 steps of 1e5 tokens
  c.device_hour_price = 3.6;
  RunFigures f = figures_of(c);
  BOOST_TEST(f.values[RunMetric::time_to_train] == 20'000.0, tt::tolerance(1e-12));
  BOOST_TEST(f.values[RunMetric::train_energy] == 6.4e8, tt::tolerance(1e-12));
  BOOST_TEST(f.values[RunMetric::train_cost] == 64.0 * 20.0, tt::tolerance(1e-12));
  BOOST_TEST(!is_given(f.values[RunMetric::useful_share]));
  c.spare_share = 0.25;  // 80 devices are paid
  BOOST_TEST(figures_of(c).values[RunMetric::train_cost] == 80.0 * 20.0, tt::tolerance(1e-12));
  c.train_tokens = absent;
  c.device_hours = 80.0 * 20'000.0 / 3600.0;
  f = figures_of(c);
  BOOST_TEST(f.values[RunMetric::run_tokens] == 1e9, tt::tolerance(1e-12));
  BOOST_TEST(f.values[RunMetric::time_to_train] == 20'000.0, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(lost_time_counts_in_every_figure_of_the_run) {
  RunChoices c = with_failures(64.0 * 2.0, 600.0);  // M = 2 h
  c.batch_law = &batch_law_of_all;
  c.device_hour_price = 1.0;
  const RunFigures f = figures_of(c);
  const double useful = f.values[RunMetric::useful_share];
  BOOST_TEST((useful > 0.8 && useful < 0.9));
  c.device_hours_per_interruption = absent;
  const RunFigures whole = figures_of(c);
  for (const RunMetric m : {RunMetric::time_to_train, RunMetric::train_days, RunMetric::train_cost,
                            RunMetric::train_energy, RunMetric::time_to_target, RunMetric::cost_to_target,
                            RunMetric::energy_to_target, RunMetric::time_to_target_high})
    BOOST_TEST(f.values[m] * useful == whole.values[m], tt::tolerance(1e-12));
  BOOST_TEST(f.values[RunMetric::samples_to_target] == whole.values[RunMetric::samples_to_target]);
}

// Restarts of 15 times M leave e^-15 = 3e-7; of that, saves of 2 M leave a twentieth.
BOOST_AUTO_TEST_CASE(little_useful_time_is_a_long_run) {
  const RunFigures f = figures_of(with_failures(0.1, 15 * 5.625));
  BOOST_TEST(!f.status.has_value());
  BOOST_TEST((f.values[RunMetric::useful_share] > 1e-9 && f.values[RunMetric::useful_share] < 1e-7));
  BOOST_TEST(std::isfinite(f.values[RunMetric::time_to_train]));
}

BOOST_AUTO_TEST_CASE(samples_of_the_batch_law) {
  RunChoices c = with_batch_law(absent);
  c.first_evaluation = 1500.0;
  c.evaluation_interval = 400.0;
  c.evaluation_samples = 300.0;
  const RunFigures f = figures_of(c);  // E(100) = 2000: evaluations at 1500, 1900 and 2300
  BOOST_TEST(f.values[RunMetric::samples_to_target] == 2300.0);
  BOOST_TEST(f.values[RunMetric::steps_to_target] == 23.0);
  BOOST_TEST(f.values[RunMetric::time_to_target] == 2.0 * (23.0 + 3.0 * 3.0 / 3.0), tt::tolerance(1e-12));
  BOOST_TEST(f.values[RunMetric::extrapolation] == 0.0);
  c.evaluation_interval = 0.0;
  BOOST_TEST(figures_of(c).values[RunMetric::samples_to_target] == 2000.0, tt::tolerance(1e-12));
  RunStep other = plain_step();
  other.batch = 1000.0;  // ten times the largest batch of the law
  BOOST_TEST(run_figures_of(other, c, {}).values[RunMetric::extrapolation] == 1.0, tt::tolerance(1e-12));
  other.format = NumberFormat::fp4;  // whose cost the law does not know
  BOOST_TEST(!is_given(run_figures_of(other, c, {}).values[RunMetric::samples_to_target]));
}

BOOST_AUTO_TEST_CASE(longer_sequences_count_by_their_tokens) {
  RunStep step = plain_step();
  step.batch = 50.0;
  step.sequence_length = 2000.0;  // the same tokens in a step
  RunChoices c = with_batch_law(absent);
  BOOST_TEST(run_figures_of(step, c, {}).values[RunMetric::samples_to_target] == 1000.0, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(tokens_to_a_target_give_that_loss_again) {
  for (const double target : {2.2, 2.5, 3.0}) {
    RunChoices c = with_law(target);
    c.learning_rate = 3e-4;
    RunFigures f = figures_of(c);
    BOOST_REQUIRE(!f.status);
    BOOST_TEST(f.values[RunMetric::loss] == target, tt::tolerance(1e-9));
    c.train_tokens = f.values[RunMetric::samples_to_target] * 1000.0;  // in whole steps, so a little more
    c.target_loss = absent;
    f = figures_of(c);
    BOOST_TEST(f.values[RunMetric::loss] <= target * (1.0 + 1e-9));
    BOOST_TEST(f.values[RunMetric::loss] > target * 0.98);
  }
}

BOOST_AUTO_TEST_CASE(a_worse_learning_rate_takes_longer_to_a_target) {
  const auto time = [](double rate) {
    RunChoices c = with_law(2.4);
    c.learning_rate = rate;
    return figures_of(c).values[RunMetric::time_to_target];
  };
  BOOST_TEST(time(1e-3) < time(5e-4));
  BOOST_TEST(time(5e-4) < time(1e-4));
}

BOOST_DATA_TEST_CASE(what_cannot_be_has_a_status, bdata::make(no_runs), n) {
  const RunFigures f = figures_of(n.choices);
  BOOST_REQUIRE(f.status.has_value());
  BOOST_TEST(static_cast<int>(*f.status) == static_cast<int>(n.status));
  BOOST_TEST(may_have_no_run(n.choices));
  if (n.status == RunStatus::target_out_of_reach) BOOST_TEST(f.least_loss > n.choices.target_loss);
}

BOOST_AUTO_TEST_CASE(a_scale_outside_the_law_is_marked) {
  RunChoices c = with_law(absent);
  c.train_tokens = 1e14;  // a hundred times the most
  BOOST_TEST(figures_of(c).values[RunMetric::extrapolation] == 2.0, tt::tolerance(1e-9));
  EntryLaw other = plain_law();
  other.range.reset();
  c.law = &other;
  BOOST_TEST(!is_given(figures_of(c).values[RunMetric::extrapolation]));
}

BOOST_AUTO_TEST_CASE(intervals_of_the_time_contain_the_error_of_the_step) {
  const BatchLaw law = plain_batch_law();
  RunChoices c;
  c.batch_law = &law;
  RunStep step = plain_step();
  const RunFigures exact = run_figures_of(step, c, {});
  step.error = {0.3, 0.4};
  const RunFigures found = run_figures_of(step, c, {});
  const auto log_of = [](const RunFigures& run, RunMetric end) {
    return std::log(run.values[end] / run.values[RunMetric::time_to_target]);
  };
  const double below = log_of(exact, RunMetric::time_to_target_low);
  const double above = log_of(exact, RunMetric::time_to_target_high);
  BOOST_TEST(log_of(found, RunMetric::time_to_target_low) == -std::hypot(below, 0.3), tt::tolerance(1e-12));
  BOOST_TEST(log_of(found, RunMetric::time_to_target_high) == std::hypot(above, 0.4), tt::tolerance(1e-12));
  for (const RunMetric same : {RunMetric::samples_to_target_low, RunMetric::steps_to_target_high})
    BOOST_TEST(found.values[same] == exact.values[same]);
  BOOST_TEST(found.values[RunMetric::energy_to_target_low] < exact.values[RunMetric::energy_to_target_low]);
}

BOOST_AUTO_TEST_CASE(intervals_of_the_excess_contain_it) {
  EntryLaw law = plain_law();
  law.uncertainty = LawUncertainty{0.95, {2.0, {0.01}}, {2.0, {0.04}}};  // 0.2 in ln lr, 0.4 in ln B
  const CounterRandom random(11);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    RunScale scale{std::log(1e9), std::log(1e9), std::log(6e9), std::log(1e5) + 2.0 * random.uniform(2 * i) - 1.0,
                   std::log(1e-3) + 2.0 * random.uniform(2 * i + 1) - 1.0};
    const Interval interval = excess_interval(law, scale, std::log(1e10));
    const double excess = std::expm1(ln_excess(law, scale, std::log(1e10)));
    BOOST_TEST_REQUIRE((interval.low <= excess * (1.0 + 1e-12) && excess <= interval.high * (1.0 + 1e-12)));
  }
}

BOOST_AUTO_TEST_CASE(figures_of_random_runs_are_numbers_and_ordered) {
  const CounterRandom random(3);
  std::uint64_t k = 0;
  const auto log_uniform = [&](double low, double high) { return low * std::pow(high / low, random.uniform(k++)); };
  for (int i = 0; i < 5000; ++i) {
    const RunStep step{Seconds{log_uniform(1e-3, 1e3)},
                       std::ceil(log_uniform(1, 1e5)),
                       std::ceil(log_uniform(1, 1e5)),
                       std::ceil(log_uniform(1, 1e6)),
                       Watts{absent},
                       NumberFormat::bf16};
    RunChoices c = with_law(log_uniform(1.0, 10.0));
    c.learning_rate = log_uniform(1e-6, 1.0);
    c.device_hours_per_interruption = log_uniform(1e3, 1e6);
    c.save_time = 10.0;
    c.restart_time = 600.0;
    const RunFigures f = run_figures_of(step, c, {});
    if (f.status) continue;
    const auto value = [&](RunMetric m) { return f.values[m]; };
    BOOST_TEST_REQUIRE(std::isfinite(value(RunMetric::time_to_target)));
    BOOST_TEST_REQUIRE((value(RunMetric::useful_share) > 0.0 && value(RunMetric::useful_share) <= 1.0));
    BOOST_TEST_REQUIRE(value(RunMetric::samples_to_target) >= 1.0);
    if (is_given(value(RunMetric::samples_to_target_low)))
      BOOST_TEST_REQUIRE(value(RunMetric::samples_to_target_low) <= value(RunMetric::samples_to_target));
    if (is_given(value(RunMetric::samples_to_target_high)))
      BOOST_TEST_REQUIRE(value(RunMetric::samples_to_target) <= value(RunMetric::samples_to_target_high));
  }
}

BOOST_AUTO_TEST_SUITE_END()
