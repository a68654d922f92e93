/// `profiled` from the command line: point lists with empty cells, tables named in three ways, and results that are
/// explained where they were not made.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "io/json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(profiled_test)

namespace {

/// A folder with generated tables in `tables`, others in `others`, and a sweep over a point list; removed at the end.
class Study {
 public:
  Study() : scratch_("profiled-study") {
    std::filesystem::create_directories(scratch_.path());
    generate("tables", "256");
    generate("others", "128");
    write("points.csv",
          "tensor_parallel,network,requests,decode_batch\n"
          "1,,4xd1@100;p64@0,\n"
          "2,h100_dgx,,8\n"
          "2,,,8\n");
    write("study.toml",
          "[sweep]\nname = \"study\"\nestimator = \"profiled\"\n[parameters]\nmodel = \"microsoft/phi-2\"\n"
          "device = \"h100\"\ndecode_context = 64\n[points]\nfile = \"points.csv\"\n[data]\nprofiles = \"tables\"\n");
  }
  ~Study() { std::filesystem::remove_all(scratch_.path()); }
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;
  [[nodiscard]] std::string path(const std::string& name) const { return (scratch_.path() / name).string(); }

 private:
  void generate(const std::string& folder, const std::string& tokens) const {
    const ProgramResult made =
        run_program(DFSWEEP_PROGRAM,
                    {"profiles", path(folder), "--generate", "--devices", "h100", "--models", "microsoft/phi-2",
                     "--degrees", "1,2", "--tokens", tokens, "--networks", "h100_dgx", "--interconnect", "nvlink4"});
    BOOST_TEST_REQUIRE(made.status == 0, made.err);
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

  ScratchFile scratch_;
};

ProgramResult explain(const std::vector<std::string>& arguments, const ProgramSetting& setting = {}) {
  std::vector<std::string> all{"explain", "--json", "--point"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return run_program(DFSWEEP_PROGRAM, all, setting);
}

BOOST_AUTO_TEST_CASE(simulated_runs_are_written_request_by_request) {
  const Study study;
  std::ofstream(study.path("simulated.toml"))
      << "[sweep]\nname = \"simulated\"\nestimator = \"profiled\"\n[parameters]\nmodel = \"microsoft/phi-2\"\n"
         "device = \"h100\"\nqueueing = [\"steady\", \"simulated\"]\ndecode_batch = 4\nrequests = 3\n"
         "prompt_tokens = 20\noutput_tokens = 4\n[data]\nprofiles = \"tables\"\n";
  const std::string sweep = study.path("simulated.toml");
  const ProgramResult run = explain({"1", sweep, "--requests", study.path("r.csv"), "--batches", study.path("b.csv"),
                                     "--drawing", study.path("t.svg")});
  BOOST_TEST_REQUIRE(run.status == 0, run.err);
  const auto lines = [&](const char* name) {
    std::ifstream file(study.path(name));
    std::size_t count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  };
  BOOST_TEST(lines("r.csv") == 4);  // a heading and three requests
  BOOST_TEST(lines("b.csv") > 4);
  BOOST_TEST(lines("t.svg") > 0);
  const ProgramResult steady = explain({"0", sweep, "--requests", study.path("none.csv")});
  BOOST_TEST(steady.status != 0);
  BOOST_TEST(steady.err.find("this point has no simulated run") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(lists_of_batches_run_and_are_explained_anywhere) {
  const Study study;
  const ProgramResult run =
      run_program(DFSWEEP_PROGRAM, {"run", study.path("study.toml"), "--out", study.path("run"), "--quiet"});
  BOOST_TEST_REQUIRE(run.status == 0, run.err);
  const ProgramResult listed = run_program(DFSWEEP_PROGRAM, {"export", study.path("run"), "--format", "csv",
                                                             "--columns", "network,batch_requests,status", "-o", "-"});
  BOOST_TEST(
      listed.out ==
      "network,batch_requests,status\n,4xd1@100;p64@0,ok\nh100_dgx,,ok\n,,no_profile\n");  // two chips need a network

  const ProgramResult from_sweep = explain({"0", study.path("study.toml")});
  BOOST_TEST_REQUIRE(from_sweep.status == 0, from_sweep.err);
  BOOST_TEST(from_sweep.out.find("compute/h100/microsoft/phi-2/mlp.csv:") != std::string::npos);

  const std::string result = study.path("run");
  const ProgramResult without = explain({"0", result});  // the result does not say where its tables are
  BOOST_TEST(without.status == 3);
  BOOST_TEST(
      without.err.find("a result holds only its checksum). Give it with --data profiles=PATH") != std::string::npos,
      without.err);
  const ProgramResult from_result = explain({"0", result, "--profiles", study.path("tables")});
  BOOST_TEST_REQUIRE(from_result.status == 0, from_result.err);
  BOOST_TEST(to_text(parse_json(from_result.out).at("metrics")) == to_text(parse_json(from_sweep.out).at("metrics")));
  const ProgramResult by_environment =
      explain({"1", result}, {.environment = {{"DFSWEEP_PROFILES", study.path("tables")}}});
  BOOST_TEST(by_environment.status == 0, by_environment.err);
  const ProgramResult wrong = explain({"0", result, "--profiles", study.path("others")});
  BOOST_TEST(wrong.status == 2);
  BOOST_TEST(wrong.err.find("is not the data that the result was made from") != std::string::npos, wrong.err);
}

BOOST_AUTO_TEST_CASE(defects_of_tables_count_where_a_sweep_names_them) {
  const Study study;
  const std::string layer = study.path("tables") + "/compute/h100/microsoft/phi-2/mlp.csv";
  const std::string other = study.path("tables") + "/compute/a100/microsoft/phi-2";
  std::filesystem::create_directories(other);
  std::ofstream(other + "/mlp.csv") << "num_tokens\n8\n";
  BOOST_TEST(run_program(DFSWEEP_PROGRAM, {"plan", study.path("study.toml")}).status == 0);
  std::ofstream(layer, std::ios::app) << "-1\n";
  const ProgramResult refused = run_program(DFSWEEP_PROGRAM, {"plan", study.path("study.toml")});
  BOOST_TEST(refused.status == 3);
  BOOST_TEST(refused.err.find("compute/h100/microsoft/phi-2/mlp.csv:") != std::string::npos, refused.err);
  BOOST_TEST(refused.err.find("a100") == std::string::npos, refused.err);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
