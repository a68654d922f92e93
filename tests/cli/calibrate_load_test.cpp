/// Results of a load generator, end to end: imported as rows, calibrated, and predicted with the entry that results.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/support/program.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

namespace {

/// Times of a run in seconds.
struct LoadTimes {
  double first_token = 0.0;
  double token = 0.0;
};

/// A load of the runs: users, or requests per second.
using Load = double;

/// What `vllm bench serve --save-result` writes of ten requests a user, of the fields that are read and some others.
std::string vllm_result(Load users, const LoadTimes& times) {
  const double requests = 10 * users;
  std::ostringstream text;
  text << R"({"date": "20260101-000000", "backend": "vllm", "model_id": "meta-llama/Llama-3.1-8B", "num_prompts": )"
       << requests << R"(, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": )" << users
       << R"(, "duration": 60.0, "completed": )" << requests << R"(, "total_input_tokens": )" << 1000 * requests
       << R"(, "total_output_tokens": )" << 200 * requests << R"(, "mean_ttft_ms": )" << 1e3 * times.first_token
       << R"(, "p99_ttft_ms": null, "mean_tpot_ms": )" << 1e3 * times.token << "}\n";
  return text.str();
}

/// What `genai-perf profile --concurrency` exports of ten requests a user.
std::string genai_perf_result(Load users, const LoadTimes& times) {
  std::ostringstream text;
  text
      << R"({"request_throughput": {"unit": "requests/sec", "avg": 3.0}, "time_to_first_token": {"unit": "ms", "avg": )"
      << 1e3 * times.first_token << R"(, "p99": 900.0}, "inter_token_latency": {"unit": "ms", "avg": )"
      << 1e3 * times.token << R"(}, "input_sequence_length": {"unit": "tokens", "avg": 1000.0},)"
      << R"( "output_sequence_length": {"unit": "tokens", "avg": 200.0}, "request_count": {"avg": )" << 10 * users
      << R"(}, "input_config": {"perf_analyzer": {"stimulus": {"concurrency": )" << users << "}}}}\n";
  return text.str();
}

/// The summary of a stage of inference-perf, whose requests come at a rate.
std::string inference_perf_result(Load rate, const LoadTimes& times) {
  std::ostringstream text;
  text << R"({"load_summary": {"count": 1000, "requested_rate": )" << rate
       << R"(, "send_duration": 60.0}, "successes": {"count": 1000, "latency": {"time_to_first_token": {"mean": )"
       << times.first_token << R"(, "median": 0.2}, "time_per_output_token": {"mean": )" << times.token
       << R"(}}, "prompt_len": {"mean": 1000.0}, "output_len": {"mean": 200.0}}, "failures": {"count": 0}})"
       << "\n";
  return text.str();
}

/// A load generator, and the parameter that its runs vary.
struct LoadGenerator {
  const char* name;
  std::string (*result)(Load, const LoadTimes&);
  const char* axis;
  const char* quote;  ///< around a number with a unit
  const char* unit;
  std::vector<Load> loads;
  LoadTimes errors;  ///< that calibrated times may have: three rows weigh no more than what is known before
};

const LoadGenerator load_generators[] = {
    {"vllm", vllm_result, "requests_per_user = 10\nconcurrency", "", "", {1, 2, 4, 8, 16, 32, 64, 128}, {0.05, 0.03}},
    {"genai-perf",
     genai_perf_result,
     "requests_per_user = 10\nconcurrency",
     "",
     "",
     {1, 2, 3, 4, 6, 8, 12, 16},
     {0.05, 0.03}},
    {"inference-perf",
     inference_perf_result,
     "arrivals = \"poisson\"\narrival_rate",
     "\"",
     " Hz",
     {0.5, 2, 8},
     {0.13, 0.21}},
};

std::ostream& operator<<(std::ostream& out, const LoadGenerator& generator) {
  return out << generator.name;
}

