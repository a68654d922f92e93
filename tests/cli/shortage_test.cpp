/// A point that no mapping makes feasible: explain names what the chip lacks and how much of it, as text and as JSON.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(shortage_test)

namespace {

/// Two products of 1000 x 1000 by 1000 x 100 words of 2 bytes on one chip: weights of 2 000 000 B each, and a tensor of
/// 200 000 B between them.
const std::string graph = R"(name = "two"
kind = "graph"
global_batch = 1
[[kernel]]
name = "up"
m = 1000
k = 1000
n = 100
weight_words = 1000000
[[kernel]]
name = "down"
m = 1000
k = 1000
n = 100
weight_words = 1000000
[[edge]]
from = "up"
to = "down"
)";

const std::string sweep = R"([sweep]
name = "shortage"
estimator = "dataflow"
[parameters]
phase = "prefill"
device = "sn10"
memory = "ddr4"
topology = "ring"
shape = "1"
interconnect = "pcie4"
mapping = "best"
sram_accounting = "code"
sram_capacity = ["2 MB", "10 MB"]
dram_capacity = ["1 MB", "1 GB"]
)";

ProgramResult explained(const std::string& point, const std::vector<std::string>& options = {}) {
  const ScratchFile model("shortage-graph.toml");
  const ScratchFile file("shortage.toml");
  std::ofstream(model.path()) << graph;
  std::ofstream(file.path()) << sweep << "model = \"" << model.path().string() << "\"\n";
  std::vector<std::string> arguments{"explain", file.path().string(), "--point", point};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run_program(DFSWEEP_PROGRAM, arguments);
}

void check_says(const std::string& point, const std::string& status, const std::string& reason) {
  const ProgramResult text = explained(point);
  BOOST_TEST(text.status == 0, text.err);
  BOOST_TEST(text.out.find(status) != std::string::npos, text.out);
  BOOST_TEST(text.out.find("no mapping fits  " + reason) != std::string::npos, text.out);
  const ProgramResult json = explained(point, {"--json"});
  BOOST_TEST(json.status == 0, json.err);
  const std::string dumped = nlohmann::json::parse(json.out).dump();
  BOOST_TEST(dumped.find(nlohmann::json(reason).dump()) != std::string::npos, dumped);
}

// Alone each kernel needs its weights and the tensor at its border twice: 2 400 000 B.
const std::string sram = "up alone needs 2400000 B of SRAM, 400000 B more than available";

BOOST_AUTO_TEST_CASE(too_little_sram) {
  check_says("1", "out_of_sram", sram);
}

// The weights of both leave -3 000 000 B; as one partition nothing is alive between partitions.
BOOST_AUTO_TEST_CASE(too_little_dram) {
  check_says("2", "out_of_memory", "tensors between partitions need 0 B of DRAM, 3000000 B more than left for them");
}

// As kernels alone, the tensor between them comes on top.
BOOST_AUTO_TEST_CASE(too_little_of_both) {
  check_says("0", "out_of_memory",
             sram + "; tensors between partitions need 0 B of DRAM, 3000000 B more than left for them");
}

// What a user can do with a result that has no estimate: look at the point that is nearest to one, and change the
// sweep.
BOOST_AUTO_TEST_CASE(a_run_without_an_estimate_says_what_is_next) {
  const ScratchFile file("shortage-training.toml");
  const ScratchFile run("shortage-run");
  std::ofstream(file.path())
      << "[sweep]\nname = \"none\"\nestimator = \"training\"\n[parameters]\nmodel = \"gpt3-175b\"\n"
         "system = \"dgx-h100\"\ndevice_count = [8, 16]\nglobal_batch = 16\n";
  const ProgramResult ran = run_program(DFSWEEP_PROGRAM, {"run", file.path().string(), "--out", run.path().string()});
  BOOST_TEST(ran.status == 0, ran.err);  // a point that is not feasible is a result
  BOOST_TEST(
      ran.err.find("no point has an estimate. Once the sweep is changed, run it with --fresh") != std::string::npos,
      ran.err);
  const std::string result = (run.path() / "result.h5").string();
  const std::size_t next = ran.out.find("Next: dfsweep explain " + result + " --point ");
  BOOST_TEST_REQUIRE(next != std::string::npos, ran.out);
  const std::string point = ran.out.substr(ran.out.rfind(' ') + 1, 1);
  const ProgramResult explained = run_program(DFSWEEP_PROGRAM, {"explain", result, "--point", point});
  BOOST_TEST(explained.out.find("out_of_memory") != std::string::npos, explained.out);
  std::filesystem::remove_all(run.path());
}

BOOST_AUTO_TEST_CASE(enough_of_both) {
  const ProgramResult text = explained("3");
  BOOST_TEST(text.out.find("no mapping fits") == std::string::npos, text.out);
  BOOST_TEST(text.out.find(": ok") != std::string::npos, text.out);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
