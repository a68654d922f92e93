/// A task graph in a file: explain prints its critical path and busy groups, and mistakes are reported at their places,
/// all at once.
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "tests/support/program.hpp"
#include "tests/support/small_result.hpp"

namespace dfsweep {

BOOST_AUTO_TEST_SUITE(taskgraph_test)

namespace {

/// 2 x 1000^3 FLOP at 1 PFLOP/s are 2 us; the second task waits for the first on another group.
const std::string good = R"(tokens = 8
[[group]]
name = "left"
peak_flops = "1 PFLOP/s"
memory_bandwidth = "100 TB/s"
[[group]]
name = "right"
peak_flops = "1 PFLOP/s"
memory_bandwidth = "100 TB/s"
[[task]]
name = "second"
group = "right"
after = ["first"]
product = [{ m = 1000, k = 1000, n = 1000, count = 3 }]
[[task]]
name = "first"
group = "left"
product = [{ m = 1000, k = 1000, n = 1000 }]
)";

const std::string bad = R"(tokens = 8
[[group]]
name = "left"
peak_flops = 5
[[task]]
name = "first"
group = "lift"
product = [{ m = 1000, k = 1.5, n = 1000 }]
[[task]]
name = "second"
group = "left"
after = ["first", "third"]
transfer = { size = "5 MB", kind = "shout" }
)";

ProgramResult with_graph(const std::string& text, const std::vector<std::string>& command,
                         const std::string& more = "") {
  const ScratchFile graph("taskgraph-graph.toml");
  const ScratchFile sweep("taskgraph.toml");
  std::ofstream(graph.path()) << text;
  std::ofstream(sweep.path()) << "[sweep]\nname = \"graph\"\nestimator = \"taskgraph\"\n[parameters]\nstrategy = \""
                              << graph.path().string() << "\"\ndevice = \"h100-80g\"\ninterconnect = \"nvlink4\"\n"
                              << more;
  std::vector<std::string> arguments{command.front(), sweep.path().string()};
  arguments.insert(arguments.end(), command.begin() + 1, command.end());
  return run_program(DFSWEEP_PROGRAM, arguments);
}

}  // namespace

BOOST_AUTO_TEST_CASE(explain_prints_the_critical_path_and_busy_groups) {
  const ProgramResult result = with_graph(good, {"explain", "--point", "0"});
  BOOST_TEST(result.status == 0);
  for (const char* text : {"step_time ", "8.000 us", "tasks of the critical path", "busy fraction of left   0.2500",
                           "busy fraction of right  0.7500", "second  right"})
    BOOST_TEST(result.out.find(text) != std::string::npos, "no '" << text << "' in\n" << result.out);
}

BOOST_AUTO_TEST_CASE(mistakes_are_reported_at_their_places) {
  const ProgramResult result = with_graph(bad, {"plan"});
  BOOST_TEST(result.status == 3);
  for (const char* text : {":4:14: group[0].peak_flops = 5 has no unit", ":7:9: 'group' of task 'first' is 'lift'",
                           ":8:28: 'k' of a product of task 'first' is 1.5", ":12:19: 'after' names 'third'",
                           ":13:36: 'kind' of a transfer of task 'second' is 'shout'"})
    BOOST_TEST(result.err.find(text) != std::string::npos, "no '" << text << "' in\n" << result.err);
}

BOOST_AUTO_TEST_CASE(what_no_graph_of_a_file_reads_is_refused) {
  const ProgramResult found =
      with_graph(good, {"plan"}, "batch = 4\nconvention = \"source\"\nlink_bandwidth = \"1 TB/s\"\n");
  BOOST_TEST(found.status == 3);
  BOOST_TEST(found.err.find("'batch' changes nothing") != std::string::npos, found.err);
  BOOST_TEST(found.err.find("'convention' changes nothing") != std::string::npos);
  BOOST_TEST(found.err.find("link_bandwidth") == std::string::npos);
  BOOST_TEST(with_graph(good, {"plan"}, "batch = 1\nlink_bandwidth = \"1 TB/s\"\n").status == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep
