/// Training runs from files: columns, defects by name and place, groups and order.
#include <bit>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "engine/console/usage_error.hpp"
#include "engine/fit/runs/loaded_runs.hpp"
#include "engine/fit/runs/run_cells.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/small_result.hpp"

BOOST_AUTO_TEST_SUITE(runs_test)

using namespace dfsweep;
using namespace dfsweep::fit;
using namespace dfsweep::law_fits;
namespace bdata = boost::unit_test::data;

namespace {

const std::string header = "lr,bs,N,D,loss\n";

std::string problems_of(const UserError& error, const std::filesystem::path& path) {
  std::string text = error.what();
  for (std::size_t at = text.find(path.string()); at != std::string::npos; at = text.find(path.string()))
    text.replace(at, path.string().size(), "F");
  return text;
}

/// Places and defects of a file of runs, or what is wrong with it.
std::string defects_of(const std::string& text, const std::string& columns = "") {
  const ScratchFile file("runs.csv");
  std::ofstream(file.path(), std::ios::binary) << text;
  try {
    const std::filesystem::path paths[] = {file.path()};
    const RunInput input(paths, {column_pairs(columns), 2048.0});
    const LoadedRuns loaded = load_runs(input, 2);
    const LineNumbers lines(input, loaded.findings);
    std::string out = std::to_string(loaded.runs.size());
    for (const DefectiveRun& run : loaded.findings.named())
      out += "; " + lines.place(run.place).substr(file.path().string().size()) + " " + std::string(name_of(run.defect));
    return out;
  } catch (const UserError& error) {
    return problems_of(error, file.path());
  }
}

struct DefectCase {
  const char* why;
  std::string text;
  const char* expected;
};

const DefectCase defect_cases[] = {
    {"all is well", header + "1e-3,64,1e8,1e9,2.5\n2e-3,64,1e8,1e9,2.6\n", "2"},
    {"no loss", header + "1e-3,64,1e8,1e9,\n2e-3,64,1e8,1e9,2.6\n", "1; :2 not_a_number"},
    {"NaN and infinity", header + "1e-3,64,1e8,1e9,nan\n2e-3,64,inf,1e9,2.6\n3e-3,64,1e8,1e9,2.6\n",
     "1; :2 not_a_number; :3 not_a_number"},
    {"nothing and less", header + "0,64,1e8,1e9,2.5\n1e-3,64,1e8,-1,2.5\n1e-3,64,1e8,1e9,2.5\n",
     "1; :2 not_positive; :3 not_positive"},
    {"the same run twice", header + "1e-3,64,1e8,1e9,2.5\n1e-3,64,1e8,1e9,2.5\n", "1; :3 duplicate"},
    {"a run done again", header + "1e-3,64,1e8,1e9,2.5\n1e-3,64,1e8,1e9,2.51\n", "1; :3 repeated"},
    {"two seeds that end alike are two runs", "lr,bs,N,D,loss,seed\n1e-3,64,1e8,1e9,2.5,1\n1e-3,64,1e8,1e9,2.5,2\n",
     "1; :3 repeated"},
    {"one seed twice is one run", "lr,bs,N,D,loss,random_seed\n1e-3,64,1e8,1e9,2.5,x\n1e-3,64,1e8,1e9,2.5,x\n",
     "1; :3 duplicate"},
    {"a seed may be missing", "lr,bs,N,D,loss,Seed\n1e-3,64,1e8,1e9,2.5,\n1e-3,64,1e8,1e9,2.4,n/a\n", "1; :3 repeated"},
    {"the same numbers in another group", header + "1e-3,64,1e8,1e9,2.5\n1e-3,64,1e8,2e9,2.5\n", "2"},
    {"diverged", header + "1e-3,64,1e8,1e9,2.5\n2e-3,64,1e8,1e9,3.01\n", "2; :3 diverged"},
    {"stopped early", "lr,bs,N,D,loss,ti\n1e-3,64,1e8,1e9,2.5,7630\n2e-3,64,1e8,1e9,2.5,5000\n", "1; :3 stopped_early"},
    {"tokens times FLOP per token beyond 64 bits", "lr,bs,N,D,loss,M\n1e-3,64,1e12,1e14,2.5,6e12\n", "1"},
    {"a text", header + "1e-3,64,1e8,1e9,2.5\nfast,64,1e8,1e9,2.5\n",
     "F:3:1: 'fast' is not a number (column 'lr' is the learning_rate)."},
    {"a missing cell", header + "1e-3,64,1e8,1e9\n", "F:2:1: line has 4 cells (the header has 5)."},
    {"an empty line", header + "1e-3,64,1e8,1e9,2.5\n\n1e-3,32,1e8,1e9,2.5\n",
     "F:3:1: line is empty (the header has 5)."},
    {"everything that is wrong at once", header + "x,64,1e8,1e9,2.5\n1e-3,64,1e8,1e9\n1e-3,64,1e8,y,2.5\n",
     "F:2:1: 'x' is not a number (column 'lr' is the learning_rate).\n"
     "F:3:1: line has 4 cells (the header has 5).\n"
     "F:4:13: 'y' is not a number (column 'D' is the train_tokens)."},
    {"a loss that says why there is none",
     header + "1e-3,64,1e8,1e9,OOM\n2e-3,64,1e8,1e9,diverged\n3e-3,64,1e8,1e9,2\n", "1; :2 no_result; :3 no_result"},
    {"words for a missing value", header + "1e-3,64,1e8,1e9,n/a\n2e-3,NA,1e8,1e9,2.5\n3e-3,64,1e8,1e9,2\n",
     "1; :2 not_a_number; :3 not_a_number"},
    {"a failure is no learning rate", header + "OOM,64,1e8,1e9,2.5\n",
     "F:2:1: 'OOM' is not a number (column 'lr' is the learning_rate)."},
    {"the index of a data frame", ",lr,bs,N,D,loss\n0,1e-3,64,1e8,1e9,2.5\n1,2e-3,64,1e8,1e9,2.6\n", "2"},
    {"blanks around names and numbers", "lr, bs , N,D, loss\n1e-3, 64 ,1e8,1e9, 2.5\n", "1"},
    {"tabs", "lr\tbs\tN\tD\tloss\n1e-3\t64\t1e8\t1e9\t2.5\n", "1"},
    {"semicolons", "lr;bs;N;D;loss\n1e-3;64;1e8;1e9;2.5\n", "1"},
    {"bars", "lr|bs|N|D|loss\n1e-3|64|1e8|1e9|2.5\n", "1"},
    {"digits in groups of three", "lr;bs;N;D;loss\n1e-3;1,024;100,000,000;1_000_000_000;2.5\n1e-3;1024;1e8;1e9;2.5\n",
     "1; :3 duplicate"},
    {"groups of other sizes are no number", "lr;bs;N;D;loss\n1e-3;10,24;1e8;1e9;2.5\n",
     "F:2:6: '10,24' is not a number (column 'bs' is the batch_sequences). Write decimals with a point"},
    {"one column only", "lr bs N\n1 1 1\n",
     "F:1:1: no column for the loss, the learning rate, the batch, the training tokens, the number of parameters "
     "(columns here: lr bs N). Columns are separated by commas, tabs, semicolons or bars (|)"},
    {"names that look like what is missing are offered",
     "model tag,Peak Rate (max),batch,tokens (B),final nll\n1,1,1,1,1\n",
     "F:1:1: no column for the loss, the learning rate, the batch, the training tokens, the number of parameters "
     "(columns here: model tag, Peak Rate (max), batch, tokens (B), final nll). Perhaps --columns "
     "\"loss=final nll,learning_rate=Peak Rate (max),batch_sequences=batch,train_tokens=tokens (B),parameters=model "
     "tag\""},
    {"semicolons and decimal commas", "lr;bs;N;D;loss\n0,001;64;1e8;1e9;2.5\n",
     "F:2:1: '0,001' is not a number (column 'lr' is the learning_rate). Write decimals with a point"},
    {"well-known names in other letters", "Learning Rate,Batch-Size,Params,Tokens,Loss\n1e-3,64,1e8,1e9,2.5\n", "1"},
    {"counts with suffixes", header + "1e-3,1k,100M,2B,2.5\n2e-3,1000,1e8,2e9,2.6\n", "2"},
    {"a suffix is no part of a loss", header + "1e-3,64,1e8,1e9,2.5k\n",
     "F:2:17: '2.5k' is not a number (column 'loss' is the loss)."},
    {"nothing to fit", header + "1e-3,64,1e8,1e9,nan\n", "F: no usable run (1 were set aside)."},
};

}  // namespace

