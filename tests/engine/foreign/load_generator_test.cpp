/// Results of load generators: times, lengths and users of each format, and where a file is wrong.
#include "engine/foreign/load_generator.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "engine/catalogue/catalogue.hpp"
#include "io/diagnostic.hpp"

BOOST_AUTO_TEST_SUITE(load_generator_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::foreign;

namespace {

const std::string vllm =
    R"({"model_id": "m", "num_prompts": 80, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 8,
 "completed": 80, "total_input_tokens": 73600, "total_output_tokens": 16000,
 "mean_ttft_ms": 250.0, "p99_ttft_ms": 900.0, "mean_tpot_ms": 12.5})";

const std::string genai =
    R"({"time_to_first_token": {"unit": "ms", "avg": 250, "p99": 900}, "inter_token_latency": {"unit": "ms", "avg": 12.5},
 "input_sequence_length": {"avg": 920}, "output_sequence_length": {"avg": 200}, "request_count": {"avg": 80},
 "input_config": {"loadgen": {"concurrency": 8}}})";

const std::string inference =
    R"({"load_summary": {"count": 80, "requested_rate": 5.0},
 "successes": {"count": 80, "latency": {"time_to_first_token": {"mean": 0.25}, "time_per_output_token": {"mean": 0.0125}},
 "prompt_len": {"mean": 920}, "output_len": {"mean": 200}}, "failures": {"count": 0}})";

const std::string genai_table =
    "Metric,avg,min,max\n"
    "Time To First Token (ms),\"1,250.00\",1,2\n"
    "Inter Token Latency (ms),12.50,1,2\n"
    "Output Sequence Length (tokens),200.00,1,2\n"
    "Input Sequence Length (tokens),\"1,920.00\",1,2\n"
    "\n"
    "Metric,Value\n"
    "Request Throughput (per sec),5.0\n";

}  // namespace

BOOST_AUTO_TEST_CASE(totals_of_vllm_become_means) {
  const GeneratorRun run = read_generator_run(vllm, "run.json");
  BOOST_TEST(run.generator == "vllm bench serve");
  BOOST_TEST(run.prompt_tokens == 920.0);  // 73600 / 80
  BOOST_TEST(run.output_tokens == 200.0);
  BOOST_TEST(run.users == 8.0);
  BOOST_TEST(run.rate == 0.0);
  BOOST_TEST(run.requests == 80.0);
  BOOST_TEST(run.first_token == 0.25, tt::tolerance(1e-12));
  BOOST_TEST(run.token == 0.0125, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(the_others_give_means) {
  const GeneratorRun users = read_generator_run(genai, "run.json");
  BOOST_TEST(users.generator == "genai-perf");
  BOOST_TEST(users.prompt_tokens == 920.0);
  BOOST_TEST(users.users == 8.0);
  BOOST_TEST(users.first_token == 0.25, tt::tolerance(1e-12));
  const GeneratorRun rate = read_generator_run(inference, "run.json");
  BOOST_TEST(rate.generator == "inference-perf");
  BOOST_TEST(rate.rate == 5.0);
  BOOST_TEST(rate.users == 0.0);
  BOOST_TEST(rate.token == 0.0125, tt::tolerance(1e-12));
  const GeneratorRun table = read_generator_run(genai_table, "run.csv");
  BOOST_TEST(table.first_token == 1.25, tt::tolerance(1e-12));
  BOOST_TEST(table.prompt_tokens == 1920.0);
  BOOST_TEST(table.users == 0.0);
}

BOOST_AUTO_TEST_CASE(files_are_told_from_tables_of_rows) {
  BOOST_TEST(is_generator_file(vllm));
  BOOST_TEST(is_generator_file(genai_table));
  BOOST_TEST(!is_generator_file("id,source,model\n"));
  BOOST_TEST(!is_generator_file(""));
}

BOOST_AUTO_TEST_CASE(each_file_is_a_point) {
  const Catalogue catalogue = catalogue_with({});
  const GeneratorFile files[] = {{"a.json", "a", vllm}, {"b.json", "b", inference}};
  const std::pair<std::string, std::string> settings[] = {{"model", "llama3-70b"}, {"output_tokens", "199"}};
  const MeasuredPoints points = points_of_generator_files(files, settings, catalogue);
  BOOST_TEST(points.expressed == 2u);
  BOOST_TEST(points.points ==
             "model,output_tokens,queueing,prompt_tokens,concurrency,requests_per_user,arrival_rate,arrivals\n"
             "llama3-70b,199,simulated,920,8,10,,\n"
             "llama3-70b,199,simulated,920,,,5 Hz,poisson\n");
  BOOST_TEST(points.measured.find("\na,vllm bench serve,,llama3-70b,199,simulated,920,8,10,,,0.25,0.0125\n") !=
                 std::string::npos,
             points.measured);
}

BOOST_AUTO_TEST_CASE(bursty_arrivals_have_gamma_gaps) {
  std::string bursty = vllm;
  bursty.replace(bursty.find("\"inf\""), 5, "2.0")
      .replace(bursty.find("\"burstiness\": 1.0"), 17, "\"burstiness\": 0.25");
  bursty.replace(bursty.find("\"max_concurrency\": 8"), 20, "\"max_concurrency\": null");
  const GeneratorFile file{"a.json", "a", bursty};
  const MeasuredPoints points = points_of_generator_files({&file, 1}, {}, catalogue_with({}));
  BOOST_TEST(points.points ==
             "queueing,prompt_tokens,output_tokens,arrival_rate,arrivals,arrival_variation\n"
             "simulated,920,200,2 Hz,gamma,2\n");  // 1 / sqrt(0.25)
}

namespace {

struct BadResult {
  const char* text;
  const char* problem;
};
const BadResult bad_results[] = {
    {R"({"mean_ttft_ms": 1})", "'completed' is missing"},
    {"{\"completed\": 8, \"mean_ttft_ms\": 1,\n \"total_input_tokens\": \"many\"}", "run.json:2"},
    {R"({"successes": {"latency": {}}})", "'successes.latency.time_to_first_token.mean' is missing"},
    {R"({"time_to_first_token": {"avg": -1}})", "'time_to_first_token.avg' is -1"},
    {R"({"model": "m"})", "not the result of a known load generator"},
    {"Metric,avg\nTime To First Token (ms),1\n", "no row 'Inter Token Latency (ms)'"},
    {"{", "run.json:1"},
};

std::ostream& operator<<(std::ostream& out, const BadResult& bad) {
  return out << bad.problem;
}

}  // namespace

BOOST_DATA_TEST_CASE(malformed_results_say_where, bdata::make(bad_results)) {
  try {
    static_cast<void>(read_generator_run(sample.text, "run.json"));
    BOOST_ERROR("accepted");
  } catch (const UserError& error) {
    std::string all;
    for (const Problem& problem : error.problems) all += to_string(problem) + "\n";
    BOOST_TEST(all.find(sample.problem) != std::string::npos, all);
  }
}

BOOST_AUTO_TEST_SUITE_END()
