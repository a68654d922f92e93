/// `dfsweep fit batch` as a program: the shipped laws from the shipped runs, left-out errors, files, and what it
/// refuses.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>

#include "io/json.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(fit_batch_test)

namespace {

namespace tt = boost::test_tools;

const std::string shipped_runs = DFSWEEP_SOURCE_DIR "/sweeps/measured/convergence.csv";

ProgramResult fit_batch(std::vector<std::string> words) {
  words.insert(words.begin(), {"fit", "batch"});
  return run_program(DFSWEEP_PROGRAM, words);
}

struct Shipped {
  const char* model;
  const char* entry;
};
const Shipped shipped[] = {{"gpt3-175b", "gpt3-175b"},
                           {"llama3.1-405b", "llama3.1-405b"},
                           {"llama3.1-8b", "llama3.1-8b"},
                           {"llama2-70b", "llama2-70b-adapters"}};

/// The number of a field in an entry of the catalogue; NaN where it has none.
double shipped_number(const std::string& entry, const std::string& field) {
  std::ifstream file(DFSWEEP_SOURCE_DIR "/sweeps/catalogue/batch_laws/" + entry + ".toml");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(field + " = { value = ")) return std::stod(line.substr(line.find("value = ") + 8));
  return std::nan("");
}

const Json& law_of(const Json& fit, const std::string& model) {
  for (const Json& law : fit.at("batch_laws").array())
    if (law.at("model").text() == model) return law;
  throw JsonError("no law of " + model);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_shipped_runs_give_the_shipped_laws) {
  const ProgramResult result = fit_batch({shipped_runs, "--json"});
  BOOST_REQUIRE(result.status == 0);
  const Json fit = parse_json(result.out);
  double errors = 0.0;
  double configurations = 0.0;
  for (const Shipped& each : shipped) {
    const Json& law = law_of(fit, each.model);
    for (const char* field : {"samples", "critical_batch", "format_factor_4bit", "spread"}) {
      const Json& value = law.at(field).at("value");
      const double theirs = shipped_number(each.entry, field);
      BOOST_TEST(value.is_null() == std::isnan(theirs), each.model << " " << field);
      if (!value.is_null()) BOOST_TEST(value.number() == theirs, tt::tolerance(1e-3));
    }
    const double error = law.at("left_out_error").number();
    const auto count = static_cast<double>(law.at("left_out").array().size());
    BOOST_TEST(error <= 0.06, each.model);  // systems left out
    errors += error * count;
    configurations += count;
  }
  BOOST_TEST(errors / configurations <= 0.03);
  BOOST_TEST(!law_of(fit, "llama3.1-405b").at("critical_batch_identified").boolean());
}

BOOST_AUTO_TEST_CASE(a_fitted_law_serves_a_sweep) {
  const ScratchFile law("mine.toml");
  BOOST_REQUIRE(fit_batch({shipped_runs, "--model", "llama3.1-8b", "-o", law.path().string()}).status == 0);
  const ScratchFile sweep("sweep.toml");
  std::ofstream(sweep.path()) << "[sweep]\nname = 'mine'\nestimator = 'training'\n[parameters]\nmodel = 'llama3-8b'\n"
                                 "system = 'dgx-h100'\ndevice_count = 8\nglobal_batch = 32\nprecision = 'fp8'\n"
                                 "optimizer_sharding = 1\nrecompute = 'full'\nbatch_law = '"
                              << law.path().string() << "'\n";
  const ProgramResult result =
      run_program(DFSWEEP_PROGRAM, {"explain", sweep.path().string(), "--point", "0", "--json"});
  BOOST_TEST(result.status == 0, result.err);
  BOOST_TEST(result.out.find("184320") != std::string::npos);  // 131 728 (1 + 32 / 98.3) at evaluations of 12 288
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_refused_at_its_place) {
  struct Bad {
    const char* text;
    const char* message;
  };
  const Bad bad[] = {
      {"global_batch\n8\n", ":1:1: no column 'samples_to_target'"},
      {"global_batch,samples_to_target\n8,many\n", ":2:3: 'many' is not a number above 0"},
      {"global_batch,samples_to_target\n,100\n", ":2:1: no global batch"},
      {"global_batch,samples_to_target,precision\n8,100,fp12\n", ":2:7: unknown precision 'fp12'"},
      {"global_batch,samples_to_target,previous_evaluation_samples\n8,100,200\n",
       "before the evaluation that missed it"},
      {"global_batch,samples_to_target\n", "no runs"},
  };
  for (const Bad& each : bad) {
    const ScratchFile runs("runs.csv");
    std::ofstream(runs.path()) << each.text;
    const ProgramResult result = fit_batch({runs.path().string()});
    BOOST_TEST(result.status == 3, each.text);
    BOOST_TEST(result.err.find(each.message) != std::string::npos, result.err);
  }
}

BOOST_AUTO_TEST_CASE(one_law_goes_into_a_file) {
  const ProgramResult several = fit_batch({shipped_runs, "-o", "x.toml"});
  BOOST_TEST(several.status == 2);
  BOOST_TEST(several.err.find("--model") != std::string::npos);
  BOOST_TEST(fit_batch({shipped_runs, "--model", "llama"}).status == 2);
  const ScratchFile runs("runs.csv");
  std::ofstream(runs.path()) << "global_batch,samples_to_target\n8,\n8,\n";
  const ProgramResult none = fit_batch({runs.path().string(), "-o", runs.path().string() + ".toml"});
  BOOST_TEST(none.status == 3);
  BOOST_TEST(none.err.find("no run reached the target") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
