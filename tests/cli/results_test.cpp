/// show and explain on results made by hand and on real runs.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "io/json.hpp"
#include "tests/cli/program_under_test.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(results_test)

namespace {

BOOST_FIXTURE_TEST_CASE(show_prints_an_aligned_table_with_units, NineRows) {
  const ProgramResult result =
      dfsweep({"show", path, "--best", "time", "--by", "device", "--columns", "device,ways,memory,time,method"});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.err == "");
  BOOST_TEST(result.out ==
             "best time (lower is better) by device\n"
             "  device  ways  memory  time  method\n"
             "                    GB     s\n"
             "  a100       4   8.000     1  fast\n"
             "  h100       4   8.000     2  fast\n"
             "  tpu-v4     1   8.000     3  slow\n"
             "2 of 9 rows left out: failed 1, out_of_memory 1\n");
}

BOOST_FIXTURE_TEST_CASE(show_without_options_summarizes, NineRows) {
  const std::string out = dfsweep({"show", path}).out;
  for (const char* line :
       {": 9 rows of estimator dataflow\n", "fixed: device_count=1024, model=gpt3-1t\n",
        "  device       3  a100, h100, tpu-v4\n", "  ok                7  77.8 %\n",
        "  memory      8.000 GB      8.000 GB  lower   the memory\n", "best time (lower is better)\n"})
    BOOST_TEST(contains(out, line), line << "is not in\n" << out);
}

BOOST_FIXTURE_TEST_CASE(a_front_and_its_json, NineRows) {
  const ProgramResult result = dfsweep({"show", path, "--pareto", "time,speed", "--columns", "time,speed", "--json"});
  const Json answer = parse_json(result.out).at("answer");
  BOOST_TEST(answer.at("kind").text() == "pareto");
  BOOST_TEST(answer.at("not_ok").at("out_of_memory").whole() == 1U);
  BOOST_TEST(answer.at("no_value").whole() == 1U);
  BOOST_TEST(to_text(answer.at("rows"), JsonStyle::one_line) ==
             R"([{"point":2,"time":1,"speed":5},{"point":1,"time":2,"speed":10},{"point":3,"time":4,"speed":20}])");
}

BOOST_FIXTURE_TEST_CASE(rows_that_cannot_be_ranked_are_listed, NineRows) {
  const ProgramResult result =
      dfsweep({"show", path, "--where", "status != 'ok'", "--columns", "point,status,memory,time"});
  BOOST_TEST(result.out ==
             "first of 2 rows; none has a value of time where status != 'ok'\n"
             "  point  status         memory  time\n"
             "                            GB\n"
             "      4  out_of_memory   90.00     -\n"
             "      8  failed              -     -\n");
}

BOOST_FIXTURE_TEST_CASE(columns_without_names_lists_them, NineRows) {
  const ProgramResult result = dfsweep({"show", path, "--columns"});
  BOOST_TEST(contains(result.out, "\nspeed   FLOP/s  higher  the speed\n"), result.out);
  BOOST_TEST(parse_json(dfsweep({"show", path, "--columns", "--json"}).out).array().size() == 8U);
}

BOOST_FIXTURE_TEST_CASE(names_that_are_not_there_get_suggestions, NineRows) {
  const auto message = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"show", path};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = dfsweep(arguments);
    BOOST_TEST(result.status == 2);
    return result.err;
  };
  BOOST_TEST(contains(message({"--best", "tiem"}), "--best: no column 'tiem'. Did you mean 'time'?"));
  BOOST_TEST(contains(message({"--best", "device"}), "has no better direction (it is not a metric)"));
  BOOST_TEST(contains(message({"--by", "time"}), "too many distinct values"));
  BOOST_TEST(contains(message({"--columns", "model"}), "the same value in all rows"));
  BOOST_TEST(contains(message({"--pareto", "time"}), "at least two metrics"));
  BOOST_TEST(contains(message({"--where", "time <"}), "--where:1:"));
}

