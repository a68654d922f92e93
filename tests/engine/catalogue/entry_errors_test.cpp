/// Users' files that sweeps name as entries: all their errors are reported at once, each with its line and column.
#include <fmt/format.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <map>

#include "engine/sweep/read_sweep.hpp"
#include "engine/sweep/sweep.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/temporary_folder.hpp"

BOOST_AUTO_TEST_SUITE(entry_errors_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

/// Parameters of a sweep that is correct except for what a test changes; the first is in line 5.
constexpr std::pair<const char*, const char*> sound[] = {
    {"model", "'gpt3-1t'"},        {"device", "'sn30'"},  {"memory", "'hbm3'"},     {"topology", "'2d-torus'"},
    {"interconnect", "'nvlink4'"}, {"mapping", "'best'"}, {"device_count", "1024"},
};

std::string sweep_text(const std::map<std::string, std::string>& changed) {
  std::string text = "[sweep]\nname = 'own'\nestimator = 'dataflow'\n[parameters]\n";
  for (const auto& [name, value] : sound) {
    const auto found = changed.find(name);
    text += fmt::format("{} = {}\n", name, found == changed.end() ? value : found->second);
  }
  return text;
}

/// The messages about a sweep, with file names as written in the sweep.
std::string messages(const TemporaryFolder& folder, const std::string& text, const SweepReading& reading = {}) {
  try {
    static_cast<void>(read_sweep_text(text, "sweep.toml", folder.path(), reading));
    return "accepted";
  } catch (const UserError& error) {
    std::string all = error.what();
    const std::string prefix = folder.path().string() + "/";
    for (std::size_t at = all.find(prefix); at != std::string::npos; at = all.find(prefix))
      all.erase(at, prefix.size());
    return all;
  }
}

void write(const TemporaryFolder& folder, const std::string& name, std::string_view text) {
  std::filesystem::create_directories((folder.path() / name).parent_path());
  std::ofstream(folder.path() / name) << text;
}

struct Wrong {
  const char* why;
  const char* parameter;
  const char* file;
  const char* text;
  const char* message;
};

const Wrong wrong[] = {
    {"a sound device", "device", "d.toml", "peak_flops = '600 TFLOP/s'\nsram_capacity = '600 MB'\n", "accepted"},
    {"a sound device in JSON", "device", "d.json",
     "{\"peak_flops\": {\"value\": \"600 TFLOP/s\", \"note\": \"dense\"}}", "accepted"},
    {"a wrong type", "memory", "m.toml", "bandwidth = ['1 TB/s']\ncapacity = '80 GB'\n",
     "m.toml:1:13: 'bandwidth' is an array (a number is needed)."},
    {"a wrong type in JSON", "memory", "m.json", "{\"bandwidth\": [\"1 TB/s\"],\n \"capacity\": \"80 GB\"}",
     "m.json:1:15: 'bandwidth' is an array (a number is needed)."},
    {"an unknown field", "memory", "m.toml", "bandwidth = '1 TB/s'\ncapacity = '80 GB'\ncolour = 'red'\n",
     "m.toml:3:1: unknown field 'colour' (memories have no such field). Fields here: bandwidth, capacity, "
     "price_per_bandwidth, power_per_bandwidth, technology, name, description, source, former_name"},
    {"a misspelt field, which is not missing as well", "memory", "m.toml", "bandwith = '1 TB/s'\ncapacity = '80 GB'\n",
     "m.toml:1:1: unknown field 'bandwith' (memories have no such field). Did you mean 'bandwidth'?"},
    {"a misspelt field in JSON", "memory", "m.json", "{\"capacity\": \"80 GB\",\n  \"bandwith\": \"1 TB/s\"}",
     "m.json:2:3: unknown field 'bandwith' (memories have no such field). Did you mean 'bandwidth'?"},
    {"a missing field", "memory", "m.toml", "# my memory\nbandwidth = '1 TB/s'\n",
     "m.toml:1:1: 'capacity' is missing (estimator 'dataflow' needs it; named at sweep.toml:7:10). "
     "'dfsweep describe catalogue memories' lists the fields"},
    {"a missing field in JSON", "memory", "m.json", "{\n \"bandwidth\": \"1 TB/s\"}",
     "m.json:1:1: 'capacity' is missing (estimator 'dataflow' needs it; named at sweep.toml:7:10). "
     "'dfsweep describe catalogue memories' lists the fields"},
    {"no unit", "memory", "m.toml", "bandwidth = 1000\ncapacity = '80 GB'\n",
     "m.toml:1:13: bandwidth = 1000 has no unit (unit B/s). Write \"1000 GB/s\""},
    {"a wrong unit in JSON", "memory", "m.json", "{\"bandwidth\": \"1 TB\", \"capacity\": \"80 GB\"}",
     "m.json:1:15: bandwidth = '1 TB' has the wrong unit (expected B/s, got TB)."},
    {"bits", "interconnect", "i.toml", "bandwidth = { value = '400 Gb/s', source = 'x' }\n",
     "i.toml:1:23: bandwidth: unknown unit 'Gb' (unit B/s). Bits are not used: write bytes, 8 Gbit/s is \"1 GB/s\""},
    {"a negative value", "interconnect", "i.toml", "bandwidth = '100 GB/s'\nlatency = '-1 us'\n",
     "i.toml:2:11: 'latency' is negative (a number of at least 0 is needed)."},
    {"a negative value in JSON", "interconnect", "i.json",
     "{\n  \"bandwidth\": \"100 GB/s\",\n  \"latency\": \"-1 us\"\n}",
     "i.json:3:14: 'latency' is negative (a number of at least 0 is needed)."},
    {"a zero that has to be positive", "memory", "m.toml", "bandwidth = '0 B/s'\ncapacity = '80 GB'\n",
     "m.toml:1:13: 'bandwidth' is zero (a positive number is needed)."},
    {"several at once", "device", "d.toml",
     "cors = 100\npeak_flops = '-1 TFLOP/s'\nsram_capacity = 640\nprice = '-3 USD'\npower = '300 USD'\n",
     "d.toml:1:1: unknown field 'cors' (devices have no such field). Did you mean 'cores'?\n"
     "d.toml:2:14: 'peak_flops' is negative (a positive number is needed).\n"
     "d.toml:3:17: sram_capacity = 640 has no unit (unit B). Write \"640 GB\"\n"
     "d.toml:4:9: 'price' is negative (a number of at least 0 is needed).\n"
     "d.toml:5:9: power = '300 USD' has the wrong unit (expected W, got USD)."},
    {"cores and arrays that are no whole numbers, although a rate is given", "device", "d.toml",
     "peak_flops = '1 TFLOP/s'\ncores = 1.5\nsystolic_width = 0\nsystolic_height = -4\npower = -600\n",
     "d.toml:2:9: 'cores' is 1.5 (a whole number of at least 1 is needed).\n"
     "d.toml:3:18: 'systolic_width' is 0 (a whole number of at least 1 is needed).\n"
     "d.toml:4:19: 'systolic_height' is -4 (a whole number of at least 1 is needed).\n"
     "d.toml:5:9: power = -600 is negative and has no unit (unit W, at least 0)."},
    {"a self-edge, an unknown end and a nameless kernel, all at once", "model", "g.toml",
     "kind = 'graph'\nglobal_batch = 1\n[[kernel]]\nname = 'a'\n[[kernel]]\nm = 2\n[[edge]]\nfrom = 'a'\nto = 'a'\n"
     "[[edge]]\nfrom = 'a'\nto = 'c'\n",
     "g.toml:5:1: 'name' of kernel[1] is missing (edges and mappings name kernels; named at sweep.toml:5:9). 'dfsweep "
     "describe catalogue models' lists the fields\n"
     "g.toml:7:1: an edge joins kernel 'a' with itself (a kernel cannot consume its own output).\n"
     "g.toml:12:6: 'to' of an edge names 'c' (no kernel has this name)."},
    {"a device without a rate", "device", "d.toml", "cores = 3\n",
     "d.toml:1:1: 'peak_flops' is missing (a device needs it, or all of cores, systolic_width, systolic_height, "
     "frequency; named at sweep.toml:6:10). 'dfsweep describe catalogue devices' lists the fields"},
    {"a device whose cores could not be read", "device", "d.toml", "cores = 'three'\n",
     "d.toml:1:9: cores: 'three' is not a quantity (a plain number is needed)."},
    {"elements of a list", "topology", "t.toml", "dimensions = ['ring', 'mesh',\n  'torus']\n",
     "t.toml:1:23: 'dimensions' holds 'mesh' (choices: ring, fully_connected, switch).\n"
     "t.toml:2:3: 'dimensions' holds 'torus' (choices: ring, fully_connected, switch)."},
    {"a model of no kind", "model", "m.toml", "layers = 3\n",
     "m.toml:1:1: 'kind' is missing (choices: transformer, dlrm, hpl, fft, graph; named at sweep.toml:5:9). "
     "'dfsweep describe catalogue models' lists the fields"},
    {"a model of an unknown kind", "model", "m.toml", "kind = 'mixer'\n",
     "m.toml:1:8: 'kind' is 'mixer' (choices: transformer, dlrm, hpl, fft, graph)."},
    {"sizes that do not fit together", "model", "m.toml",
     "kind = 'transformer'\nhidden = 100\nheads = 3\nlayers = 2\nsequence_length = 8\nglobal_batch = 1\n",
     "m.toml:2:10: 'hidden' is not a multiple of 'heads' (without 'head_dim' it must be)."},
    {"heads that do not share heads of keys evenly", "model", "m.toml",
     "kind = 'transformer'\nhidden = 64\nheads = 32\nkey_value_heads = 3\nlayers = 2\nsequence_length = 8\n",
     "m.toml:4:19: 'key_value_heads' is 3, and 'heads' is 32 (each key-value head serves the same number of heads)."},
    {"what [parameters] could give", "model", "m.toml", "kind = 'transformer'\nhidden = 8\nheads = 2\nlayers = 2\n",
     "m.toml:1:1: 'sequence_length' is missing (neither the model nor [parameters] gives it; named at "
     "sweep.toml:5:9). 'dfsweep describe catalogue models' lists the fields"},
    {"fields of parts", "model", "g.toml",
     "kind = 'graph'\nglobal_batch = 1\n[[kernel]]\nname = 'a'\nm = 2.5\n[[kernel]]\nname = 'b'\ntype = 'sparse'\n"
     "nn = 3\n[[edge]]\nfrom = 'a'\nto = 'c'\n[[edge]]\nfrom = 'a'\n",
     "g.toml:5:5: 'm' of kernel 'a' is 2.5 (a whole number of at least 1 is needed).\n"
     "g.toml:8:8: 'type' of kernel 'b' is 'sparse' (choices: matrix, elementwise).\n"
     "g.toml:9:1: unknown field 'kernel.nn' (models have no such field). Fields here: name, type, outer, m, k, n, "
     "weight_words, gradient_words, memory_words, exchange_words, tiling, pass\n"
     "g.toml:12:6: 'to' of an edge names 'c' (no kernel has this name).\n"
     "g.toml:13:1: 'to' of an edge is missing (an edge needs the names of two kernels; named at sweep.toml:5:9). "
     "'dfsweep describe "
     "catalogue models' lists the fields"},
    {"a kernel whose name could not be read, which edges may mean", "model", "g.toml",
     "kind = 'graph'\nglobal_batch = 1\n[kernel]\nname = 3\nm = -1\n[[edge]]\nfrom = 'a'\nto = 'b'\n",
     "g.toml:4:8: 'kernel[0].name' is an integer (a string is needed).\n"
     "g.toml:5:5: 'm' of kernel 'kernel' is -1 (a whole number of at least 1 is needed)."},
    {"a cycle", "model", "g.json",
     "{\"kind\": \"graph\", \"global_batch\": 1, \"kernel\": [{\"name\": \"a\"}, {\"name\": \"b\"}],\n"
     " \"edge\": [{\"from\": \"a\", \"to\": \"b\"},\n          {\"from\": \"b\", \"to\": \"a\"}]}",
     "g.json:2:11: the edges form a cycle (a -> b -> a)."},
    {"a mapping by position", "mapping", "m.toml", "assignment = [0, 1.5]\n",
     "m.toml:1:18: the partition is 1.5 (a whole number of at least 0 is needed)."},
    {"a mapping by names", "mapping", "m.json", "{\"assignment\": {\"Q\": 0, \"K\": -1}}",
     "m.json:1:30: the partition of 'K' is -1 (a whole number of at least 0 is needed)."},
    {"no TOML", "memory", "m.toml", "bandwidth = \n", "m.toml:1:13: not valid TOML..."},
    {"no JSON", "memory", "m.json", "{\"bandwidth\": \"1 TB/s\",\n}",
     "m.json:2:1: not valid JSON (syntax error while parsing object key - unexpected '}'; expected string literal)."},
    {"JSON that is no object", "memory", "m.json", "[1]",
     "m.json:1:1: the document is an array (an object is needed)."},
};

}  // namespace

