/// calibrate --profiles: numbers come back from operator tables that were made with them; measured runs start from what
/// kernels told; tables that contradict what is known, or are malformed, are said to.
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "io/json.hpp"
#include "models/kernels/timed_kernel.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

namespace {

const Accelerator h100{Throughput{989.4e12}, Throughput{1978.9e12}, {}, Bandwidth{3.35e12}, Bytes{84.9e9}, {}, {}};

Network dgx_h100() {
  Network network;
  network.inside = {Bandwidth{450e9}, Seconds{1.6e-6}};
  network.across = {Bandwidth{50e9}, Seconds{4.9e-6}};
  return network;
}

/// What the machine of the tables does.
Software machine() {
  Software software;
  software.matrix.peak_share = 0.62;
  software.matrix.half_rows = 150;
  software.matrix.launch = Seconds{9e-6};
  software.attention.peak_share = 0.45;
  software.links.inside = 0.6;
  return software;
}

struct MadeTables {
  ScratchFile scratch{"kernels"};
  std::filesystem::path folder = scratch.path().parent_path();
  Software software = machine();

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream file(folder / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  [[nodiscard]] std::string milliseconds(const KernelWork& work) const {
    return fmt::format("{:.6f}", 1e3 * kernel_time(work, h100, dgx_h100(), software).value());
  }

  /// Products of a layer; vector work takes `vector_time` ms in each of its kernels.
  void write_layer(const std::string& model, double hidden, double heads, double ffn) const {
    std::string rows =
        "num_tokens,num_tensor_parallel_workers,n_embd,n_head,n_kv_head,n_expanded_embd,vocab_size,use_gated_mlp";
    for (const char* op : {"attn_pre_proj", "attn_post_proj", "mlp_up_proj", "mlp_down_proj", "mlp_act", "attn_rope"})
      rows += fmt::format(",time_stats.{}.median", op);
    rows += "\n";
    for (const double degree : {1.0, 2.0, 4.0})
      for (const double tokens : {1.0, 16.0, 64.0, 256.0, 512.0, 1024.0, 1536.0, 2048.0, 3072.0, 4096.0}) {
        rows += fmt::format("{},{},{},{},{},{},32768,True", tokens, degree, hidden, heads, heads, ffn);
        for (const MatrixProduct& product :
             {MatrixProduct{tokens, 3 * hidden / degree, hidden}, MatrixProduct{tokens, hidden, hidden / degree},
              MatrixProduct{tokens, 2 * ffn / degree, hidden}, MatrixProduct{tokens, hidden, ffn / degree}})
          rows += "," + milliseconds(product);
        rows += ",0.05,0.05\n";
      }
    write("tables/compute/h100/" + model + "/mlp.csv", rows);
  }
  /// Prompts of which the masked half is not computed.
  void write_prompts(const std::string& model, double hidden, double heads) const {
    std::string rows =
        "time_stats.attn_prefill.median,time_stats.attn_decode.median,n_embd,n_q_head,n_kv_head,block_size,"
        "num_tensor_parallel_workers,batch_size,prefill_chunk_size,kv_cache_size,attention_backend\n";
    for (const double chunk : {1024.0, 2048.0, 3072.0, 4096.0})
      for (const double cached : {0.0, 1024.0, 4096.0})
        rows += fmt::format("{},,{},{},{},16,1,1,{},{},FLASH_ATTENTION\n",
                            milliseconds(ScoreWork{Flop{4 * hidden * chunk * (cached + chunk / 2)}, hidden / heads,
                                                   cached + chunk / 2}),
                            hidden, heads, heads, chunk, cached);
    write("tables/compute/h100/" + model + "/attention.csv", rows);
  }
  void write_exchanges() const {
    std::string rows =
        "time_stats.all_reduce.median,num_workers,size,collective,devices_per_node,max_devices_per_node\n";
    for (const double ranks : {2.0, 4.0, 8.0})
      for (double size = 1 << 18; size <= 1 << 26; size *= 2)
        rows +=
            fmt::format("{},{},{},all_reduce,{},8\n",
                        milliseconds(AllReduceWork{Bytes{size}, GroupPlace{ranks, ranks, ranks}}), ranks, size, ranks);
    write("tables/network/h100_dgx/all_reduce.csv", rows);
  }
  void write_tables() const {
    write_layer("large", 8192, 64, 28672);
    write_layer("small", 4096, 32, 11008);
    write_prompts("large", 8192, 64);
    write_prompts("small", 4096, 32);
    write_exchanges();
  }
  [[nodiscard]] ProgramResult dfsweep(const std::vector<std::string>& arguments) const {
    return run_program(DFSWEEP_PROGRAM, arguments, {.folder = folder.string()});
  }
  [[nodiscard]] ProgramResult calibrate(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"calibrate", "--profiles", "tables"});
    return dfsweep(arguments);
  }
};

