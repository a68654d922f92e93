/// calibrate: rows that contradict what is known, intervals that contain their estimate, and memory of runs that ran.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/cli/program_under_test.hpp"
#include "tests/support/named_rows.hpp"

namespace dfsweep {

namespace {

namespace bdata = boost::unit_test::data;

struct EvidenceRows {
  ScratchFile scratch{"rows.csv"};
  std::filesystem::path folder = scratch.path().parent_path();

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream file(folder / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  [[nodiscard]] ProgramResult in_folder(const std::vector<std::string>& arguments) const {
    return dfsweep(arguments, {.folder = folder.string()});
  }
};

const std::string evidence_columns = "model,system,device_count,tensor_parallel,global_batch,step_time\n";

struct OtherUnit {
  const char* why;
  std::string cell;  ///< of a step of about 29 s
  const char* hint;
};
const OtherUnit other_units[] = {
    {"milliseconds without a unit", "29000", "If it was measured in ms, write '29000 ms'"},
    {"microseconds without a unit", "29000000", "If it was measured in us, write '2.9e7 us'"},
    {"a factor that no unit explains", "290", "Check its unit, and whether the columns describe this run"},
};

/// The cells of a line.
std::vector<double> numbers_of(const std::string& line) {
  std::vector<double> numbers;
  std::istringstream cells(line);
  for (std::string cell; std::getline(cells, cell, ',');) numbers.push_back(std::stod(cell));
  return numbers;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(calibrate_evidence_test, EvidenceRows)

BOOST_DATA_TEST_CASE(a_table_in_another_unit_is_refused_by_name, bdata::make(other_units)) {
  write("rows.csv", evidence_columns + "llama3-8b,dgx-h100,16,2,512," + sample.cell + "\n");
  const ProgramResult found = in_folder({"calibrate", "rows.csv", "-o", "mine.toml"});
  BOOST_TEST(found.status == 3);
  BOOST_TEST(contains(found.err, "rows.csv:2:56: the row cannot be used (step_time of "), found.err);
  BOOST_TEST(contains(found.err, "contradicts the prediction of "), found.err);
  BOOST_TEST(contains(found.err, sample.hint), found.err);
  BOOST_TEST(!std::filesystem::exists(folder / "mine.toml"));
}

BOOST_AUTO_TEST_CASE(one_row_in_another_unit_is_named_and_left_out) {
  const std::string seconds = evidence_columns + "llama3-8b,dgx-h100,16,2,512,29\nllama3-8b,dgx-h100,32,2,512,14.6\n";
  write("rows.csv", seconds + "llama3-8b,dgx-h100,64,2,512,7400\n");
  const ProgramResult found = in_folder({"calibrate", "rows.csv"});
  BOOST_TEST(found.status == 0);
  BOOST_TEST(contains(found.out, "2 measurements of 3 rows"), found.out);
  BOOST_TEST(contains(found.out, "rows.csv:4: step_time of 7400 s contradicts"), found.out);
  BOOST_TEST(contains(found.out, "write '7400 ms'"), found.out);
}

BOOST_AUTO_TEST_CASE(the_interval_of_one_row_contains_the_estimate) {
  write("rows.csv", evidence_columns + "llama3-8b,dgx-h100,16,2,512,26.1 s\n");
  const ProgramResult made = in_folder({"calibrate", "rows.csv", "-o", "mine.toml"});
  BOOST_TEST_REQUIRE(made.status == 0, made.err);
  BOOST_TEST(!contains(made.out, "of resampled rows"), made.out);  // resampling one row would give it no width
  write(
      "sweep.toml",
      "[sweep]\nname = \"used\"\nestimator = \"training\"\n[parameters]\nmodel = \"llama3-8b\"\nsystem = \"dgx-h100\"\n"
      "device_count = 16\ntensor_parallel = 2\nglobal_batch = 512\nsoftware = \"mine.toml\"\n");
  BOOST_TEST(in_folder({"run", "sweep.toml", "--quiet"}).status == 0);
  std::istringstream table(
      in_folder({"export", "runs/used", "--columns", "step_time_low,step_time,step_time_high"}).out);
  std::string line;
  std::getline(table, line);
  std::getline(table, line);
  const std::vector<double> times = numbers_of(line);
  BOOST_TEST_REQUIRE(times.size() == 3U, line);
  BOOST_TEST(times[0] < 0.9 * times[1]);
  BOOST_TEST(times[2] > 1.1 * times[1]);
}

/// The rows of memory ask for 6.5 GB more than the entry keeps, with which a run that ran would not fit any more.
BOOST_AUTO_TEST_CASE(a_run_that_ran_bounds_memory_from_above) {
  write("true.toml", "name = \"true\"\ndescription = \"x\"\nreserved = { value = \"9 GB\", source = \"x\" }\n");
  const std::string shared =
      "system = \"dgx-h100\"\noptimizer_sharding = 1\nsequence_length = 4096\nglobal_batch = 64\n";
  write("sweep.toml", "[sweep]\nname = \"made\"\nestimator = \"training\"\n[parameters]\nmodel = \"llama3-8b\"\n" +
                          shared + "device_count = [8, 16]\ntensor_parallel = [2, 4, 8]\nsoftware = \"true.toml\"\n");
  BOOST_TEST_REQUIRE(in_folder({"run", "sweep.toml", "--quiet"}).status == 0);
  std::string rows = in_folder({"export", "runs/made", "--columns", "device_count,tensor_parallel,memory_used"}).out;
  const auto calibrated = [&](const std::string& table) {
    write("rows.csv", table);
    const ProgramResult found = in_folder(
        {"calibrate", "rows.csv", "--fit", "reserved", "--json", "--set", "model=llama3-8b", "--set", "system=dgx-h100",
         "--set", "optimizer_sharding=1", "--set", "sequence_length=4096", "--set", "global_batch=64"});
    BOOST_TEST_REQUIRE(found.status == 0, found.err);
    return found.out;
  };
  BOOST_TEST(contains(calibrated(rows), "\"limited\": []"));
  std::string with_times;
  std::istringstream lines(rows);
  for (std::string line; std::getline(lines, line);) with_times += line + (with_times.empty() ? ",step_time\n" : ",\n");
  const std::string limited = calibrated(with_times + "8,1,,30\n");  // 84 of 85.9 GB as the entry is
  BOOST_TEST(contains(limited, "\"before\": 0"), limited);
  BOOST_TEST(contains(limited, "\"after_unlimited\": 1"), limited);
  BOOST_TEST(contains(limited, "\"after\": 0"), limited);
  BOOST_TEST(contains(limited, "no entry ("), limited);
}

BOOST_AUTO_TEST_CASE(stacks_without_rows_of_memory_keep_theirs) {
  write(
      "rows.csv",
      "software,device_count,tensor_parallel,step_time,memory_used\n"
      "h100-megatron,16,2,29 s,60 GB\nh100-megatron,32,2,14.6 s,59 GB\nh100-fsdp,16,1,29 s,\nh100-fsdp,32,1,14.6 s,\n");
  const ProgramResult found = in_folder(
      {"calibrate", "rows.csv", "--fit", "matrix_share,state_factor,activation_factor", "-o", "mine", "--set",
       "model=llama3-8b", "--set", "system=dgx-h100", "--set", "optimizer_sharding=3", "--set", "global_batch=512"});
  BOOST_TEST_REQUIRE(found.status == 0, found.err);
  const std::string fsdp = text("mine/software/h100-fsdp.toml");
  BOOST_TEST(contains(fsdp, "expected_error = "), fsdp);
  BOOST_TEST(!contains(fsdp, "expected_memory_error"), fsdp);
  BOOST_TEST(!contains(fsdp, "state_factor"), fsdp);
  BOOST_TEST(!contains(fsdp, "activation_factor"), fsdp);
  BOOST_TEST(contains(text("mine/software/h100-megatron.toml"), "expected_memory_error"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
