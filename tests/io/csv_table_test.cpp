/// CSV files as columns: which cells are numbers, which are texts, and that both survive exactly.
#include "io/csv_table.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(csv_table_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

CsvTable read(const std::string& text) {
  CsvReader reader(text, "t.csv");
  return read_csv_table(reader);
}

struct Cell {
  const char* why;
  const char* text;
  double number;  ///< NaN where the cell is a text
};

const double none = std::nan("");

const Cell cells[] = {
    {"a whole number", "4096", 4096.0},
    {"17 digits", "0.28800000000000003", 0.28800000000000003},
    {"an exponent", "1.3877787807814457e-17", 1.3877787807814457e-17},
    {"a sign", "-2.5", -2.5},
    {"a plus, which the C++ library refuses", "+2.5", 2.5},
    {"minus zero", "-0.0", -0.0},
    {"not a number, which the C++ library accepts", "nan", none},
    {"its negative", "-nan", none},
    {"infinity", "inf", none},
    {"out of range", "1e400", none},
    {"too small to keep its digits", "1e-310", none},
    {"digits only after the point", ".5", none},
    {"digits only before the point", "5.", none},
    {"hexadecimal", "0x10", none},
    {"a number and more", "1.5ms", none},
    {"a lone sign", "-", none},
    {"a truth value", "True", none},
    {"a blank before", " 1", none},
};

}  // namespace

BOOST_DATA_TEST_CASE(cells_are_numbers_or_texts, bdata::make(cells), cell) {
  const CsvTable table = read(std::string("a\n") + cell.text + "\n");
  BOOST_REQUIRE(table.lines.size() == 1);
  const CsvColumn& column = table.columns[0];
  BOOST_REQUIRE(column.numbers.size() == 1);
  if (std::isnan(cell.number)) {
    BOOST_TEST(std::isnan(column.numbers[0]));
    BOOST_REQUIRE(column.texts.size() == 1);
    BOOST_TEST(column.texts[0] == cell.text);
  } else {
    BOOST_TEST(column.numbers[0] == cell.number);
    BOOST_TEST(column.texts.empty());
  }
}

BOOST_AUTO_TEST_CASE(empty_cells_are_no_number_and_no_text) {
  const CsvTable table = read("a,b\n1,\n,x\n3,\n");
  BOOST_TEST(std::isnan(table.columns[0].numbers[1]));
  BOOST_TEST(table.columns[0].texts.empty());
  BOOST_TEST(table.columns[1].texts == (std::vector<std::string>{"", "x", ""}), boost::test_tools::per_element());
  BOOST_TEST(table.lines == (std::vector<std::size_t>{2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_row_index_without_a_name_is_named) {
  BOOST_TEST(read(",a\n0,1\n").columns[0].name == "index");
  BOOST_CHECK_THROW(read("a,,b\n0,1,2\n"), UserError);  // only the first may lack one
  BOOST_CHECK_THROW(read("\n1\n"), UserError);          // a line without any name is no header
}

BOOST_AUTO_TEST_CASE(pointers_to_large_files_are_recognised) {
  BOOST_TEST(is_git_lfs_pointer("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n"));
  BOOST_TEST(!is_git_lfs_pointer("version,a\n1,2\n"));
}

BOOST_AUTO_TEST_SUITE_END()