bool holds(const std::string& all, const std::string& part) {
  return all.find(part) != std::string::npos;
}

const Json& number_named(const Json& found, const std::string& name) {
  for (const Json& of_class : found.at("kernels").array()[0].at("classes").array())
    for (const Json& number : of_class.at("numbers").array())
      if (number.at("name").text() == name) return number;
  BOOST_FAIL("no number is called " + name);
  return found;
}

const char* const all_folders = "h100=dgx-h100,h100_dgx=dgx-h100";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(calibrate_kernels_test, MadeTables)

BOOST_AUTO_TEST_CASE(numbers_come_back_from_tables_that_were_made_with_them) {
  write_tables();
  const ProgramResult result = calibrate({"--measured-on", all_folders, "--set", "software=default", "--json"});
  BOOST_TEST_REQUIRE(result.status == 0, result.err);
  const Json found = parse_json(result.out);
  // Exact times: what is left is the pull of the prior. Few rows tell the latency of links apart from their rate.
  const std::pair<const char*, double> truths[] = {{"matrix_share", 0.62},
                                                   {"half_rows", 150},
                                                   {"launch_time", 9e-6},
                                                   {"attention_share", 0.45},
                                                   {"inside_share", 0.6}};
  for (const auto& [name, truth] : truths) {
    const Json& number = number_named(found, name);
    BOOST_TEST(number.at("verdict").text() == "fitted", name);
    BOOST_TEST(std::abs(number.at("after").number() / truth - 1.0) <= 0.05, name);
    BOOST_TEST(number.at("spread").number() > 0.0, name);
  }
  BOOST_TEST(calibrate({"--measured-on", all_folders, "--set", "software=default", "--json", "--threads", "1"}).out ==
             result.out);
}

BOOST_AUTO_TEST_CASE(entries_name_the_tables_and_can_be_swept) {
  write_tables();
  const ProgramResult result = calibrate({"--measured-on", all_folders, "-o", "mine.toml"});
  BOOST_TEST_REQUIRE(result.status == 0, result.err);
  BOOST_TEST(result.err == "dfsweep: mine.toml\n");
  BOOST_TEST(holds(text("mine.toml"), "compute/h100/large/mlp.csv "));
  BOOST_TEST(holds(text("mine.toml"), "operator tables measured on dgx-h100; median error left out by group: "));
  write("sweep.toml",
        "[sweep]\nname = \"used\"\nestimator = \"training\"\n[parameters]\nmodel = \"llama3-8b\"\n"
        "system = \"dgx-h100\"\ndevice_count = 64\noptimizer_sharding = 1\nsoftware = \"mine.toml\"\n"
        "global_batch = 512\n");
  const ProgramResult run = dfsweep({"run", "sweep.toml", "--quiet"});
  BOOST_TEST(run.status == 0, run.err);
}

BOOST_AUTO_TEST_CASE(a_number_that_lies_too_far_off_is_named_and_stays) {
  software.links.inside = 0.04;
  write_tables();
  const ProgramResult result = calibrate({"--measured-on", all_folders, "--set", "software=default", "--json"});
  BOOST_TEST_REQUIRE(result.status == 0, result.err);
  BOOST_TEST(number_named(parse_json(result.out), "inside_share").at("verdict").text() == "contradicted");
  BOOST_TEST(calibrate({"--measured-on", all_folders, "--set", "software=default", "-o", "mine.toml"}).status == 0);
  BOOST_TEST(!holds(text("mine.toml"), "inside_share"));
}

