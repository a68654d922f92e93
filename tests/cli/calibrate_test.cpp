/// calibrate: numbers come back from rows that were made with them, and corrected entries can be named.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "io/json.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

namespace {

const char* const made_parameters =
    "[parameters]\nmodel = [\"llama3-8b\", \"llama2-70b\"]\nsystem = \"dgx-h100\"\ndevice_count = [16, 64, 256]\n"
    "tensor_parallel = [2, 4, 8]\nglobal_batch = 512\nmicro_batch = [1, 2]\noptimizer_sharding = 1\n"
    "sequence_length = 4096\n";
const char* const made_columns = "model,device_count,tensor_parallel,micro_batch,step_time";
const char* const made_memory = "model,device_count,tensor_parallel,micro_batch,memory_used";
const char* const made_both = "model,device_count,tensor_parallel,micro_batch,step_time,memory_used";

struct MeasuredRuns {
  ScratchFile scratch{"calibrated.json"};
  std::filesystem::path folder = scratch.path().parent_path();

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream file(folder / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  [[nodiscard]] ProgramResult dfsweep(const std::vector<std::string>& arguments) const {
    return run_program(DFSWEEP_PROGRAM, arguments, {.folder = folder.string()});
  }
  /// calibrate rows.csv, with what all rows share.
  [[nodiscard]] ProgramResult calibrate(std::vector<std::string> arguments) const {
    for (const char* shared : {"system=dgx-h100", "global_batch=512", "optimizer_sharding=1", "sequence_length=4096"})
      arguments.insert(arguments.end(), {"--set", shared});
    arguments.insert(arguments.begin(), {"calibrate", "rows.csv"});
    return dfsweep(arguments);
  }
  /// rows.csv as a machine with these numbers of software would measure them.
  void measure(const std::string& software, const char* columns = made_columns) const {
    write("true.toml", "name = \"true\"\ndescription = \"what the machine does\"\n" + software);
    write("sweep.toml", std::string("[sweep]\nname = \"made\"\nestimator = \"training\"\n") + made_parameters +
                            "software = \"true.toml\"\n");
    BOOST_TEST_REQUIRE(dfsweep({"run", "sweep.toml", "--fresh", "--quiet"}).status == 0);
    write("rows.csv", dfsweep({"export", "runs/made", "--columns", columns, "--where", "step_time > 0"}).out);
  }
};

bool says(const std::string& all, const std::string& part) {
  return all.find(part) != std::string::npos;
}

double number_after(const std::string& json, const std::string& name, const std::string& key) {
  const std::size_t at = json.find("\"" + key + "\"", json.find("\"name\": \"" + name + "\""));
  return std::stod(json.substr(json.find(':', at) + 1));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(calibrate_test, MeasuredRuns)

BOOST_AUTO_TEST_CASE(numbers_come_back_from_rows_that_were_made_with_them) {
  measure("matrix_share = { value = 0.55, source = \"made up\" }\ninside_share = { value = 0.45, source = \"x\" }\n");
  const ProgramResult found = calibrate({"--fit", "matrix_share,inside_share", "--json"});
  BOOST_TEST_REQUIRE(found.status == 0);
  // Exact rows: what is left is the pull of the prior.
  BOOST_TEST(std::abs(number_after(found.out, "matrix_share", "after") / 0.55 - 1.0) <= 0.02);
  BOOST_TEST(std::abs(number_after(found.out, "inside_share", "after") / 0.45 - 1.0) <= 0.1);
  BOOST_TEST(calibrate({"--fit", "matrix_share,inside_share", "--json", "--threads", "1"}).out == found.out);
}

BOOST_AUTO_TEST_CASE(a_number_that_no_row_tells_stays) {
  measure("matrix_share = { value = 0.55, source = \"made up\" }\n");
  const ProgramResult found = calibrate({"--fit", "matrix_share,matrix_share_4bit"});
  BOOST_TEST(found.status == 0);
  BOOST_TEST(!says(found.out, "  matrix_share_4bit  "));  // 16-bit rows
}

BOOST_AUTO_TEST_CASE(corrected_entries_tell_their_error_to_sweeps_that_name_them) {
  measure("matrix_share = { value = 0.5, source = \"made up\" }\n");
  const ProgramResult found = calibrate({"--fit", "matrix_share", "-o", "mine.toml"});
  BOOST_TEST(found.status == 0);
  BOOST_TEST(found.err.ends_with("dfsweep: mine.toml\n"));
  BOOST_TEST(says(text("mine.toml"), "fitted to "));
  BOOST_TEST(says(text("mine.toml"), " rows of rows.csv ("));
  write("sweep.toml", std::string("[sweep]\nname = \"used\"\nestimator = \"training\"\n") + made_parameters +
                          "software = \"mine.toml\"\n");
  BOOST_TEST(dfsweep({"run", "sweep.toml", "--quiet"}).status == 0);
  const std::string rows =
      dfsweep({"export", "runs/used", "--columns", "step_time,step_time_low,step_time_high,expected_error"}).out;
  BOOST_TEST(says(rows, "step_time,step_time_low,step_time_high,expected_error\n"));
  BOOST_TEST(!says(rows, ",,"));
  // Rows of one machine differ by more than the error of exact rows; twice the same row does not.
  BOOST_TEST(!says(dfsweep({"show", "runs/used", "--best", "step_time"}).out, "a tie"));
  write("sweep.toml", std::string("[sweep]\nname = \"twice\"\nestimator = \"training\"\n") + made_parameters +
                          "software = \"mine.toml\"\nlearning_rate = [1e-4, 2e-4]\n");
  BOOST_TEST(dfsweep({"run", "sweep.toml", "--quiet"}).status == 0);
  BOOST_TEST(says(dfsweep({"show", "runs/twice", "--best", "step_time"}).out,
                  "the second row is less than 0.1 % behind; a tie: the first 2 rows lie within "));
  const auto points = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"show", "runs/twice", "--columns", "point", "--json"});
    const std::string out = dfsweep(more).out;
    std::size_t count = 0;
    for (std::size_t at = out.find("\"point\""); at != std::string::npos; at = out.find("\"point\"", at + 1)) ++count;
    return count;
  };
  // The learning rate costs no time: each step time is there twice.
  const std::size_t all = points({"--best", "step_time", "--top", "1000"});
  BOOST_TEST(all >= 2u);
  BOOST_TEST(2 * points({"--best", "step_time", "--top", "1000", "--one-per-tie"}) == all);
  BOOST_TEST(points({"--best", "step_time", "--top", "1", "--one-per-tie"}) == 1u);
  BOOST_TEST(points({"--pareto", "step_time,memory_used", "--one-per-tie"}) <=
             points({"--pareto", "step_time,memory_used"}));
}

