/// Launches of training: that flags or comments say the whole model, and degrees of its experts that a program refuses.
#include <boost/test/unit_test.hpp>

#include "tests/support/training_launches.hpp"

BOOST_AUTO_TEST_SUITE(launched_model_test)

using namespace dfsweep;
using namespace dfsweep::foreign;
using namespace dfsweep::foreign::launches;

namespace {

/// A model with latent attention, shared experts, layers without experts and a layer that predicts a later token.
LaunchValues with_latent_attention() {
  LaunchValues all = dense();
  for (const auto& [name, value] : LaunchValues{{"layers", "61"},
                                                {"hidden", "7168"},
                                                {"heads", "128"},
                                                {"head_dim", "128"},
                                                {"key_value_heads", "128"},
                                                {"ffn_hidden", "18432"},
                                                {"gated_ffn", "1"},
                                                {"vocabulary", "129280"},
                                                {"query_rank", "1536"},
                                                {"key_value_rank", "512"},
                                                {"plain_head_dim", "128"},
                                                {"rotary_head_dim", "64"},
                                                {"value_head_dim", "192"},
                                                {"experts", "256"},
                                                {"experts_per_token", "8"},
                                                {"expert_ffn_hidden", "2048"},
                                                {"shared_ffn_hidden", "4096"},
                                                {"dense_layers", "3"},
                                                {"prediction_layers", "1"}})
    all["model." + name] = value;
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_flags_of_megatron_say_the_whole_model) {
  const TrainingLaunch launch = launched("megatron", with_latent_attention());
  for (const char* const flag :
       {"--multi-latent-attention", "--q-lora-rank 1536", "--kv-lora-rank 512", "--qk-head-dim 128",
        "--qk-pos-emb-head-dim 64", "--v-head-dim 192", "--vocab-size 129280", "--untie-embeddings-and-output-weights",
        "--num-experts 256", "--moe-shared-expert-intermediate-size 4096", "--moe-layer-freq=([0]*3+[1]*58)",
        "--mtp-num-layers 1", "--max-position-embeddings 8192"})
    BOOST_TEST(has_flag(launch, flag), flag);
  // Latent attention has sizes of its own, and Megatron-LM refuses groups of queries beside it.
  for (const std::string& flag : launch.flags)
    BOOST_TEST((!flag.starts_with("--group-query") && !flag.starts_with("--num-query") && !flag.starts_with("--kv-ch")),
               flag);
  BOOST_TEST(says(launch, "The catalogue counts the layers without experts"));
  BOOST_TEST(!says(launch, "No flags say"));
  // A shell would take the parentheses for a command of its own.
  BOOST_TEST(launch_text(launch).find("  '--moe-layer-freq=([0]*3+[1]*58)' \\\n") != std::string::npos);

  // Queries that are projected at once, as those of DeepSeek-V2-Lite.
  LaunchValues at_once = with_latent_attention();
  at_once.erase("model.query_rank");
  const TrainingLaunch plain_queries = launched("megatron", at_once);
  BOOST_TEST(has_flag(plain_queries, "--multi-latent-attention"));
  for (const std::string& flag : plain_queries.flags)
    BOOST_TEST((!flag.starts_with("--q-lora") && !flag.starts_with("--group-query")), flag);

  LaunchValues tied = dense();
  tied["model.tied_embeddings"] = "1";
  BOOST_TEST(!has_flag(launched("megatron", tied), "--untie-embeddings-and-output-weights"));
  BOOST_TEST(has_flag(launched("megatron", dense()), "--untie-embeddings-and-output-weights"));
}

BOOST_AUTO_TEST_CASE(windows_are_those_of_all_layers_or_of_all_but_one_in_a_period) {
  struct Case {
    const char* share;   ///< of the layers that have the window
    const char* period;  ///< flag; empty: none
    const char* unsaid;
  };
  const Case cases[] = {{"1", "", ""},
                        {"0.5", "--window-attn-skip-freq 2", ""},
                        {"0.8333", "--window-attn-skip-freq 6", ""},  // 5 of 6, rounded
                        {"0.6", "", "No flags say these fields of the model: windowed_layers=0.6"}};
  for (const Case& c : cases) {
    LaunchValues all = dense();
    all["model.window"] = "1024";
    all["model.windowed_layers"] = c.share;
    const TrainingLaunch launch = launched("megatron", all);
    BOOST_TEST_CONTEXT(c.share) {
      BOOST_TEST(has_flag(launch, "--window-size 1024,0"));
      const bool has_period = std::any_of(launch.flags.begin(), launch.flags.end(),
                                          [](const std::string& f) { return f.starts_with("--window-attn"); });
      BOOST_TEST(has_period == (*c.period != 0));
      if (*c.period != 0) BOOST_TEST(has_flag(launch, c.period));
      BOOST_TEST(says(launch, "No flags say") == (*c.unsaid != 0));
      if (*c.unsaid != 0) BOOST_TEST(says(launch, c.unsaid));
    }
  }
}

// No field of a model is passed over: a flag says it, or a comment does.
BOOST_AUTO_TEST_CASE(fields_of_the_model_without_a_flag_are_named) {
  LaunchValues all = dense();
  all["model.linear_layers"] = "45";
  all["model.gated_attention"] = "1";
  all["model.index_heads"] = "32";
  BOOST_TEST(says(launched("megatron", all),
                  "No flags say these fields of the model: gated_attention=1 index_heads=32 linear_layers=45"));
  for (const auto& [name, place] :
       LaunchValues{{"torchtitan", "CONFIG"}, {"maxtext", "MODEL"}, {"nemo", "RECIPE.py"}}) {
    const TrainingLaunch launch = launched(name, with_latent_attention());
    const auto sentence = std::find_if(launch.lacks.begin(), launch.lacks.end(), [&](const std::string& lack) {
      return lack.starts_with(place + " has to be for a model with ");
    });
    BOOST_TEST_REQUIRE((sentence != launch.lacks.end()), name);
    BOOST_TEST(launch.program.find(place) != std::string::npos, name);
    for (const auto& [field, value] : model_of(with_latent_attention()))
      BOOST_TEST((*sentence + " ").find(" " + field + "=" + value + " ") != std::string::npos, name << " " << field);
  }
}

// torchtitan makes groups of experts from whole groups of ranks among those that share weights.
BOOST_AUTO_TEST_CASE(degrees_of_experts_that_torchtitan_refuses_are_named) {
  struct Case {
    const char* tensor;
    const char* context;
    const char* expert;
    const char* expert_tensor;
    const char* sharding;
    bool is_refused;
    const char* why;
  };
  // 1024 devices in 8 stages: 128 / tensor / context replicas, which all share weights with sharding 2 and 3.
  const Case cases[] = {
      {"2", "1", "32", "1", "1", true, "one replica shares weights: 2 ranks for 32 experts"},
      {"2", "1", "2", "1", "1", false, "the two tensor ranks"},
      {"2", "1", "32", "1", "3", false, "32 of 64 x 2 ranks"},
      {"2", "1", "1", "1", "1", false, "no groups of experts"},
      {"4", "1", "2", "1", "3", true, "half of a tensor group"},
      {"4", "1", "2", "4", "3", false, "experts are divided among tensor ranks as all else"},
      {"4", "1", "8", "2", "3", true, "neither one rank nor all of the tensor group"},
      {"1", "4", "2", "1", "3", true, "half of a context group"},
      {"1", "4", "8", "1", "2", false, "two context groups"},
  };
  for (const Case& c : cases) {
    LaunchValues all = with_latent_attention();
    const int replicas = 128 / std::stoi(c.tensor) / std::stoi(c.context);
    all["pipeline_parallel"] = "8";
    all["tensor_parallel"] = c.tensor;
    all["context_parallel"] = c.context;
    all["data_parallel"] = std::to_string(replicas);
    all["global_batch"] = std::to_string(replicas * 8);
    all["expert_parallel"] = c.expert;
    all["expert_tensor_parallel"] = c.expert_tensor;
    all["optimizer_sharding"] = c.sharding;
    BOOST_TEST(says(launched("torchtitan", all), "torchtitan refuses to start") == c.is_refused, c.why);
    BOOST_TEST(!says(launched("megatron", all), "torchtitan"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