BOOST_DATA_TEST_CASE(problems_are_placed_in_the_file_of_the_entry, bdata::make(wrong), row) {
  const TemporaryFolder folder;
  write(folder, row.file, row.text);
  std::string actual = messages(folder, sweep_text({{row.parameter, fmt::format("'{}'", row.file)}}));
  std::string expected = row.message;
  if (expected.ends_with("...")) {
    expected.resize(expected.size() - 3);
    actual.resize(std::min(actual.size(), expected.size()));
  }
  BOOST_TEST(actual == expected);
}

BOOST_AUTO_TEST_CASE(all_files_and_the_sweep_are_reported_together_and_each_problem_once) {
  const TemporaryFolder folder;
  write(folder, "m.toml", "bandwidth = '-1 TB/s'\ncapacity = '80 GB'\n");
  write(folder, "n.toml", "bandwidth = 3\ncapacity = '80 GB'\n");
  const std::string text = sweep_text({{"memory", "['hbm3', 'm.toml', 'n.toml']"}, {"topology", "'2d-tor'"}}) +
                           "[output]\nmetrics = ['step_tim']\n[[together]]\nglobal_batch = [1, 2]\n"
                           "outer_interconnect = ['i.toml', 'i.toml']\n";
  write(folder, "i.toml", "bandwidth = '0 B/s'\n");
  BOOST_TEST(
      messages(folder, text) ==
      "i.toml:1:13: 'bandwidth' is zero (a positive number is needed).\n"
      "m.toml:1:13: 'bandwidth' is negative (a positive number is needed).\n"
      "n.toml:1:13: bandwidth = 3 has no unit (unit B/s). Write \"3 GB/s\"\n"
      "sweep.toml:8:12: 'topology' names '2d-tor' (not in the catalogue). Did you mean '2d-torus'? Entries of your "
      "own: "
      "--catalogue FOLDER\n"
      "sweep.toml:13:12: unknown metric 'step_tim' (metrics: step_time, utilization, achieved_flops, "
      "compute_time, memory_time, network_time, bubble_time, partitions, memory_used, system_cost, "
      "system_power, cost_efficiency, power_efficiency, optimality_gap, best_tensor_parallel, best_pipeline_parallel, "
      "best_data_parallel, best_dimension_roles, best_micro_batch, shortfall, network_serialization, network_latency, "
      "memory_intensity, network_intensity, energy_per_token, price_source, power_source, watts_source, "
      "device_average_power, system_average_power, device_energy_per_token, time_to_train, train_days, train_energy, "
      "train_cost, run_tokens, useful_share, best_save_interval, optimal_learning_rate, optimal_batch_tokens and 24 "
      "more). Did you mean 'step_time'?");
}

