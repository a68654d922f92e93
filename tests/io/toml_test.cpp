/// TOML: order of the file, positions, and malformed text that must stay an ordinary error.
#include "io/toml.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(toml_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

BOOST_AUTO_TEST_CASE(tables_keep_the_order_of_the_file_and_know_their_places) {
  const Document table = parse_toml("[z]\nb = 1\na = 'text'\n[a]\nc = [1, 2.5, true]\n", "f.toml");
  BOOST_REQUIRE(table.members.size() == 2);
  BOOST_TEST(table.members[0].key == "z");
  const Document& z = *table.members[0].value.table();
  BOOST_TEST(z.members[0].key == "b");
  BOOST_TEST(z.members[1].key == "a");
  BOOST_TEST(z.members[1].at.line == 3);
  BOOST_TEST(z.members[1].at.column == 1);
  BOOST_TEST(z.members[1].value.at.column == 5);
  BOOST_TEST(z.members[1].value.verbatim);
  const NodeList& c = *table.members[1].value.table()->find("c")->array();
  BOOST_TEST(c[1].at.column == 9);
  BOOST_TEST(c[2].type_name() == "a boolean");
}

BOOST_AUTO_TEST_CASE(texts_with_escapes_are_not_verbatim) {
  const Document table = parse_toml("a = \"x\\ty\"\nb = \"\"\"\nx\"\"\"\nc = \"xy\"\n", "f.toml");
  BOOST_TEST(!table.find("a")->verbatim);
  BOOST_TEST(!table.find("b")->verbatim);
  BOOST_TEST(table.find("c")->verbatim);
}

namespace {

struct Malformed {
  const char* why;
  std::string text;
  std::uint32_t line;
};

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

const Malformed malformed[] = {
    {"a header that ends at once, which trips an assertion of the library", "[\n", 1},
    {"a header of blanks", "a = 1\n[ \n", 2},
    {"an open array", "a = [1,\n", 1},
    {"an open text", "a = \"x\n", 1},
    {"a key twice", "a = 1\na = 2\n", 2},
    {"arrays nested too deeply", "a = " + repeated("[", 100000), 1},
    {"tables nested too deeply", "a = " + repeated("{a=", 100000), 1},
    {"keys of too many parts", repeated("a.", 100000) + "a = 1", 1},
    {"a key of too many parts", repeated("a.", 100000) + "a = 1", 1},
    {"a header of too many parts", "x = 1\n[" + repeated("a.", 100000) + "a]", 2},
    {"bytes that are no text", "a = \"\xff\"", 1},
    {"a letter that the library's table of blanks does not expect", "flav\xcf\x8c = 1", 1},
    {"a zero byte", std::string("a = 1\0b", 7), 1},
};

}  // namespace

BOOST_DATA_TEST_CASE(malformed_documents_are_errors_with_a_line, bdata::make(malformed), row) {
  try {
    static_cast<void>(parse_toml(row.text, "f.toml"));
    BOOST_FAIL("accepted");
  } catch (const UserError& error) {
    BOOST_REQUIRE(error.problems.size() == 1);
    BOOST_TEST(error.problems[0].at.line == row.line);
    BOOST_TEST(error.problems[0].at.column >= 1);
  }
}

BOOST_AUTO_TEST_CASE(dots_in_texts_and_numbers_are_not_keys) {
  const Document table = parse_toml("a = \"" + repeated(". ", 100) + "\" # " + repeated("a.", 100) + "\nb = [" +
                                        repeated("1.5, ", 100) + "]\n" + "c = '''\n" + repeated("a.", 100) + "'''\n",
                                    "f.toml");
  BOOST_TEST(table.members.size() == 3);
}

BOOST_AUTO_TEST_CASE(quoted_texts_read_back) {
  const std::string text = "a \"quoted\" \\ text\nwith\ttabs \x01 and \xc3\xa9";
  BOOST_TEST(*parse_toml("a = " + toml_quoted(text), "f.toml").find("a")->text() == text);
}

BOOST_AUTO_TEST_SUITE_END()