const char* const small_sweep = R"([sweep]
name = "small"
estimator = "dataflow"
[parameters]
model = "gpt3-1t"
device = ["h100", "tpu-v4"]
topology = "2d-torus"
shape = "8x128"
memory = "hbm3"
interconnect = "nvlink4"
mapping = "kernel_by_kernel"
dram_capacity = ["10 GB", "1 TB"]
[filter]
keep = ["device == 'h100' || dram_capacity > '100 GB'"]
)";

/// A run of `small_sweep` in a folder of its own.
struct SmallRun {
  ScratchFile scratch{"small.toml"};
  std::string folder = scratch.path().parent_path().string();
  ProgramSetting there{.folder = folder};
  ProgramResult ran;
  SmallRun() {
    std::ofstream(scratch.path()) << small_sweep;
    ran = dfsweep({"run", "small.toml"}, there);
  }
};

BOOST_FIXTURE_TEST_CASE(a_sweep_goes_from_plan_to_result, SmallRun) {
  BOOST_TEST(ran.status == 0, ran.err);
  BOOST_TEST(dfsweep({"plan", "small.toml", "--json"}, there).status == 0);
  BOOST_TEST(dfsweep({"run", "small.toml"}, there).status == 0);
  BOOST_TEST(dfsweep({"status", "runs/small"}, there).status == 0);
  BOOST_TEST(dfsweep({"verify", "runs/small"}, there).status == 0);
  BOOST_TEST(dfsweep({"publish", "runs/small"}, there).status == 0);
  const ProgramResult exported = dfsweep({"export", "runs/small", "--columns", "point,device,status"}, there);
  BOOST_TEST(exported.out == "point,device,status\n0,h100,out_of_memory\n1,h100,ok\n3,tpu-v4,ok\n");
  BOOST_TEST(dfsweep({"show", "runs/small/result.h5"}, there).status == 0);
}

BOOST_FIXTURE_TEST_CASE(rows_show_the_metrics_that_decide_unless_all_are_asked_for, SmallRun) {
  const std::string some = dfsweep({"show", "runs/small", "--best", "cost_efficiency"}, there).out;
  BOOST_TEST(contains(some, "\n  device  dram_capacity  cost_efficiency  step_time  "), some);
  BOOST_TEST(
      contains(
          some,
          "\nfurther metrics (--columns all shows them): compute_time, memory_time, network_time, bubble_time, "
          "partitions, optimality_gap, shortfall, network_serialization, network_latency, memory_intensity, "
          "network_intensity, energy_per_token, price_source, power_source, watts_source, device_average_power and "
          "2 more\n"),
      some);
  const std::string all = dfsweep({"show", "runs/small", "--columns", "all"}, there).out;
  BOOST_TEST(contains(all, "  optimality_gap"), all);
  BOOST_TEST(!contains(all, "further metrics"), all);
  const Json answer = parse_json(dfsweep({"show", "runs/small", "--json"}, there).out).at("answer");
  BOOST_TEST(answer.at("rows").array()[0].find("optimality_gap") != nullptr);
}

BOOST_FIXTURE_TEST_CASE(a_plan_is_read_by_programs, SmallRun) {
  const Json plan = parse_json(dfsweep({"plan", "small.toml", "--json"}, there).out);
  BOOST_TEST(plan.at("sweep").text() == "small");
  BOOST_REQUIRE(plan.at("axes").array().size() == 2u);
  BOOST_TEST(plan.at("axes").array()[1].at("parameters").array()[0].text() == "dram_capacity");
  BOOST_TEST(plan.at("axes").array()[1].at("size").whole() == 2u);
  BOOST_TEST(plan.at("grid_points").whole() == 4u);
  BOOST_TEST(plan.at("filters").array()[0].at("removed").whole() == 1u);
  BOOST_TEST(plan.at("rows").whole() == 3u);
  BOOST_TEST(plan.at("overridden").array()[0].text() == "memory.capacity");
  BOOST_TEST(plan.at("sample").at("statuses").at("ok").whole() == 2u);
  BOOST_TEST(plan.at("fingerprint").text() ==
             parse_json(dfsweep({"status", "runs/small", "--json"}, there).out).at("fingerprint").text());
}

