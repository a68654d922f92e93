/// The hyperparameters estimator: tables, points by hand, statuses, and blocks that equal their points.
#include "models/hyperparameters/estimator.hpp"

#include <array>
#include <bit>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <set>

#include "models/hyperparameters/points/published.hpp"
#include "tests/support/estimator_sweep.hpp"
#include "tests/support/fallback.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(estimator_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::hyperparameters;
using namespace dfsweep::testing;

namespace {

/// lr = 8 N^-1 D^0.5, B = 4 Na^0.5 tokens, H = (0.02, -0.01, 0.02).
Entry round_law() {
  Entry entry;
  entry.name = "round";
  entry.numbers = {{"lr_intercept", std::log(8.0)},
                   {"lr_lnN", -1.0},
                   {"lr_lnD", 0.5},
                   {"batch_intercept", std::log(4.0)},
                   {"batch_lnNa", 0.5},
                   {"curvature_xx", 0.02},
                   {"curvature_xy", -0.01},
                   {"curvature_yy", 0.02}};
  return entry;
}

Entry law_of_loss() {
  Entry entry = round_law();
  entry.numbers["batch_lnL"] = -2.0;
  return entry;
}

Entry law_of_compute() {
  Entry entry;
  entry.name = "compute";
  entry.numbers = {{"lr_intercept", 0.0}, {"lr_lnC", -0.5}, {"batch_intercept", 0.0}, {"batch_lnC", 0.5}};
  return entry;
}

/// Values of one point; the others are their fallbacks or absent.
SweepValues point(const Entry& law_entry, const std::map<Parameter, double>& given) {
  SweepValues values;
  for (const ParameterInfo& info : hyperparameters::parameters())
    values.parameters.push_back({{fallback_of(info)}, SweepValues::fixed});
  values[Parameter::law].values[0].entry = &law_entry;
  for (const auto& [parameter, number] : given) values[parameter].values[0].number = number;
  return values;
}

Estimates evaluated(const SweepValues& values, std::span<const std::vector<std::uint32_t>> codes = {},
                    std::size_t count = 1) {
  return estimates_of(*make_hyperparameters_estimator()->prepare(values), count_of<Metric>, codes, count);
}

}  // namespace

BOOST_AUTO_TEST_CASE(tables_obey_the_seam) {
  const auto estimator = make_hyperparameters_estimator();
  std::set<std::string_view> names;
  for (const ParameterInfo& info : estimator->parameters()) {
    BOOST_TEST(names.insert(info.name).second, info.name);
    BOOST_TEST(!info.meaning.empty(), info.name);
    BOOST_TEST((info.absence == Absence::required) == info.fallback.empty(), info.name);
  }
  for (const MetricInfo& info : estimator->metrics()) BOOST_TEST(!info.meaning.empty());
  BOOST_TEST(estimator->statuses()[status_ok].name == "ok");
  BOOST_TEST(estimator->statuses()[status_failed].name == "failed");
}

