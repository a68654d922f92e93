/// Metrics that are absent because an entry lacks a field.
#include "models/absent_metrics.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/published_rows.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(absent_metrics_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using namespace dfsweep::published;

namespace {

constexpr std::string_view cost_needs[] = {"device.price", "memory.price"};
constexpr std::string_view power_needs[] = {"device.power"};

const std::vector<ParameterInfo> parameters = {
    entry_of("device", "devices", "chip"),
    entry_of("memory", "memories", "DRAM"),
    override_of("device.price", real("device_price", "USD", 0, 1e12, "price"), "the device's"),
};
const std::vector<MetricInfo> metrics = {
    metric_of("step_time", "s", Better::lower, "time"),
    needs(metric_of("system_cost", "USD", Better::lower, "cost"), cost_needs),
    needs(metric_of("cost_efficiency", "1", Better::higher, "per cost"), cost_needs),
    needs(metric_of("system_power", "W", Better::lower, "power"), power_needs),
};

struct Fixture {
  Entry priced;
  Entry bare;
  SweepValues values;

  Fixture() {
    priced.name = "priced";
    priced.numbers = {{"price", 1.0}, {"power", 2.0}};
    bare.name = "bare";
    values.parameters = {{{naming(priced), naming(bare)}, 0}, {{naming(priced)}, 1}, {{ParameterValue{}}, 2}};
  }
  static ParameterValue naming(const Entry& entry) {
    ParameterValue value;
    value.text = entry.name;
    value.entry = &entry;
    return value;
  }
  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const AbsentMetrics& lack : absent_metrics(parameters, metrics, values))
      all.push_back(text_of(lack, parameters, metrics, values));
    return all;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(an_entry_without_fields_is_named_with_what_depends_on_them, Fixture) {
  const std::vector<std::string> expected = {"system_cost, cost_efficiency: device 'bare' has no 'price'",
                                             "system_power: device 'bare' has no 'power'"};
  BOOST_TEST(texts() == expected, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_field_that_is_replaced_everywhere_is_not_missed, Fixture) {
  values.parameters[2].values[0].number = 100.0;
  const std::vector<std::string> expected = {"system_power: device 'bare' has no 'power'"};
  BOOST_TEST(texts() == expected, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(one_that_is_replaced_at_some_points_is, Fixture) {
  values.parameters[2].values.push_back({.number = 100.0, .text = {}});
  BOOST_TEST(texts().size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(a_parameter_that_names_no_entry_lacks_nothing, Fixture) {
  values.parameters[0].values[1] = {};
  BOOST_TEST(texts().empty());
}

BOOST_AUTO_TEST_SUITE_END()