BOOST_AUTO_TEST_CASE(one_file_may_be_of_two_kinds) {
  const TemporaryFolder folder;
  write(folder, "x.toml", "bandwidth = '1 TB/s'\ncapacity = '80 GB'\n");
  BOOST_TEST(
      messages(folder, sweep_text({{"memory", "'x.toml'"}, {"interconnect", "'x.toml'"}})) ==
      "x.toml:2:1: unknown field 'capacity' (interconnects have no such field). Fields here: bandwidth, latency, "
      "link_price_per_bandwidth, switch_price_per_bandwidth, link_power_per_bandwidth, "
      "switch_power_per_bandwidth, name, description, source, former_name");
}

BOOST_AUTO_TEST_CASE(entries_of_the_catalogue_are_told_where_the_sweep_names_them) {
  const TemporaryFolder folder;
  write(folder, "c/memories/bad.toml", "name = 'bad'\nbandwidth = { value = '-1 TB/s', source = 's' }\n");
  SweepReading reading;
  reading.catalogues = {folder.path() / "c"};
  BOOST_TEST(messages(folder, sweep_text({{"memory", "'bad'"}}), reading) ==
             "sweep.toml:7:10: catalogue entry 'bad': 'bandwidth' is negative (a positive number is needed; see "
             "c/memories/bad.toml:2:23).\n"
             "sweep.toml:7:10: catalogue entry 'bad': 'capacity' is missing (estimator 'dataflow' needs it). "
             "'dfsweep describe catalogue memories' lists the fields");
}

BOOST_AUTO_TEST_CASE(values_of_point_lists_name_files_too) {
  const TemporaryFolder folder;
  write(folder, "m.toml", "bandwidth = '1 TB/s'\n");
  write(folder, "points.csv", "memory,global_batch\nhbm3,1\nm.toml,2\nm.toml,3\n");
  std::string text = sweep_text({});
  text.replace(text.find("memory = 'hbm3'\n"), std::string("memory = 'hbm3'\n").size(), "");
  BOOST_TEST(messages(folder, text + "[points]\nfile = 'points.csv'\n") ==
             "m.toml:1:1: 'capacity' is missing (estimator 'dataflow' needs it; named at points.csv:3:1). 'dfsweep "
             "describe catalogue memories' lists the fields");
}

BOOST_AUTO_TEST_SUITE_END()
