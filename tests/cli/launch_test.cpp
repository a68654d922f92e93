/// explain --launch: command lines of engines for points of sweeps and of results.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <string>

#include "io/json.hpp"
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
             "  --gpu-memory-utilization 0.8 \\\n"
             "  --kv-cache-dtype fp8\n");
}

// The cache is of 8 bits where products are of 8 or 4, unless the point says otherwise; engines keep 16 bits by
// default.
BOOST_AUTO_TEST_CASE(the_cache_of_the_point_is_that_of_the_engine) {
  struct Case {
    const char* formats;  ///< lines of the sweep
    std::size_t servers;  ///< with a cache of 8 bits
  };
  const Case cases[] = {
      {"", 0},
      {"precision = \"bf16\"\n", 0},
      {"precision = \"fp4\"\n", 1},
      {"precision = \"fp8\"\ncache_precision = \"bf16\"\n", 0},
      {"precision = \"bf16\"\ncache_precision = \"fp8\"\n", 1},
      {"precision = \"bf16\"\nweight_precision = \"fp8\"\n", 0},
      {"precision = \"fp8\"\npools = \"separate\"\n", 2},
      {"precision = \"bf16\"\npools = \"separate\"\ndecode_precision = \"fp8\"\n", 1},
      {"cache_precision = \"bf16\"\npools = \"separate\"\ndecode_precision = \"fp8\"\n", 0},
  };
  for (const Case& c : cases) {
    std::ofstream(scratch.path()) << "[sweep]\nname = \"served\"\nestimator = \"serving\"\n[parameters]\n"
                                     "model = \"llama3-70b\"\nsystem = \"dgx-b200\"\ndevice_count = 16\n"
                                     "tensor_parallel = [4, 8]\nconcurrency = 8\n"
                                  << c.formats;
    const ProgramResult result = explain("served.toml", {"--launch", "vllm"});
    BOOST_TEST(result.status == 0, result.err);
    std::size_t found = 0;
    constexpr std::string_view flag = "--kv-cache-dtype fp8";
    for (std::size_t at = result.out.find(flag); at != std::string::npos; at = result.out.find(flag, at + 1)) ++found;
    BOOST_TEST(found == c.servers, c.formats << result.out);
  }
}

BOOST_AUTO_TEST_CASE(a_result_has_the_same_command_line) {
  const auto folder = scratch.path().parent_path().string();
  BOOST_TEST(run_program(DFSWEEP_PROGRAM, {"run", "served.toml", "--quiet"}, {.folder = folder}).status == 0);
  BOOST_TEST(explain("runs/served", {"--launch", "sglang"}).out == explain("served.toml", {"--launch", "sglang"}).out);
}

// The point that `show` puts first.
BOOST_AUTO_TEST_CASE(without_a_point_the_best_one_is_explained) {
  const std::string folder = scratch.path().parent_path().string();
  const auto of = [&](std::vector<std::string> arguments) {
    return run_program(DFSWEEP_PROGRAM, arguments, {.folder = folder});
  };
  BOOST_TEST(of({"run", "served.toml", "--quiet"}).status == 0);
  const std::string shown = of({"show", "runs/served", "--columns", "point", "--top", "1", "--json"}).out;
  const std::string best =
      std::to_string(parse_json(shown).at("answer").at("rows").array().front().at("point").whole());
  const ProgramResult explained = of({"explain", "runs/served"});
  BOOST_TEST(explained.status == 0, explained.err);
  BOOST_TEST(explained.out == of({"explain", "runs/served", "--point", best}).out);
  const ProgramResult of_a_sweep = of({"explain", "served.toml"});
  BOOST_TEST(of_a_sweep.status == 2);
  BOOST_TEST(of_a_sweep.err.find("--point is required: the sweep has 2 points") != std::string::npos, of_a_sweep.err);
}

