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

BOOST_FIXTURE_TEST_CASE(export_writes_the_best_rows_in_their_order, NineRows) {
  BOOST_TEST(dfsweep({"export", path, "--best", "time", "--top", "3", "--columns", "point,time"}).out ==
             "point,time\n1,2\n2,1\n5,2\n");
  BOOST_TEST(dfsweep({"export", path, "--best", "time", "--top", "2", "--points"}).out ==
             "device,ways\na100,2\na100,4\n");
  BOOST_TEST(dfsweep({"export", path, "--points", "--columns", "time"}).status == 2);
}

// A point list has units, because a sweep file asks for them.
BOOST_AUTO_TEST_CASE(a_point_list_gives_the_same_metrics_again) {
  const ScratchFile scratch("first.toml");
  const std::string folder = scratch.path().parent_path().string();
  const ProgramSetting there{.folder = folder};
  const auto write = [&](const std::string& name, const std::string& points) {
    std::ofstream(folder + "/" + name + ".toml")
        << "[sweep]\nname = '" << name << "'\nestimator = 'serving'\n[parameters]\nmodel = 'llama3-8b'\n"
        << "system = 'dgx-h100'\nprompt_tokens = 512\noutput_tokens = 64\n"
        << points << "[output]\nmetrics = ['time_per_output_token', 'time_to_first_token']\n";
  };
  write("first",
        "dram_bandwidth = ['2.1 TB/s', '3.35 TB/s']\n[[together]]\nprecision = ['bf16', 'fp8']\n"
        "concurrency = [1, 16]\n");
  BOOST_REQUIRE_EQUAL(dfsweep({"run", "first.toml", "--quiet"}, there).status, 0);
  const ProgramResult list = dfsweep({"export", "runs/first", "--points", "-o", folder + "/best.csv"}, there);
  BOOST_REQUIRE_EQUAL(list.status, 0);
  BOOST_TEST(contains(dfsweep({"export", "runs/first", "--points"}, there).out,
                      "dram_bandwidth,precision,concurrency\n2100000000000 B/s,bf16,1\n"));
  write("again", "[points]\nfile = 'best.csv'\n");
  BOOST_REQUIRE_EQUAL(dfsweep({"run", "again.toml", "--quiet"}, there).status, 0);
  const auto metrics = [&](const std::string& run) {
    return dfsweep({"export", "runs/" + run, "--columns", "status,time_per_output_token,time_to_first_token"}, there)
        .out;
  };
  BOOST_TEST(metrics("again") == metrics("first"));
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
  const ProgramResult nowhere = dfsweep({"export", path, "-o", target.path().string() + "/out.csv"});
  BOOST_TEST(nowhere.status == 74);
  BOOST_TEST(contains(nowhere.err, "cannot create"), nowhere.err);
}

BOOST_FIXTURE_TEST_CASE(missing_folders_of_a_file_are_created, NineRows) {
  const std::string folder = scratch.path().parent_path() / "new";
  const std::vector<std::vector<std::string>> commands = {
      {"export", path, "-o", folder + "/a/b/rows.csv"},
      {"report", path, "-o", folder + "/c/page.html"},
      {"show", path, "--best", "time", "--plot", folder + "/d/p.svg"}};
  for (const std::vector<std::string>& command : commands) {
    const ProgramResult result = dfsweep(command);
    BOOST_TEST(result.status == 0, result.err);
    BOOST_TEST(std::filesystem::exists(command.back()));
  }
}

BOOST_FIXTURE_TEST_CASE(a_number_without_unit_is_explained_where_it_decides_nothing, NineRows) {
  const ScratchFile target("rows.csv");
  for (const std::vector<std::string>& command : {std::vector<std::string>{"show", path},
                                                  {"show", path, "--best", "time"},
                                                  {"export", path, "-o", target.path()}}) {
    std::vector<std::string> asked = command;
    asked.insert(asked.end(), {"--where", "memory < 80"});
    const ProgramResult result = dfsweep(asked);
    BOOST_TEST(result.status == 0);
    BOOST_TEST(contains(result.err, "keeps no row. memory is in B where a number has no unit: write memory < '80 GB'"),
               result.err);
    asked.back() = "memory < '80 GB'";
    BOOST_TEST(!contains(dfsweep(asked).err, "note"));
  }
}

