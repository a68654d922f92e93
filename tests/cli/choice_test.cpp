/// "best" in a sweep file: the program finds what a search over the same lists finds, alone and among other values.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <sstream>

#include "tests/support/program.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(choice_test)

namespace {

const std::string head = R"([sweep]
name = "choice"
estimator = "dataflow"
[parameters]
model = "gpt3-175b"
device = ["h100", "sn30"]
memory = "hbm3"
topology = ["2d-torus", "3d-torus"]
interconnect = "nvlink4"
outer_interconnect = "pcie4"
device_count = [16, 64]
global_batch = 12
)";

const std::string chosen = R"(tensor_parallel = "best"
pipeline_parallel = "best"
data_parallel = "best"
micro_batch = "best"
)";

const std::string searched = R"(tensor_parallel = { powers_of = 2, from = 1, to = 64 }
pipeline_parallel = { powers_of = 2, from = 1, to = 64 }
data_parallel = { powers_of = 2, from = 1, to = 64 }
micro_batch = [1, 2, 3, 4, 6, 12]
[search]
over = ["tensor_parallel", "pipeline_parallel", "data_parallel", "micro_batch"]
minimize = "step_time"
)";

/// Exported rows of a sweep, without the line of headings.
std::string rows_of(const std::string& sweep, const std::string& columns) {
  const ScratchFile file("choice.toml");
  const ScratchFile folder("choice-run");
  std::ofstream(file.path()) << sweep;
  const ProgramResult run =
      run_program(DFSWEEP_PROGRAM, {"run", file.path().string(), "--out", folder.path().string(), "--quiet"});
  BOOST_TEST_REQUIRE(run.status == 0, run.err);
  const ProgramResult listed = run_program(DFSWEEP_PROGRAM, {"export", (folder.path() / "result.h5").string(),
                                                             "--format", "csv", "--columns", columns, "-o", "-"});
  BOOST_TEST_REQUIRE(listed.status == 0, listed.err);
  return listed.out.substr(listed.out.find('\n') + 1);
}

BOOST_AUTO_TEST_CASE(best_is_what_a_search_finds) {
  const std::string common = "device,topology,device_count,status,step_time,memory_used,";
  const std::string best = rows_of(
      head + chosen, common + "best_tensor_parallel,best_pipeline_parallel,best_data_parallel,best_micro_batch");
  BOOST_TEST(best == rows_of(head + searched, common + "tensor_parallel,pipeline_parallel,data_parallel,micro_batch"));
  BOOST_TEST(best.find("ok") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(best_stands_among_other_values) {
  const std::string sweep = head +
                            "tensor_parallel = [4, \"best\"]\npipeline_parallel = \"best\"\n"
                            "data_parallel = \"best\"\n[filter]\nkeep = [\"tensor_parallel != 4\"]\n";
  std::istringstream rows(rows_of(sweep, "tensor_parallel,best_tensor_parallel"));
  std::string row;
  std::size_t count = 0;
  for (; std::getline(rows, row); ++count) BOOST_TEST(row.rfind("best,", 0) == 0U, row);
  BOOST_TEST(count == 8U);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