BOOST_FIXTURE_TEST_CASE(a_search_says_why_points_were_rejected, SmallRun) {
  std::string text = small_sweep;
  text.replace(text.find("\"small\""), 7, "\"searched\"");
  text.replace(text.find("[filter]"), std::string::npos,
               "[search]\nover = [\"dram_capacity\"]\nminimize = \"step_time\"\n");
  std::ofstream(scratch.path()) << text;
  BOOST_TEST(dfsweep({"run", "small.toml", "--quiet"}, there).status == 0);
  const Json summary = parse_json(dfsweep({"show", "runs/searched", "--json"}, there).out).at("summary");
  BOOST_TEST(summary.at("status").at("ok").whole() == 2u);
  BOOST_TEST(summary.at("searched").at("ok").whole() == 2u);
  BOOST_TEST(summary.at("searched").at("out_of_memory").whole() == 2u);
  BOOST_TEST(contains(dfsweep({"show", "runs/searched"}, there).out, "points searched"));
  BOOST_TEST(!contains(dfsweep({"show", "runs/small"}, there).out, "points searched"));
}

BOOST_AUTO_TEST_CASE(tables_and_catalogue_are_read_by_programs) {
  const auto described = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "describe");
    arguments.emplace_back("--json");
    return parse_json(dfsweep(arguments).out);
  };
  const Json estimator = described({"dataflow"});
  BOOST_TEST(estimator.at("parameters").array()[0].at("name").text() == "model");
  BOOST_TEST(estimator.at("metrics").array()[0].at("unit").text() == "s");
  BOOST_TEST(estimator.at("statuses").array()[0].at("name").text() == "ok");
  BOOST_TEST(described({"catalogue"}).find("devices") != nullptr);
  const Json memories = described({"catalogue", "memories"});
  BOOST_TEST(memories.at("entries").find("hbm3") != nullptr);
  BOOST_TEST(memories.at("fields").array()[0].at("unit").text() == "B/s");
  const Json entry = described({"catalogue", "memories", "hbm3"});
  BOOST_TEST(entry.at("name").text() == "hbm3");
  for (const Json& field : entry.at("fields").array())
    if (field.at("field").text() == "bandwidth") BOOST_TEST(field.at("value").text() == "3072 GB/s");
}

BOOST_AUTO_TEST_CASE(lists_of_entries_show_what_tells_them_apart) {
  const std::string memories = dfsweep({"describe", "catalogue", "memories"}).out;
  BOOST_TEST(contains(memories, "  memories      bandwidth"), memories);
  BOOST_TEST(contains(memories, "  hbm3          3072 GB/s    1 TiB     HBM3 with"), memories);
  BOOST_TEST(contains(memories, "  hbm3-80g      3350 GB/s    80 GB     "), memories);
  BOOST_TEST(contains(dfsweep({"describe", "catalogue", "interconnects"}).out, "bandwidth  description"));
}