BOOST_AUTO_TEST_CASE(classes_can_be_limited) {
  write_tables();
  const ProgramResult products = calibrate({"--measured-on", all_folders, "--kernels", "products"});
  BOOST_TEST(products.status == 0, products.err);
  BOOST_TEST(holds(products.out, "matrix_share"));
  BOOST_TEST(!holds(products.out, "attention_share"));
}

BOOST_AUTO_TEST_CASE(runs_start_from_what_kernels_told) {
  write_tables();
  const std::string head =
      "model,system,software,device_count,tensor_parallel,global_batch,micro_batch,"
      "optimizer_sharding,sequence_length,step_time\n";
  std::string rows = head;
  for (const char* row :
       {"llama3-8b,dgx-h100,default,16,2,512,1,1,4096,9\n", "llama3-8b,dgx-h100,default,64,2,512,1,1,4096,2.4\n",
        "llama3-8b,dgx-h100,default,64,4,512,2,1,4096,2.6\n"})
    rows += row;
  write("rows.csv", rows);
  const ProgramResult result = dfsweep({"calibrate", "rows.csv", "--profiles", "tables", "--measured-on", all_folders,
                                        "--fit", "matrix_share", "--json", "-o", "mine.toml"});
  BOOST_TEST_REQUIRE(result.status == 0, result.err);
  const Json found = parse_json(result.out);
  const double told = number_named(found, "matrix_share").at("after").number();
  BOOST_TEST(std::abs(told / 0.62 - 1.0) <= 0.05);
  BOOST_TEST(found.at("corrections").array()[0].at("before").number() == told);
  BOOST_TEST(holds(text("mine.toml"), "tables/") == false);
  BOOST_TEST(holds(text("mine.toml"), "compute/h100/large/mlp.csv "));
  // Kernels know the number better than the estimator does: the same rows move it less.
  const ProgramResult free = dfsweep({"calibrate", "rows.csv", "--fit", "matrix_share", "--json"});
  BOOST_TEST(free.status == 0);
  const auto moved = [](const Json& of) {
    return std::abs(std::log(of.at("corrections").array()[0].at("factor").number()));
  };
  BOOST_TEST(moved(found) <= moved(parse_json(free.out)));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said) {
  write_tables();
  const auto said = [&](const std::vector<std::string>& arguments, int status, const std::string& part) {
    const ProgramResult result = calibrate(arguments);
    BOOST_TEST(result.status == status, part);
    BOOST_TEST(holds(result.err, part), result.err);
  };
  said({}, 2, "say on which systems the tables were measured");
  said({"--measured-on", "h200=dgx-h100"}, 2, "no table of 'h200'");
  said({"--measured-on", "h100=dgx-h10"}, 2, "no system is called 'dgx-h10'");
  said({"--measured-on", "h100"}, 2, "--measured-on: write NAME=VALUE");
  said({"--measured-on", all_folders, "--kernels", "product"}, 2, "no kernels are called 'product'");
  said({"--measured-on", all_folders, "--estimator", "serving"}, 2, "only numbers of the estimator training");
  said({"--measured-on", all_folders, "--fit", "matrix_share"}, 2, "--kernels says which numbers are fitted");
  said({"--measured-on", all_folders, "--set", "model=llama3-8b"}, 2, "only software=NAME can be set");
  BOOST_TEST(dfsweep({"calibrate"}).status == 2);
  write("tables/compute/h100/small/mlp.csv", "num_tokens,num_tensor_parallel_workers\nmany,1\n");
  said({"--measured-on", all_folders}, 3, "small/mlp.csv");
  std::filesystem::remove_all(folder / "tables");
  said({"--measured-on", all_folders}, 74, "tables");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
