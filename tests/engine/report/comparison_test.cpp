/// Two results with some common devices: best values of the cells that both have, and rows that only one has.
#include "engine/report/comparison.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/small_result.hpp"

namespace dfsweep::report {

BOOST_AUTO_TEST_SUITE(comparison_test)

namespace {

/// Devices x ways, one row each; time as given, [device][ways].
SmallResult grid_of(const std::vector<std::string>& devices, const std::vector<std::int64_t>& ways,
                    const std::vector<double>& times) {
  std::vector<std::int16_t> device;
  std::vector<std::int64_t> way;
  std::vector<std::uint8_t> status;
  for (std::size_t row = 0; row < times.size(); ++row) {
    device.push_back(static_cast<std::int16_t>(row / ways.size()));
    way.push_back(ways[row % ways.size()]);
    status.push_back(std::isnan(times[row]) ? 2 : 0);
  }
  SmallResult result(times.size());
  result.labels("device", devices, device).wholes("ways", way).status(status).metric("step_time", "s", "lower", times);
  return result;
}

struct Two {
  ScratchFile scratch_a{"a.h5"};
  ScratchFile scratch_b{"b.h5"};
  DatasetReader a;
  DatasetReader b;
  Two(const SmallResult& first, const SmallResult& second)
      : a(written(first, scratch_a)), b(written(second, scratch_b)) {}
  static std::filesystem::path written(const SmallResult& result, const ScratchFile& scratch) {
    result.write(scratch.path());
    return scratch.path();
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(cells_hold_the_best_of_both_for_common_values) {
  const double none = std::nan("");
  const Two two(grid_of({"a100", "h100", "only-a"}, {1, 2}, {4, 3, none, 2, 9, 9}),
                grid_of({"h100", "a100"}, {2, 4}, {7, 8, 5, 6}));
  const Report a = make_report(two.a, {});
  const Report b = make_report(two.b, {}, axes_to_compare(a));
  const Comparison found = compare(a, b, "a", "b");
  BOOST_REQUIRE_EQUAL(found.axes.size(), 2U);
  BOOST_TEST(found.axes[0].codes_a.size() == 2U);  // a100, h100
  BOOST_TEST(found.axes[1].codes_a.size() == 1U);  // ways = 2
  BOOST_TEST(found.metrics[0].a == (std::vector<double>{3, 2}), boost::test_tools::per_element());
  BOOST_TEST(found.metrics[0].b == (std::vector<double>{5, 7}), boost::test_tools::per_element());
  BOOST_TEST(found.only_a == 4U);  // two of only-a, two of ways = 1
  BOOST_TEST(found.only_b == 2U);  // ways = 4
  const html::Table table = comparison_table(found, a);
  BOOST_REQUIRE_EQUAL(table.rows.size(), 2U);
  BOOST_TEST(table.rows[0][0] == "h100");  // 7 / 2 is a larger change than 5 / 3
  BOOST_TEST(table.rows[0].back() == "3.500");
}

// The other result is compared at that value alone: 6 and 2 of h100, not the best of both devices.
BOOST_AUTO_TEST_CASE(what_one_result_fixes_is_no_axis_of_the_comparison) {
  const Two two(grid_of({"a100", "h100"}, {1, 2}, {4, 3, 6, 2}), grid_of({"h100"}, {1, 2}, {7, 1}));
  const Report a = make_report(two.a, {});
  const Report b = make_report(two.b, {}, axes_to_compare(a));
  const Comparison found = compare(a, b, "a", "b");
  BOOST_REQUIRE_EQUAL(found.axes.size(), 1U);
  BOOST_TEST(found.metrics[0].a == (std::vector<double>{6, 2}), boost::test_tools::per_element());
  BOOST_TEST(found.metrics[0].b == (std::vector<double>{7, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::report
