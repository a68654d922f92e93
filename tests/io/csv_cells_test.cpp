/// CsvCells: lines and their cells, by hand.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>
#include <vector>

#include "io/csv_cells.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(csv_cells_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

struct Row {
  const char* why;
  std::string line;
  std::vector<std::string> cells;      ///< unquoted
  std::vector<std::uint32_t> columns;  ///< of each cell; one more: of the cell that does not end
};

const Row rows[] = {
    {"an empty line has one empty cell", "", {""}, {1}},
    {"plain cells", "a,bc,d", {"a", "bc", "d"}, {1, 3, 6}},
    {"empty cells", ",,", {"", "", ""}, {1, 2, 3}},
    {"a quoted cell may hold commas", "\"a,b\",c", {"a,b", "c"}, {1, 7}},
    {"doubled quotes", "x,\"say \"\"8\"\"\"", {"x", "say \"8\""}, {1, 3}},
    {"an empty quoted cell at the end", "a,\"\"", {"a", ""}, {1, 3}},
    {"an empty cell after a quoted one", "\"a\",", {"a", ""}, {1, 5}},
    {"a quote inside a plain cell is a character", "a\"b,c", {"a\"b", "c"}, {1, 5}},
    {"a quote that is not closed", "a,\"b", {"a"}, {1, 3}},
    {"a character after the closing quote", "\"a\"b,c", {}, {1}},
};

}  // namespace

BOOST_DATA_TEST_CASE(lines_are_cut_into_cells, bdata::make(rows), row) {
  CsvCells cells(row.line);
  std::vector<std::string> texts;
  std::vector<std::uint32_t> columns;
  while (cells.next()) {
    std::string text(cells.text());
    if (cells.has_doubled_quotes()) text.resize(unquote(text, text.data()));
    texts.push_back(text);
    columns.push_back(cells.column());
  }
  if (cells.is_unclosed()) columns.push_back(cells.column());
  BOOST_TEST(cells.is_unclosed() == (row.columns.size() > row.cells.size()));
  BOOST_TEST(texts == row.cells, boost::test_tools::per_element());
  BOOST_TEST(columns == row.columns, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