BOOST_AUTO_TEST_CASE(systems_that_share_an_entry_get_copies_of_it) {
  // Two machines that differ by a quarter, measured under one name of software.
  std::string rows = std::string("system,") + made_columns + "\n";
  for (const char* const system : {"dgx-h100", "dgx-a100-80g"}) {
    const bool is_fast = std::string(system) == "dgx-h100";
    write("true.toml", std::string("name = \"true\"\ndescription = \"x\"\nmatrix_share = { value = ") +
                           (is_fast ? "0.8" : "0.55") + ", source = \"x\" }\n");
    std::string parameters = made_parameters;
    parameters.replace(parameters.find("dgx-h100"), 8, system);
    write("sweep.toml",
          "[sweep]\nname = \"made\"\nestimator = \"training\"\n" + parameters + "software = \"true.toml\"\n");
    BOOST_TEST_REQUIRE(dfsweep({"run", "sweep.toml", "--fresh", "--quiet"}).status == 0);
    std::istringstream made(
        dfsweep({"export", "runs/made", "--columns", made_columns, "--where", "step_time > 0"}).out);
    std::string line;
    std::getline(made, line);
    while (std::getline(made, line)) rows += std::string(system) + "," + line + "\n";
  }
  write("rows.csv", rows);
  const std::vector<std::string> shared{"calibrate",    "rows.csv",
                                        "--fit",        "matrix_share",
                                        "--replicates", "0",
                                        "--set",        "software=default",
                                        "--set",        "global_batch=512",
                                        "--set",        "optimizer_sharding=1",
                                        "--set",        "sequence_length=4096"};
  const auto calibrated = [&](std::vector<std::string> more) {
    more.insert(more.begin(), shared.begin(), shared.end());
    return dfsweep(more);
  };
  const ProgramResult apart = calibrated({"-o", "apart", "--json"});
  BOOST_TEST_REQUIRE(apart.status == 0, apart.err);
  BOOST_TEST(says(apart.out, "\"matrix_share of default-dgx-h100\""));
  const auto value_in = [&](const std::string& file) {
    const std::string all = text(file);
    BOOST_TEST_REQUIRE(!all.empty(), file);
    return std::stod(all.substr(all.find("value = ", all.find("\nmatrix_share = ")) + 8));
  };
  const double fast = value_in("apart/software/default-dgx-h100.toml");
  const double slow = value_in("apart/software/default-dgx-a100-80g.toml");
  BOOST_TEST(std::abs(fast / 0.8 - 1) < 0.03);
  BOOST_TEST(std::abs(slow / 0.55 - 1) < 0.03);
  // For a third machine there is what both share.
  BOOST_TEST(value_in("apart/software/default.toml") < fast);
  BOOST_TEST(value_in("apart/software/default.toml") > slow);

  BOOST_TEST(calibrated({"-o", "one.toml"}).err.ends_with("dfsweep: one.toml\n"));
  BOOST_TEST(calibrated({"-o", "together", "--copies-by", "none"}).status == 0);
  BOOST_TEST(!std::filesystem::exists(folder / "together/software/default-dgx-h100.toml"));
  BOOST_TEST(says(calibrated({"--copies-by", "town"}).err, "--copies-by: 'town' is not a column of rows.csv"));
}

