/// Launches of training: which flags an execution has, and that flags give the execution back.
#include "engine/foreign/training_launch.hpp"

#include <boost/test/unit_test.hpp>
#include <numeric>

#include "engine/foreign/launch_reading.hpp"
#include "io/diagnostic.hpp"
#include "models/statistics/random.hpp"
#include "tests/support/training_launches.hpp"

BOOST_AUTO_TEST_SUITE(training_launch_test)

using namespace dfsweep;
using namespace dfsweep::foreign;
using namespace dfsweep::foreign::launches;

BOOST_AUTO_TEST_CASE(an_execution_has_the_flags_of_each_program) {
  struct Case {
    const char* trainer;
    std::vector<std::string> flags;
  };
  const Case cases[] = {
      {"megatron",
       {"--tensor-model-parallel-size 8", "--sequence-parallel", "--pipeline-model-parallel-size 9",
        "--num-virtual-stages-per-pipeline-rank 7", "--micro-batch-size 1", "--global-batch-size 252",
        "--seq-length 8192", "--bf16", "--fp8-format hybrid", "--use-distributed-optimizer", "--overlap-param-gather"}},
      // A local batch is that of a replica, 252 / 14, in one pass of the pipeline; 126 / (9 * 7) layers in a chunk.
      {"torchtitan",
       {"--parallelism.tensor_parallel_degree 8", "--parallelism.pipeline_parallel_degree 9",
        "--parallelism.pipeline_parallel_schedule Interleaved1F1B",
        "--parallelism.pipeline_parallel_layers_per_stage 2", "--training.local_batch_size 18",
        "--parallelism.pipeline_parallel_microbatch_size 1", "--training.global_batch_size 252",
        "--model.converters quantize.linear.float8", "--activation_checkpoint.mode none",
        "--parallelism.data_parallel_replicate_degree 14"}},
      {"nemo",
       {"model.tensor_model_parallel_size=8", "model.virtual_pipeline_model_parallel_size=7",
        "mixed_precision=bf16_with_fp8_current_scaling_mixed", "ddp.use_distributed_optimizer=true"}},
      // Of 8 devices of a node, tensor groups take all; replicas lie between nodes.
      {"maxtext",
       {"ici_tensor_sequence_parallelism=8", "dcn_data_parallelism=14", "shard_optimizer_over_data=true",
        "quantization=fp8"}},
  };
  for (const Case& c : cases) {
    const TrainingLaunch launch = launched(c.trainer, dense());
    for (const std::string& flag : c.flags) BOOST_TEST(has_flag(launch, flag), c.trainer << " has no " << flag);
  }
  BOOST_TEST(launched("megatron", dense()).program == "torchrun --nproc-per-node 8 --nnodes 128 pretrain_gpt.py");
}

// Megatron-LM makes flags of the fields of its TransformerConfig.
BOOST_AUTO_TEST_CASE(attention_in_8_bits_is_a_flag_of_its_own) {
  LaunchValues all = dense();
  all["attention_8bit"] = "1";
  const TrainingLaunch launch = launched("megatron", all);
  BOOST_TEST((std::count(launch.flags.begin(), launch.flags.end(), "--fp8-dot-product-attention") == 1));
  BOOST_TEST(!launch.rest.contains("attention_8bit"));
}

BOOST_AUTO_TEST_CASE(what_a_program_has_not_is_said) {
  struct Case {
    const char* trainer;
    const char* parameter;
    const char* value;
    const char* sentence;  ///< its begin
  };
  const Case cases[] = {
      {"megatron", "schedule", "dual_pipe", "Megatron-LM has no dual pipe"},
      {"torchtitan", "recompute", "latent", "torchtitan has no recomputation of latent"},
      {"torchtitan", "optimizer_sharding", "1", "torchtitan has no sharding of the optimizer state alone"},
      {"maxtext", "recompute", "none", "MaxText always computes element-wise kernels again"},
      {"maxtext", "pipeline_parallel", "9", "MaxText has pipelines, GPipe and circular ones"},
      {"nemo", "schedule", "zero_bubble", "Megatron Core has no zero-bubble"},
      {"nemo", "attention_8bit", "1", "Attention in 8 bits is no recipe"},
      {"torchtitan", "attention_8bit", "1", "torchtitan computes attention in 16 bits"},
      {"maxtext", "attention_8bit", "1", "No setting of MaxText for attention"},
  };
  for (const Case& c : cases) {
    LaunchValues all = dense();
    all[c.parameter] = c.value;
    const TrainingLaunch launch = launched(c.trainer, all);
    BOOST_TEST_CONTEXT(c.trainer << " " << c.parameter << " " << c.value) {
      BOOST_TEST(says(launch, c.sentence));
      BOOST_TEST(launch.rest.at(c.parameter) == c.value);  // import gives it back nevertheless
    }
  }
}

