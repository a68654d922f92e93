/// import: files of Calculon and Hugging Face become entries and points that sweeps can name; malformed ones change
/// nothing.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/program.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const char* const model_file =
    R"({"hidden": 64, "attn_heads": 4, "attn_size": 16, "feedforward": 256, "num_blocks": 2, "seq_size": 32})";

/// Rates of 1 TFLOP/s and 1 GB/s at full efficiency; collectives send their bytes once.
const char* const system_file = R"({
  "matrix": {"float16": {"tflops": 1, "gflops_efficiency": [[0, 1]]}},
  "vector": {"float16": {"tflops": 1, "gflops_efficiency": [[0, 1]]}},
  "mem1": {"GiB": 1, "GBps": 1, "MB_efficiency": [[0, 1]]},
  "mem2": {"GiB": 1, "GBps": 1, "MB_efficiency": [[0, 1]]},
  "processing_mode": "no_overlap",
  "networks": [{"bandwidth": 1, "efficiency": 1, "size": 8, "latency": 0, "must_be_filled": false, "ops":
    {"p2p": [1, null], "reduce_scatter": [1, 0], "all_gather": [1, 0], "all_reduce": [1, 0]}}]})";

const char* const execution_file = R"({
  "num_procs": 2, "tensor_par": 2, "pipeline_par": 1, "data_par": 1, "tensor_par_net": 0, "pipeline_par_net": 0,
  "data_par_net": 0, "batch_size": 4, "microbatch_size": 1, "datatype": "float16", "fused_activation": true,
  "attention_type": "multihead", "activation_recompute": "attn_only", "pipeline_interleaving": 1,
  "optimizer_sharding": false, "tensor_par_comm_type": "ar", "tensor_par_overlap": "none", "seq_par_ag_redo": false,
  "data_par_overlap": false, "weight_offload": false, "activations_offload": false, "optimizer_offload": false,
  "training": true})";