// Llama 3 8B: 2 x 128256 x 4096 of embeddings; a layer has 4096 (32 + 16) 128 + 4096^2 of attention and 3 x 4096 x
// 14336.
BOOST_AUTO_TEST_CASE(sizes_of_models_are_described) {
  const Json models = parse_json(dfsweep({"describe", "model", "llama3-8b", "mixtral-8x7b", "--json"}).out);
  const Json& llama = models.at("models").array()[0];
  BOOST_TEST(llama.at("name").text() == "llama3-8b");
  BOOST_TEST(llama.at("parameters").number() == 8029995008.0);
  BOOST_TEST(llama.at("active_parameters").number() == 8029995008.0 - 128256.0 * 4096);
  BOOST_TEST(llama.at("layers").number() == 32.0);
  BOOST_TEST(llama.at("weight_bytes").number() == 2 * 8029995008.0);
  BOOST_TEST(llama.at("cache_bytes_per_token").number() == 2.0 * 2 * 8 * 128 * 32);
  BOOST_TEST(llama.at("forward_flop_per_token").number() == 2 * 7504658432.0 + 2.0 * 32 * 4096 * 32 * 256);
  BOOST_TEST(llama.at("training_flop_per_token").number() == 3 * llama.at("forward_flop_per_token").number());
  const Json& mixtral = models.at("models").array()[1];
  BOOST_TEST(mixtral.at("expert_layers").number() == 32.0);
  BOOST_TEST(mixtral.at("active_parameters").number() < mixtral.at("parameters").number() / 3);
  BOOST_TEST(contains(dfsweep({"describe", "model", "llama3-8b"}).out, "8.03 G"));
  BOOST_TEST(dfsweep({"describe", "model", "hpl-1m"}).status == 3);
  BOOST_TEST(contains(dfsweep({"describe", "model", "llama3"}).err, "llama3-8b"));
  BOOST_TEST(dfsweep({"describe", "model"}).status == 2);
}

BOOST_AUTO_TEST_CASE(an_estimator_is_described_on_a_screen) {
  const std::string overview = dfsweep({"describe", "training"}).out;
  BOOST_TEST(std::count(overview.begin(), overview.end(), '\n') <= 60);
  BOOST_TEST(contains(overview, "needed parameters"));
  BOOST_TEST(contains(overview, "further parameters"));
  const std::string words = dfsweep({"describe", "training", "recompute", "ok"}).out;
  BOOST_TEST(contains(words, "selective"));
  BOOST_TEST(contains(words, "runs"));
  BOOST_TEST(!contains(words, "step_time"));
  BOOST_TEST(contains(dfsweep({"describe", "training", "--all"}).out, "sharding_group"));
  BOOST_TEST(contains(dfsweep({"describe", "training", "recompte"}).err, "Did you mean 'recompute'?"));
}

BOOST_FIXTURE_TEST_CASE(a_point_is_explained_from_the_sweep_and_from_the_result_alike, SmallRun) {
  const ProgramResult from_sweep = dfsweep({"explain", "small.toml", "--point", "1"}, there);
  BOOST_TEST(from_sweep.status == 0, from_sweep.err);
  BOOST_TEST(contains(from_sweep.out, "point 1 of sweep small, estimator dataflow: ok\n"));
  BOOST_TEST(dfsweep({"explain", "runs/small", "--point", "1"}, there).out == from_sweep.out);
  const Json json = parse_json(dfsweep({"explain", "runs/small", "--point", "1", "--json"}, there).out);
  BOOST_TEST(json.at("status").text() == "ok");
  const std::string exported =
      dfsweep({"export", "runs/small", "--columns", "step_time", "--where", "point == 1"}, there).out;
  BOOST_TEST(exported ==
             "step_time\n" + to_text(json.at("metrics").array()[0].at("value"), JsonStyle::one_line) + "\n");
}

BOOST_FIXTURE_TEST_CASE(a_result_explains_itself_after_the_catalogue_has_changed, SmallRun) {
  const std::string before = dfsweep({"explain", "runs/small", "--point", "1"}, there).out;
  std::filesystem::create_directories(folder + "/other/devices");
  std::ofstream(folder + "/other/devices/h100.toml")
      << "name = \"h100\"\npeak_flops = { value = \"1 FLOP/s\", source = \"none\" }\n";
  ProgramSetting changed = there;
  changed.environment = {{"DFSWEEP_CATALOGUE", folder + "/other"}};
  BOOST_TEST(dfsweep({"explain", "runs/small", "--point", "1"}, changed).out == before);
}

