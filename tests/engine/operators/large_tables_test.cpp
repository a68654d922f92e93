/// Bad tables of many rows: positions of errors, and memory that does not grow with the rows. DFSWEEP_LONG_TESTS=1: ten
/// million rows.
#include <sys/resource.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fstream>
#include <string>

#include "engine/operators/operator_layouts.hpp"
#include "engine/operators/operator_reading.hpp"
#include "tests/support/temporary_folder.hpp"

BOOST_AUTO_TEST_SUITE(large_tables_test)

using namespace dfsweep;
using namespace dfsweep::operators;
namespace bdata = boost::unit_test::data;

namespace {

/// How the rows of a file are bad.
struct BadFile {
  const char* why;
  const char* kernel;  ///< '#' is the number of the row
  const char* rows;    ///< cell m of every row
  const char* last;    ///< cell m of the last row
  std::size_t problems;
  std::size_t line;  ///< of the first problem; 0: the last
  std::size_t column;
  const char* problem;
};

std::ostream& operator<<(std::ostream& stream, const BadFile& file) {
  return stream << file.why;
}

const BadFile bad_files[] = {
    {"every row is bad: the first hundred are shown", "a", "x", "x", 100, 2, 13, "'x' is not a size"},
    {"all rows are kept until the last, which is bad", "a", "8", "-8", 1, 0, 13, "'-8' is not a size"},
    {"every row has a kernel of its own: tables are counted", "#", "8", "8", 1, 10002, 0,
     "the row begins table 10001 of this file"},
};

std::size_t row_count() {
  const char* const asked = std::getenv("DFSWEEP_LONG_TESTS");
  return asked != nullptr && std::string(asked) == "1" ? 10'000'000 : 30'000;
}

void write_rows(const std::filesystem::path& path, const BadFile& bad, std::size_t rows) {
  std::ofstream file(path);
  file << "system,backend,version,kernel_source,gemm_dtype,m,n,k,latency\n";
  const std::string kernel = bad.kernel;
  for (std::size_t row = 1; row <= rows; ++row) {
    file << "s,e,1," << (kernel == "#" ? std::to_string(row) : kernel) << ",fp8," << (row == rows ? bad.last : bad.rows)
         << ",8,8,1\n";
  }
}

/// The most memory that the process had, in bytes.
std::size_t most_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

BOOST_DATA_TEST_CASE(bad_tables_have_positions_and_need_little_memory, bdata::make(bad_files), bad) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "gemm.csv";
  const std::size_t rows = row_count();
  write_rows(path, bad, rows);
  const std::size_t before = most_memory();
  const OperatorFile read = read_operator_file(path, operator_layouts()[0], 2);
  const std::size_t grown = most_memory() - before;
  BOOST_REQUIRE(read.problems.size() == bad.problems);
  const Problem& first = read.problems[0];
  BOOST_TEST(first.at.file == path.string());
  BOOST_TEST(first.at.line == (bad.line == 0 ? rows + 1 : bad.line));
  BOOST_TEST(first.at.column == bad.column);
  BOOST_TEST(first.problem == bad.problem);
  // Sixteen blocks of a megabyte and what is read from them; 16 bytes a row, twice while a list grows.
  constexpr std::size_t blocks = std::size_t{256} << 20;
  BOOST_TEST(grown < blocks + 3 * 16 * rows);
}

BOOST_AUTO_TEST_SUITE_END()