BOOST_AUTO_TEST_CASE(a_copied_entry_is_one_more_column_of_the_rows) {
  const std::string parameters[] = {"model,system,prompt_tokens,output_tokens,batch",
                                    "llama3-8b,dgx-h100,1024,128,8",
                                    "llama3-8b,dgx-h100,512,128,1",
                                    "llama2-7b,dgx-h100,512,128,4",
                                    "llama3-8b,dgx-a100-80g,1024,128,8",
                                    "llama2-7b,dgx-a100-80g,2048,128,1",
                                    "llama2-7b,dgx-a100-80g,512,128,4"};
  const char* const measured[] = {"token_rate", "800", "150", "500", "450", "70", "260"};
  std::string named = {}, without = {};
  for (std::size_t line = 0; line < std::size(parameters); ++line) {
    named += parameters[line] + (line == 0 ? ",software," : ",serving-default,") + measured[line] + "\n";
    without += parameters[line] + "," + measured[line] + "\n";
  }
  const std::vector<std::string> shared{"calibrate", "rows.csv",        "--estimator", "serving",        "--json",
                                        "--set",     "batching=static", "--set",       "device_count=1", "--replicates",
                                        "0"};
  const auto calibrated = [&](const std::string& rows, const std::vector<std::string>& more) {
    write("rows.csv", rows);
    std::vector<std::string> arguments = shared;
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult found = dfsweep(arguments);
    BOOST_TEST_REQUIRE(found.status == 0, found.err);
    return found.out;
  };
  // A column, an option, and a column of copies that the test makes: the same predictions before anything is fitted.
  const std::string option = calibrated(without, {"--set", "software=serving-default"});
  BOOST_TEST(says(option, "and single entries\""));  // there are two
  BOOST_TEST(calibrated(named, {}) == option);
  const auto before = [](const std::string& json) {
    const std::size_t at = json.find("\"before\": [");
    return json.substr(at, json.find(']', at) - at);
  };
  BOOST_TEST(before(calibrated(named, {"--copies-by", "none"})) == before(option));
}

BOOST_AUTO_TEST_CASE(copies_that_came_out_alike_are_not_written) {
  measure("matrix_share = { value = 0.55, source = \"x\" }\n");
  const ProgramResult found = calibrate({"--fit", "matrix_share", "--copies-by", "model", "-o", "alike"});
  BOOST_TEST(found.status == 0);
  BOOST_TEST(found.err.ends_with("dfsweep: alike/software/calibrated.toml\n"));
}

BOOST_AUTO_TEST_CASE(memory_is_a_fit_of_its_own) {
  const std::string kept = "activation_factor = { value = 1.3, source = \"x\" }\n";
  measure("matrix_share = { value = 0.55, source = \"x\" }\n" + kept, made_both);
  const ProgramResult both = calibrate({"--fit", "matrix_share,activation_factor", "--json"});
  BOOST_TEST_REQUIRE(both.status == 0, both.err);
  BOOST_TEST(std::abs(number_after(both.out, "activation_factor", "after") / 1.3 - 1.0) <= 0.02);
  // Times are fitted as if memory had not been measured: the same digits.
  measure("matrix_share = { value = 0.55, source = \"x\" }\n" + kept);
  const ProgramResult times = calibrate({"--fit", "matrix_share", "--json"});
  const std::size_t memory = both.out.find("\"memory\"");
  BOOST_TEST_REQUIRE(memory != std::string::npos);
  const std::size_t shared = both.out.rfind('}', memory) + 1;
  BOOST_TEST(shared > 1000);
  BOOST_TEST(times.out.substr(0, shared) == both.out.substr(0, shared));
}