struct CalculonFiles {
  ScratchFile scratch{"small-model.json"};
  std::filesystem::path folder = scratch.path().parent_path();
  CalculonFiles() {
    write("Small.json", model_file);
    write("Box.json", system_file);
    write("execution.json", execution_file);
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream file(folder / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  [[nodiscard]] ProgramResult dfsweep(const std::vector<std::string>& arguments) const {
    return run_program(DFSWEEP_PROGRAM, arguments, {.folder = folder.string()});
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(import_test, CalculonFiles)

BOOST_AUTO_TEST_CASE(entries_and_points_are_evaluated) {
  const ProgramResult result = dfsweep({"import", "calculon", "Small.json", "Box.json", "execution.json", "--model",
                                        "Small", "--system", "Box", "-o", "mine"});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.out == "");
  BOOST_TEST(result.err ==
             "dfsweep: mine/models/small.toml\ndfsweep: mine/calculon_systems/box.toml\ndfsweep: mine/points.csv\n");
  BOOST_TEST(has(text("mine/models/small.toml"), "ffn_hidden = { value = 256, source = \"Small.json\" }"));
  BOOST_TEST(has(text("mine/calculon_systems/box.toml"), "peak_flops = \"1 TFLOP/s\""));
  BOOST_TEST(has(text("mine/points.csv"), "small,box,2,2,1,1,0,0,0,4,1,fp16,1,multihead,attention,1,0,all_reduce"));

  write("sweep.toml",
        "[sweep]\nname = \"mine\"\nestimator = \"calculon\"\n[parameters]\n[points]\nfile = \"mine/points.csv\"\n");
  BOOST_TEST(dfsweep({"run", "sweep.toml", "--catalogue", "mine", "--quiet"}).status == 0);
  const std::string rows = dfsweep({"export", "runs/mine", "--columns", "status,device_count"}).out;
  BOOST_TEST(rows == "status,device_count\nok,2\n");
}

// Systems were in the folder systems/, and points named their convention.
BOOST_AUTO_TEST_CASE(what_was_imported_before_the_estimator_had_a_name_is_evaluated) {
  BOOST_TEST(dfsweep({"import", "calculon", "Small.json", "Box.json", "execution.json", "--model", "Small", "--system",
                      "Box", "-o", "mine", "--quiet"})
                 .status == 0);
  std::filesystem::rename(folder / "mine/calculon_systems", folder / "mine/systems");
  std::string points = text("mine/points.csv");
  points.insert(points.find('\n'), ",convention");
  points.insert(points.size() - 1, ",calculon");
  write("mine/points.csv", points);
  write("sweep.toml", "[sweep]\nname = \"mine\"\nestimator = \"training\"\n[points]\nfile = \"mine/points.csv\"\n");
  const ProgramResult ran = dfsweep({"run", "sweep.toml", "--catalogue", "mine"});
  BOOST_TEST(ran.status == 0);
  const std::string note =
      "note: estimator = \"calculon\" is the new spelling of convention = \"calculon\" of training";
  BOOST_TEST(has(ran.err, note), ran.err);
  BOOST_TEST(has(dfsweep({"plan", "sweep.toml", "--catalogue", "mine"}).err, note));
  BOOST_TEST(dfsweep({"run", "sweep.toml", "--catalogue", "mine", "--quiet", "--fresh"}).err == "");
  const std::string rows = dfsweep({"export", "runs/mine", "--columns", "status,device_count"}).out;
  BOOST_TEST(rows == "status,device_count\nok,2\n");
  BOOST_TEST(has(dfsweep({"explain", "runs/mine", "--point", "0"}).out, "estimator calculon: ok"));
}

BOOST_AUTO_TEST_CASE(tables_of_executions_become_point_lists) {
  write("rows.csv",
        "model,system,num_procs,tensor_par,pipeline_par,data_par,tensor_par_net,pipeline_par_net,data_par_net,"
        "batch_size,microbatch_size,datatype,fused_activation,attention_type,activation_recompute,"
        "pipeline_interleaving,optimizer_sharding,tensor_par_comm_type,tensor_par_overlap,seq_par_ag_redo,"
        "data_par_overlap,weight_offload,activations_offload,optimizer_offload,training,remark\n"
        "Small,Box,2,2,1,1,0,0,0,4,1,int4,True,multihead,none,1,False,rs_ag,ring,False,False,False,False,False,False,"
        "x\n");
  const ProgramResult result = dfsweep({"import", "calculon", "--rows", "rows.csv", "-o", "points.csv"});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.err == "dfsweep: 1 point in points.csv\n");
  // An unknown format becomes "other"; columns that are not inputs are left out.
  BOOST_TEST(has(text("points.csv"),
                 "\nsmall,box,2,2,1,1,0,0,0,4,1,other,1,multihead,none,1,0,reduce_scatter_all_gather,ring,0,0,0,0,0,"
                 "forward"));
}

BOOST_AUTO_TEST_CASE(measured_serving_becomes_points) {
  write("rows.csv",
        "id,source,accelerator,devices,tensor_parallel,model,weight_precision,cache_precision,input_tokens,"
        "output_tokens,batch_or_concurrency,batch_kind,notes,speculation\n"
        "a,trtllm-static,H100-80GB,2,2,llama3-70b,fp8,fp8,128,128,64,static batch,,\n"
        "b,trtllm-blogs,H100-80GB,2,2,llama3-70b,fp8,fp8,128,128,1,concurrency,,a tree\n"
        "c,trtllm-static,abacus,1,1,llama3-70b,fp8,fp8,128,128,64,static batch,,\n");
  const ProgramResult result = dfsweep({"import", "measured", "rows.csv", "-o", "points.csv"});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.err == "dfsweep: 1 of 3 rows are points in points.csv\n");
  BOOST_TEST(has(text("points.csv"), "\nllama3-70b,dgx-h100,2,2,1,tensor,fp8,fp8,fp8,128,128,static,64,"));
  BOOST_TEST(has(text("points.notes.csv"), "\n2,a,1,,,nothing was assumed\n"));
  BOOST_TEST(has(text("points.notes.csv"), "\n3,b,,,,cannot be expressed: the length that speculation accepts"));
  BOOST_TEST(has(text("points.notes.csv"), "\n4,c,,,,cannot be expressed: the catalogue has no system"));

  write("sweep.toml", "[sweep]\nname = \"mine\"\nestimator = \"serving\"\n[points]\nfile = \"points.csv\"\n");
  BOOST_TEST(dfsweep({"run", "sweep.toml", "--quiet"}).status == 0);
  BOOST_TEST(dfsweep({"export", "runs/mine", "--columns", "status"}).out == "status\nok\n");
}

BOOST_AUTO_TEST_CASE(measured_serving_under_load_becomes_points) {
  const std::string columns =
      "id,source,curve,system,framework,model,weight_precision,cache_precision,prompt_tokens,output_tokens,"
      "length_distribution,concurrency,requests,disaggregated,devices,tensor_parallel,degrees_known,running_limit,"
      "time_to_first_token_s,time_per_output_token_s,consistent\n";
  write("rows.csv", "# Source: nowhere\n" + columns +
                        "a,me,c1,dgx-h100,tensorrt-llm,llama3-70b,fp8,fp8,921.6,921.6,uniform 0.8-1.0 of nominal,4,40,"
                        "no,4,4,yes,512,0.1,0.01,yes\n"
                        "b,me,c1,dgx-h100,vllm,llama3-70b,fp8,fp8,921.6,921.6,,8,80,yes,,,no,,0.2,0.02,yes\n"
                        "c,me,c1,dgx-h100,vllm,llama3-70b,bf16,bf16,1000,100,,8,,no,8,8,yes,,0.2,0.02,doubtful\n"
                        "d,me,c1,abacus,vllm,llama3-70b,fp8,fp8,1000,100,,8,80,no,8,8,yes,,0.2,0.02,yes\n");
  const ProgramResult result = dfsweep({"import", "measured", "rows.csv", "-o", "points.csv"});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.err == "dfsweep: 2 of 4 rows are points in points.csv\n");
  BOOST_TEST(has(text("points.csv"), "\nllama3-70b,dgx-h100,trtllm,trtllm,simulated,4,4,"));
  BOOST_TEST(has(text("points.csv"), ",922,922,0.111111,0.111111,4,10,,512,"));
  BOOST_TEST(has(text("points.notes.csv"), "\n4,b,,,,cannot be expressed: the degrees are not known\n"));
  BOOST_TEST(has(text("points.notes.csv"), "\n5,c,2,requests_per_user,10,requests is not published\n"));
  BOOST_TEST(has(text("points.notes.csv"), "\n6,d,,,,cannot be expressed: the catalogue has no system of this name\n"));
  // A doubtful row is a point, and nothing to calibrate with.
  BOOST_TEST(has(text("points.measured.csv"), "\na,me,c1,,,llama3-70b,dgx-h100,"));
  BOOST_TEST(!has(text("points.measured.csv"), "\nc,me,"));
}

