/// Rows and tables that say nothing about the device are left out, with their counts.
#include "models/operators/table_checks.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

BOOST_AUTO_TEST_SUITE(table_checks_test)

using namespace dfsweep;
using namespace dfsweep::operators;

namespace {

const TableDevice device{Throughput{1e15}, Throughput{2e15}, Throughput{}, Bandwidth{3e12},
                         Bandwidth{450e9}, Bandwidth{50e9},  8.0};

/// Products of 64 rows and growing width, each of which takes `seconds`.
OperatorTable products(std::size_t rows, double seconds) {
  OperatorTable table;
  table.system = "h100_sxm";
  table.format = "bfloat16";
  for (std::size_t row = 0; row < rows; ++row) {
    for (const float key : {64.0F, 128.0F + static_cast<float>(row), 4096.0F}) table.keys.push_back(key);
    table.seconds.push_back(static_cast<float>(seconds));
  }
  return table;
}

std::vector<LeftOutRows> checked(OperatorTable& table) {
  return leave_out_rows(table, setting_of(table, device).value());
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_of_nothing_and_of_no_device_are_left_out) {
  OperatorTable table = products(30, 20e-6);
  table.seconds[3] = 0.0F;
  table.keys[15] = 1e6F;  // row 5: 2 x 1e6 x 133 x 4096 FLOP in 20 us are 54 PFLOP/s
  const std::vector<LeftOutRows> left_out = checked(table);
  BOOST_REQUIRE(left_out.size() == 2U);
  BOOST_TEST((left_out[0].reason == LeftOutReason::no_time));
  BOOST_TEST(left_out[0].rows == 1U);
  BOOST_TEST((left_out[1].reason == LeftOutReason::impossible_rows));
  BOOST_TEST(left_out[1].rows == 1U);
  BOOST_TEST(left_out[0].place == "products, h100_sxm bfloat16");
  BOOST_TEST(table.rows() == 28U);
  BOOST_TEST(table.keys.size() == 3 * 28U);
  BOOST_TEST(table.keys[9] == 64.0F);
  BOOST_TEST(table.keys[10] == 128.0F + 4.0F);  // row 4 follows row 2
}

BOOST_AUTO_TEST_CASE(a_table_of_the_host_is_left_out) {
  OperatorTable slow = products(30, 31e-6);
  BOOST_TEST((checked(slow).at(0).reason == LeftOutReason::host_bound));
  BOOST_TEST(slow.rows() == 0U);
  OperatorTable short_table = products(19, 31e-6);  // too few rows to tell
  BOOST_TEST(checked(short_table).empty());
}

BOOST_AUTO_TEST_CASE(copies_are_left_out_in_any_order_of_rows) {
  std::vector<OperatorTable> tables{products(30, 9e-6), products(30, 9e-6), products(30, 8e-6)};
  tables[1].system = "h200_sxm";
  std::swap(tables[1].keys[1], tables[1].keys[4]);
  const std::vector<LeftOutRows> left_out = leave_out_copies(tables);
  BOOST_REQUIRE(left_out.size() == 1U);
  BOOST_TEST(left_out[0].place == "products, h200_sxm bfloat16");
  BOOST_TEST(tables[0].rows() == 30U);
  BOOST_TEST(tables[1].rows() == 0U);
  BOOST_TEST(tables[2].rows() == 30U);
}

BOOST_AUTO_TEST_CASE(units_a_thousand_times_wrong_are_noticed) {
  const auto unit = [](double seconds) {
    const OperatorTable table = products(30, seconds);
    return wrong_unit(table, setting_of(table, device).value());
  };
  BOOST_TEST(!unit(20e-6).has_value());
  BOOST_TEST(unit(20e-9).has_value());  // seconds where milliseconds belong
  BOOST_TEST(unit(20e-3).has_value());  // microseconds where milliseconds belong
}

BOOST_AUTO_TEST_CASE(formats_decide_rates_and_bytes) {
  OperatorTable table = products(1, 1e-5);
  table.format = "nvfp4";
  const TableSetting four = setting_of(table, device).value();
  BOOST_TEST(four.rates.peak.value() == 2e15);  // no rate of 4 bits: that of 8
  BOOST_TEST(four.weight_bytes == 0.5625);
  table.format = "int4_wo";
  const TableSetting weights = setting_of(table, device).value();
  BOOST_TEST(weights.rates.peak.value() == 1e15);
  BOOST_TEST(weights.activation_bytes == 2.0);
  BOOST_TEST(weights.weight_bytes == 0.5);
  table.format = "fp6";
  BOOST_TEST(!setting_of(table, device).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
