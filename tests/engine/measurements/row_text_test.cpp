/// Tables as people write them: names of columns, words without a number, and where they are.
#include "engine/measurements/row_text.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <optional>

#include "engine/console/usage_error.hpp"
#include "engine/measurements/missing_cells.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/small_result.hpp"

BOOST_AUTO_TEST_SUITE(row_text_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

struct Word {
  const char* why;
  const char* text;
  std::optional<MissingCell> expected;
};

const Word words[] = {
    {"nothing", "", MissingCell::not_given},
    {"blanks", "  ", MissingCell::not_given},
    {"a spreadsheet's word", "#N/A", MissingCell::not_given},
    {"what pandas writes by hand", "None", MissingCell::not_given},
    {"out of memory in capitals", "OOM", MissingCell::no_result},
    {"with blanks around it", " diverged ", MissingCell::no_result},
    {"a number", "1.5", std::nullopt},
    {"a word that says nothing of the kind", "fast", std::nullopt},
};

struct Renaming {
  const char* why;
  const char* text;
  std::vector<ColumnPair> pairs;
  const char* expected;
};

const Renaming renamings[] = {
    {"no pairs: untouched", "TP,t\n1,2\n", {}, "TP,t\n1,2\n"},
    {"ours first", "TP,t\n1,2\n", {{"tensor_parallel", "TP"}}, "\"tensor_parallel\",\"t\"\n1,2\n"},
    {"theirs first", "TP,t\n1,2\n", {{"TP", "tensor_parallel"}}, "\"tensor_parallel\",\"t\"\n1,2\n"},
    {"two columns change places", "a,b\n1,2\n", {{"b", "a"}, {"a", "b"}}, "\"b\",\"a\"\n1,2\n"},
    {"semicolons stay, and so do line ends", "TP;t\r\n1;2\r\n", {{"x", "t"}}, "\"TP\";\"x\"\r\n1;2\r\n"},
    {"comments stay", "# c\na,b\n1,2\n", {{"x", "b"}}, "# c\n\"a\",\"x\"\n1,2\n"},
    {"names with quotes", "\"a \"\"b\"\"\",c\n1,2\n", {{"x", "c"}}, "\"a \"\"b\"\"\",\"x\"\n1,2\n"},
};

struct Lookalike {
  const char* why;
  const char* header;
  std::string option;
};

const Lookalike lookalikes[] = {
    {"what is ours already is not offered", "step_time,tensor_parallel\n", ""},
    {"words of other tools", "TP,step_time\n", "--columns tensor_parallel=TP"},
    {"units and blanks do not count", "Step Time (s),tp\n", "--columns \"step_time=Step Time (s),tensor_parallel=tp\""},
    {"a name that has a column is not offered again", "TP,tensor_parallel\n", ""},
    {"the first of two wins", "tp,TP\n", "--columns tensor_parallel=tp"},
    {"a name of nothing", "lab\n", ""},
};

}  // namespace

BOOST_DATA_TEST_CASE(words_for_missing_numbers, bdata::make(words), word) {
  BOOST_TEST((missing_cell(word.text) == word.expected));
}

BOOST_DATA_TEST_CASE(columns_get_other_names, bdata::make(renamings), renaming) {
  RowText rows{renaming.text, "rows.csv", {}};
  rename_columns(rows, renaming.pairs);
  BOOST_TEST(rows.text == renaming.expected);
}

BOOST_AUTO_TEST_CASE(a_pair_without_a_column_is_an_error) {
  RowText rows{"# c\na,b\n", "rows.csv", {}};
  const std::vector<ColumnPair> pairs{{"step_time", "c"}};
  try {
    rename_columns(rows, pairs);
    BOOST_FAIL("there is no such column");
  } catch (const UserError& error) {
    BOOST_TEST(error.problems.front().at.line == 2U);
    BOOST_TEST(error.problems.front().problem == "there is no column 'c'");
  }
  BOOST_CHECK_THROW(static_cast<void>(column_pairs("a")), UsageError);
}

BOOST_DATA_TEST_CASE(columns_that_look_like_ours, bdata::make(lookalikes), row) {
  const std::vector<std::string> known{"step_time", "tensor_parallel"};
  const CsvReader reader(row.header, "rows.csv");
  BOOST_TEST(columns_option(lookalike_columns(reader.header(), known)) == row.option);
}

BOOST_AUTO_TEST_CASE(missing_words_are_counted_with_their_first_line) {
  std::vector<MissingWord> counts;
  count_missing(counts, "OOM", 4);
  count_missing(counts, " OOM", 9);
  count_missing(counts, "n/a", 7);
  BOOST_TEST(missing_message("rows.csv", counts) ==
             "rows.csv: 3 cells without a measurement: OOM 2 (first in line 4), n/a 1 (line 7)");
  BOOST_TEST(missing_message("rows.csv", {}).empty());
}

BOOST_AUTO_TEST_CASE(json_lines_are_rows_with_their_own_lines) {
  const ScratchFile scratch("rows.jsonl");
  std::ofstream(scratch.path()) << "{\"a\": 1, \"b\": \"x\"}\n{\"b\": null, \"a\": 2}\n";
  const RowText rows = read_row_text(scratch.path());
  CsvReader reader(rows.text, rows.shown, rows.first_line);
  static_cast<void>(reader.next());
  BOOST_TEST(reader.line() == 1U);
  BOOST_TEST(reader.next()[1].text == "");
  BOOST_TEST(reader.line() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
