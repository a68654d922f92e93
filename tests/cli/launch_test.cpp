/// explain --launch: command lines of engines for points of sweeps and of results.
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "tests/support/program.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

namespace {

const char* const served =
    "[sweep]\nname = \"served\"\nestimator = \"serving\"\n[parameters]\nmodel = \"llama3-70b\"\nsystem = \"dgx-h100\"\n"
    "device_count = 8\ntensor_parallel = [2, 4]\nprecision = \"fp8\"\nchunk_tokens = 4096\ncache_share = 0.8\n";

struct ServedSweep {
  ScratchFile scratch{"served.toml"};
  ServedSweep() { std::ofstream(scratch.path()) << served; }
  [[nodiscard]] ProgramResult explain(const std::string& path, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"explain", path, "--point", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(DFSWEEP_PROGRAM, arguments, {.folder = scratch.path().parent_path().string()});
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(launch_test, ServedSweep)

BOOST_AUTO_TEST_CASE(a_point_has_a_command_line) {
  const ProgramResult result = explain("served.toml", {"--launch", "vllm"});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.out ==
             "# 2 servers, each with its share of the requests. MODEL: a checkpoint of llama3-70b with weights in fp8\n"
             "vllm serve MODEL \\\n"
             "  --tensor-parallel-size 4 \\\n"
             "  --max-num-batched-tokens 4096 \\\n"
             "  --max-num-seqs 2048 \\\n"
             "  --gpu-memory-utilization 0.8\n");
}

BOOST_AUTO_TEST_CASE(a_result_has_the_same_command_line) {
  const auto folder = scratch.path().parent_path().string();
  BOOST_TEST(run_program(DFSWEEP_PROGRAM, {"run", "served.toml", "--quiet"}, {.folder = folder}).status == 0);
  BOOST_TEST(explain("runs/served", {"--launch", "sglang"}).out == explain("served.toml", {"--launch", "sglang"}).out);
}

BOOST_AUTO_TEST_CASE(programs_read_json) {
  const ProgramResult result = explain("served.toml", {"--launch", "trtllm", "--json"});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.out.find("\"engine\": \"trtllm\"") != std::string::npos, result.out);
  BOOST_TEST(result.out.find("\"--max_num_tokens 4096\"") != std::string::npos, result.out);
}

BOOST_AUTO_TEST_CASE(wrong_usage_is_refused) {
  const ProgramResult misspelt = explain("served.toml", {"--launch", "vlm"});
  BOOST_TEST(misspelt.status == 2);
  BOOST_TEST(misspelt.err.find("no engine is called 'vlm'. Did you mean 'vllm'?") != std::string::npos, misspelt.err);
  std::ofstream(scratch.path()) << "[sweep]\nname = \"law\"\nestimator = \"hyperparameters\"\n[parameters]\n"
                                   "law = \"step-law\"\nparameters = 1e9\ntrain_tokens = [1e11, 2e11]\n";
  const ProgramResult elsewhere = explain("served.toml", {"--launch", "vllm"});
  BOOST_TEST(elsewhere.status == 2);
  BOOST_TEST(elsewhere.err.find("not of hyperparameters") != std::string::npos, elsewhere.err);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
