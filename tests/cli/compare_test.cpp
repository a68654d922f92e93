/// compare: errors of measured rows against a small result, as text, JSON and picture, and what cannot be compared.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>

#include "tests/cli/program_under_test.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(compare_test)

namespace {

struct MeasuredFile {
  ScratchFile file{"rows.csv"};
  explicit MeasuredFile(const char* text) { std::ofstream(file.path()) << text; }
  [[nodiscard]] std::string path() const { return file.path().string(); }
};

constexpr const char* four_rows =
    "id,source,device,ways,time,speed,remark\n"
    "one,north,a100,1,5 s,10,x\n"
    "two,north,a100,2,2,,\n"
    "three,south,h100,2,2,,\n"
    "four,south,b200,2,2,,\n";

}  // namespace

BOOST_FIXTURE_TEST_CASE(errors_worst_rows_and_reasons_are_shown, NineRows) {
  const MeasuredFile rows(four_rows);
  const ProgramResult result = dfsweep({"compare", path, rows.path()});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.err == "");
  for (const char* part :
       {"  all    2 of 4  10.0 %      18.0 %       100 %       100 %                 0.894\n",
        "  south  0 of 2       -           -           -           -                     -\n", "  speed  rows",
        "  one               2   5.000 s    4.000 s                 0.800\n",
        "    1: device = b200 is not in the result (first in line 5)\n",
        "    1: the result has no value: out_of_memory (first in line 4)\n", "  columns that are not used: remark\n"})
    BOOST_TEST(contains(result.out, part), part << " is not in\n" << result.out);
}

BOOST_FIXTURE_TEST_CASE(json_has_every_row, NineRows) {
  const MeasuredFile rows(four_rows);
  const ProgramResult result = dfsweep({"compare", path, rows.path(), "--metric", "time", "--json", "--worst", "1"});
  BOOST_TEST(result.status == 0);
  for (const char* part : {"\"metric\": \"time\"", "\"percentile90\": 0.17999", "\"line\": 5", "\"joined\": 2",
                           "\"problem\": \"device = b200 is not in the result\""})
    BOOST_TEST(contains(result.out, part), part << " is not in\n" << result.out);
  BOOST_TEST(!contains(result.out, "\"metric\": \"speed\""));
}

BOOST_FIXTURE_TEST_CASE(the_picture_has_the_diagonal_and_a_colour_for_each_group, NineRows) {
  const MeasuredFile rows("lab,device,ways,time\nnorth,a100,1,5\nsouth,a100,2,2\n");
  const ScratchFile plot("errors.svg");
  const ProgramResult result = dfsweep({"compare", path, rows.path(), "--by", "lab", "--plot", plot.path()});
  BOOST_TEST(result.status == 0);
  std::ifstream file(plot.path());
  const std::string svg{std::istreambuf_iterator<char>(file), {}};
  for (const char* part : {"time: predicted over measured", ">north</text>", ">south</text>",
                           ">equal, and 1.3 times</text>", "<title>north: 5.000 s, 4.000 s</title>"})
    BOOST_TEST(contains(svg, part), part);
}

BOOST_FIXTURE_TEST_CASE(rows_come_from_standard_input_too, NineRows) {
  const ProgramResult result = dfsweep({"compare", path, "-"}, {.input = "device,ways,time\na100,2,2\n"});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(contains(result.out, "  all      1   0.0 %"), result.out);
}

namespace {

struct Refusal {
  const char* why;
  const char* rows;
  std::vector<std::string> options;
  int status;
  const char* message;
};

const Refusal refusals[] = {
    {"no such column",
     four_rows,
     {"--by", "sorce"},
     3,
     "no column is called 'sorce' (rows were to be grouped by it). Did you mean 'source'?"},
    {"not measured",
     four_rows,
     {"--metric", "memory"},
     2,
     "--metric 'memory': no column of the rows is named like this metric."},
    {"no metric", "device,ways\na100,1\n", {}, 3, "no column is named like a metric"},
    {"wrong unit", "device,time\na100,3 W\n", {}, 3, ":2:6: '3 W' has the wrong unit (time is given in s)."},
    {"no picture of nothing", "device,time\nb200,3\n", {"--plot", "x.svg"}, 2, "--plot: no row has a prediction"},
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_cannot_be_compared_says_why, NineRows) {
  for (const Refusal& refusal : refusals) {
    const MeasuredFile rows(refusal.rows);
    std::vector<std::string> arguments = {"compare", path, rows.path()};
    arguments.insert(arguments.end(), refusal.options.begin(), refusal.options.end());
    const ProgramResult result = dfsweep(arguments);
    BOOST_TEST(result.status == refusal.status, refusal.why);
    BOOST_TEST(contains(result.err, refusal.message), refusal.why << ": " << result.err);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
