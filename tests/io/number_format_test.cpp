/// Numbers for people and for files.
#include "io/number_format.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "tests/support/named_rows.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(number_format_test)

namespace {

struct Shown {
  const char* why;
  double value;
  const char* unit;
  const char* expected;
};

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

const Shown shown_numbers[] = {
    {"seconds", 3.8123, "s", "3.812 s"},
    {"a fraction of a second", 0.0123456, "s", "12.35 ms"},
    {"seconds take no prefix above 1", 123456.7, "s", "123457 s"},
    {"rates", 21.4e12, "FLOP/s", "21.40 TFLOP/s"},
    {"rounding reaches the next prefix", 999.96e9, "byte", "1.000 TB"},
    {"rounding stays below it", 999.94e9, "byte", "999.9 GB"},
    {"bytes per second as the dataset spells them", 3.35e12, "byte s-1", "3.350 TB/s"},
    {"a ratio", 0.55123, "1", "0.5512"},
    {"a tiny ratio", 1.25e-7, "1", "1.25e-07"},
    {"whole numbers are written out", 1024, "1", "1024"},
    {"large whole numbers too", 1e12, "1", "1000000000000"},
    {"powers of units take no prefix", 2.5e6, "m2", "2500000 m2"},
    {"zero", 0.0, "s", "0 s"},
    {"negative", -2.5e-6, "s", "-2.500 us"},
    {"no value", not_a_number, "s", "-"},
    {"infinite", std::numeric_limits<double>::infinity(), "s", "inf"},
    {"money", 1234567.0, "USD", "1.235 MUSD"},
    {"money below one dollar", 0.98931, "USD", "0.9893 USD"},
    {"money far below", 4.2e-4, "USD", "420.0 uUSD"},
    {"a price of energy: 22.2 nUSD/J", 0.08 / 3.6e6, "USD/J", "0.08000 USD/kWh"},
    {"below every prefix", 1e-30, "J", "0.000001000 yJ"},
};

BOOST_DATA_TEST_CASE(numbers_for_people, boost::unit_test::data::make(shown_numbers), shown) {
  BOOST_TEST(with_unit(shown.value, shown.unit) == shown.expected);
}

BOOST_AUTO_TEST_CASE(what_somebody_wrote_is_shown_as_short_as_it_was) {
  BOOST_TEST(input_with_unit(80e9, "byte") == "80 GB");
  BOOST_TEST(input_with_unit(3.35e12, "byte s-1") == "3.35 TB/s");
  BOOST_TEST(input_with_unit(0.9, "1") == "0.9");
  BOOST_TEST(input_with_unit(0.08 / 3.6e6, "USD/J") == "0.08 USD/kWh");
  BOOST_TEST(input_with_unit(0.4 / 3.6e6, "kg/J") == "0.4 kg/kWh");
  BOOST_TEST(input_with_unit(1e-5, "1") == "1e-05");
  BOOST_TEST(input_with_unit(100.0, "1") == "100");
  BOOST_TEST(input_with_unit(0.0, "s") == "0 s");
  BOOST_TEST(input_with_unit(not_a_number, "s") == "-");
}

BOOST_AUTO_TEST_CASE(a_column_shares_a_prefix_so_that_points_align) {
  const double values[] = {0.9, 3.8123, 12.5};
  const NumberColumn column = format_column(values, "s");
  BOOST_TEST(column.unit == "s");
  BOOST_TEST((column.cells == std::vector<std::string>{"0.9000", "3.812 ", "12.50  "}));
}

BOOST_AUTO_TEST_CASE(a_wide_column_gives_every_cell_its_own_prefix) {
  const double values[] = {1e-6, 1.0, not_a_number};
  const NumberColumn column = format_column(values, "s");
  BOOST_TEST(column.unit.empty());
  BOOST_TEST((column.cells == std::vector<std::string>{"1.000 us", "1.000 s", "-"}));
}

BOOST_AUTO_TEST_CASE(whole_numbers_stay_whole) {
  const double values[] = {1, 2, 1024};
  BOOST_TEST((format_column(values, "1").cells == std::vector<std::string>{"1", "2", "1024"}));
}

BOOST_AUTO_TEST_CASE(shortest_reads_back_as_the_same_bits) {
  std::uint64_t state = 1;
  for (int i = 0; i < 20000; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    double value = 0.0;
    std::memcpy(&value, &state, sizeof value);
    if (!std::isfinite(value)) continue;
    const std::string text = shortest(value);
    double back = 0.0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    BOOST_REQUIRE_EQUAL(back, value);
  }
  BOOST_TEST(shortest(0.1) == "0.1");
  BOOST_TEST(shortest(320.0) == "320");
}

BOOST_AUTO_TEST_CASE(units_of_the_dataset_are_spelled_as_people_do) {
  BOOST_TEST(shown_unit("1") == "");
  BOOST_TEST(shown_unit("byte") == "B");
  BOOST_TEST(shown_unit("byte s-1") == "B/s");
  BOOST_TEST(shown_unit("s-1") == "/s");
  BOOST_TEST(shown_unit("FLOP/s") == "FLOP/s");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
