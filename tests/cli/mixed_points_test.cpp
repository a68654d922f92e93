/// Points that mix choices: "best" beside numbers, speculation beside none, axes in any order, changed lists.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>

#include "io/json.hpp"
#include "tests/cli/program_under_test.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(mixed_points_test)

namespace {

/// A sweep over the lines of points.csv in a folder of its own.
struct Listed {
  ScratchFile scratch{"listed.toml"};
  std::string folder = scratch.path().parent_path().string();
  ProgramSetting there{.folder = folder};

  void write(const std::string& points) const {
    std::ofstream(scratch.path()) << "[sweep]\nname = \"listed\"\nestimator = \"serving\"\n[parameters]\n"
                                     "model = \"llama3-8b\"\nsystem = \"dgx-h100\"\n[points]\nfile = \"points.csv\"\n";
    std::ofstream(scratch.path().parent_path() / "points.csv") << points;
  }
};

/// A sweep of a law whose status is ok for three of the 64 sizes: those that are no less than the activated parameters.
std::string sizes_sweep(bool sizes_first) {
  const std::string sizes = "parameters = { from = 1e6, to = 1e10, points = 64, scale = \"log\" }\n";
  const std::string rates = "learning_rate = { from = 1e-5, to = 1e-1, points = 20000, scale = \"log\" }\n";
  return "[sweep]\nname = \"sizes\"\nestimator = \"hyperparameters\"\n[parameters]\nactivated_parameters = 7e9\n"
         "train_tokens = [1e10, 1e11, 1e12]\n" +
         (sizes_first ? sizes + rates : rates + sizes);
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(best_beside_a_number_is_explained, Listed) {
  write("batch\nbest\n8\n");
  BOOST_REQUIRE_EQUAL(dfsweep({"run", "listed.toml", "--quiet"}, there).status, 0);
  for (const char* point : {"0", "1"}) {
    const ProgramResult result = dfsweep({"explain", "runs/listed", "--point", point}, there);
    BOOST_TEST(result.status == 0, result.err);
  }
  const ProgramResult result = dfsweep({"show", "runs/listed", "--sensitivity", "token_rate"}, there);
  BOOST_TEST(result.status == 0, result.err);
}

// One line has tokens and the other a budget; where all lines have tokens, a budget contradicts them.
BOOST_FIXTURE_TEST_CASE(a_budget_is_a_matter_of_single_points, Listed) {
  write("global_batch,train_tokens,device_hours\n8,1e9,\n8,,100\n");
  std::ofstream(scratch.path()) << "[sweep]\nname = \"listed\"\nestimator = \"training\"\n[parameters]\n"
                                   "model = \"llama3-8b\"\nsystem = \"dgx-h100\"\ndevice_count = 8\n"
                                   "sequence_length = 4096\ntensor_parallel = 8\n[points]\nfile = \"points.csv\"\n";
  const ProgramResult ran = dfsweep({"run", "listed.toml", "--quiet"}, there);
  BOOST_REQUIRE_EQUAL(ran.status, 0);
  const std::string csv = dfsweep({"export", "runs/listed", "--columns", "point,time_to_train"}, there).out;
  BOOST_TEST(csv.find("1,45000\n") != std::string::npos, csv);  // 100 hours on 8 devices
  std::ofstream(scratch.path().parent_path() / "points.csv")
      << "global_batch,train_tokens,device_hours\n8,1e9,\n8,1e9,100\n";
  const ProgramResult both = dfsweep({"plan", "listed.toml"}, there);
  BOOST_TEST(both.status == 3);
  BOOST_TEST(contains(both.err, "are both given"), both.err);
}

// Only the point that speculates needs a model that drafts; a point that has none says so by its status.
BOOST_FIXTURE_TEST_CASE(speculation_is_a_matter_of_single_points, Listed) {
  write("speculation,draft_model\nsequence,llama3-8b\nnone,\nsequence,\n");
  const ProgramResult ran = dfsweep({"run", "listed.toml", "--quiet"}, there);
  BOOST_REQUIRE_EQUAL(ran.status, 0);
  const std::string csv = dfsweep({"export", "runs/listed", "--columns", "point,status"}, there).out;
  BOOST_TEST(contains(csv, "0,ok"), csv);
  BOOST_TEST(contains(csv, "1,ok"), csv);
  BOOST_TEST(contains(csv, "2,no_draft_model"), csv);
}

BOOST_FIXTURE_TEST_CASE(speculation_without_any_draft_is_refused, Listed) {
  write("speculation\nsequence\nnone\n");
  const ProgramResult ran = dfsweep({"run", "listed.toml", "--quiet"}, there);
  BOOST_TEST(ran.status == 3);
  BOOST_TEST(contains(ran.err, "speculation needs a model that drafts"), ran.err);
}

// 3 of 64 sizes are ok, whichever axis comes first: the shares in samples of some thousand points agree within 1 %.
BOOST_FIXTURE_TEST_CASE(a_sample_does_not_depend_on_the_order_of_axes, Listed) {
  for (const bool sizes_first : {true, false}) {
    std::ofstream(scratch.path()) << sizes_sweep(sizes_first);
    const ProgramResult result = dfsweep({"plan", "listed.toml", "--json"}, there);
    BOOST_TEST_REQUIRE(result.status == 0, result.err);
    const Json plan = parse_json(result.out);
    const Json& sample = plan.at("sample");
    const double share = sample.at("statuses").at("ok").number() / sample.at("points").number();
    BOOST_TEST(std::abs(share - 3.0 / 64.0) < 0.01, "sizes first: " << sizes_first << ", share " << share);
  }
}

// One of 500 values is another: the refusal names this value and does not print the lists.
BOOST_FIXTURE_TEST_CASE(a_changed_axis_is_shown_by_what_changed, Listed) {
  const auto sweep_to = [this](const std::string& last) {
    std::string values;
    for (int i = 1; i < 500; ++i) values += std::to_string(1000 * i) + ", ";
    std::ofstream(scratch.path()) << "[sweep]\nname = \"axis\"\nestimator = \"hyperparameters\"\n[parameters]\n"
                                     "parameters = [" +
                                         values + last + "]\ntrain_tokens = 1e9\n";
  };
  sweep_to("1e9");
  BOOST_REQUIRE_EQUAL(dfsweep({"run", "listed.toml", "--quiet"}, there).status, 0);
  sweep_to("2e9");
  const ProgramResult result = dfsweep({"run", "listed.toml", "--quiet"}, there);
  BOOST_TEST(result.status != 0);
  BOOST_TEST(contains(result.err, "1 gone (1e9)"), result.err);
  BOOST_TEST(contains(result.err, "1 new (2e9)"), result.err);
  BOOST_TEST(result.err.size() < 1500U);
}

// A file of the catalogue whose name no entry can have is not offered as a correction of itself.
BOOST_FIXTURE_TEST_CASE(names_with_blanks_are_refused_with_a_way_out, Listed) {
  const std::filesystem::path laws = scratch.path().parent_path() / "own" / "laws";
  std::filesystem::create_directories(laws);
  std::ofstream(laws / "my law.toml") << "name = \"my law\"\n";
  const auto plan_of = [this](const std::string& law) {
    std::ofstream(scratch.path()) << "[sweep]\nname = \"law\"\nestimator = \"hyperparameters\"\n[parameters]\n"
                                     "parameters = 1e9\ntrain_tokens = 1e9\nlaw = \"" +
                                         law + "\"\n";
    return dfsweep({"plan", "listed.toml", "--catalogue", "own"}, there).err;
  };
  const std::string blank = plan_of("my law");
  BOOST_TEST(contains(blank, "its file is there, but no entry can have this name"), blank);
  BOOST_TEST(!contains(blank, "Did you mean 'my law'"), blank);
  const std::string other = plan_of("some-other-thing");
  BOOST_TEST(contains(other, "--catalogue FOLDER"), other);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
