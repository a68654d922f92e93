/// Numbers without a unit in conditions: which comparisons have them, and when a note says what they mean.
#include "engine/results/bare_numbers.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "engine/results/row_condition.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(bare_numbers_test)

namespace {

struct TextCase {
  const char* why;
  const char* condition;
  const char* found;  ///< comparisons, each with a semicolon behind it
};

const TextCase text_cases[] = {
    {"one", "time < 2", "time<2;"},
    {"without blanks", "time<=2.5e3", "time<=2.5e3;"},
    {"several, in parentheses", "(time > 2 || speed == 7)&&!(memory != 1e9)", "time>2;speed==7;memory!=1e9;"},
    {"a quantity", "time < '2 s'", ""},
    {"zero has no unit", "time > 0 && speed > 0.0", ""},
    {"part of a product", "time < 2 * speed", ""},
    {"part of another", "2 * time < 3 && 1 + time < 3", ""},
    {"a name in quotes", "model == 'time < 2'", ""},
    {"an open quote", "time < 2 && 'x", "time<2;"},
    {"two columns", "time < speed2", ""},
    {"a function", "min(time, 3) < 2", ""},
    {"not a sign", "time % 2", ""},
    {"nothing", "", ""},
};

}  // namespace

BOOST_DATA_TEST_CASE(comparisons_with_bare_numbers_are_found, boost::unit_test::data::make(text_cases), c) {
  std::string found;
  for (const BareComparison& one : bare_comparisons(c.condition)) found += one.name + one.sign + one.number + ";";
  BOOST_TEST(found == c.found);
}

namespace {

struct NoteCase {
  const char* why;
  const char* condition;
  const char* note;
};

/// The columns: latency in s, 1 to 4 ms; power in W, as tables print it.
const NoteCase note_cases[] = {
    {"every row is below 2 s", "latency < 2",
     "note: the condition keeps every row. latency is in s where a number has no unit: write latency < '2 ms' if that "
     "is meant"},
    {"no row is above 2 s", "latency > 2 && ways > 0",
     "note: the condition keeps no row. latency is in s where a number has no unit: write latency > '2 ms' if that is "
     "meant"},
    {"some rows", "latency < 0.002", ""},
    {"a quantity", "latency < '9 ms'", ""},
    {"printed as it is meant", "power < 2", ""},
    {"without unit", "ways < 100", ""},
    {"no condition", "", ""},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_note_names_the_unit, boost::unit_test::data::make(note_cases), c) {
  const ScratchFile scratch("result.h5");
  SmallResult(4)
      .wholes("ways", {1, 2, 3, 4})
      .status({0, 0, 0, 0})
      .metric("latency", "s", "lower", {1e-3, 2e-3, 3e-3, 4e-3})
      .metric("power", "W", "lower", {5, 6, 7, 8})
      .write(scratch.path());
  const DatasetReader file(scratch.path());
  const RowCondition condition = row_condition(file, c.condition);
  BOOST_TEST(unit_note(condition, c.condition) == "");  // before a scan
  scan_rows(file, {}, condition.filter, [](const RowChunk&) {});
  BOOST_TEST(unit_note(condition, c.condition) == c.note);
}

BOOST_AUTO_TEST_CASE(rates_have_the_unit_that_tables_print) {
  const ScratchFile scratch("result.h5");
  SmallResult(3).status({0, 0, 0}).metric("rate", "s-1", "higher", {1, 5, 9}).write(scratch.path());
  const DatasetReader file(scratch.path());
  for (const char* rate : {"rate > '4 /s'", "rate > '4 1/s'", "rate > '4 Hz'", "rate > '0.004 /ms'"}) {
    std::size_t kept = 0;
    scan_rows(file, {}, row_condition(file, rate).filter, [&](const RowChunk& chunk) {
      for (const std::uint8_t one : chunk.kept) kept += one;
    });
    BOOST_TEST(kept == 2U, rate);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
