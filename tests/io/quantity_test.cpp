/// Quantities: every row is a text, and the double or the problem that it must give.
#include "io/quantity.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(quantity_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

struct Good {
  const char* why;
  const char* text;
  double value;
  UnitExponents unit;
};

const Good good[] = {
    {"993.2 * 1e12 in doubles is 993200000000000.1", "993.2 TFLOP/s", 993.2e12, {.second = -1, .flop = 1}},
    {"a prefix joins the exponent that is written", "1.5e-3 MB", 1500.0, {.byte = 1}},
    {"binary prefixes are powers of 1024", "80 GiB", 85899345920.0, {.byte = 1}},
    {"a binary prefix rounds once", "0.1 KiB", 102.4, {.byte = 1}},
    {"nanoseconds", "150 ns", 150e-9, {.second = 1}},
    {"hertz are per second", "1.837 GHz", 1.837e9, {.second = -1}},
    {"watts are joules per second", "700 W", 700.0, {.second = -1, .joule = 1}},
    {"a quotient in parentheses", "24 USD/(GB/s)", 24e-9, {.second = 1, .byte = -1, .dollar = 1}},
    {"energy per byte", "0.16248 W/(GB/s)", 0.16248e-9, {.byte = -1, .joule = 1}},
    {"quotients are read from left to right", "6 J/s/B", 6.0, {.second = -1, .byte = -1, .joule = 1}},
    {"products", "2 B*s", 2.0, {.second = 1, .byte = 1}},
    {"one over a unit", "3 1/s", 3.0, {.second = -1}},
    {"a rate as tables print it", "5 /s", 5.0, {.second = -1}},
    {"a rate with a prefix", "5 /ms", 5000.0, {.second = -1}},
    {"a reciprocal product", "2 /s/B", 2.0, {.second = -1, .byte = -1}},
    {"no unit", "42", 42.0, {}},
    {"several blanks", "42   B", 42.0, {.byte = 1}},
    {"a sign", "-1e3 s", -1000.0, {.second = 1}},
    {"milli and mega differ by case", "1 mB", 1e-3, {.byte = 1}},
    {"peta", "1 PB", 1e15, {.byte = 1}},
    {"a kilowatt for an hour", "2 kWh", 7.2e6, {.joule = 1}},
    {"minutes", "1.5 min", 90, {.second = 1}},
    {"hours", "36 h", 129'600, {.second = 1}},
    {"days", "30 d", 2'592'000, {.second = 1}},
    {"a price of an hour", "2.5 USD/h", 2.5 / 3600, {.second = -1, .dollar = 1}},
    {"a price of energy", "0.09 USD/kWh", 0.09e-3 / 3600, {.joule = -1, .dollar = 1}},
    {"a gram is no base unit", "0.36 kg/kWh", 0.36e-3 / 3600, {.joule = -1, .kilogram = 1}},
};

struct Bad {
  const char* why;
  const char* text;
  std::size_t offset;
  const char* problem;
};

const Bad bad[] = {
    {"no number", "fast", 0, "'fast' is not a quantity"},
    {"no space", "80GB", 2, "'80GB' needs a space between number and unit"},
    {"bits", "400 Gb/s", 4, "unknown unit 'Gb'"},
    {"bits written out", "400 Gbit/s", 4, "unknown unit 'Gbit'"},
    {"an unknown unit", "3 parsec", 2, "unknown unit 'parsec'"},
    {"an unknown denominator", "3 GB/parsec", 5, "unknown unit 'parsec'"},
    {"binary prefixes are for bytes", "3 GiFLOP", 2, "unknown unit 'GiFLOP'"},
    {"an open parenthesis", "3 W/(GB/s", 9, "unit has no closing ')'"},
    {"a closing one too many", "3 W)", 3, "unexpected text after the unit"},
    {"an incomplete quotient", "3 GB/", 5, "unit is incomplete"},
    {"a slash alone", "3 /", 3, "unit is incomplete"},
    {"two slashes", "3 //s", 3, "unit is incomplete"},
    {"too large for a double", "1e308 kB", 0, "number is out of range"},
    {"too small for a normal double", "1e-310 B", 0, "number is out of range"},
    {"an absurd exponent", "1e99999999999 kB", 0, "number is out of range"},
    {"not a number", "nan B", 0, "'nan B' is not a quantity"},
    {"infinity", "inf B", 0, "'inf B' is not a quantity"},
    {"hexadecimal", "0x10 B", 1, "'0x10 B' needs a space between number and unit"},
    {"nothing", "", 0, "'' is not a quantity"},
};

}  // namespace