BOOST_AUTO_TEST_CASE(a_point_by_hand) {
  const Entry entry = round_law();
  // lr* = 8 / 1e6 * 1e4 = 0.08, B* = 4 * 1e3 = 4000; asked at lr* e and B* e: u = v = 1
  const Estimates at = evaluated(point(entry, {{Parameter::size_parameters, 1e6},
                                               {Parameter::train_tokens, 1e8},
                                               {Parameter::learning_rate, 0.08 * std::exp(1.0)},
                                               {Parameter::batch_tokens, 4000.0 * std::exp(1.0)},
                                               {Parameter::sequence_length, 1000.0},
                                               {Parameter::plateau_excess, std::expm1(0.0075)}}));
  BOOST_TEST(at.status[0] == index_of(Status::ok));
  const auto tolerance = tt::tolerance(1e-12);
  BOOST_TEST(at[Metric::optimal_learning_rate][0] == 0.08, tolerance);
  BOOST_TEST(at[Metric::optimal_batch_tokens][0] == 4000.0, tolerance);
  BOOST_TEST(at[Metric::optimal_batch_sequences][0] == 4.0, tolerance);
  BOOST_TEST(at[Metric::loss_excess][0] == std::expm1(0.5 * (0.02 - 0.02 + 0.02)), tolerance);
  BOOST_TEST(at[Metric::learning_rate_at_batch][0] == 0.08 * std::exp(0.5), tolerance);
  // 0.02 u^2 - 0.02 u + 0.02 = 0.015 has the double root 0.5: the plateau is the ridge point alone
  BOOST_TEST(at[Metric::plateau_low][0] == 0.08 * std::exp(0.5), tt::tolerance(1e-6));
  BOOST_TEST(at[Metric::plateau_high][0] == 0.08 * std::exp(0.5), tt::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(what_is_not_given_is_the_optimum) {
  const Entry entry = round_law();
  const Estimates at = evaluated(point(entry, {{Parameter::size_parameters, 1e6}, {Parameter::train_tokens, 1e8}}));
  BOOST_TEST(at[Metric::loss_excess][0] == 0.0);
  BOOST_TEST(at[Metric::plateau_low][0] < at[Metric::optimal_learning_rate][0]);
  BOOST_TEST(at[Metric::plateau_high][0] > at[Metric::optimal_learning_rate][0]);
}

BOOST_AUTO_TEST_CASE(a_batch_that_costs_more_has_no_plateau) {
  const Entry entry = round_law();
  const Estimates at = evaluated(point(
      entry, {{Parameter::size_parameters, 1e6}, {Parameter::train_tokens, 1e8}, {Parameter::batch_tokens, 4e7}}));
  BOOST_TEST(at.status[0] == index_of(Status::ok));
  BOOST_TEST(at[Metric::loss_excess][0] > 0.0025);
  BOOST_TEST(std::isnan(at[Metric::plateau_low][0]));
}

namespace {

/// The law of the loss alone, L = 1.5 + 100 N^-0.5 + 1000 D^-0.5, with a spread of ln L.
Entry loss_alone() {
  Entry entry;
  entry.name = "loss";
  entry.numbers = {{"loss_floor", 1.5}, {"loss_lnA", std::log(100.0)},
                   {"loss_alpha", 0.5}, {"loss_lnB", std::log(1000.0)},
                   {"loss_beta", 0.5},  {"loss_spread", 0.01}};
  entry.lists = {{"range_N", {1e8, 1e10}}, {"range_Na", {1e8, 1e10}}, {"range_D", {1e9, 1e12}}};
  return entry;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_loss_by_hand) {
  const Entry entry = loss_alone();
  const Estimates at = evaluated(point(entry, {{Parameter::size_parameters, 1e8}, {Parameter::train_tokens, 1e10}}));
  const auto tolerance = tt::tolerance(1e-12);
  BOOST_TEST(at.status[0] == index_of(Status::ok));
  BOOST_TEST(std::isnan(at[Metric::optimal_learning_rate][0]));
  BOOST_TEST(at[Metric::loss][0] == 1.5 + 0.01 + 0.01, tolerance);
  BOOST_TEST(at[Metric::loss_high][0] / at[Metric::loss][0] == std::exp(0.01 * 1.959963984540054), tolerance);
  BOOST_TEST(at[Metric::loss][0] / at[Metric::loss_low][0] == std::exp(0.01 * 1.959963984540054), tolerance);
  // D = 100 N makes the terms equal: of N D = 1e18 these are N = 1e8 and D = 1e10, the point itself
  BOOST_TEST(at[Metric::compute_optimal_parameters][0] == 1e8, tt::tolerance(1e-10));
  BOOST_TEST(at[Metric::compute_optimal_tokens][0] == 1e10, tt::tolerance(1e-10));
  BOOST_TEST(at[Metric::compute_optimal_loss][0] == 1.52, tolerance);
  BOOST_TEST(at[Metric::extrapolation][0] == 0.0);
}

BOOST_AUTO_TEST_CASE(a_law_with_both_raises_the_loss_by_the_excess) {
  Entry entry = round_law();
  const Entry loss = loss_alone();
  entry.numbers.insert(loss.numbers.begin(), loss.numbers.end());
  entry.lists = loss.lists;
  const Estimates at = evaluated(point(
      entry, {{Parameter::size_parameters, 1e8}, {Parameter::train_tokens, 1e10}, {Parameter::learning_rate, 1e-2}}));
  BOOST_TEST(at[Metric::loss_excess][0] > 0.0);
  BOOST_TEST(at[Metric::loss][0] == 1.52 * (1.0 + at[Metric::loss_excess][0]), tt::tolerance(1e-12));
}

/// Losses are computed only where a metric asks for them.
BOOST_AUTO_TEST_CASE(a_metric_alone_has_the_value_that_it_has_beside_the_others) {
  Entry entry = round_law();
  const Entry loss = loss_alone();
  entry.numbers.insert(loss.numbers.begin(), loss.numbers.end());
  entry.lists = loss.lists;
  const SweepValues values = point(
      entry, {{Parameter::size_parameters, 1e8}, {Parameter::train_tokens, 1e10}, {Parameter::learning_rate, 1e-2}});
  const Estimates all = evaluated(values);
  const auto prepared = make_hyperparameters_estimator()->prepare(values);
  BOOST_TEST_REQUIRE(prepared->leaves_out_unwanted());
  const Estimates alone = estimates_one_by_one(*prepared, count_of<Metric>, {}, 1);
  for (MetricIndex metric = 0; metric < count_of<Metric>; ++metric)
    BOOST_TEST(are_same(alone.metrics[metric], all.metrics[metric]), metrics()[metric].name);
}

BOOST_AUTO_TEST_CASE(a_law_without_loss_leaves_it_absent) {
  const Entry entry = round_law();
  const Estimates at = evaluated(point(entry, {{Parameter::size_parameters, 1e6}, {Parameter::train_tokens, 1e8}}));
  for (const Metric metric : {Metric::loss, Metric::loss_low, Metric::compute_optimal_parameters})
    BOOST_TEST(std::isnan(at[metric][0]));
}

BOOST_AUTO_TEST_CASE(compute_is_six_flops_for_each_parameter_and_token_unless_said) {
  const Entry entry = law_of_compute();
  const Estimates plain = evaluated(point(entry, {{Parameter::size_parameters, 1e6}, {Parameter::train_tokens, 1e8}}));
  BOOST_TEST(plain[Metric::optimal_batch_tokens][0] == std::sqrt(6e14), tt::tolerance(1e-12));
  BOOST_TEST(std::isnan(plain[Metric::loss_excess][0]));  // no curvature
  const Estimates said = evaluated(point(
      entry, {{Parameter::size_parameters, 1e6}, {Parameter::train_tokens, 1e8}, {Parameter::flops_per_token, 9e6}}));
  BOOST_TEST(said[Metric::optimal_batch_tokens][0] == std::sqrt(9e14), tt::tolerance(1e-12));
}

namespace {

struct StatusCase {
  const char* why;
  Entry entry;
  std::map<Parameter, double> given;
  Status status;
};

const StatusCase status_cases[] = {
    {"as it is", round_law(), {{Parameter::size_parameters, 1e6}, {Parameter::train_tokens, 1e8}}, Status::ok},
    {"more activated than there are",
     round_law(),
     {{Parameter::size_parameters, 1e6}, {Parameter::activated_parameters, 2e6}, {Parameter::train_tokens, 1e8}},
     Status::invalid},
    {"a law of the loss without loss",
     law_of_loss(),
     {{Parameter::size_parameters, 1e6}, {Parameter::train_tokens, 1e8}},
     Status::no_law},
    {"a law of the loss",
     law_of_loss(),
     {{Parameter::size_parameters, 1e6}, {Parameter::train_tokens, 1e8}, {Parameter::final_loss, 2.0}},
     Status::ok},
};

}  // namespace

BOOST_DATA_TEST_CASE(statuses, bdata::make(status_cases), c) {
  const Estimates at = evaluated(point(c.entry, c.given));
  BOOST_TEST(at.status[0] == index_of(c.status));
  BOOST_TEST(std::isnan(at[Metric::optimal_learning_rate][0]) == (c.status != Status::ok));
}

BOOST_AUTO_TEST_CASE(an_entry_that_is_no_law_is_a_problem_of_its_value) {
  Entry empty;
  empty.name = "empty";
  const SweepValues values = point(empty, {{Parameter::size_parameters, 1e6}, {Parameter::train_tokens, 1e8}});
  BOOST_CHECK_EXCEPTION(
      static_cast<void>(make_hyperparameters_estimator()->prepare(values)), InvalidValues,
      [](const InvalidValues& error) { return error.problems.front().parameter == index_of(Parameter::law); });
}

BOOST_AUTO_TEST_CASE(blocks_equal_their_points) {
  const Entry entry = round_law();
  SweepValues values = point(entry, {{Parameter::train_tokens, 1e8}});
  const double sizes[] = {1e6, 3e6, 1e7};
  const double rates[] = {0.01, 0.02, 0.05, 0.1};
  values[Parameter::size_parameters] = {{}, 0};
  for (const double size : sizes) values[Parameter::size_parameters].values.push_back({.number = size, .text = {}});
  values[Parameter::learning_rate] = {{}, 1};
  for (const double rate : rates) values[Parameter::learning_rate].values.push_back({.number = rate, .text = {}});
  values.column_sizes = {3, 4};
  std::vector<std::uint32_t> size_codes;
  std::vector<std::uint32_t> rate_codes;
  for (std::uint32_t i = 0; i < 12; ++i) {
    size_codes.push_back(i / 4);
    rate_codes.push_back(i % 4);
  }
  const Estimates block = evaluated(values, std::array{size_codes, rate_codes}, 12);
  for (std::size_t i = 0; i < 12; ++i) {
    const Estimates alone = evaluated(point(entry, {{Parameter::train_tokens, 1e8},
                                                    {Parameter::size_parameters, sizes[i / 4]},
                                                    {Parameter::learning_rate, rates[i % 4]}}));
    for (std::size_t m = 0; m < count_of<Metric>; ++m)
      BOOST_TEST(std::bit_cast<std::uint64_t>(block.metrics[m][i]) ==
                 std::bit_cast<std::uint64_t>(alone.metrics[m][0]));
  }
}

struct Place {
  const char* why;
  std::map<Parameter, double> given;
  double extrapolation;
};

// The law was fitted to N from 1e8 to 2e9, Na from 1e8 to 1e9 and D from 1e9 to 1e11.
const Place places[] = {
    {"on the border",
     {{Parameter::size_parameters, 2e9}, {Parameter::activated_parameters, 1e9}, {Parameter::train_tokens, 1e11}},
     0.0},
    {"larger N",
     {{Parameter::size_parameters, 3e9}, {Parameter::activated_parameters, 1e9}, {Parameter::train_tokens, 1e10}},
     0.17609125905568124},  // log10 1.5
    {"Na is N where it is not given",
     {{Parameter::size_parameters, 1.5e9}, {Parameter::train_tokens, 1e10}},
     0.17609125905568124},
    {"longer D", {{Parameter::size_parameters, 1e9}, {Parameter::train_tokens, 1.1e11}}, 0.041392685158225},
};

BOOST_AUTO_TEST_CASE(scales_outside_the_fitted_runs_are_flagged) {
  Entry entry = round_law();
  for (const Place& place : places)
    BOOST_TEST(std::isnan(evaluated(point(entry, place.given))[Metric::extrapolation][0]), place.why);
  entry.lists = {{"range_N", {1e8, 2e9}}, {"range_Na", {1e8, 1e9}}, {"range_D", {1e9, 1e11}}};
  for (const Place& place : places)
    BOOST_TEST(std::abs(evaluated(point(entry, place.given))[Metric::extrapolation][0] - place.extrapolation) < 1e-12,
               place.why);
}

BOOST_AUTO_TEST_SUITE_END()