BOOST_AUTO_TEST_CASE(results_of_load_generators_become_points) {
  const std::string result_file =
      R"({"num_prompts": 40, "max_concurrency": 4, "completed": 40, "total_input_tokens": 36800,
 "total_output_tokens": 8000, "mean_ttft_ms": 250, "mean_tpot_ms": 12.5})";
  write("low.json", result_file);
  write("high.json", result_file);
  const ProgramResult result = dfsweep({"import", "measured", "low.json", "high.json", "-o", "points.csv", "--set",
                                        "model=llama3-70b", "--set", "system=dgx-h100"});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.err == "dfsweep: 2 of 2 rows are points in points.csv\n");
  BOOST_TEST(has(text("points.csv"), "\nllama3-70b,dgx-h100,simulated,920,200,4,10\n"));
  BOOST_TEST(has(text("points.measured.csv"), "\nhigh,vllm bench serve,,llama3-70b,dgx-h100,"));

  write("torn.json", "{\"completed\": 40,\n");
  const ProgramResult torn = dfsweep({"import", "measured", "torn.json", "-o", "other.csv"});
  BOOST_TEST(torn.status == 3);
  BOOST_TEST(has(torn.err, "torn.json:"), torn.err);
  BOOST_TEST(!std::filesystem::exists(folder / "other.csv"));
}

BOOST_AUTO_TEST_CASE(malformed_files_change_nothing) {
  struct Case {
    const char* why;
    const char* text;
    const char* message;
  };
  const Case cases[] = {
      {"a field is missing", R"({"hidden": 64, "attn_heads": 4})", "'attn_size' is missing"},
      {"a field has another type", R"({"hidden": "64", "attn_heads": 4, "attn_size": 16, "feedforward": 256,
         "num_blocks": 2, "seq_size": 32})",
       "bad.json:1:12: 'hidden' is"},
      {"not of the tool", R"({"width": 64})", "not a file of Calculon"},
      {"no JSON", R"({"hidden": )", "bad.json:1:"},
  };
  for (const Case& one : cases) {
    BOOST_TEST_CONTEXT(one.why) {
      write("bad.json", one.text);
      const ProgramResult result = dfsweep({"import", "calculon", "Small.json", "bad.json", "-o", "mine"});
      BOOST_TEST(result.status == 3);
      BOOST_TEST(has(result.err, one.message), result.err);
      BOOST_TEST(!std::filesystem::exists(folder / "mine"));
    }
  }
}

