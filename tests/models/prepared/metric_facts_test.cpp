/// Metrics as facts: values with units, flags by name, nothing for what is absent.
#include "models/prepared/metric_facts.hpp"

#include <boost/test/unit_test.hpp>

#include "models/absent.hpp"
#include "models/published_rows.hpp"

BOOST_AUTO_TEST_SUITE(metric_facts_test)

using namespace dfsweep;

namespace {

constexpr std::string_view sources[] = {"roofline", "profiled"};
const MetricInfo infos[] = {
    published::metric_of("time", "s", Better::lower, "of a step"),
    published::metric_of("memory", "byte", Better::lower, "of a device"),
    published::metric_of("price", "USD", Better::lower, "of all devices"),
    published::flags_of(published::metric_of("source", "1", Better::neither, "of times"), sources)};

}  // namespace

BOOST_AUTO_TEST_CASE(given_metrics_become_facts) {
  const double values[] = {0.5, 2e9, absent, 1.0};
  const std::vector<Fact> facts = metric_facts(infos, values);
  BOOST_REQUIRE(facts.size() == 3u);  // the price is absent
  BOOST_TEST(facts[0].label == "of a step");
  BOOST_TEST(std::get<double>(facts[0].value) == 0.5);
  BOOST_TEST(facts[0].unit == "s");
  BOOST_TEST(facts[1].unit == "B");
  BOOST_TEST(std::get<std::string>(facts[2].value) == "profiled");
}

BOOST_AUTO_TEST_SUITE_END()
