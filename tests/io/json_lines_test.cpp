/// JSON lines as CSV: names, cells, and numbers that JSON does not have.
#include "io/json_lines.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "io/diagnostic.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(json_lines_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

struct LinesCase {
  const char* why;
  const char* text;
  const char* expected;  ///< CSV, or the message
};

const LinesCase lines_cases[] = {
    {"names in order of appearance", "{\"a\": 1, \"b\": \"x\"}\n{\"c\": 2.5}\n", "a,b,c\n1,x,\n,,2.5\n"},
    {"members of members", "{\"o\": {\"i\": {\"j\": true}}}\n", "o.i.j\ntrue\n"},
    {"lists and null", "{\"a\": [1], \"b\": null, \"c\": 3}\n", "b,c\n,3\n"},
    {"Python writes numbers that JSON lacks", "{\"a\": NaN, \"b\": -Infinity, \"c\":Infinity}\n",
     "a,b,c\nNaN,-Infinity,Infinity\n"},
    {"texts with such words stay", "{\"NaN\": \"is \\\"NaN\\\" \\\\\", \"b\": NaN}\n",
     "NaN,b\n\"is \"\"NaN\"\" \\\",NaN\n"},
    {"no object", "{\"a\": 1}\n[NaN]\n", "F:2:1: line is not a JSON object"},
};

}  // namespace

BOOST_DATA_TEST_CASE(lines_become_rows, bdata::make(lines_cases), c) {
  std::string found;
  try {
    found = csv_of_json_lines(c.text, "F");
  } catch (const UserError& error) {
    found = error.what();
    found.resize(std::min(found.size(), std::string_view(c.expected).size()));
  }
  BOOST_TEST(found == c.expected);
}

BOOST_AUTO_TEST_SUITE_END()