BOOST_AUTO_TEST_CASE(the_ending_of_a_file_names_its_format) {
  struct Row {
    const char* name;
    std::vector<std::string> options;
    const char* begin;
  };
  const Row rows[] = {{"out.parquet", {}, "PAR1"},   {"out.arrow", {}, "ARROW1"},
                      {"out.feather", {}, "ARROW1"}, {"out.txt", {}, "point,"},
                      {"out", {}, "point,"},         {"out.parquet", {"--format", "csv"}, "point,"}};
  const ScratchFile sweep("sweep.toml");
  const std::filesystem::path run = std::filesystem::path(sweep.path()).parent_path() / "run";
  std::ofstream(sweep.path()) << "[sweep]\nname = \"two\"\nestimator = \"hyperparameters\"\n[parameters]\n"
                                 "law = \"step-law\"\nparameters = [1e9, 7e9]\ntrain_tokens = 1e11\n";
  BOOST_TEST_REQUIRE(dfsweep({"run", sweep.path(), "--out", run.string(), "--quiet"}).status == 0);
  for (const Row& row : rows) {
    const ScratchFile target(row.name);
    std::vector<std::string> arguments{"export", run.string(), "-o", target.path()};
    arguments.insert(arguments.end(), row.options.begin(), row.options.end());
    const ProgramResult result = dfsweep(arguments);
    BOOST_TEST(result.status == 0, row.name << ": " << result.err);
    std::ifstream file(target.path());
    BOOST_TEST(std::string(std::istreambuf_iterator<char>(file), {}).starts_with(row.begin), row.name);
  }
}

BOOST_FIXTURE_TEST_CASE(columns_of_tables_have_different_names, NineRows) {
  const ScratchFile target("out.parquet");
  const ProgramResult twice = dfsweep({"export", path, "-o", target.path(), "--columns", "time,device,time"});
  BOOST_TEST(twice.status == 2);
  BOOST_TEST(contains(twice.err, "--columns: 'time' is given twice"));
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

BOOST_AUTO_TEST_CASE(names_do_not_turn_the_text_of_a_terminal) {
  const ScratchFile scratch("turned\u202E.h5");
  SmallResult(2)
      .labels("device", {"a\u202Eb", "\u2066"}, {0, 1})
      .status({0, 0})
      .metric("time\u202E", "s\u202E", "lower", {1, 2})
      .write(scratch.path());
  const std::vector<std::string> commands[] = {{"show", scratch.path()},
                                               {"show", scratch.path(), "--columns", "device"},
                                               {"export", scratch.path()},
                                               {"verify", scratch.path()},
                                               {"show", scratch.path(), "--columns", "b\u202E"},
                                               {"show", scratch.path(), "--where", "b\u202E == 1"}};
  for (const std::vector<std::string>& command : commands) {
    const ProgramResult result = dfsweep(command);
    BOOST_TEST(!contains(result.out + result.err, "\u202E"), command.back() << ": " << result.out << result.err);
    BOOST_TEST(!contains(result.out + result.err, "\u2066"), command.back() << ": " << result.out << result.err);
  }
}

BOOST_AUTO_TEST_CASE(labels_are_no_formulas_of_a_spreadsheet) {
  const ScratchFile scratch("result.h5");
  SmallResult(6)
      .labels("device", {"=1+2", "+A1", "-cmd|' /C calc'!A0", "@SUM(A1,B1)", "-1.5", "a=1"}, {0, 1, 2, 3, 4, 5})
      .status({0, 0, 0, 0, 0, 0})
      .metric("time", "s", "lower", {-1.5, -1e300, 0, 1, 2, 3})
      .write(scratch.path());
  BOOST_TEST(dfsweep({"export", scratch.path(), "--columns", "device,time"}).out ==
             "device,time\n'=1+2,-1.5\n'+A1,-1e+300\n'-cmd|' /C calc'!A0,0\n\"'@SUM(A1,B1)\",1\n-1.5,2\na=1,3\n");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
