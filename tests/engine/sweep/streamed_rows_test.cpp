/// Streamed rows: what is checked in one pass, with positions, and what a later pass reads.
#include "engine/sweep/streamed_rows.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(streamed_rows_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

constexpr std::string_view time_names[] = {"arrived_at"};
constexpr StreamColumn columns[] = {
    {.name = "time", .other_names = time_names, .lowest = 0, .highest = 100, .is_whole = false, .is_ascending = true},
    {.name = "count", .other_names = {}, .lowest = 1, .highest = 1000, .is_whole = true, .is_ascending = false}};

class CsvInFolder {
 public:
  explicit CsvInFolder(std::string_view text)
      : path_(std::filesystem::temp_directory_path() / fmt::format("dfsweep_streamed_{}.csv", ::getpid())) {
    std::ofstream(path_) << text;
  }
  ~CsvInFolder() { std::filesystem::remove(path_); }
  CsvInFolder(const CsvInFolder&) = delete;
  CsvInFolder& operator=(const CsvInFolder&) = delete;
  [[nodiscard]] StreamedFile read() const { return read_streamed_rows({"rows", path_}, columns); }

 private:
  std::filesystem::path path_;
};

struct BadFile {
  const char* why;
  const char* text;
  std::uint32_t line;
  std::uint32_t column;
};
const BadFile bad_files[] = {
    {"a time before the one of the line above", "time,count\n2,3\n1,3\n", 3, 1},
    {"a count that is not whole", "time,count\n1,2.5\n", 2, 3},
    {"a count below its range", "time,count\n1,0\n", 2, 3},
    {"a count beyond its range", "count,time\n1e30,1\n", 2, 1},
    {"no number", "time,count\n1,nan\n", 2, 3},
    {"a text", "time,count\nx,4\n", 2, 1},
    {"a missing cell", "time,count\n1\n", 2, 1},
    {"a missing column", "time,size\n1,2\n", 1, 1},
    {"no line", "time,count\n", 1, 1},
};

}  // namespace

BOOST_AUTO_TEST_CASE(passes_read_the_same_rows_in_the_declared_order) {
  const CsvInFolder csv("note,count,arrived_at\na,3,0.5\nb,7,2\nc,5,2\n");
  const StreamedFile file = csv.read();
  BOOST_TEST_REQUIRE(file.problems.empty());
  BOOST_TEST(file.rows->rows() == 3u);
  BOOST_TEST(file.rows->means()[0] == 1.5);
  BOOST_TEST(file.rows->largest()[1] == 7.0);
  for (int pass = 0; pass < 2; ++pass) {
    const auto stream = file.rows->open();
    std::array<double, 5> rows{};  // room for two rows
    BOOST_TEST(stream->next(rows) == 2u);
    BOOST_TEST((rows[0] == 0.5 && rows[1] == 3.0 && rows[2] == 2.0 && rows[3] == 7.0));
    BOOST_TEST(stream->next(rows) == 1u);
    BOOST_TEST((rows[0] == 2.0 && rows[1] == 5.0));
    BOOST_TEST(stream->next(rows) == 0u);
  }
}

BOOST_DATA_TEST_CASE(wrong_lines_have_a_place, bdata::make(bad_files)) {
  const StreamedFile file = CsvInFolder(sample.text).read();
  BOOST_TEST(file.rows == nullptr);
  BOOST_TEST_REQUIRE(file.problems.size() == 1u);
  BOOST_TEST(file.problems.front().at.line == sample.line);
  BOOST_TEST(file.problems.front().at.column == sample.column);
}

BOOST_AUTO_TEST_CASE(many_wrong_lines_are_counted) {
  std::string text = "time,count\n";
  for (int i = 0; i < 100; ++i) text += "1,0\n";
  const StreamedFile file = CsvInFolder(text).read();
  BOOST_TEST(file.problems.size() == 21u);
  BOOST_TEST(file.problems.back().problem == "80 more lines are wrong");
}

BOOST_AUTO_TEST_SUITE_END()
