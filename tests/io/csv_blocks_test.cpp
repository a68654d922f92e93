/// CSV in blocks: whatever the cut, the lines and problems of the reader that takes the whole file.
#include "io/csv_blocks.hpp"

#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>
#include <numeric>
#include <ostream>

#include "io/csv.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/small_result.hpp"

BOOST_AUTO_TEST_SUITE(csv_blocks_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

const char* const texts[] = {
    "a,b\n1,2\n3,4\n",
    "a,b\n1,2",
    "a,b\r\n1,2\r\n3,4\r\n",
    ("\xef\xbb\xbf"
     "a,b\n1,2\n"),
    "# measured\n# twice\na,b\n1,2\n",
    "a,b\n\"x,y\",\"say \"\"hi\"\"\"\n,\n\"\",2\n",
    "a,b,c\n,,\n1,,3\n\n\r\n",
    "a,b\n\n1,2\n\n\n3,4\n",
    "a,b\n1\n3,4\n1,2,3\n5,6\n",
    "a,b\n1,\"2\n3,4\n\"1\"x,2\n5,6\n",
    "a,b\n",
};

std::string joined(std::span<const std::string_view> cells) {
  std::string text;
  for (const std::string_view cell : cells) text += std::string(cell) + "|";
  return text;
}

/// Lines and problems of the whole file as one text.
std::string read_whole(const std::string& text) {
  CsvReader reader(text, "f.csv");
  std::string out;
  for (auto cells = reader.next(); !cells.empty(); cells = reader.next()) {
    std::vector<std::string_view> views;
    for (const CsvCell& cell : cells) views.push_back(cell.text);
    out += std::to_string(reader.line()) + ":" + joined(views) + ";";
  }
  for (const Problem& problem : reader.problems()) out += to_string(problem) + ";";
  return out;
}

std::string read_in_blocks(const std::string& text, std::uint64_t block_bytes) {
  const ScratchFile file("f.csv");
  std::ofstream(file.path(), std::ios::binary) << text;
  const CsvFile csv(real_file_system(), file.path(), block_bytes);
  std::vector<std::size_t> all(csv.header().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::string out;
  std::vector<Problem> problems;
  std::uint32_t before = csv.header_line() + 1;
  std::uint32_t blank = CsvBlockReader::none;  // a line that is a problem as soon as another one follows
  for (std::uint64_t b = 0; b < csv.block_count(); ++b) {
    const std::string block = csv.block(b);
    CsvBlockReader reader(block, csv.header().size(), all);
    while (reader.next()) out += std::to_string(before + reader.line()) + ":" + joined(reader.cells()) + ";";
    const auto blank_problem = [&](std::uint32_t line) {
      problems.push_back({{"f.csv", line, 1}, "line is empty", "the header has " + std::to_string(all.size()), ""});
    };
    const bool has_lines = reader.line_count() > 0 && reader.first_trailing_blank() != 0;
    if (blank != CsvBlockReader::none && has_lines) blank_problem(blank);
    if (has_lines) blank = CsvBlockReader::none;
    for (const CsvBlockProblem& p : reader.problems())
      problems.push_back({{"f.csv", before + p.line, p.column}, p.problem, p.reason, ""});
    if (reader.first_trailing_blank() != CsvBlockReader::none && blank == CsvBlockReader::none)
      blank = before + reader.first_trailing_blank();
    before += reader.line_count();
  }
  std::stable_sort(problems.begin(), problems.end(),
                   [](const Problem& a, const Problem& b) { return a.at.line < b.at.line; });
  for (const Problem& problem : problems) out += to_string(problem) + ";";
  return out;
}

}  // namespace

BOOST_DATA_TEST_CASE(any_cut_reads_what_the_whole_reads, bdata::make(texts), text) {
  const std::string whole = read_whole(text);
  if (whole.find("line is empty") != whole.rfind("line is empty")) return;  // the case of several empty lines is below
  for (std::uint64_t bytes = 1; bytes <= 24; ++bytes)
    BOOST_TEST(read_in_blocks(text, bytes) == whole, "blocks of " << bytes << " bytes");
}

BOOST_AUTO_TEST_CASE(of_empty_lines_in_a_row_the_first_is_named) {
  const std::string text = "a,b\n1,2\n\n\n3,4\n";
  for (std::uint64_t bytes = 5; bytes <= 24; ++bytes) {
    const std::string read = read_in_blocks(text, bytes);
    BOOST_TEST(read.find("f.csv:3:1: line is empty") != std::string::npos, "blocks of " << bytes << " bytes: " << read);
  }
}

BOOST_AUTO_TEST_CASE(only_wanted_columns_are_handed_out) {
  const std::string block = "1,2,3,4\n\"5\",6,\"7,7\",8\n";
  const std::size_t wanted[] = {0, 2};
  CsvBlockReader reader(block, 4, wanted);
  BOOST_TEST_REQUIRE(reader.next());
  BOOST_TEST(joined(reader.cells()) == "1|3|");
  BOOST_TEST(reader.column(1) == 5U);
  BOOST_TEST_REQUIRE(reader.next());
  BOOST_TEST(joined(reader.cells()) == "5|7,7|");
  BOOST_TEST(reader.column(1) == 7U);
  BOOST_TEST(!reader.next());
}

namespace {

struct NumberCase {
  const char* text;
  bool is_number;
  double value;
};
const NumberCase numbers[] = {
    {"1.726e-04", true, 1.726e-4},
    {"100000000000", true, 1e11},
    {"+3", true, 3.0},
    {"-3", true, -3.0},
    {"1e999", true, INFINITY},
    {"-1e999", true, -INFINITY},
    {"1e-999", true, 0.0},
    {"inf", true, INFINITY},
    {"", false, 0.0},
    {"1,5", false, 0.0},
    {"1 2", false, 0.0},
    {"+-1", false, 0.0},
    {"0x10", false, 0.0},
    {"abc", false, 0.0},
    {" 1", false, 0.0},
};

}  // namespace

BOOST_DATA_TEST_CASE(numbers_are_whole_cells, bdata::make(numbers), c) {
  const CsvNumber number = csv_number(c.text);
  BOOST_TEST(number.is_number == c.is_number);
  if (c.is_number) BOOST_TEST(number.value == c.value);
}

BOOST_AUTO_TEST_CASE(nan_is_a_number) {
  BOOST_TEST(csv_number("NaN").is_number);
  BOOST_TEST(std::isnan(csv_number("nan").value));
}

BOOST_AUTO_TEST_SUITE_END()
