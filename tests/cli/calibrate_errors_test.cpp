/// calibrate: errors in rows and options are reported with their place, and nothing is fitted.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "tests/cli/program_under_test.hpp"
#include "tests/support/named_rows.hpp"

namespace dfsweep {

namespace {

namespace bdata = boost::unit_test::data;

struct RowsToFit {
  ScratchFile scratch{"rows.csv"};
  std::filesystem::path folder = scratch.path().parent_path();

  void write(const std::string& text) const { std::ofstream(scratch.path()) << text; }
  /// Runs `dfsweep calibrate rows.csv ARGUMENTS`.
  [[nodiscard]] ProgramResult calibrate(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"calibrate", "rows.csv"});
    return dfsweep(arguments, {.folder = folder.string()});
  }
};

struct WrongRows {
  const char* why;
  const char* rows;
  const char* said;
};

const WrongRows wrong_rows[] = {
    {"nothing was measured", "model,system,device_count,global_batch\nllama3-8b,dgx-h100,8,64\n",
     "rows.csv:1:1: the table has no measured column"},
    {"no number", "model,system,device_count,global_batch,step_time\nllama3-8b,dgx-h100,8,64,fast\n",
     "rows.csv:2:25: 'fast' is not a valid step_time"},
    {"below zero", "model,system,device_count,global_batch,step_time\nllama3-8b,dgx-h100,8,64,-1\n",
     "measurements are above zero"},
    {"another unit", "model,system,device_count,global_batch,step_time\nllama3-8b,dgx-h100,8,64,3 GB\n",
     "'3 GB' has the wrong unit (step_time is given in s)"},
    {"names of other tools", "Model,GPUs,Step Time (s)\nllama3-8b,8,3\n",
     "Some column names resemble those of dfsweep: --columns \"model=Model,device_count=GPUs,step_time=Step Time "
     "(s)\""},
    {"no run gave a number", "model,system,device_count,global_batch,step_time\nllama3-8b,dgx-h100,8,64,OOM\n",
     "no row has a measurement"},
    {"an empty row", "model,system,device_count,global_batch,step_time\nllama3-8b,dgx-h100,8,64,\n",
     "the row has no measurement"},
    {"an unknown model", "model,system,device_count,global_batch,step_time\nllama9,dgx-h100,8,64,3\n", "rows.csv:2:1:"},
};

struct WrongOption {
  const char* why;
  std::vector<std::string> set;  ///< options --set; the rows have model, device_count and global_batch
  int status;
  std::vector<const char*> said;
};

const WrongOption wrong_options[] = {
    {"no such parameter",
     {"sytem=dgx-h100"},
     3,
     {"--set sytem=dgx-h100: unknown parameter 'sytem'", "Did you mean 'system'?"}},
    {"a word for a number", {"system=dgx-h100", "tensor_parallel=two"}, 3, {"--set tensor_parallel=two: "}},
    {"two problems at once",
     {"sytem=dgx-h100", "tensor_paralel=2"},
     3,
     {"--set sytem=dgx-h100: ", "--set tensor_paralel=2: "}},
    {"no such entry", {"system=dgx-h1000"}, 3, {"--set system=dgx-h1000: "}},
    {"neither rows nor options name the system", {}, 3, {"rows.csv: 'device' is missing"}},
    {"given twice", {"system=dgx-h100", "system=dgx-a100-80g"}, 2, {"--set: 'system' is given twice"}},
    {"no value", {"system"}, 2, {"--set: "}},
    {"a quote and a bracket", {"system=\"]\n[x"}, 3, {"--set system="}},
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(calibrate_errors_test, RowsToFit)

/// Semicolons, an index, names of other tools and runs without a number, from standard input too.
BOOST_AUTO_TEST_CASE(tables_of_other_tools_are_read) {
  const std::vector<std::string> plain{
      "--set", "model=llama2-7b", "--set",      "system=dgx-h100", "--starts", "1", "--replicates",
      "0",     "--fit",           "fixed_time", "--group",         "none"};
  write(
      "device_count,tensor_parallel,global_batch,step_time\n"
      "16,2,512,26.1\n8,2,512,52.1\n8,1,256,24\n32,2,512,13.1\n");
  const ProgramResult expected = calibrate(plain);
  BOOST_REQUIRE_MESSAGE(expected.status == 0, expected.err);
  write(
      ";GPUs;tp;Global Batch;step_time\n"
      "0;16;2;512;26.1\n1;8;2;512;52.1\n2;8;4;512;OOM\n3;8;1;256;24\n4;8;8;512;n/a\n5;32;2;512;13.1\n");
  std::vector<std::string> mapped = plain;
  mapped.insert(mapped.end(), {"--columns", "device_count=GPUs,tensor_parallel=tp,global_batch=Global Batch"});
  const ProgramResult found = calibrate(mapped);
  BOOST_TEST(found.status == 0, found.err);
  BOOST_TEST(found.out == expected.out);
  BOOST_TEST(contains(found.err, "rows.csv: 2 cells without a measurement: OOM 1 (line 4), n/a 1 (line 6)"), found.err);
}

BOOST_DATA_TEST_CASE(what_is_wrong_with_rows_is_said_at_its_place, bdata::make(wrong_rows)) {
  write(sample.rows);
  const ProgramResult found = calibrate({"-o", "mine.toml"});
  BOOST_TEST(found.status == 3);
  BOOST_TEST(contains(found.err, sample.said), found.err);
  BOOST_TEST(!std::filesystem::exists(folder / "mine.toml"));
}

BOOST_DATA_TEST_CASE(what_is_wrong_with_an_option_is_said_of_it, bdata::make(wrong_options)) {
  write("model,device_count,global_batch,step_time\nllama3-8b,8,64,30\n");
  std::vector<std::string> arguments{"-o", "mine.toml"};
  for (const std::string& text : sample.set) arguments.insert(arguments.end(), {"--set", text});
  const ProgramResult found = calibrate(arguments);
  BOOST_TEST(found.status == sample.status);
  for (const char* said : sample.said) BOOST_TEST(contains(found.err, said), found.err);
  if (!sample.set.empty())
    BOOST_TEST(!contains(found.err, "rows.csv"), found.err);  // the options are wrong, not the table
  BOOST_TEST(!std::filesystem::exists(folder / "mine.toml"));
}

BOOST_AUTO_TEST_CASE(unknown_numbers_columns_and_estimators_are_refused) {
  write("model,system,device_count,global_batch,step_time\nllama3-8b,dgx-h100,8,64,3\n");
  BOOST_TEST(contains(calibrate({"--fit", "matrix_shares"}).err, "matrix_share"));
  BOOST_TEST(contains(calibrate({"--group", "town"}).err, "'town' is not a column"));
  BOOST_TEST(contains(calibrate({"--estimator", "dataflow"}).err, "has no numbers"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