// Random executions: flags and comment together are the execution, and what a program has is in its flags alone.
BOOST_AUTO_TEST_CASE(flags_give_the_execution_back) {
  std::uint64_t draw = 0;
  const auto random = [&draw](std::initializer_list<const char*> choices) {
    return std::string(choices.begin()[random_bits(28, draw++) % choices.size()]);
  };
  for (const std::string name : {"megatron", "torchtitan", "maxtext", "nemo"}) {
    for (int i = 0; i < 400; ++i) {
      const int tensor = std::stoi(random({"1", "2", "4", "8"}));
      const int stages = std::stoi(random({"1", "2", "4"}));
      const int context = std::stoi(random({"1", "2"}));
      const int replicas = std::stoi(random({"1", "8", "32"}));
      const int micro = std::stoi(random({"1", "2"}));
      const int repeats = 4 * std::stoi(random({"1", "2"}));
      LaunchValues all{{"model.layers", "48"}, {"node_devices", "8"}};
      const bool has_experts = random({"0", "1"}) == "1";
      if (has_experts) all["model.experts"] = "64";
      all["device_count"] = std::to_string(tensor * stages * context * replicas);
      all["tensor_parallel"] = std::to_string(tensor);
      all["pipeline_parallel"] = std::to_string(stages);
      all["context_parallel"] = std::to_string(context);
      all["data_parallel"] = std::to_string(replicas);
      all["expert_parallel"] = has_experts && replicas > 1 ? random({"1", "8"}) : "1";
      all["expert_tensor_parallel"] = "1";
      all["interleaving"] = stages > 1 ? random({"1", "2", "3"}) : "1";
      all["micro_batch"] = std::to_string(micro);
      all["global_batch"] = std::to_string(micro * replicas * repeats);
      all["sequence_length"] = random({"4096", "8192"});
      all["precision"] = random({"bf16", "fp8", "fp16", "fp4", "int8"});
      all["recompute"] = random({"full", "attention", "none", "selective", "elementwise", "latent"});
      all["recomputed_layers"] = all["recompute"] == "full" ? random({"1", "0.5", "0.25"}) : "1";
      all["optimizer_sharding"] = random({"0", "1", "2", "3"});
      all["sharding_group"] =
          all["optimizer_sharding"] != "0" && replicas == 32 && context == 1 ? random({"0", "8"}) : "0";
      all["sequence_parallel"] = tensor > 1 ? random({"0", "1"}) : "0";
      all["tensor_overlap"] = random({"none", "ring", "pipe"});
      all["schedule"] = random({"one_forward_one_backward", "zero_bubble", "dual_pipe"});
      all["context_exchange"] = random({"ring", "all_to_all"});
      all["optimizer_offload"] = random({"0", "1"});
      all["attention_8bit"] = random({"0", "1"});
      all["activation_offload"] = random({"0", "0", "1"});
      const TrainingLaunch launch = launched(name, all);
      const std::string text = launch_text(launch);
      LaunchValues known = values_of_comment(text);
      known["model.layers"] = "48";
      if (has_experts) known["model.experts"] = "64";
      const LaunchValues read = execution_of_flags(trainer(name), flags_of_script(text, "s"), known);
      for (const ExecutionValue& wanted : wanted_of(all)) {
        const bool is_unused = (tensor == 1 && wanted.parameter == "tensor_overlap") ||
                               (tensor == 1 && wanted.parameter == "sequence_parallel") ||
                               (stages == 1 && wanted.parameter == "schedule") ||
                               (stages == 1 && wanted.parameter == "interleaving") ||
                               (context == 1 && wanted.parameter == "context_exchange") ||
                               (!has_experts && wanted.parameter == "expert_tensor_parallel");
        if (is_unused) continue;
        const auto found = read.find(wanted.parameter);
        const std::string given_back = found == read.end() ? wanted.otherwise : found->second;
        BOOST_TEST(given_back == wanted.value, name << " " << wanted.parameter << "\n" << text << text_of(all));
      }
      // Megatron-LM has all of these.
      for (const char* const parameter :
           {"device_count", "tensor_parallel", "pipeline_parallel", "context_parallel", "data_parallel", "interleaving",
            "micro_batch", "global_batch", "sequence_length", "recompute", "optimizer_sharding", "sequence_parallel"})
        if (name == "megatron" || name == "nemo")
          BOOST_TEST(!launch.rest.contains(parameter), name << " " << parameter << "\n" << text);
    }
  }
}

