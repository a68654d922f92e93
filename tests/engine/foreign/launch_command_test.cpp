/// Launch commands: which flags are given for which values, configuration files, pools, and what an engine has not.
#include "engine/foreign/launch_command.hpp"

#include <boost/test/unit_test.hpp>
#include <map>

#include "engine/catalogue/catalogue.hpp"

BOOST_AUTO_TEST_SUITE(launch_command_test)

using namespace dfsweep;
using namespace dfsweep::foreign;

namespace {

using Values = std::map<std::string, std::string, std::less<>>;

Launch launched(const std::string& engine, const Values& values) {
  static const Catalogue catalogue = catalogue_with({});
  return launch_of(catalogue.load("engines", engine).entry, [&](std::string_view name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  });
}

using Words = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_not_given_has_no_flag) {
  const Launch launch = launched("vllm", {});
  BOOST_TEST_REQUIRE(launch.servers.size() == 1u);
  BOOST_TEST(launch.servers.front().words == Words{"vllm serve MODEL"}, boost::test_tools::per_element());
  BOOST_TEST(launch.servers.front().config == "");
  BOOST_TEST(launch.lacks.empty());
}

BOOST_AUTO_TEST_CASE(degrees_and_settings_have_flags) {
  const Values values{{"tensor_parallel", "4"},  {"pipeline_parallel", "1"}, {"attention_data_parallel", "2"},
                      {"expert_parallel", "8"},  {"chunk_tokens", "8192"},   {"batch_limit", "512"},
                      {"cache_share", "0.85"},   {"cache_precision", "fp8"}, {"receive_interval_steps", "10"},
                      {"batch_wait_steps", "20"}};
  const Launch vllm = launched("vllm", values);
  const Words of_vllm{"vllm serve MODEL",
                      "--tensor-parallel-size 4",
                      "--data-parallel-size 2",
                      "--enable-expert-parallel",
                      "--max-num-batched-tokens 8192",
                      "--max-num-seqs 512",
                      "--gpu-memory-utilization 0.85",
                      "--kv-cache-dtype fp8"};
  BOOST_TEST(vllm.servers.front().words == of_vllm, boost::test_tools::per_element());
  BOOST_TEST_REQUIRE(vllm.lacks.size() == 2u);
  BOOST_TEST(vllm.lacks.front().starts_with("vLLM has no interval"));

  // The degrees and limits of SGLang are those of all ranks.
  const Launch sglang = launched("sglang", values);
  const Words of_sglang{"python -m sglang.launch_server --model-path MODEL",
                        "--tp-size 8",
                        "--dp-size 2 --enable-dp-attention",
                        "--ep-size 8",
                        "--chunked-prefill-size 8192",
                        "--max-running-requests 1024",
                        "--scheduler-recv-interval 10",
                        "--mem-fraction-static 0.85",
                        "--kv-cache-dtype fp8_e4m3"};
  BOOST_TEST(sglang.servers.front().words == of_sglang, boost::test_tools::per_element());
  BOOST_TEST_REQUIRE(sglang.lacks.size() == 1u);
  BOOST_TEST(sglang.lacks.front().starts_with("SGLang has no wait"));

  const Launch trtllm = launched("trtllm", values);
  const Words of_trtllm{"trtllm-serve MODEL",
                        "--tp_size 8",
                        "--ep_size 8",
                        "--max_num_tokens 8192",
                        "--max_batch_size 512",
                        "--kv_cache_free_gpu_memory_fraction 0.85",
                        "--extra_llm_api_options CONFIG"};
  BOOST_TEST(trtllm.servers.front().words == of_trtllm, boost::test_tools::per_element());
  BOOST_TEST(trtllm.servers.front().config ==
             "enable_attention_dp: true\n"
             "kv_cache_config:\n"
             "  dtype: fp8\n"
             "batch_wait_timeout_iters: 20\n"
             "batch_wait_max_tokens_ratio: 0.85\n");
  BOOST_TEST(trtllm.lacks.size() == 2u);  // no interval, and no groups of ranks
}

