/// export: every row and chosen ones as CSV, files that are replaced as a whole.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/cli/program_under_test.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(export_test)

namespace {

const char* const nine_lines =
    "point,device,ways,status,time,speed,memory,method\n"
    "0,a100,1,ok,4,10,8000000000,slow\n"
    "1,a100,2,ok,2,10,8000000000,slow\n"
    "2,a100,4,ok,1,5,8000000000,fast\n"
    "3,h100,1,ok,4,20,8000000000,slow\n"
    "4,h100,2,out_of_memory,,,90000000000,\n"
    "5,h100,4,ok,2,,8000000000,fast\n"
    "6,tpu-v4,1,ok,3,8,8000000000,slow\n"
    "7,tpu-v4,2,ok,3,8,8000000000,fast\n"
    "8,tpu-v4,4,failed,,,,\n";

BOOST_FIXTURE_TEST_CASE(export_writes_every_row, NineRows) {
  const ProgramResult result = dfsweep({"export", path, "--format", "csv"});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.err == "");
  BOOST_TEST(result.out == nine_lines);
}

BOOST_FIXTURE_TEST_CASE(export_writes_chosen_columns_of_chosen_rows, NineRows) {
  BOOST_TEST(dfsweep({"export", path, "--columns", "time,device", "--where", "time == 3"}).out ==
             "time,device\n3,tpu-v4\n3,tpu-v4\n");
}

BOOST_FIXTURE_TEST_CASE(export_replaces_a_file_as_a_whole_or_not_at_all, NineRows) {
  const ScratchFile target("out.csv");
  const auto text = [&] {
    std::ifstream file(target.path());
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  std::ofstream(target.path()) << "before";
  BOOST_TEST(dfsweep({"export", path, "-o", target.path(), "--columns", "nothing"}).status == 2);
  BOOST_TEST(text() == "before");
  const ProgramResult result = dfsweep({"export", path, "-o", target.path()});
  BOOST_TEST(result.out == "");
  BOOST_TEST(contains(result.err, "9 rows, 8 columns"));
  BOOST_TEST(text() == nine_lines);
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(target.path().parent_path()), {}) == 1);
  BOOST_TEST(dfsweep({"export", path, "-o", "/nonexistent/out.csv"}).status == 74);
}

BOOST_AUTO_TEST_CASE(labels_with_commas_and_quotes_are_quoted) {
  const ScratchFile scratch("result.h5");
  SmallResult(2)
      .labels("device", {"a,b", "say \"x\"\x1b"}, {0, 1})
      .status({0, 0})
      .metric("time", "s", "lower", {0.1, 1e300})
      .write(scratch.path());
  BOOST_TEST(dfsweep({"export", scratch.path()}).out ==
             "point,device,status,time\n0,\"a,b\",ok,0.1\n1,\"say \"\"x\"\"\\x1b\",ok,1e+300\n");
  BOOST_TEST(!contains(dfsweep({"show", scratch.path()}).out, "\x1b"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
