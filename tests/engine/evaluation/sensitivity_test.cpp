/// Sensitivity: against the formulas of the toy, time = f size / rate with f = 1, 2, 3 by flavour.
#include "engine/evaluation/sensitivity.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "tests/support/toy_sweep.hpp"

BOOST_AUTO_TEST_SUITE(sensitivity_test)

namespace {

using namespace dfsweep;

using T = ToyEstimator;
constexpr MetricIndex asked[] = {T::time, T::speed};

const Change* change_to(const Sensitivity& found, ParameterIndex parameter, const std::string& value) {
  const auto at = std::find_if(found.changes.begin(), found.changes.end(), [&](const Change& change) {
    return change.parameter == parameter && change.to == value;
  });
  return at == found.changes.end() ? nullptr : &*at;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_number_has_the_exponent_of_its_formula) {
  const ToySweep sweep("[parameters]\nrate = '1 MB/s'\n");
  const Sensitivity found = sensitivity_of(sweep.spec, {}, asked);
  BOOST_REQUIRE(found.elasticities.size() == 1U);  // time does not depend on the capacity
  BOOST_TEST(found.elasticities[0].name == "rate");
  BOOST_TEST(found.elasticities[0].value == 1e6);
  BOOST_TEST(found.elasticities[0].unit == "B/s");
  BOOST_TEST(found.elasticities[0].of[0] == -1.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(found.elasticities[0].of[1] == 1.0, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(another_value_has_the_ratio_of_the_formula) {
  const ToySweep sweep("[parameters]\nflavour = ['plain', 'rich']\nsize = '1000 B'\n");
  const std::uint32_t rich[] = {1};
  const Sensitivity found = sensitivity_of(sweep.spec, rich, asked);
  const Change* odd = change_to(found, T::flavour, "odd");
  BOOST_REQUIRE(odd != nullptr);
  BOOST_TEST(odd->from == "rich");
  BOOST_TEST(odd->ratio[0] == 1.5);  // 3 / 2
  const Change* twice = change_to(found, T::size, "2000");
  BOOST_REQUIRE(twice != nullptr);
  BOOST_TEST(twice->ratio[0] == 2.0);
  BOOST_TEST(twice->ratio[1] == 0.5);
  BOOST_TEST(change_to(found, T::size, "500") != nullptr);
}

BOOST_AUTO_TEST_CASE(a_change_that_cannot_be_has_its_status) {
  const ToySweep sweep("[parameters]\nsize = '1000 B'\ncapacity = '1500 B'\n");
  const Sensitivity found = sensitivity_of(sweep.spec, {}, asked);
  const Change* twice = change_to(found, T::size, "2000");
  BOOST_REQUIRE(twice != nullptr);
  BOOST_TEST(twice->status == T::status_too_big);
  BOOST_TEST(change_to(found, T::size, "500")->status == status_ok);
}

BOOST_AUTO_TEST_SUITE_END()