BOOST_DATA_TEST_CASE(defects_are_named_with_their_places, bdata::make(defect_cases), c) {
  BOOST_TEST(defects_of(c.text) == c.expected);
}

// 100M, 1.5B, 2k and 1T in any case are the numbers that they abbreviate; groups of equal numbers are one group.
BOOST_AUTO_TEST_CASE(abbreviated_counts_are_numbers) {
  const std::pair<std::string_view, double> cases[] = {{"100M", 1e8}, {"1.5B", 1.5e9}, {" 2k ", 2e3},
                                                       {"7 b", 7e9},  {"3G", 3e9},     {"1.2t", 1.2e12}};
  for (const auto& [text, value] : cases) {
    const RunCell cell = run_cell(text, RunColumn::parameters);
    BOOST_TEST((cell.kind == CellKind::number), text);
    BOOST_TEST(cell.value == value, text);
  }
  for (const std::string_view text : {"M", "1.5X", "1..5B", "B7"})
    BOOST_TEST((run_cell(text, RunColumn::parameters).kind == CellKind::malformed), text);
}

BOOST_AUTO_TEST_CASE(json_lines_are_runs) {
  const ScratchFile file("runs.jsonl");
  const auto read = [&file](const std::string& text, const std::string& columns) {
    std::ofstream(file.path()) << text;
    const std::filesystem::path paths[] = {file.path()};
    const RunInput input(paths, {column_pairs(columns), 2048.0});
    LoadedRuns loaded = load_runs(input, 1);
    std::vector<std::string> places;
    for (const DefectiveRun& run : loaded.findings.named())
      places.push_back(LineNumbers(input, loaded.findings).place(run.place).substr(file.path().string().size()));
    return std::make_pair(loaded.runs, places);
  };
  const auto [runs, places] = read(
      "{\"config\": {\"lr\": 1e-3, \"bs\": 64}, \"N\": 1e8, \"D\": \"1B\", \"loss\": 2.5, \"tags\": [1, 2]}\n"
      "{\"N\": 1e8, \"D\": 1e9, \"config\": {\"lr\": 2e-3, \"bs\": 64}, \"loss\": null}\n"
      "{\"N\": 1e8, \"D\": 1e9, \"config\": {\"lr\": 4e-3, \"bs\": 64}, \"loss\": 2.75}\n",
      "learning_rate=config.lr,batch_sequences=config.bs");
  BOOST_TEST_REQUIRE(runs.size() == 2U);
  BOOST_TEST(runs.learning_rate[1] == 4e-3);
  BOOST_TEST(runs.train_tokens[0] == 1e9);
  BOOST_TEST(runs.loss[1] == 2.75);
  BOOST_TEST_REQUIRE(places.size() == 1U);
  BOOST_TEST(places[0] == ":2");
  try {
    static_cast<void>(read("{\"N\": 1}\n[1]\n", ""));
    BOOST_TEST(false);
  } catch (const UserError& error) {
    BOOST_TEST(std::string(error.what()).find(":2:1: line is not a JSON object") != std::string::npos);
  }
}