BOOST_AUTO_TEST_CASE(models_of_hugging_face_become_entries) {
  struct Case {
    const char* why;
    const char* text;
    std::vector<const char*> lines;
  };
  const Case cases[] = {
      {"grouped queries and a gate",
       R"({"_name_or_path": "meta/Tiny-3", "model_type": "llama", "hidden_size": 64, "num_attention_heads": 4,
           "num_key_value_heads": 2, "intermediate_size": 224, "num_hidden_layers": 3, "vocab_size": 1000,
           "max_position_embeddings": 512, "rope_scaling": null})",
       {"\nhidden = { value = 64, ", "\nhead_dim = { value = 16, ", "\nkey_value_heads = { value = 2, ",
        "\ngated_ffn = { value = 1, ", "\ntied_embeddings = { value = 0, "}},
      {"other names, tied embeddings, the usual width",
       R"({"_name_or_path": "tiny-3", "model_type": "gpt2", "n_embd": 64, "n_head": 4, "n_layer": 3, "vocab_size": 1000,
           "n_positions": 512, "n_inner": null})",
       {"\nffn_hidden = { value = 256, ", "\ngated_ffn = { value = 0, ", "\ntied_embeddings = { value = 1, "}},
      {"experts beside shared ones, latent attention",
       R"({"_name_or_path": "tiny-3", "model_type": "deepseek_v3", "hidden_size": 64, "num_attention_heads": 4,
           "num_key_value_heads": 4, "intermediate_size": 224, "moe_intermediate_size": 32, "n_routed_experts": 8,
           "n_shared_experts": 2, "num_experts_per_tok": 2, "first_k_dense_replace": 1, "num_hidden_layers": 3,
           "q_lora_rank": 24, "kv_lora_rank": 12, "qk_nope_head_dim": 16, "qk_rope_head_dim": 8, "v_head_dim": 16,
           "vocab_size": 1000, "max_position_embeddings": 512})",
       {"\nexperts = { value = 8, ", "\nexpert_ffn_hidden = { value = 32, ", "\nshared_ffn_hidden = { value = 64, ",
        "\ndense_layers = { value = 1, ", "\nquery_rank = { value = 24, ", "\nhead_dim = { value = 16, "}},
      {"experts in every second layer, one more for every token, chunks of attention in three layers of four",
       R"({"_name_or_path": "tiny-3", "model_type": "llama4_text", "hidden_size": 64, "num_attention_heads": 4,
           "num_key_value_heads": 2, "intermediate_size": 96, "intermediate_size_mlp": 224, "num_local_experts": 8,
           "num_experts_per_tok": 1, "interleave_moe_layer_step": 2, "attention_chunk_size": 128,
           "num_hidden_layers": 4, "vocab_size": 1000})",
       {"\nffn_hidden = { value = 224, ", "\nexpert_ffn_hidden = { value = 96, ",
        "\nshared_ffn_hidden = { value = 96, ", "\ndense_layers = { value = 2, ", "\nwindow = { value = 128, ",
        "\nwindowed_layers = { value = 0.75, "}},
      {"a list of the layers with experts",
       R"({"_name_or_path": "tiny-3", "model_type": "llama4_text", "hidden_size": 64, "num_attention_heads": 4,
           "intermediate_size": 96, "intermediate_size_mlp": 224, "num_local_experts": 8, "num_experts_per_tok": 1,
           "moe_layers": [3], "num_hidden_layers": 4, "vocab_size": 1000})",
       {"\ndense_layers = { value = 3, "}},
      {"other names of experts, embeddings shared without a word",
       R"({"_name_or_path": "tiny-3", "model_type": "ernie4_5_moe", "hidden_size": 64, "num_attention_heads": 4,
           "intermediate_size": 224, "moe_intermediate_size": 32, "moe_num_experts": 8, "moe_k": 2,
           "moe_num_shared_experts": 2, "moe_layer_start_index": 1, "num_hidden_layers": 3, "vocab_size": 1000})",
       {"\nexperts = { value = 8, ", "\nexperts_per_token = { value = 2, ", "\nshared_ffn_hidden = { value = 64, ",
        "\ndense_layers = { value = 1, ", "\ntied_embeddings = { value = 1, "}},
      {"layers that predict later tokens",
       R"({"_name_or_path": "tiny-3", "model_type": "glm4_moe", "hidden_size": 64, "num_attention_heads": 4,
           "num_key_value_heads": 2, "intermediate_size": 224, "moe_intermediate_size": 32, "n_routed_experts": 8,
           "num_experts_per_tok": 2, "num_hidden_layers": 3, "num_nextn_predict_layers": 1, "vocab_size": 1000})",
       {"\nprediction_layers = { value = 1, ", "\nexperts = { value = 8, "}},
      {"the text part of a model that reads images",
       R"({"_name_or_path": "tiny-3", "model_type": "mistral3", "vision_config": {"hidden_size": 8},
           "text_config": {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 3,
                           "intermediate_size": 224, "vocab_size": 1000, "max_position_embeddings": 4096}})",
       {"\nhidden = { value = 64, ", "\nlayers = { value = 3, "}},
      {"a window on every second layer",
       R"({"_name_or_path": "tiny-3", "model_type": "gemma2", "hidden_size": 64, "num_attention_heads": 4,
           "head_dim": 32, "num_key_value_heads": 2, "intermediate_size": 224, "num_hidden_layers": 4,
           "sliding_window": 128, "vocab_size": 1000, "max_position_embeddings": 512})",
       {"\nwindow = { value = 128, ", "\nwindowed_layers = { value = 0.5, ", "\nhead_dim = { value = 32, "}},
  };
  for (const Case& one : cases) {
    BOOST_TEST_CONTEXT(one.why) {
      write("config.json", one.text);
      const ProgramResult result = dfsweep({"import", "huggingface", "config.json", "-o", "mine", "--force"});
      BOOST_TEST(result.status == 0, result.err);
      const std::string entry = text("mine/models/tiny-3.toml");
      for (const char* line : one.lines) BOOST_TEST(has(entry, line), entry);
      BOOST_TEST(!has(entry, "sequence_length"), entry);
      BOOST_TEST(has(result.err, "active_parameters"), result.err);
      BOOST_TEST(has(result.err, "needs sequence_length"), result.err);
      BOOST_TEST(dfsweep({"describe", "catalogue", "models", "tiny-3", "--catalogue", "mine"}).status == 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(other_models_of_hugging_face_are_refused) {
  write("config.json", R"({"model_type": "mamba", "hidden_size": 64})");
  const ProgramResult unknown = dfsweep({"import", "huggingface", "config.json", "--model", "m", "-o", "mine"});
  BOOST_TEST(unknown.status == 3);
  BOOST_TEST(has(unknown.err, "unknown model_type 'mamba' (known: llama, mistral"), unknown.err);
  BOOST_TEST(has(unknown.err, "'num_attention_heads' is missing"), unknown.err);
  BOOST_TEST(!std::filesystem::exists(folder / "mine"));
}

BOOST_AUTO_TEST_CASE(wrong_usage_is_refused) {
  write("Table.csv", "id,source\n");
  const std::vector<std::vector<std::string>> cases{
      {"import", "calculon", "-o", "mine"},                                         // nothing to import
      {"import", "calculon", "Small.json", "--rows", "rows.csv", "-o", "mine"},     // a file and --rows
      {"import", "calculon", "execution.json", "-o", "mine"},                       // model and system are missing
      {"import", "elsewhere", "Small.json", "-o", "mine"},                          // an unknown program
      {"import", "huggingface", "-o", "mine"},                                      // no config
      {"import", "measured", "Table.csv", "Table.csv", "-o", "points.csv"},         // two tables
      {"import", "measured", "Table.csv", "--set", "model=a", "-o", "points.csv"},  // a table has columns
      {"import", "measured", "-o", "points.csv"},                                   // nothing to import
      {"import", "calculon", "Small.json"},                                         // no output
  };
  for (const std::vector<std::string>& arguments : cases) BOOST_TEST(dfsweep(arguments).status == 2);
  BOOST_TEST(!std::filesystem::exists(folder / "mine"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