BOOST_AUTO_TEST_CASE(a_cache_of_fewer_than_16_bits_is_asked_for) {
  struct Case {
    const char* engine;
    const char* format;
    const char* flag;  ///< a word, or the configuration
    const char* lack;  ///< its begin
  };
  const Case cases[] = {
      {"vllm", "fp8", "--kv-cache-dtype fp8", ""},
      {"vllm", "fp4", "--kv-cache-dtype nvfp4", ""},
      {"vllm", "int8", "", "No cache of vLLM in int8"},
      {"vllm", "bf16", "", ""},
      {"sglang", "fp8", "--kv-cache-dtype fp8_e4m3", ""},
      {"sglang", "fp4", "--kv-cache-dtype fp4_e2m1", ""},
      {"sglang", "int8", "", "No cache of SGLang in int8"},
      {"sglang", "fp16", "", ""},
      {"trtllm", "fp8", "kv_cache_config:\n  dtype: fp8\n", ""},
      {"trtllm", "fp4", "kv_cache_config:\n  dtype: nvfp4\n", ""},
      {"trtllm", "int8", "", "No cache of TensorRT-LLM in int8"},
      {"trtllm", "bf16", "", ""},
  };
  for (const Case& c : cases) {
    const Launch launch = launched(c.engine, {{"cache_precision", c.format}});
    const LaunchCommand& server = launch.servers.front();
    const std::string written = !server.config.empty() ? server.config : server.words.size() > 1 ? server.words[1] : "";
    BOOST_TEST_CONTEXT(c.engine << " " << c.format) {
      BOOST_TEST(written == c.flag);
      BOOST_TEST(launch.lacks.size() == (*c.lack != 0 ? 1u : 0u));
      if (!launch.lacks.empty()) BOOST_TEST(launch.lacks.front().starts_with(c.lack));
    }
  }
}

BOOST_AUTO_TEST_CASE(keys_below_one_key_are_grouped) {
  const Launch launch = launched("trtllm", {{"draft_window", "3"}, {"speculation", "sequence"}});
  BOOST_TEST(launch.servers.front().config ==
             "speculative_config:\n"
             "  decoding_type: DraftTarget\n"
             "  speculative_model_dir: DRAFT_MODEL\n"
             "  max_draft_len: 3\n");
  BOOST_TEST(launched("trtllm", {{"draft_window", "3"}, {"speculation", "none"}}).servers.front().config == "");
}

BOOST_AUTO_TEST_CASE(each_pool_has_its_servers) {
  const Launch launch = launched("sglang", {{"pools", "separate"},
                                            {"prefill_tensor_parallel", "4"},
                                            {"decode_tensor_parallel", "8"},
                                            {"chunk_tokens", "16384"}});
  BOOST_TEST_REQUIRE(launch.servers.size() == 2u);
  const Words prefill{"python -m sglang.launch_server --model-path MODEL", "--tp-size 4",
                      "--chunked-prefill-size 16384", "--disaggregation-mode prefill"};
  const Words decode{"python -m sglang.launch_server --model-path MODEL", "--tp-size 8", "--chunked-prefill-size 16384",
                     "--disaggregation-mode decode"};
  BOOST_TEST(launch.servers[0].words == prefill, boost::test_tools::per_element());
  BOOST_TEST(launch.servers[1].words == decode, boost::test_tools::per_element());
  BOOST_TEST(launch.router.starts_with("The SGLang router"));
}

BOOST_AUTO_TEST_CASE(the_text_is_a_shell_script) {
  const Launch launch{
      .servers = {{.pool = "prefill", .words = {"serve MODEL", "--options CONFIG"}, .config = "a: 1\n"}},
      .router = "A router joins them.",
      .lacks = {"It has no wait."}};
  BOOST_TEST(launch_text(launch, "mine") ==
             "# each server of the pool prefill\n"
             "cat > mine-prefill.yml <<'END'\n"
             "a: 1\n"
             "END\n"
             "serve MODEL \\\n"
             "  --options mine-prefill.yml\n"
             "# A router joins them.\n"
             "# It has no wait.\n");
}

BOOST_AUTO_TEST_SUITE_END()
