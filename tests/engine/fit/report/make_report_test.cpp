/// Whole reports: how their work grows with the groups, counted.
#include "engine/fit/report/make_report.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

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

std::size_t fitted_groups(const fit::FitReport& report) {
  std::size_t sum = 0;
  for (const fit::CrossValidation& each : report.judged.validation) sum += each.fitted_groups;
  return sum;
}

}  // namespace

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