BOOST_DATA_TEST_CASE(quantities_are_rounded_once, bdata::make(good), row) {
  const auto parsed = parse_quantity(row.text);
  BOOST_REQUIRE(std::holds_alternative<QuantityText>(parsed));
  const auto& quantity = std::get<QuantityText>(parsed);
  BOOST_TEST(quantity.value == row.value);  // the nearest double, exactly
  BOOST_TEST((quantity.unit.exponents == row.unit));
}

BOOST_DATA_TEST_CASE(problems_name_their_place, bdata::make(bad), row) {
  const auto parsed = parse_quantity(row.text);
  BOOST_REQUIRE(std::holds_alternative<QuantityProblem>(parsed));
  BOOST_TEST(std::get<QuantityProblem>(parsed).problem == row.problem);
  BOOST_TEST(std::get<QuantityProblem>(parsed).offset == row.offset);
}

BOOST_AUTO_TEST_CASE(bits_get_a_hint) {
  const auto parsed = parse_quantity("400 Gb/s");
  BOOST_TEST(std::get<QuantityProblem>(parsed).hint == "Bits are not used: write bytes, 8 Gbit/s is \"1 GB/s\"");
}

namespace {

struct Hint {
  const char* why;
  const char* text;
  const char* meant;  ///< what the hint proposes; "": nothing
};

const Hint hints[] = {
    {"a blank is missing", "10GB/s", "10 GB/s"},
    {"a blank before a slash", "5/s", "5 /s"},
    {"the prefix belongs to the unit", "30k USD", "30 kUSD"},
    {"a blank inside the unit", "80 G B", "80 GB"},
    {"blanks in both places", "2T FLOP / s", "2 TFLOP/s"},
    {"what comes after the number is no unit", "0x10 B", ""},
    {"nor is this", "3 potatoes a day", ""},
};

/// The quantity that a hint proposes to write; "" where it proposes none.
std::string proposed(const std::string& hint) {
  const std::string start = "Write \"";
  return hint.starts_with(start) ? hint.substr(start.size(), hint.size() - start.size() - 1) : "";
}

struct Meant {
  const char* why;
  const char* number;
  const char* unit;
  const char* text;
};

const Meant meant_rows[] = {
    {"a rate in the usual prefix", "3350", "B/s", "3350 GB/s"},
    {"a rate in base units keeps its value", "3.35e12", "B/s", "3.35 TB/s"},
    {"written out", "3350000000000", "B/s", "3.35 TB/s"},
    {"more digits than a prefix would keep", "1234567890123", "B/s", "1234567890123 B/s"},
    {"capacity", "80", "B", "80 GB"},
    {"microseconds", "20", "s", "20 us"},
    {"seconds as they are", "2e-5", "s", "20 us"},
    {"watts need no prefix", "700", "W", "700 W"},
    {"nor do dollars", "30000", "USD", "30000 USD"},
    {"not a number", "nan", "B/s", ""},
    {"infinite", "inf", "W", ""},
};

}  // namespace

BOOST_DATA_TEST_CASE(hints_propose_quantities, bdata::make(hints), row) {
  const auto parsed = parse_quantity(row.text);
  BOOST_REQUIRE(std::holds_alternative<QuantityProblem>(parsed));
  const std::string text = proposed(std::get<QuantityProblem>(parsed).hint);
  BOOST_TEST(text == row.meant);
  BOOST_TEST((text.empty() || std::holds_alternative<QuantityText>(parse_quantity(text))));
}

BOOST_DATA_TEST_CASE(a_number_without_unit_has_a_meaning_that_reads_back, bdata::make(meant_rows), row) {
  const std::string text = suggested_quantity(row.number, row.unit);
  BOOST_TEST(text == row.text);
  if (text.empty()) return;
  const auto parsed = parse_quantity(text);
  BOOST_REQUIRE(std::holds_alternative<QuantityText>(parsed));
  BOOST_TEST((std::get<QuantityText>(parsed).unit.exponents == std::get<ScaledUnit>(parse_unit(row.unit)).exponents));
}

BOOST_AUTO_TEST_CASE(numbers_are_written_as_people_do_and_read_back) {
  const std::pair<double, const char*> rows[] = {{0.0, "0"},           {8.0, "8"},
                                                 {2e12, "2e12"},       {0.1, "0.1"},
                                                 {1e-5, "1e-5"},       {-2.5, "-2.5"},
                                                 {123456.0, "123456"}, {85899345920.0, "85899345920"},
                                                 {1e300, "1e300"},     {993.2e12, "9.932e14"}};
  for (const auto& [value, text] : rows) {
    BOOST_TEST(number_text(value) == text);
    BOOST_TEST(std::get<double>(parse_number(text)) == value);
  }
  BOOST_TEST(number_text(std::numeric_limits<double>::quiet_NaN()) == "nan");
}

BOOST_AUTO_TEST_SUITE_END()