// Three seeds of one setting, one of which went wrong, are one run with the loss in the middle.
BOOST_AUTO_TEST_CASE(seeds_of_a_setting_are_one_run) {
  const ScratchFile file("runs.csv");
  std::ofstream(file.path()) << "lr,bs,N,D,loss,seed\n1e-3,64,1e8,1e9,2.52,1\n1e-3,64,1e8,1e9,9.0,2\n"
                                "2e-3,64,1e8,1e9,2.4,1\n1e-3,64,1e8,1e9,2.5,3\n2e-3,64,1e8,1e9,2.6,2\n";
  const std::filesystem::path paths[] = {file.path()};
  const LoadedRuns loaded = load_runs(RunInput(paths, {}), 1);
  BOOST_TEST_REQUIRE(loaded.runs.size() == 2U);
  BOOST_TEST(loaded.runs.loss[0] == 2.52);
  BOOST_TEST(loaded.runs.loss[1] == 2.5);
  BOOST_TEST(loaded.findings.counts[static_cast<std::size_t>(RunDefect::repeated)] == 3U);
  BOOST_TEST_REQUIRE(loaded.repeats.size() == 2U);
  BOOST_TEST(loaded.repeats[0].run == 0U);
  BOOST_TEST(loaded.repeats[0].losses == (std::vector{2.52, 9.0, 2.5}), boost::test_tools::per_element());
  BOOST_TEST(loaded.repeats[1].run == 1U);
  BOOST_TEST(loaded.repeats[1].losses == (std::vector{2.4, 2.6}), boost::test_tools::per_element());
}

