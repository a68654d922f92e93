/// Laws: forms, features and the published ones.
#include "models/laws/law.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(law_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;

namespace {

struct OptimumCase {
  const char* law;
  TrainingScale scale;  ///< N, Na, D, M, L
  double learning_rate;
  double batch_tokens;
  const char* why;
};

// Every feature is a power of ten or of e, so that the formulas can be evaluated by hand.
const OptimumCase published[] = {
    {"published_rounded",
     {1e9, 1e8, 1e10},
     1.79 * 3.828247433168e-7 * 1174.8975549395,
     0.58 * 512861.3839913648,
     "10^-6.417 = 3.82825e-7, 10^3.07 = 1174.898, 10^5.71 = 512861.4"},
    {"published_mean", {1.0, 1.0, 1.0}, 1.7973405, 0.5806876, "e^0.586308 and e^-0.543542"},
    {"published_mean_N=Na", {1e9, 1.0, 1.0}, 1.7973405, 0.5806876, "the total does not count"},
    {"deepseek",
     {1.0, 1.0, 1e10, 1e10},
     0.3118 * 3.16227766e-3,
     0.2920 * 3.4833731503601e6,
     "C = 10^20: 10^-2.5 and 10^6.542"},
    {"porian", {1e10, 1.0, 1.0}, 3.7 * 2.5118864315e-4, 0.7576 * 1.0715193052e7, "10^-3.6 and 10^7.03"},
    {"openai",
     {1e9, 1.0, 1.0, 0.0, 2.0},
     0.003239 - 0.0001395 * 20.72326583695,
     2e8 * 0.0368573265,
     "ln 10^9 = 20.72327 and 2^-4.761905 = 0.0368573"},
    {"minicpm_B_with_steplaw_lr", {1.0, 1.0, 1.0, 0.0, 2.0}, 1.7973405, 1.21e9 * 0.0132303955, "2^-6.24 = 0.0132304"},
};

}  // namespace

BOOST_DATA_TEST_CASE(published_laws_give_what_their_formulas_give, bdata::make(published), row) {
  const PublishedLaw* const law = find_published_law(row.law);
  BOOST_TEST_REQUIRE(law != nullptr);
  const LogPoint at = law->at(row.scale);
  BOOST_TEST(std::exp(at.x) == row.learning_rate, tt::tolerance(1e-6));
  BOOST_TEST(std::exp(at.y) == row.batch_tokens, tt::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(unknown_quantities_give_no_prediction) {
  const TrainingScale plain = {1e9, 1e9, 1e10};
  BOOST_TEST(std::isnan(find_published_law("deepseek")->at(plain).x), "compute is unknown");
  BOOST_TEST(std::isnan(find_published_law("openai")->at(plain).y), "the loss is unknown");
  BOOST_TEST(!std::isnan(find_published_law("openai")->at(plain).x), "its learning rate needs N only");
  BOOST_TEST(std::isnan(find_published_law("openai")->at({1e11, 1e11, 1e10}).x), "its learning rate is negative there");
  BOOST_TEST(find_published_law("unknown") == nullptr);
}

BOOST_AUTO_TEST_CASE(laws_are_linear_in_logarithms) {
  ScalingLaw law;
  law.learning_rate = {1.0, {-2.0, 0.0, 0.5, 0.0}};
  law.batch_tokens = {0.5, {0.0, 3.0, 0.0, 0.0}};
  const LogPoint at = law.at({std::exp(1.0), std::exp(2.0), std::exp(4.0), 0.0, 0.0});
  BOOST_TEST(at.x == 1.0 - 2.0 + 2.0, tt::tolerance(1e-14));
  BOOST_TEST(at.y == 0.5 + 6.0, tt::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(compute_does_not_overflow) {
  const auto features = features_of({1e9, 1e9, 1e11, 7e9, 0.0});  // M D = 7e20 is more than 2^63
  BOOST_TEST(features[3] == std::log(7e20), tt::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(forms_have_their_features) {
  const LawForm* const unified = find_law_form("unified");
  BOOST_TEST_REQUIRE(unified != nullptr);
  BOOST_TEST(unified->learning_rate.has(LawFeature::parameters));
  BOOST_TEST(!unified->learning_rate.has(LawFeature::activated));
  BOOST_TEST(unified->batch_tokens.has(LawFeature::activated));
  BOOST_TEST(unified->batch_tokens.size() == 2U);
  BOOST_TEST(unified->learning_rate.united(unified->batch_tokens).size() == 3U);
  BOOST_TEST(find_law_form("cubic") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_range_is_the_box_of_its_scales) {
  const TrainingScale scales[] = {{1e8, 1e8, 4e9, 0.0, 0.0}, {2e9, 3e8, 1e9, 0.0, 0.0}};
  const ScaleRange range = range_of(scales);
  BOOST_TEST((range == ScaleRange{{1e8, 2e9}, {1e8, 3e8}, {1e9, 4e9}}));
  struct Case {
    const char* why;
    TrainingScale scale;
    bool inside;
  };
  const Case cases[] = {{"a corner", {1e8, 1e8, 1e9, 0.0, 0.0}, true},
                        {"larger N", {2.1e9, 3e8, 1e9, 0.0, 0.0}, false},
                        {"smaller Na", {1e9, 9e7, 2e9, 0.0, 0.0}, false},
                        {"longer D", {1e9, 2e8, 4.1e9, 0.0, 0.0}, false}};
  for (const Case& c : cases) BOOST_TEST(range.contains(c.scale) == c.inside, c.why);
}

BOOST_AUTO_TEST_SUITE_END()
