/// Whole reports: how their work grows with the groups, counted.
#include "engine/fit/report/make_report.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>

#include "tests/support/small_result.hpp"
#include "tests/support/steplaw_runs.hpp"

BOOST_AUTO_TEST_SUITE(make_report_test)

using namespace dfsweep;
using namespace dfsweep::law_fits;

namespace {

fit::FitReport report_of_groups(std::size_t groups) {
  fit::FitSettings settings;
  settings.replicates = 0;
  settings.threads = 2;
  return fit::report_of(fit::LoadedRuns{testing::synthetic_runs(3, groups), {}, {}}, settings);
}

constexpr TrainingScale runs_scale{
    .parameters = 1e9, .activated_parameters = 1e9, .train_tokens = 2e10, .flops_per_token = 6e9, .loss = 0.0};

std::size_t fitted_groups(const fit::FitReport& report) {
  std::size_t sum = 0;
  for (const fit::CrossValidation& each : report.judged.validation) sum += each.fitted_groups;
  return sum;
}

/// Every run with these factors on its loss, as one seed each, read from a file.
fit::FitReport report_of_seeds(const TrainingRuns& runs, const std::vector<double>& factors) {
  const ScratchFile file("seeds.csv");
  std::ofstream out(file.path());
  out << "N,Na,D,lr,B,loss,M,seed\n";
  for (std::size_t seed = 0; seed < factors.size(); ++seed)
    for (std::size_t i = 0; i < runs.size(); ++i)
      out << fmt::format("{},{},{},{},{},{},{},{}\n", runs.parameters[i], runs.activated_parameters[i],
                         runs.train_tokens[i], runs.learning_rate[i], runs.batch_tokens[i],
                         runs.loss[i] * factors[seed], runs.flops_per_token[i], seed);
  out.close();
  fit::FitSettings settings;
  settings.replicates = 300;
  settings.threads = 2;
  settings.predict = {runs_scale};
  const std::filesystem::path paths[] = {file.path()};
  return fit::report_of(fit::load_runs(fit::RunInput(paths, {}), 2), settings);
}

bool have_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace

// Three seeds of every setting, whose median is the run itself: laws and resamples are those of the runs without
// seeds, and not those of three times as many runs. The noise is that of the factors.
BOOST_AUTO_TEST_CASE(seeds_of_a_setting_are_no_independent_runs) {
  const TrainingRuns runs = testing::synthetic_runs(3, 6);
  const fit::FitReport once = report_of_seeds(runs, {1.0});
  const double up = std::exp(0.002);
  const fit::FitReport thrice = report_of_seeds(runs, {1.0, up, 1.0 / up});
  BOOST_TEST(!once.predicted.seeds.has_value());
  BOOST_TEST_REQUIRE(once.predicted.bootstraps.size() == thrice.predicted.bootstraps.size());
  for (std::size_t b = 0; b < once.predicted.bootstraps.size(); ++b)
    BOOST_TEST(have_same_bits(once.predicted.bootstraps[b].coefficients, thrice.predicted.bootstraps[b].coefficients));
  BOOST_TEST_REQUIRE(once.predicted.recommended.has_value());
  const auto interval = [](const fit::FitReport& report) {
    return report.predicted.recommended->predictions.front().scattered[0].interval;
  };
  BOOST_TEST((interval(once) == interval(thrice)));

  BOOST_TEST_REQUIRE(thrice.predicted.seeds.has_value());
  const fit::SeedReport& seeds = *thrice.predicted.seeds;
  BOOST_TEST_REQUIRE(seeds.all.has_value());
  BOOST_TEST(seeds.all->settings == runs.size());
  BOOST_TEST(seeds.all->degrees == 2.0 * static_cast<double>(runs.size()));
  BOOST_TEST(seeds.all->sd == 0.002, boost::test_tools::tolerance(1e-9));  // (0, s, -s): 2 s^2 over 2
  BOOST_TEST(seeds.near.settings < seeds.all->settings);
  BOOST_TEST(seeds.near.sd == 0.002, boost::test_tools::tolerance(1e-9));
  BOOST_TEST_REQUIRE(seeds.comparison.has_value());
  BOOST_TEST(seeds.comparison->seed_sd == 0.002 * std::sqrt(median_variance(3)), boost::test_tools::tolerance(1e-9));
  BOOST_TEST(seeds.comparison->variance_ratio < 0.5);  // noise of the runs is 0.0006
}

// 70 and 140 groups: the groups that all cross-validations together are fitted to double, and do not quadruple.
BOOST_AUTO_TEST_CASE(work_grows_with_the_groups_and_not_with_their_square) {
  const fit::FitReport once = report_of_groups(70);
  const fit::FitReport twice = report_of_groups(140);
  BOOST_TEST(once.judged.validation.size() == twice.judged.validation.size());
  BOOST_TEST(static_cast<double>(fitted_groups(twice)) < 2.1 * static_cast<double>(fitted_groups(once)));
  for (const fit::FitReport* report : {&once, &twice})
    for (const fit::CrossValidation& each : report->judged.validation) {
      if (!each.covers_every_group()) continue;
      std::set<std::size_t> judged;
      for (const GroupScore& score : each.scores) BOOST_TEST(judged.insert(score.group).second);
      BOOST_TEST(judged.size() == report->read.selected.groups.size());
    }
}

// The rule leaves out folds where there are many groups, and judges itself where they are few.
BOOST_AUTO_TEST_CASE(many_groups_have_a_recommended_law_too) {
  const fit::FitReport report = report_of_groups(70);
  BOOST_TEST_REQUIRE((report.predicted.recommended.has_value()));
  BOOST_TEST(report.predicted.recommended->candidates.size() == law_candidates().size());
  BOOST_TEST(report.predicted.recommended->left_out.groups == 70U);
  BOOST_TEST(report.predicted.recommended->judged_groups.empty());
}

BOOST_AUTO_TEST_SUITE_END()
