/// explain --sensitivity with searches inside a point: they keep what they found, and the answer equals that of the
/// found values.
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "tests/cli/program_under_test.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(sensitivity_test)

namespace {

constexpr const char* machine =
    "[sweep]\nname = 'arch'\nestimator = 'dataflow'\n[parameters]\nmodel = 'gpt3-1t'\ndevice = 'h100-80g'\n"
    "memory = 'hbm3-80g'\ninterconnect = 'nvlink4'\nouter_interconnect = 'nvlink4'\ntopology = '3d-torus'\n"
    "device_count = 1024\ndram_bandwidth = '8 TB/s'\ndram_capacity = '192 GB'\nlink_bandwidth = '450 GB/s'\n"
    "outer_link_bandwidth = '50 GB/s'\noverlap = 'perfect'\nmapping = 'best'\n";

ProgramResult sensitivity_with(const std::string& choices) {
  const ScratchFile sweep("arch.toml");
  std::ofstream(sweep.path()) << machine << choices;
  return dfsweep(
      {"explain", sweep.path().string(), "--point", "0", "--full", "--sensitivity", "step_time,system_cost"});
}

/// From `heading` to the end of its table.
std::string section(const std::string& text, const std::string& heading) {
  const std::size_t begin = text.find(heading);
  return begin == std::string::npos ? "no " + heading : text.substr(begin, text.find("\n\n", begin) - begin);
}

/// The value that a metric has in the explanation.
std::string found(const std::string& text, const std::string& metric) {
  const std::size_t begin = text.find(metric + " ");
  if (begin == std::string::npos) return "no " + metric;
  const std::size_t value = text.find_first_not_of(' ', begin + metric.size());
  return text.substr(value, text.find('\n', value) - value);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_search_keeps_what_it_found) {
  const ProgramResult searched = sensitivity_with(
      "tensor_parallel = 'best'\npipeline_parallel = 'best'\ndata_parallel = 'best'\nmicro_batch = 'best'\n"
      "dimension_roles = 'best'\n");
  BOOST_TEST(searched.status == 0);
  BOOST_TEST(contains(searched.out,
                      "kept where feasible  what the search of the point found for tensor_parallel, pipeline_parallel, "
                      "data_parallel, dimension_roles, micro_batch"),
             searched.out);
  std::string choices;
  for (const std::string name : {"tensor_parallel", "pipeline_parallel", "data_parallel", "micro_batch"})
    choices += name + " = " + found(searched.out, "best_" + name) + "\n";
  choices += "dimension_roles = '" + found(searched.out, "best_dimension_roles") + "'\n";
  const ProgramResult given = sensitivity_with(choices);
  BOOST_TEST(given.status == 0, choices << given.err);
  const std::string numbers = "metrics in per cent, for 1 % more of a number";
  BOOST_TEST(section(searched.out, numbers) == section(given.out, numbers));
  BOOST_TEST(contains(section(searched.out, numbers), "compute_utilization"));
}

BOOST_AUTO_TEST_CASE(more_of_a_limit_that_is_just_reached_changes_nothing) {
  const ScratchFile sweep("limit.toml");
  for (const bool is_reached : {true, false}) {
    std::ofstream(sweep.path()) << "[sweep]\nname = 'limit'\nestimator = 'serving'\n[parameters]\nmodel = 'llama3-8b'\n"
                                   "system = 'dgx-h100'\nbatch = 64\npower_limit = "
                                << (is_reached ? "'400 W'\n" : "'700 W'\n");  // the device's own is 700 W
    const ProgramResult result =
        dfsweep({"explain", sweep.path().string(), "--point", "0", "--full", "--sensitivity", "time_per_output_token"});
    BOOST_TEST(result.status == 0);
    const std::string numbers = section(result.out, "metrics in per cent, for 1 % more of a number");
    BOOST_TEST(contains(numbers, "\n      power_limit ") == is_reached, numbers);
  }
}

BOOST_AUTO_TEST_CASE(a_page_shows_the_best_row) {
  const ScratchFile sweep("two.toml");
  std::ofstream(sweep.path()) << "[sweep]\nname = 'two'\nestimator = 'training'\n[parameters]\nmodel = 'bs-1.3b'\n"
                                 "system = ['dgx-h100', 'dgx-a100-80g']\ndevice_count = 8\nglobal_batch = 8\n"
                                 "sequence_length = 1024\n";
  const ScratchFile result("two.h5");
  const std::string folder = result.path().parent_path().string();
  BOOST_TEST(dfsweep({"run", sweep.path().string(), "--out", folder + "/run", "--quiet"}).status == 0);
  const ProgramResult page = dfsweep({"report", folder + "/run", "-o", "-", "--sensitivity", "step_time"});
  BOOST_TEST(page.status == 0, page.err);
  for (const char* part : {"What 1 % more of a number changes at point 0 (the best step_time: system dgx-h100)",
                           "\"sensitivity\":{\"point\":0", "\"name\":\"system.memory_bandwidth\""})
    BOOST_TEST(contains(page.out, part), part);
  const ProgramResult refused = dfsweep({"report", folder + "/run", "-o", "-", "--sensitivity", "expected_error"});
  BOOST_TEST(refused.status == 2);
  BOOST_TEST(contains(refused.err, "--sensitivity"), refused.err);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
