/// The CSV reader: what it accepts, and where it says that a file is wrong.
#include "io/csv.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(csv_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

struct File {
  const char* why;
  const char* text;
  const char* lines;     ///< cells joined by '|', lines by ';', the header first
  const char* problems;  ///< joined by ';'
};

const File files[] = {
    {"plain", "a,b\n1,2\n3,4\n", "a|b;1|2;3|4", ""},
    {"no newline at the end", "a,b\n1,2", "a|b;1|2", ""},
    {"CRLF", "a,b\r\n1,2\r\n", "a|b;1|2", ""},
    {"a byte order mark",
     "\xef\xbb\xbf"
     "a,b\n1,2\n",
     "a|b;1|2", ""},
    {"comments before the header", "# measured\n# twice\na\n1\n", "a;1", ""},
    {"quotes", "a,b\n\"x,y\",\"say \"\"hi\"\"\"\n", "a|b;x,y|say \"hi\"", ""},
    {"empty cells", "a,b,c\n,,\n1,,3\n", "a|b|c;||;1||3", ""},
    {"empty lines at the end", "a,b\n1,2\n\n\r\n", "a|b;1|2", ""},
    {"an empty line in between", "a,b\n\n1,2\n", "a|b;1|2", "f.csv:2:1: line is empty (the header has 2)."},
    {"too few cells", "a,b\n1\n3,4\n", "a|b;3|4", "f.csv:2:1: line has 1 cell (the header has 2)."},
    {"too many cells", "a,b\n1,2,3\n", "a|b", "f.csv:2:1: line has 3 cells (the header has 2)."},
    {"semicolons", "a;b\n1,5;2\n", "a|b;1,5|2", ""},
    {"tabs", "a\tb\n1;5\t2\n", "a|b;1;5|2", ""},
    {"bars", "a|b\n1,5|2\n", "a|b;1,5|2", ""},
    {"more commas than semicolons", "a,b;c,d\n1,2,3\n", "a|b;c|d;1|2|3", ""},
    {"blanks around names", " a , b\n 1,2\n", "a|b; 1|2", ""},
    {"an index of a data frame", ",a\n0,1\n", "index|a;0|1", ""},
    {"an open quote", "a,b\n1,\"2\n3,4\n", "a|b;3|4",
     "f.csv:2:3: unterminated quoted cell (a line break or a character after the closing quote)."},
    {"a character after a quote", "a,b\n\"1\"x,2\n", "a|b",
     "f.csv:2:1: unterminated quoted cell (a line break or a character after the closing quote)."},
};

std::string joined(std::span<const CsvCell> cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) text += (i > 0 ? "|" : "") + std::string(cells[i].text);
  return text;
}

}  // namespace

BOOST_DATA_TEST_CASE(files_are_read_strictly, bdata::make(files), file) {
  CsvReader reader(file.text, "f.csv");
  std::string lines = joined(reader.header());
  for (auto cells = reader.next(); !cells.empty(); cells = reader.next()) lines += ";" + joined(cells);
  BOOST_TEST(lines == file.lines);
  std::string problems;
  for (const Problem& problem : reader.problems()) problems += (problems.empty() ? "" : ";") + to_string(problem);
  BOOST_TEST(problems == file.problems);
}

BOOST_AUTO_TEST_CASE(cells_know_their_place) {
  CsvReader reader("# c\nname,value\n\"x,y\",2\n", "f.csv");
  BOOST_TEST(reader.header()[1].column == 6);
  BOOST_TEST(reader.header_line() == 2);
  const auto cells = reader.next();
  BOOST_TEST(reader.line() == 3);
  BOOST_TEST(cells[0].column == 1);
  BOOST_TEST(cells[1].column == 7);
}

BOOST_AUTO_TEST_CASE(lines_begin_where_the_caller_says) {
  CsvReader reader("a\n1\n", "f.jsonl", 0);
  BOOST_TEST(reader.header_line() == 0U);
  static_cast<void>(reader.next());
  BOOST_TEST(reader.line() == 1U);
}

BOOST_AUTO_TEST_CASE(headers_are_names) {
  BOOST_CHECK_THROW(CsvReader("", "f.csv"), UserError);
  BOOST_CHECK_THROW(CsvReader("a,,b\n", "f.csv"), UserError);
  BOOST_CHECK_THROW(CsvReader("a,b,a\n", "f.csv"), UserError);
}

/// Comparing every name with every other would take minutes here.
BOOST_AUTO_TEST_CASE(a_header_of_many_columns_costs_time_in_proportion) {
  std::string header;
  for (int i = 0; i < 300'000; ++i) header += "c" + std::to_string(i) + ",";
  BOOST_TEST(CsvReader(header + "last\n", "f.csv").header().size() == 300'001U);
  try {
    CsvReader(header + header + "last\n", "f.csv");
    BOOST_ERROR("names that occur twice are accepted");
  } catch (const UserError& error) {
    BOOST_TEST(error.problems.size() == 100U);  // as many as are worth reading
  }
}

BOOST_AUTO_TEST_SUITE_END()