// Dense runs come first: the numbers of repeated runs follow.
BOOST_AUTO_TEST_CASE(repeated_runs_are_numbered_as_the_runs_are) {
  const ScratchFile file("runs.csv");
  std::ofstream(file.path()) << "lr,bs,N,Na,D,loss\n1e-3,64,2e8,1e8,1e9,2.5\n1e-3,64,2e8,1e8,1e9,2.6\n"
                                "1e-3,64,1e8,1e8,1e9,3.5\n1e-3,64,1e8,1e8,1e9,3.7\n";
  const std::filesystem::path paths[] = {file.path()};
  const LoadedRuns loaded = load_runs(RunInput(paths, {}), 1);
  BOOST_TEST_REQUIRE(loaded.repeats.size() == 2U);
  for (const std::size_t i : {0U, 1U}) {
    BOOST_TEST(loaded.repeats[i].run == i);
    const std::vector<double>& losses = loaded.repeats[i].losses;
    BOOST_TEST(loaded.runs.loss[i] == 0.5 * (losses[0] + losses[1]));
  }
}

// A column that may count activated parameters or experts and is not used is named, once the file has none that is.
BOOST_AUTO_TEST_CASE(unused_columns_that_look_like_parameters_are_named) {
  const auto remark_on = [](const std::string& text, const std::string& columns = "") {
    const ScratchFile file("runs.csv");
    std::ofstream(file.path()) << text;
    const std::filesystem::path paths[] = {file.path()};
    const RunInput input(paths, {column_pairs(columns), 2048.0});
    std::string all;
    for (const std::string& remark : input.files().front()->remarks()) all += remark;
    return all;
  };
  const std::string rows = "1e-3,64,1e8,1e9,2.5,";
  const auto with = [&rows](const std::string& name, const std::string& a, const std::string& b) {
    return "lr,bs,N,D,loss," + name + "\n" + rows + a + "\n" + rows + b + "\n";
  };
  const std::string named = "looks like parameters or experts: 'x'";
  BOOST_TEST(remark_on(with("x", "1e7", "2e7")).find(named) != std::string::npos);
  BOOST_TEST(remark_on(with("x", "10M", "20M")).find(named) != std::string::npos);
  BOOST_TEST(remark_on(with("experts", "8", "8")).find("'experts'") != std::string::npos);
  BOOST_TEST(remark_on(with("x", "1e7", "1e7")).empty());             // a constant says nothing
  BOOST_TEST(remark_on(with("x", "12.5", "13.5")).empty());           // a time
  BOOST_TEST(remark_on(with("experts", "none", "many")).empty());     // a name of a recipe
  BOOST_TEST(remark_on(with("x", "1e7", "2e7"), "Na=x").empty());     // it is used
  BOOST_TEST(remark_on(with("x,Na", "1e7,5e7", "2e7,5e7")).empty());  // what counts is known
}

