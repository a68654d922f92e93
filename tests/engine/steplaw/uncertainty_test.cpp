/// The recommended law, intervals and the self-test as the command gives them: same for any threads, text and JSON.
#include "engine/steplaw/uncertainty.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "engine/steplaw/self_test.hpp"
#include "models/hyperparameters/step_law_design.hpp"
#include "tests/support/steplaw_runs.hpp"

using namespace dfsweep;
using namespace dfsweep::testing;

namespace {

struct Fixture {
  GroupedRuns grouped = group_runs(synthetic_runs(5, 12));
  SelectedRuns runs = select_runs(grouped, fit_windows, 0.02);
  ScoringGroups scoring = scoring_groups(grouped, runs);
};

const Fixture& fixture() {
  static const Fixture once;
  return once;
}

UncertaintySettings settings(unsigned threads) {
  UncertaintySettings wanted;
  wanted.predict = {{7e9, 7e9, 1.4e12, 0.0, 0.0}};
  wanted.threads = threads;
  return wanted;
}

constexpr Terminal wide_terminal = {};

}  // namespace

// The runs follow lr = exp(2.3) N^-0.68 D^0.21, B = exp(4.3) Na^-0.25 D^0.575 without scatter between groups.
BOOST_AUTO_TEST_CASE(far_beyond_the_runs_the_law_they_were_made_by_is_a_few_standard_errors_away) {
  const Uncertainty found = uncertainty_of(fixture().runs, &fixture().scoring, settings(1));
  BOOST_REQUIRE(found.recommended.has_value());
  BOOST_TEST(found.recommended->fit.form.name == "unified");
  BOOST_TEST(found.recommended->judged.size() == 12u);
  BOOST_TEST(!found.recommended->dense_choice.has_value());  // no two families
  BOOST_TEST((found.law.defect == FitDefect::none));
  const double x = 2.3 - 0.68 * std::log(7e9) + 0.21 * std::log(1.4e12);
  const double y = 4.3 - 0.25 * std::log(7e9) + 0.575 * std::log(1.4e12);
  const auto& [rate, batch] = found.predictions[0].interval;
  BOOST_TEST(std::abs(rate.value - x) < 4.0 * rate.standard_error);
  BOOST_TEST(std::abs(batch.value - y) < 4.0 * batch.standard_error);
  BOOST_TEST(rate.standard_error < 0.1);
  BOOST_TEST(batch.standard_error < 0.1);
  BOOST_TEST(found.predictions[0].sensitivity.size() == 8u);
  BOOST_TEST(found.next.size() == 12u);
  BOOST_TEST(found.next[0].mean_width_ratio <= found.next[1].mean_width_ratio);
}

BOOST_AUTO_TEST_CASE(threads_do_not_change_a_digit) {
  const Uncertainty one = uncertainty_of(fixture().runs, &fixture().scoring, settings(1));
  const Uncertainty two = uncertainty_of(fixture().runs, &fixture().scoring, settings(2));
  BOOST_TEST(to_text(uncertainty_json(one)) == to_text(uncertainty_json(two)));
  SelfTestSettings few{6, 1, 1};
  const SelfTest single = run_self_test(step_law_design(), few);
  few.threads = 2;
  BOOST_TEST(to_text(self_test_json(single)) == to_text(self_test_json(run_self_test(step_law_design(), few))));
}

// Streamed runs are known by sums only: no scores, no cubic surface, but intervals.
BOOST_AUTO_TEST_CASE(sums_alone_give_intervals_but_no_recommendation) {
  const SelectedRuns sums = select_runs(fixture().grouped, fit_windows, 0.0);
  const Uncertainty found = uncertainty_of(sums, nullptr, settings(1));
  BOOST_TEST(!found.recommended.has_value());
  BOOST_TEST((found.law.defect == FitDefect::none));
  BOOST_TEST((found.law.choice.shape == SurfaceShape::quadratic));
  BOOST_TEST(found.predictions[0].sensitivity.size() == 4u);
  BOOST_TEST(std::isnan(found.predictions[0].recommended.x));
  BOOST_TEST(found.predictions[0].interval[0].interval.half_width() > 0.0);
}

BOOST_AUTO_TEST_CASE(text_and_json_say_the_same) {
  const Uncertainty found = uncertainty_of(fixture().runs, &fixture().scoring, settings(1));
  const std::string text = uncertainty_text(found, wide_terminal);
  for (const char* title :
       {"recommended law", "law with intervals", "predictions with intervals", "which group to run next"})
    BOOST_TEST(text.find(title) != std::string::npos, title);
  const Json json = uncertainty_json(found);
  const Json& prediction = json.at("predictions").array()[0];
  BOOST_TEST(prediction.at("learning_rate").at("low").number() ==
             std::exp(found.predictions[0].interval[0].interval.low));
  BOOST_TEST(json.at("random_effect").at("interval").text() == "random_effect_scaled");
  BOOST_TEST(json.at("recommended").at("candidates").array().size() == law_candidates().size());
}

BOOST_AUTO_TEST_CASE(the_self_test_marks_the_recommended_interval_and_tells_the_nominal_share) {
  const SelfTest test = run_self_test(step_law_design(), {4, 1, 2});
  BOOST_TEST(test.tables.size() == 2u);
  BOOST_TEST(test.tables[1].first.group_effect == 0.12);
  const std::string text = self_test_text(test, wide_terminal);
  BOOST_TEST(text.find("random_effect_scaled *") != std::string::npos);
  BOOST_TEST(text.find("Nominal 95 %") != std::string::npos);
  BOOST_TEST(text.find("kept_rows_row_bca") != std::string::npos);
  BOOST_TEST(self_test_json(test).at("tables").array()[0].at("sets").number() == 4.0);
}
