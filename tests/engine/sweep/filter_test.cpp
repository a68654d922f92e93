/// Filter expressions: their values, how they are cut into conditions, and errors at the place in the text.
#include "engine/sweep/filter.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(filter_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

const std::vector<FilterVariable> variables{
    {"degree", VariableKind::number, "1", {}},
    {"bandwidth", VariableKind::number, "B/s", {}},
    {"device", VariableKind::label, "1", {"a100", "h100", "b200", "b200-x", "tpu"}},
    {"shape", VariableKind::text, "1", {}},
    {"memory_used", VariableKind::number, "byte", {}},  // as datasets spell units
    {"rate", VariableKind::number, "byte s-1", {}},
    {"days", VariableKind::number, "d", {}},
    {"time", VariableKind::number, "s", {}}};

struct Value {
  const char* text;
  bool keeps;  ///< for degree 6, bandwidth 2e12, device h100, shape 8x128, memory 79e9, rate 1e9, 30 days, 60 s
};

const Value values[] = {{"degree == 6", true},
                        {"degree % 4 == 2", true},
                        {"degree % 0 == 0", false},
                        {"degree % 0", false},
                        {"device == 'h100'", true},
                        {"device == \"h100\"", true},
                        {"device != 'a100' && degree > 3", true},
                        {"device == 'a100' || degree > 3", true},
                        {"!(device == 'a100')", true},
                        {"!degree", false},
                        {"bandwidth == '2 TB/s'", true},
                        {"bandwidth >= '2.1 TB/s'", false},
                        {"memory_used < '80 GB'", true},
                        {"memory_used < '78 GB'", false},
                        {"rate >= '1 GB/s'", true},
                        {"days == '720 h'", true},
                        {"days < '29 d'", false},
                        {"time == '1 min' && degree == 6", true},
                        {"shape == '8x128'", true},
                        {"shape == 'other'", false},
                        {"device == (degree == 6 ? 'h100' : 'a100')", true},
                        {"max(degree, 7) == 7", true},
                        {"degree - 6", false},
                        {"1e3 == 1000", true}};

struct Error {
  const char* text;
  const char* message;
};

const Error errors[] = {
    {"degre == 6", "f:1:10: unknown name 'degre' in a filter. Did you mean 'degree'?"},
    {"degree > 3 and degree < 9", "f:1:21: unknown name 'and' in a filter. Write && instead of 'and'"},
    {"degree > 3 or degree < 2", "f:1:21: unknown name 'or' in a filter. Write || instead of 'or'"},
    {"not degree", "f:1:10: unknown name 'not' in a filter. Write ! instead of 'not'"},
    {"device == h100", "f:1:20: unknown name 'h100' in a filter. Write 'h100' in quotes, because it is a label"},
    {"device == b200-x", "f:1:20: unknown name 'b200' in a filter. Write 'b200-x' in quotes, because it is a label"},
    {"something == 1",
     "f:1:10: unknown name 'something' in a filter. Names are parameters or columns; labels stand in quotes: device == "
     "'h100'"},
    {"degree = 6", "f:1:17: filter has a single '=' (it would assign). Write == to compare"},
    {"device == 'h10'", "f:1:20: unknown label 'h10' in a filter. Did you mean 'h100'?"},
    {"degree == 'h100'", "f:1:20: filter compares numbers with 'h100' (no variable in it has labels)."},
    {"bandwidth > '2 GB'", "f:1:22: '2 GB' has a unit that no variable in the filter has."},
    {"days < '1 d' && time < '1 s'",
     "f:1:17: '1 d' is ambiguous (days is in d, time in s). Write numbers without units"},
    {"device == 'h100", "f:1:20: filter has an unterminated quote."},
    {"", "f:1:10: filter is empty."},
    {"degree > 1, 2", "f:1:10: filter has several values (separated by commas). Write && between conditions"},
};

FilterExpression expression(std::string_view text) {
  FilterExpression result(text, {"f", 1, 10}, variables);
  for (const std::size_t v : result.used()) {
    if (v == 0) result.set(v, 6.0);
    if (v == 1) result.set(v, 2e12);
    if (v == 2) result.set(v, result.number_of("h100"));
    if (v == 3) result.set(v, result.number_of("8x128"));
    if (v == 4) result.set(v, 79e9);
    if (v == 5) result.set(v, 1e9);
    if (v == 6) result.set(v, 30);
    if (v == 7) result.set(v, 60);
  }
  return result;
}

}  // namespace

BOOST_DATA_TEST_CASE(expressions_have_their_value, bdata::make(values), row) {
  BOOST_TEST(expression(row.text).keeps() == row.keeps);
}

BOOST_DATA_TEST_CASE(errors_are_at_their_place, bdata::make(errors), row) {
  try {
    static_cast<void>(expression(row.text));
    BOOST_FAIL("accepted");
  } catch (const UserError& error) {
    BOOST_TEST(std::string(error.what()) == row.message);
  }
}

BOOST_AUTO_TEST_CASE(syntax_errors_are_at_their_place) {
  for (const char* text : {"degree == ", "(degree", "degree )", "degree ++ ", "degree degree", "&&", "degree @ 2"}) {
    try {
      static_cast<void>(expression(text));
      BOOST_FAIL(text);
    } catch (const UserError& error) {
      BOOST_TEST(error.problems[0].at.column >= 10);
      BOOST_TEST(error.problems[0].at.column <= 10 + std::string(text).size());
    }
  }
}

BOOST_AUTO_TEST_CASE(conditions_are_cut_at_the_top_only) {
  const auto cut = [](std::string_view text) {
    std::string joined;
    for (const FilterTerm& term : split_conditions(text)) {
      BOOST_TEST(text.substr(term.offset, term.expression.size()) == term.expression);
      joined += (joined.empty() ? "" : " ; ") + term.expression;
    }
    return joined;
  };
  BOOST_TEST(cut("a && b&&c") == "a ; b ; c");
  BOOST_TEST(cut("(a && b) && c") == "(a && b) ; c");
  BOOST_TEST(cut("a && b || c") == "a && b || c");
  BOOST_TEST(cut("a ? b && c : d") == "a ? b && c : d");
  BOOST_TEST(cut("x == '&&' && y") == "x == '&&' ; y");
}

BOOST_AUTO_TEST_SUITE_END()