BOOST_AUTO_TEST_CASE(columns_are_found_by_their_names_and_by_pairs_in_either_order) {
  const std::string rows = "1e-3,131072,1e8,1e9,2.5\n";
  BOOST_TEST(defects_of("learning_rate,batch_tokens,parameters,train_tokens,smooth loss\n" + rows) == "1");
  BOOST_TEST(defects_of("rate,step,size,seen,final\n" + rows, "lr=rate,batch_tokens=step,N=size,D=seen,loss=final") ==
             "1");
  BOOST_TEST(defects_of("rate,step,size,seen,final\n" + rows,
                        "rate=learning_rate,step=batch_tokens,size=parameters,seen=train_tokens,final=loss") == "1");
  BOOST_TEST(defects_of("rate,step,size,seen,final\n" + rows, "lr=rato")
                 .find("there is no column 'rato' (--columns lr=rato). Did you mean 'rate'?") != std::string::npos);
  BOOST_TEST(defects_of("lr,bs,N,loss\n1,1,1,1\n").find("no column for the training tokens") != std::string::npos);
  BOOST_CHECK_THROW(static_cast<void>(column_pairs("lr")), UsageError);
}

BOOST_AUTO_TEST_CASE(runs_know_their_groups_batches_and_compute) {
  const ScratchFile file("runs.csv");
  std::ofstream(file.path()) << "lr,bs,N,Na,D,loss,moe_name,seq_len,h,ffnh,numl,M\n"
                                "1e-3,64,2e9,1e9,1e10,2.5,1in8,4096,1,1,1,7e9\n"
                                "1e-3,64,2e9,1e9,1e10,2.4,2in8,4096,1,1,1,7e9\n"
                                "1e-3,64,1e9,1e9,1e10,2.3,,2048,1,1,1,6e9\n";
  const std::filesystem::path paths[] = {file.path()};
  const LoadedRuns loaded = load_runs(RunInput(paths, {}), 1);
  const TrainingRuns& runs = loaded.runs;
  BOOST_TEST_REQUIRE(runs.size() == 3U);
  BOOST_TEST(runs.parameters[0] == 1e9);  // dense before MoE
  BOOST_TEST(runs.recipes[runs.recipe[0]].name == "dense");
  BOOST_TEST(runs.recipes[runs.recipe[1]].name == "1in8");
  BOOST_TEST(runs.batch_tokens[0] == 64.0 * 2048.0);
  BOOST_TEST(runs.batch_tokens[1] == 64.0 * 4096.0);
  BOOST_TEST(runs.flops_per_token[1] == 7e9);
  BOOST_TEST(group_runs(runs).groups.size() == 3U);
}

BOOST_AUTO_TEST_CASE(compute_of_a_dense_shape_counts_attention) {
  const ScratchFile file("runs.csv");
  std::ofstream(file.path()) << "lr,bs,N,D,loss,h,ffnh,numl\n1e-3,64,214663680,4e9,2.5,960,9368,7\n";
  const std::filesystem::path paths[] = {file.path()};
  // 6 * 7 * 960 * (4 * 960 + 3 * 9368 + 2 * 2048)
  BOOST_TEST(load_runs(RunInput(paths, {}), 1).runs.flops_per_token[0] == 1453132800.0);
}

BOOST_AUTO_TEST_CASE(results_of_ours_are_runs_too) {
  const ScratchFile file("result.h5");
  SmallResult result(3);
  result.metric("learning_rate", "1", "neither", {1e-3, 2e-3, 3e-3});
  result.metric("batch_tokens", "1", "neither", {1e5, 1e5, 1e5});
  result.status({0, 1, 0});
  result.metric("loss", "1", "lower", {2.5, 2.4, 2.3});
  result.fixed("parameters", 1e8).fixed("train_tokens", 1e9);
  result.write(file.path());
  const std::filesystem::path paths[] = {file.path()};
  const RunInput input(paths, {});
  const LoadedRuns loaded = load_runs(input, 1);
  BOOST_TEST_REQUIRE(loaded.runs.size() == 2U);
  BOOST_TEST(loaded.runs.loss[1] == 2.3);
  BOOST_TEST(loaded.runs.parameters[1] == 1e8);
  BOOST_TEST(loaded.findings.counts[static_cast<std::size_t>(RunDefect::failed_row)] == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
