/// The self-test of intervals as the command gives it: the same for any number of threads, as text and as JSON.
#include "engine/fit/output/self_test.hpp"
#include "engine/fit/report/self_test.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "models/law_fits/runs/step_law_design.hpp"

BOOST_AUTO_TEST_SUITE(self_test_test)

using namespace dfsweep;
using namespace dfsweep::fit;
using namespace dfsweep::law_fits;

BOOST_AUTO_TEST_CASE(threads_do_not_change_a_digit) {
  const SelfTest one = run_self_test(step_law_design(), {20, 1, 1});
  const SelfTest two = run_self_test(step_law_design(), {20, 1, 2});
  BOOST_TEST(to_text(self_test_json(one)) == to_text(self_test_json(two)));
  const SelfTest other_seed = run_self_test(step_law_design(), {20, 2, 2});
  BOOST_TEST(to_text(self_test_json(one)) != to_text(self_test_json(other_seed)));
}

BOOST_AUTO_TEST_CASE(the_recommended_interval_is_marked_beside_the_nominal_share) {
  const SelfTest test = run_self_test(step_law_design(), {4, 1, 2});
  BOOST_TEST(test.tables.size() == 3u);
  BOOST_TEST(test.tables[0].first.group_effect == 0.0);
  BOOST_TEST(test.tables[1].first.group_effect == 0.12);
  BOOST_TEST((test.tables[2].first.skew == released_skew));
  const std::string text = self_test_text(test, {});
  BOOST_TEST(text.find("random_effect_scaled *") != std::string::npos);
  BOOST_TEST(text.find("Nominal 95 %") != std::string::npos);
  for (const std::string_view method : coverage_methods()) BOOST_TEST(text.find(method) != std::string::npos, method);
  const Json json = self_test_json(test);
  BOOST_TEST(json.at("recommended").text() == "random_effect_scaled");
  BOOST_TEST(json.at("tables").array()[0].at("sets").number() == 4.0);
  BOOST_TEST(json.at("tables").array()[1].at("methods").array().size() == coverage_methods().size() + 1);
}

BOOST_AUTO_TEST_SUITE_END()
