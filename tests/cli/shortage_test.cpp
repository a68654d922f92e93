/// A point that no mapping makes feasible: explain names what the chip lacks and how much of it, as text and as JSON.
#include <boost/test/unit_test.hpp>
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

BOOST_AUTO_TEST_CASE(enough_of_both) {
  const ProgramResult text = explained("3");
  BOOST_TEST(text.out.find("no mapping fits") == std::string::npos, text.out);
  BOOST_TEST(text.out.find(": ok") != std::string::npos, text.out);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