BOOST_AUTO_TEST_CASE(a_line_is_explained_without_its_list) {
  const ScratchFile scratch("list.toml");
  const ProgramSetting there{.folder = scratch.path().parent_path().string()};
  std::string text = small_sweep;
  for (const char* line : {"device = [\"h100\", \"tpu-v4\"]\n", "dram_capacity = [\"10 GB\", \"1 TB\"]\n"})
    text.erase(text.find(line), std::string(line).size());
  text.replace(text.find("[filter]"), std::string::npos, "[points]\nfile = \"list.csv\"\n");
  std::ofstream(scratch.path()) << text;
  std::ofstream(there.folder + "/list.csv") << "device,dram_capacity\nh100,1 TB\ntpu-v4,0.5 TB\nh100,10 GB\n";
  BOOST_TEST(dfsweep({"run", "list.toml", "--quiet"}, there).status == 0);
  const std::string from_sweep = dfsweep({"explain", "list.toml", "--point", "1"}, there).out;
  BOOST_TEST(contains(from_sweep, "line 1 of sweep small, estimator dataflow: ok\n"));
  std::filesystem::remove(there.folder + "/list.csv");
  const ProgramResult from_result = dfsweep({"explain", "runs/small", "--point", "1"}, there);
  BOOST_TEST(from_result.out == from_sweep, from_result.err);
  BOOST_TEST(dfsweep({"explain", "runs/small", "--point", "3"}, there).status == 2);
}

BOOST_FIXTURE_TEST_CASE(a_mapping_is_drawn_into_a_file, SmallRun) {
  for (const auto& [name, start] : {std::pair{"mapping.svg", "<svg "}, {"mapping.dot", "digraph "}}) {
    const ProgramResult drawn = dfsweep({"explain", "small.toml", "--point", "1", "--drawing", name}, there);
    BOOST_TEST(drawn.status == 0, drawn.err);
    BOOST_TEST(drawn.out == dfsweep({"explain", "small.toml", "--point", "1"}, there).out);
    std::ifstream file(folder + "/" + name);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    BOOST_TEST(text.starts_with(start));
    BOOST_TEST(contains(text, "partition 0"));
    BOOST_TEST(contains(text, "small, point 1: "));
  }
  const ProgramResult unknown = dfsweep({"explain", "small.toml", "--point", "1", "--drawing", "mapping.pdf"}, there);
  BOOST_TEST(unknown.status == 2);
  BOOST_TEST(unknown.out == "");
  BOOST_TEST(contains(unknown.err, ".svg, .png or .dot"));
}

BOOST_FIXTURE_TEST_CASE(the_short_form_fits_on_a_screen_and_the_full_one_has_everything, SmallRun) {
  const std::string brief = dfsweep({"explain", "small.toml", "--point", "1"}, there).out;
  const std::string full = dfsweep({"explain", "small.toml", "--point", "1", "--full"}, there).out;
  BOOST_TEST(std::count(brief.begin(), brief.end(), '\n') <= 32);
  for (const char* part : {"\n  axes\n", "dram_capacity  1 TB\n", "step_time", "bound by", "--full"})
    BOOST_TEST(contains(brief, part), brief);
  for (const char* part : {"topology", "\n    kernels\n", "\n    tensors, per sequence\n", "optimality_gap"}) {
    BOOST_TEST(contains(full, part), full);
    BOOST_TEST(!contains(brief, part), brief);
  }
  const std::string infeasible = dfsweep({"explain", "small.toml", "--point", "0"}, there).out;
  BOOST_TEST(contains(infeasible, "capacity"), infeasible);
}

BOOST_FIXTURE_TEST_CASE(points_that_are_filtered_or_not_there_are_said_to_be, SmallRun) {
  BOOST_TEST(
      contains(dfsweep({"explain", "small.toml", "--point", "2"}, there).out, "not in the run: removed by the filter"));
  const ProgramResult beyond = dfsweep({"explain", "small.toml", "--point", "4"}, there);
  BOOST_TEST(beyond.status == 2);
  BOOST_TEST(contains(beyond.err, "points 0 to 3"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
