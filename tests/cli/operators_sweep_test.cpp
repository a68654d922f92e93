/// Sweeps that measured operators price: what rows say of them, what explanations name, and wrong tables.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/program.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(operators_sweep_test)

namespace {

const std::filesystem::path shipped = std::filesystem::path(DFSWEEP_SOURCE_DIR) / "sweeps/measured/operators";

/// A folder with the shipped tables and a sweep beside them; removed at the end.
class Study {
 public:
  explicit Study(const std::string& parameters = "") : scratch_("operators-study") {
    std::filesystem::create_directories(scratch_.path());
    std::filesystem::copy(shipped, scratch_.path() / "tables");
    std::ofstream(path("study.toml"))
        << "[sweep]\nname = \"study\"\nestimator = \"serving\"\n[data]\noperators = \"tables\"\n[parameters]\n"
           "model = \"llama3-8b\"\nsystem = \"dgx-h100\"\nsoftware = \"vllm\"\nbatch = 64\n"
        << (parameters.empty() ? "tensor_parallel = 2\n" : parameters);
  }
  ~Study() { std::filesystem::remove_all(scratch_.path()); }
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;
  [[nodiscard]] std::string path(const std::string& name) const { return (scratch_.path() / name).string(); }
  void append(const std::string& file, const std::string& text) const {
    std::ofstream(path("tables/" + file), std::ios::app) << text;
  }
  [[nodiscard]] ProgramResult explain() const {
    return run_program(DFSWEEP_PROGRAM, {"explain", "--full", "--point", "0", path("study.toml")});
  }

 private:
  ScratchFile scratch_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct WrongCell {
  const char* why;
  const char* file;
  const char* line;
  const char* problem;  ///< after the line and the column
};
const WrongCell wrong_cells[] = {
    {"a size that is a word", "gemm.csv", "h100_sxm,vllm,0.24.0,k,bfloat16,many,64,64,0.01\n",
     ":136:33: 'many' is not a size"},
    {"a size below 0", "gemm.csv", "h100_sxm,vllm,0.24.0,k,bfloat16,-1,64,64,0.01\n", ":136:33: '-1' is not a size"},
    {"a time that is no number", "gemm.csv", "h100_sxm,vllm,0.24.0,k,bfloat16,1,64,64,nan\n",
     ":136:41: 'nan' is not a time"},
    {"a cell too few", "nccl.csv", "h100_sxm,nccl,2.29.2,all_reduce,half,2,1,2\n", ":61:"},
    {"an infinite time", "custom_allreduce.csv", "h100_sxm,vllm,0.24.0,g,bfloat16,2,1,2,inf\n",
     ":68:39: 'inf' is not a time"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(explanations_name_the_table_of_each_operation) {
  const Study study;
  const ProgramResult explained = study.explain();
  BOOST_TEST_REQUIRE(explained.status == 0, explained.err);
  for (const char* const part :
       {"operations of a step", "gate and up", "products, h100_sxm vllm 0.24.0", "decoding, h100_sxm vllm 0.24.0",
        "own all-reduces, h100_sxm vllm 0.24.0", "library exchanges, h100_sxm nccl 2.29.2", "coverage"})
    BOOST_TEST(has(explained.out, part), part << " in\n" << explained.out);
}

BOOST_AUTO_TEST_CASE(operations_without_a_near_row_keep_their_form) {
  const Study study(
      "tensor_parallel = [2, 8]\n");  // at 8 devices the attention of the shipped rows is two doublings away
  const ProgramResult ran =
      run_program(DFSWEEP_PROGRAM, {"run", study.path("study.toml"), "--out", study.path("run"), "--quiet"});
  BOOST_TEST_REQUIRE(ran.status == 0, ran.err);
  const ProgramResult shown =
      run_program(DFSWEEP_PROGRAM, {"show", study.path("run"), "--columns", "tensor_parallel,time_source,coverage"});
  for (const char* const part : {"operators", "far_operators"})
    BOOST_TEST(has(shown.out, part), part << " in\n" << shown.out << shown.err);
  const ProgramResult explained =
      run_program(DFSWEEP_PROGRAM, {"explain", "--full", "--point", "1", study.path("study.toml")});
  BOOST_TEST(has(explained.out, "closed form: no row of "), explained.out);
}

BOOST_AUTO_TEST_CASE(plans_name_the_files) {
  const Study study;
  const ProgramResult planned = run_program(DFSWEEP_PROGRAM, {"plan", study.path("study.toml")});
  BOOST_TEST_REQUIRE(planned.status == 0, planned.err);
  BOOST_TEST(has(planned.out, "gemm.csv"), planned.out);
}

BOOST_AUTO_TEST_CASE(an_engine_without_tables_leaves_closed_forms) {
  const Study study("tensor_parallel = 2\noperator_tables = \"sglang\"\n");
  const ProgramResult explained = study.explain();
  BOOST_TEST_REQUIRE(explained.status == 0, explained.err);
  BOOST_TEST(has(explained.out, "closed form"), explained.out);
  BOOST_TEST(!has(explained.out, "h100_sxm vllm"), explained.out);
}

BOOST_AUTO_TEST_CASE(a_text_that_names_no_tables_is_an_error_with_its_place) {
  const Study study("tensor_parallel = 2\noperator_tables = \"vllm 0.24.0 flash attention\"\n");
  const ProgramResult explained = study.explain();
  BOOST_TEST(explained.status != 0);
  BOOST_TEST(has(explained.err, "study.toml:12:"), explained.err);
  BOOST_TEST(has(explained.err, "'vllm 0.24.0 flash attention' does not name measured operators"), explained.err);
}

BOOST_AUTO_TEST_CASE(wrong_cells_are_errors_with_their_places) {
  for (const WrongCell& c : wrong_cells) {
    BOOST_TEST_CONTEXT(c.why) {
      const Study study;
      study.append(c.file, c.line);
      const ProgramResult explained = study.explain();
      BOOST_TEST(explained.status != 0);
      BOOST_TEST(has(explained.err, std::string(c.file) + c.problem), explained.err);
    }
  }
}

BOOST_AUTO_TEST_CASE(estimators_without_measured_operators_say_so) {
  const Study study;
  std::ofstream(study.path("training.toml"))
      << "[sweep]\nname = \"t\"\nestimator = \"training\"\n[data]\noperators = \"tables\"\n[parameters]\n"
         "model = \"llama3-8b\"\nsystem = \"dgx-h100\"\n";
  const ProgramResult planned = run_program(DFSWEEP_PROGRAM, {"plan", study.path("training.toml")});
  BOOST_TEST(planned.status != 0);
  BOOST_TEST(has(planned.err, "training.toml:5:"), planned.err);
}

BOOST_AUTO_TEST_CASE(results_keep_checksums_of_tables) {
  const Study study;
  const std::string result = study.path("run/result.h5");
  const ProgramResult made =
      run_program(DFSWEEP_PROGRAM, {"run", study.path("study.toml"), "--out", study.path("run")});
  BOOST_TEST_REQUIRE(made.status == 0, made.err);
  const std::vector<std::string> again{"explain", "--point", "0",
                                       result,    "--data",  "operators=" + study.path("tables")};
  BOOST_TEST(run_program(DFSWEEP_PROGRAM, again).status == 0);
  study.append("gemm.csv", "h100_sxm,vllm,0.24.0,k,bfloat16,1,64,64,0.01\n");
  const ProgramResult changed = run_program(DFSWEEP_PROGRAM, again);
  BOOST_TEST(changed.status != 0);
  BOOST_TEST(has(changed.err, "gemm.csv"), changed.err);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