BOOST_AUTO_TEST_CASE(errors_of_memory_and_of_times_stand_beside_each_other) {
  measure("matrix_share = { value = 0.5, source = \"x\" }\n");
  BOOST_TEST(calibrate({"--fit", "matrix_share", "-o", "timed.toml"}).status == 0);
  measure("reserved = { value = \"9 GB\", source = \"x\" }\n", made_memory);
  const ProgramResult found = calibrate({"--fit", "reserved", "--set", "software=timed.toml", "-o", "mine.toml"});
  BOOST_TEST_REQUIRE(found.status == 0, found.err);
  const std::string mine = text("mine.toml"), timed = text("timed.toml");
  const auto line_of = [](const std::string& all, const std::string& field) {
    const std::size_t at = all.find("\n" + field + " = ");
    return at == std::string::npos ? std::string{} : all.substr(at, all.find('\n', at + 1) - at);
  };
  // What was fitted before keeps its value, its source and its error.
  for (const char* field : {"matrix_share", "expected_error", "measured_low", "measured_high"}) {
    BOOST_TEST(!line_of(timed, field).empty());
    BOOST_TEST(line_of(mine, field) == line_of(timed, field));
  }
  BOOST_TEST(says(line_of(mine, "calibrated_on"), "; before that rows.csv, "));
  BOOST_TEST(says(line_of(mine, "reserved"), "fitted to "));
  BOOST_TEST(says(line_of(mine, "expected_memory_error"), "rows left out by "));
  write("sweep.toml", std::string("[sweep]\nname = \"used\"\nestimator = \"training\"\n") + made_parameters +
                          "software = \"mine.toml\"\nlearning_rate = [1e-4, 2e-4]\n");
  BOOST_TEST(dfsweep({"run", "sweep.toml", "--quiet"}).status == 0);
  const std::string columns = "expected_error,expected_memory_error,memory_used_low,memory_used_high";
  const std::string rows = dfsweep({"export", "runs/used", "--columns", columns}).out;
  BOOST_TEST(says(rows, columns + "\n"));
  BOOST_TEST(!says(rows, ",,"));
  BOOST_TEST(says(dfsweep({"show", "runs/used", "--best", "memory_used"}).out, "a tie: the first 2 rows lie within "));
}

BOOST_AUTO_TEST_CASE(rows_that_cannot_tell_a_number_are_refused) {
  measure("matrix_share = { value = 0.5, source = \"x\" }\n");
  const ProgramResult found = calibrate({"--fit", "reserved"});
  BOOST_TEST(found.status == 2);
  BOOST_TEST(
      says(found.err, "--fit: 'reserved' is about memory, which rows.csv does not contain. Add a column memory_used"),
      found.err);
}

BOOST_AUTO_TEST_CASE(a_row_below_what_its_states_take_is_named_and_left_out) {
  measure("matrix_share = { value = 0.5, source = \"x\" }\n", made_memory);
  write("rows.csv", text("rows.csv") + "llama2-70b,16,2,1,1 GB\n");
  const ProgramResult found = calibrate({"--fit", "reserved"});
  BOOST_TEST(found.status == 0);
  BOOST_TEST(says(found.out, "memory_used of 1.000 GB is less than the run needs: "), found.out);
}

BOOST_AUTO_TEST_CASE(a_row_that_no_machine_can_run_is_named_and_left_out) {
  measure("matrix_share = { value = 0.5, source = \"made up\" }\n");
  std::string rows = text("rows.csv");
  rows += "llama3-8b,16,2,1,0.001\n";
  write("rows.csv", rows);
  const ProgramResult found = calibrate({"--fit", "matrix_share"});
  BOOST_TEST(found.status == 0);
  BOOST_TEST(says(found.out, "step_time of 1.000 ms is faster than the machine allows"));
}

BOOST_AUTO_TEST_CASE(one_row_is_fitted_and_rows_without_any_estimate_are_not) {
  write("rows.csv",
        "model,system,device_count,optimizer_sharding,global_batch,step_time\nllama3-8b,dgx-h100,64,1,512,9\n");
  const ProgramResult fitted = dfsweep({"calibrate", "rows.csv", "--fit", "matrix_share"});
  BOOST_TEST(fitted.status == 0);
  BOOST_TEST(says(fitted.out, "  no number is fitted: "), fitted.out);
  // The one error is the same number in all tables.
  const std::size_t before = fitted.out.find('%', fitted.out.find("\n  before "));
  const std::string error = fitted.out.substr(before - 6, 7);
  BOOST_TEST(fitted.out.find(error) < before - 6, fitted.out);
  write("rows.csv",
        "model,system,device_count,tensor_parallel,global_batch,step_time\nllama3-8b,dgx-h100,64,3,512,3\n");
  const ProgramResult refused = dfsweep({"calibrate", "rows.csv", "--fit", "matrix_share"});
  BOOST_TEST(refused.status == 3);
  BOOST_TEST(says(refused.err, "rows.csv:2:56: the row cannot be used (it has no estimate: "), refused.err);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