struct LoadRuns {
  ScratchFile scratch{"load.json"};
  std::filesystem::path folder = scratch.path().parent_path();

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream file(folder / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  [[nodiscard]] ProgramResult dfsweep(const std::vector<std::string>& arguments) const {
    return run_program(DFSWEEP_PROGRAM, arguments, {.folder = folder.string()});
  }
  /// Of each load, on one H100 with this software.
  [[nodiscard]] std::vector<LoadTimes> predicted(const LoadGenerator& generator, const std::string& software) const {
    std::ostringstream loads;
    for (const Load load : generator.loads)
      loads << (loads.tellp() > 0 ? ", " : "") << generator.quote << load << generator.unit << generator.quote;
    write("sweep.toml",
          "[sweep]\nname = \"made\"\nestimator = \"serving\"\n[parameters]\nmodel = \"llama3-8b\"\n"
          "system = \"dgx-h100\"\nengine = \"vllm\"\nprompt_tokens = 1000\noutput_tokens = 200\n"
          "queueing = \"simulated\"\n" +
              std::string(generator.axis) + " = [" + loads.str() + "]\nsoftware = \"" + software + "\"\n");
    BOOST_TEST_REQUIRE(dfsweep({"run", "sweep.toml", "--fresh", "--quiet"}).status == 0);
    std::istringstream rows(
        dfsweep({"export", "runs/made", "--columns", "time_to_first_token,time_per_output_token"}).out);
    std::string line;
    std::getline(rows, line);
    std::vector<LoadTimes> all;
    LoadTimes times;
    char comma = 0;
    while (rows >> times.first_token >> comma >> times.token) all.push_back(times);
    BOOST_TEST_REQUIRE(all.size() == generator.loads.size());
    return all;
  }
  /// 0.json, 1.json ... of these times; returns their names.
  [[nodiscard]] std::vector<std::string> write_results(const LoadGenerator& generator,
                                                       const std::vector<LoadTimes>& times) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < times.size(); ++i) {
      names.push_back(std::to_string(i) + ".json");
      write(names.back(), generator.result(generator.loads[i], times[i]));
    }
    return names;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(calibrate_load_test)

namespace bdata = boost::unit_test::data;

// A machine that reads weights at 0.5 of its memory bandwidth, where 0.8 is usual.
BOOST_DATA_TEST_CASE_F(LoadRuns, results_of_a_load_generator_calibrate_an_entry, bdata::make(load_generators)) {
  write("true.toml",
        "name = \"true\"\ndescription = \"what the machine does\"\n"
        "matrix_memory_share = { value = 0.5, source = \"made up\" }\n");
  const std::vector<LoadTimes> measured = predicted(sample, "true.toml");
  std::vector<std::string> import{"import", "measured", "-o", "points.csv"};
  for (const std::string& name : write_results(sample, measured)) import.push_back(name);
  for (const char* known : {"model=llama3-8b", "system=dgx-h100", "engine=vllm", "software=serving-default"})
    import.insert(import.end(), {"--set", known});
  BOOST_TEST_REQUIRE(dfsweep(import).status == 0);
  const ProgramResult calibrated =
      dfsweep({"calibrate", "points.measured.csv", "--fit", "matrix_memory_share", "-o", "mine.toml"});
  BOOST_TEST_REQUIRE(calibrated.status == 0);
  const std::vector<LoadTimes> found = predicted(sample, "mine.toml");
  const std::vector<LoadTimes> usual = predicted(sample, "serving-default");
  for (std::size_t i = 0; i < measured.size(); ++i) BOOST_TEST_CONTEXT(sample << ", load " << sample.loads[i]) {
      BOOST_TEST(std::abs(found[i].token / measured[i].token - 1) <= sample.errors.token);
      BOOST_TEST(std::abs(found[i].first_token / measured[i].first_token - 1) <= sample.errors.first_token);
      BOOST_TEST(usual[i].token < 0.9 * measured[i].token);
      BOOST_TEST(found[i].token - usual[i].token > 0.25 * (measured[i].token - usual[i].token));
    }
}

BOOST_FIXTURE_TEST_CASE(a_result_is_no_table_of_rows, LoadRuns) {
  write("run.json", vllm_result(8, {0.25, 0.0125}));
  const ProgramResult refused = dfsweep({"calibrate", "run.json"});
  BOOST_TEST(refused.status == 3);
  BOOST_TEST(refused.err.find("run.json:1:1: the result of a load generator") != std::string::npos);
  BOOST_TEST(refused.err.find("dfsweep import measured run.json -o points.csv") != std::string::npos);
}

/// A load generator does not know the machine, and names the model as the server does.
BOOST_FIXTURE_TEST_CASE(an_import_asks_for_model_and_system, LoadRuns) {
  write("run.json", vllm_result(8, {0.25, 0.0125}));
  const ProgramResult bare = dfsweep({"import", "measured", "run.json", "-o", "points.csv"});
  BOOST_TEST(bare.status == 0);
  BOOST_TEST(contains(bare.err,
                      "do not say model and system, which every point needs: add --set model=NAME --set "
                      "system=NAME"),
             bare.err);
  const ProgramResult whole = dfsweep(
      {"import", "measured", "run.json", "-o", "points.csv", "--set", "model=llama3-8b", "--set", "system=dgx-h100"});
  BOOST_TEST(!contains(whole.err, "which every point needs"), whole.err);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