BOOST_AUTO_TEST_CASE(a_launch_without_an_estimate_warns) {
  std::ofstream(scratch.path()) << "[sweep]\nname = \"small\"\nestimator = \"training\"\n[parameters]\n"
                                   "model = \"llama3-70b\"\nsystem = \"dgx-h100\"\ndevice_count = 8\n"
                                   "tensor_parallel = 8\nglobal_batch = [8, 16]\nsequence_length = 8192\n";
  const ProgramResult launched = explain("served.toml", {"--launch", "megatron"});
  BOOST_TEST(launched.status == 0);
  BOOST_TEST(launched.err.find("warning: point 1 has no estimate: out_of_memory") != std::string::npos, launched.err);
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

// What is written is read again, and runs as the point does.
BOOST_AUTO_TEST_CASE(a_point_of_training_comes_back_from_its_flags) {
  const std::filesystem::path folder = scratch.path().parent_path();
  std::ofstream(folder / "trained.toml")
      << "[sweep]\nname = \"trained\"\nestimator = \"training\"\n[parameters]\nmodel = \"llama3-70b\"\n"
         "system = \"dgx-h100\"\nsoftware = \"h100-megatron\"\ndevice_count = 64\ntensor_parallel = 4\n"
         "pipeline_parallel = [2, 4]\ninterleaving = 5\nglobal_batch = 128\nmicro_batch = 1\nprecision = \"fp8\"\n"
         "recompute = \"full\"\nrecomputed_layers = 0.5\noptimizer_sharding = 1\ndevice_hour_price = \"2.5 USD\"\n"
         "train_tokens = 1e12\n";
  std::ofstream(folder / "again.toml") << "[sweep]\nname = \"again\"\nestimator = \"training\"\n[points]\n"
                                          "file = \"points.csv\"\n";
  const auto run = [&](const std::vector<std::string>& arguments) {
    const ProgramResult done = run_program(DFSWEEP_PROGRAM, arguments, {.folder = folder.string()});
    BOOST_TEST(done.status == 0, done.err);
    return done.out;
  };
  run({"run", "trained.toml", "--quiet"});
  const std::vector<std::string> shown{"--best",  "step_time", "--columns", "step_time,memory_used,train_cost",
                                       "--where", "point == 1"};
  std::vector<std::string> show{"show", "runs/trained"};
  show.insert(show.end(), shown.begin(), shown.end());
  const std::string wanted = run(show);
  for (const std::string trainer : {"megatron", "torchtitan", "maxtext", "nemo"}) {
    const std::string text = run({"explain", "runs/trained", "--point", "1", "--launch", trainer});
    std::ofstream(folder / "launch.sh") << text;
    run({"import", "launch", "launch.sh", "-o", "points.csv", "--quiet"});
    run({"run", "again.toml", "--out", "runs/again-" + trainer, "--quiet"});
    const std::string found =
        run({"show", "runs/again-" + trainer, "--best", "step_time", "--columns", "step_time,memory_used,train_cost"});
    // The title of the first says which row it is; the values follow.
    BOOST_TEST_REQUIRE(found.find('\n') != std::string::npos);
    BOOST_TEST(found.substr(found.find('\n')) == wanted.substr(wanted.find('\n')), trainer << ":\n" << text);
  }
  const std::string text = run({"explain", "runs/trained", "--point", "1", "--launch", "megatron"});
  // 64 / (4 * 4) replicas; 80 layers / (4 * 5) = 4 in a chunk, of which 2 are computed again.
  for (const char* const flag : {"torchrun --nproc-per-node 8 --nnodes 8 pretrain_gpt.py", "--num-layers 80",
                                 "--num-virtual-stages-per-pipeline-rank 5", "--recompute-num-layers 2",
                                 "--fp8-format hybrid", "--train-iters 953675"})
    BOOST_TEST(text.find(flag) != std::string::npos, flag << " is not in\n" << text);
}

// Latent attention, shared experts and layers without experts are in the flags, and the script is read again.
BOOST_AUTO_TEST_CASE(the_command_starts_the_model_of_the_point) {
  const std::filesystem::path folder = scratch.path().parent_path();
  std::ofstream(scratch.path()) << "[sweep]\nname = \"deep\"\nestimator = \"training\"\n[parameters]\n"
                                   "model = \"deepseek-v3\"\nsystem = \"dgx-b200\"\ndevice_count = 1024\n"
                                   "tensor_parallel = 2\npipeline_parallel = 4\nexpert_parallel = 32\n"
                                   "optimizer_sharding = 1\nglobal_batch = [4096, 8192]\nsequence_length = 4096\n";
  const std::string text = explain("served.toml", {"--launch", "megatron"}).out;
  for (const char* const flag : {"--multi-latent-attention", "--kv-lora-rank 512", "--qk-pos-emb-head-dim 64",
                                 "--moe-shared-expert-intermediate-size 2048", "'--moe-layer-freq=([0]*3+[1]*58)'"})
    BOOST_TEST(text.find(flag) != std::string::npos, flag << " is not in\n" << text);
  BOOST_TEST(text.find("--group-query-attention") == std::string::npos, text);
  std::ofstream(folder / "launch.sh") << text;
  const ProgramResult read =
      run_program(DFSWEEP_PROGRAM, {"import", "launch", "launch.sh", "-o", "points.csv"}, {.folder = folder.string()});
  BOOST_TEST(read.status == 0, read.err);

  const std::string titan = explain("served.toml", {"--launch", "torchtitan"}).out;
  BOOST_TEST(titan.find("# CONFIG has to be for a model with dense_layers=3 ") != std::string::npos, titan);
  BOOST_TEST(titan.find("# torchtitan refuses to start with these degrees") != std::string::npos, titan);
}

BOOST_AUTO_TEST_CASE(launches_that_say_too_little_are_refused) {
  const std::filesystem::path folder = scratch.path().parent_path();
  struct Case {
    const char* file;
    const char* text;
    const char* problem;
  };
  const Case cases[] = {
      {"none.sh", "echo hello\n", "none.sh: no model"},
      {"no.sh", "# dfsweep: model=llama3-70b system=dgx-h100\necho hello\n",
       "no.sh: no flags of a program that trains"},
      {"tp.sh",
       "# dfsweep: model=llama3-70b system=dgx-h100\ntrain --micro-batch-size $B --tensor-model-parallel-size 4\n",
       "tp.sh:2:7: --micro-batch-size has no number (it is '$B')"},
  };
  for (const Case& c : cases) {
    std::ofstream(folder / c.file) << c.text;
    const ProgramResult result =
        run_program(DFSWEEP_PROGRAM, {"import", "launch", c.file, "-o", "p.csv"}, {.folder = folder.string()});
    BOOST_TEST(result.status == 3);
    BOOST_TEST(result.err.find(c.problem) != std::string::npos, result.err);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
