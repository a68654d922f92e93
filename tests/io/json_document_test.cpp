/// JSON documents: values with their places, and texts that are refused at theirs.
#include "io/json_document.hpp"
#include "tests/support/named_rows.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(json_document_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

std::string place(const SourcePosition& at) {
  return std::to_string(at.line) + ":" + std::to_string(at.column);
}

}  // namespace

BOOST_AUTO_TEST_CASE(values_know_their_places) {
  const Document table = parse_json_document(
      "\xEF\xBB\xBF{\"text\": \"a \\\"b\\\" \\u00e9, {\", \"whole\":-12,\"real\":\t1.5e3,\r\n"
      "  \"é\" : [true , false,[ ], {\"deep\": 1}],\n"
      "\"large\": 18446744073709551615 }\n",
      "f.json");
  BOOST_REQUIRE(table.members.size() == 5);
  BOOST_TEST(*table.find("text")->text() == "a \"b\" \xc3\xa9, {");
  BOOST_TEST(place(table.find("text")->at) == "1:10");  // the mark at the beginning is no character
  BOOST_TEST(std::get<std::int64_t>(table.find("whole")->value) == -12);
  BOOST_TEST(place(table.members[1].at) == "1:31");
  BOOST_TEST(place(table.find("whole")->at) == "1:39");
  BOOST_TEST(std::get<double>(table.find("real")->value) == 1500.0);
  BOOST_TEST(place(table.find("real")->at) == "1:51");
  BOOST_TEST(place(table.members[3].at) == "2:3");
  const NodeList& array = *table.find("é")->array();
  BOOST_REQUIRE(array.size() == 4);
  BOOST_TEST(std::get<bool>(array[0].value));
  BOOST_TEST(place(array[1].at) == "2:17");
  BOOST_TEST(place(array[2].at) == "2:23");
  BOOST_TEST(place(array[3].at) == "2:28");
  BOOST_TEST(place(array[3].table()->members[0].value.at) == "2:37");
  BOOST_TEST(std::get<double>(table.find("large")->value) == 18446744073709551615.0);
  BOOST_TEST(place(table.find("large")->at) == "3:10");
}

namespace {

struct Refused {
  const char* why;
  std::string text;
  const char* message;  ///< all of it, or its beginning where it ends in "..."
};

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

const Refused refused[] = {
    {"nothing", "", "f.json:1:1: not valid JSON (syntax error while parsing value - unexpected end of input..."},
    {"an open object", "{\"a\": 1,\n", "f.json:2:1: not valid JSON (syntax error while parsing object key..."},
    {"a comma too many", "{\"a\": 1,\n  }", "f.json:2:3: not valid JSON (syntax error while parsing object key..."},
    {"a comma too few", "{\"a\": 1\n \"b\": 2}", "f.json:2:4: not valid JSON (syntax error while parsing object..."},
    {"no quotes", "{\"a\": fast}", "f.json:1:9: not valid JSON (syntax error while parsing value - invalid literal..."},
    {"a comment", "{\n// why\n}", "f.json:2:1: not valid JSON (syntax error while parsing object key..."},
    {"a number that is too large", "{\"a\": 1e999}", "f.json:1:11: not valid JSON (number overflow parsing '1e999')."},
    {"something behind it", "{} {}", "f.json:1:4: not valid JSON (syntax error while parsing value..."},
    {"no object", "[1, 2]", "f.json:1:1: the document is an array (an object is needed)."},
    {"a lonely null", "null", "f.json:1:1: a value is null..."},
    {"nulls, all of them", "{\"a\": null, \"b\": [1, null], \"c\": 2}",
     "f.json:1:7: a value is null (numbers, texts, arrays and objects are needed). Remove it\n"
     "f.json:1:22: a value is null..."},
    {"a name twice", "{\"a\": 1, \"b\": {\"a\": 2},\n\"a\": 3}", "f.json:2:1: 'a' is given twice. Keep one of them"},
    {"arrays nested too deeply", "{\"a\": " + repeated("[", 100000),
     "f.json:1:70: arrays and objects are nested too deeply (at most 64)."},
    {"bytes that are no text", "{\"a\": \"\xff\"}", "f.json:1:8: not valid JSON (syntax error..."},
};

}  // namespace

BOOST_DATA_TEST_CASE(what_is_no_document_is_refused_at_its_place, bdata::make(refused), row) {
  try {
    static_cast<void>(parse_json_document(row.text, "f.json"));
    BOOST_FAIL("accepted");
  } catch (const UserError& error) {
    std::string expected = row.message;
    std::string actual = error.what();
    if (expected.ends_with("...")) {
      expected.resize(expected.size() - 3);
      actual = actual.substr(0, expected.size());
    }
    BOOST_TEST(actual == expected);
  }
}

BOOST_AUTO_TEST_SUITE_END()