BOOST_AUTO_TEST_CASE(flags_of_other_people_are_read_with_the_defaults_of_the_program) {
  struct Case {
    const char* trainer;
    const char* text;
    LaunchValues known;
    LaunchValues point;  ///< part of it
    const char* why;
  };
  const Case cases[] = {
      {"megatron",
       "GPUS=8\ntorchrun --nproc_per_node $GPUS --nnodes 16 pretrain_gpt.py --tensor-model-parallel-size 8 "
       "--pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 4 --micro-batch-size 1 "
       "--global-batch-size 512 --seq-length 4096 --bf16 --recompute-activations --use-distributed-optimizer",
       {{"model.layers", "96"}},
       {{"device_count", "128"},
        {"data_parallel", "4"},
        {"interleaving", "6"},
        {"recompute", "attention"},
        {"optimizer_sharding", "1"},
        {"sequence_parallel", "0"},
        {"precision", "bf16"}},
       "96 / 4 / 4 chunks; 128 / (8 * 4) replicas"},
      {"torchtitan",
       "torchrun --nproc-per-node 8 --nnodes 8 -m torchtitan.train --parallelism.tensor_parallel_degree 8",
       {},
       {{"data_parallel", "8"},
        {"optimizer_sharding", "3"},
        {"micro_batch", "8"},
        {"global_batch", "64"},
        {"sequence_length", "2048"},
        {"recompute", "full"},
        {"recomputed_layers", "0.5"},
        {"sequence_parallel", "1"}},
       "defaults: shards over all that is left, 8 sequences, every second layer again"},
      {"maxtext",
       "python3 -m MaxText.train base.yml ici_fsdp_parallelism=64 dcn_data_parallelism=4 per_device_batch_size=2",
       {},
       {{"device_count", "256"},
        {"data_parallel", "256"},
        {"sharding_group", "64"},
        {"optimizer_sharding", "3"},
        {"micro_batch", "2"},
        {"global_batch", "512"},
        {"recompute", "full"}},
       "four slices, each with a copy of the weights"},
      {"nemo",
       "r.py model.tensor_model_parallel_size=2 model.recompute_granularity=full train.micro_batch_size=4",
       {{"device_count", "16"}},
       {{"data_parallel", "8"}, {"recompute", "full"}, {"micro_batch", "4"}, {"optimizer_sharding", "1"}},
       "devices that the command does not say"},
  };
  for (const Case& c : cases) {
    const LaunchValues read = execution_of_flags(trainer(c.trainer), flags_of_script(c.text, "s"), c.known);
    for (const auto& [name, value] : c.point) BOOST_TEST_CONTEXT(c.why << " " << name << " of " << text_of(read)) {
        BOOST_TEST_REQUIRE(read.contains(name));
        BOOST_TEST(read.at(name) == value);
      }
  }
}

BOOST_AUTO_TEST_CASE(values_that_are_not_known_have_positions) {
  struct Case {
    const char* text;
    const char* problem;
  };
  const Case cases[] = {
      {"run \\\n  --tensor-model-parallel-size $TP --micro-batch-size 1",
       "s:2:3: --tensor-model-parallel-size has no number"},
      {"run --recompute-granularity half --micro-batch-size 1", "s:1:5: '--recompute-granularity half' is not known"},
      {"run --context-parallel-size 0 --micro-batch-size 1", "s:1:5: --context-parallel-size 0 is not a count"},
      {"run --micro-batch-size 1 --global-batch-size 2.5", "s:1:26: --global-batch-size 2.5 is not a count"},
      {"run --tensor-model-parallel-size 1 2 --micro-batch-size 1",
       "s:1:5: --tensor-model-parallel-size 1 2 is not a count (it has several numbers)"},
  };
  for (const Case& c : cases) {
    try {
      (void)execution_of_flags(trainer("megatron"), flags_of_script(c.text, "s"), {});
      BOOST_ERROR("accepted: " << c.text);
    } catch (const UserError& error) {
      BOOST_TEST_REQUIRE(error.problems.size() == 1u);
      BOOST_TEST(to_string(error.problems.front()).starts_with(c.problem), to_string(error.problems.front()));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
