/// Points with a topology: what it changes by parameter names, shapes that do not fit, and what explain says of links.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/training/estimator.hpp"
#include "tests/support/estimator_sweep.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(topology_points_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

Entry topology(std::vector<std::string> dimensions) {
  Entry entry;
  entry.name = "topology";
  entry.text_lists["dimensions"] = std::move(dimensions);
  return entry;
}

/// 16 devices in nodes of 8 with 400 GB/s inside and 50 GB/s across, without latencies; pairs share layers.
testing::EstimatorSweep sweep() {
  Entry model;
  model.name = "small";
  model.texts["kind"] = "transformer";
  model.numbers = {{"layers", 8}, {"hidden", 4096}, {"heads", 32}, {"vocabulary", 32000}, {"sequence_length", 4096}};
  Entry system;
  system.name = "two nodes";
  system.numbers = {{"peak_flops", 1e15},   {"memory_bandwidth", 4e12}, {"memory_capacity", 80e9},
                    {"node_devices", 8},    {"node_bandwidth", 400e9},  {"network_bandwidth", 50e9},
                    {"network_latency", 0}, {"node_latency", 0}};
  testing::EstimatorSweep s(make_training_estimator);
  s.set("model", model).set("system", system).set("device_count", 16).set("tensor_parallel", 2);
  s.set("global_batch", 32);
  return s;
}

struct TopologyCase {
  const char* why;
  std::vector<std::string> dimensions;
  double tensor;  ///< time of tensor exchanges over that of switches
};

const TopologyCase topology_cases[] = {
    {"switches", {"switch", "switch"}, 1},
    {"a pair has half of a ring", {"ring"}, 2},
    {"a pair has one of seven links", {"fully_connected", "switch"}, 7},
    {"a pair is a whole ring of two, one of the two dimensions", {"ring", "ring"}, 2},
    {"a pair is one of three dimensions", {"ring", "ring", "ring"}, 3},
};

struct ShapeCase {
  const char* why;
  const char* shape;
  const char* status;
};

const ShapeCase shape_cases[] = {
    {"two nodes", "8x2", "ok"},
    {"four devices of a node of eight", "4x4", "shape_does_not_fit"},
    {"one dimension", "16", "shape_does_not_fit"},
    {"32 devices", "8x4", "shape_does_not_fit"},
};

}  // namespace

BOOST_DATA_TEST_CASE(exchanges_take_the_links_that_there_are, bdata::make(topology_cases)) {
  const testing::NamedEstimate plain = sweep().evaluate();
  const testing::NamedEstimate found = sweep().set("topology", topology(sample.dimensions)).evaluate();
  BOOST_TEST(found.status == "ok");
  BOOST_TEST(found["tensor_comm_time"] == sample.tensor * plain["tensor_comm_time"], tt::tolerance(1e-9));
  BOOST_TEST(found["forward_time"] == plain["forward_time"]);
  BOOST_TEST(found["step_time"] >= plain["step_time"]);
}

BOOST_DATA_TEST_CASE(shapes_agree_with_the_devices_and_the_node, bdata::make(shape_cases)) {
  testing::EstimatorSweep joined = sweep();
  joined.set("topology", topology({"ring", "switch"})).set("shape", sample.shape);
  BOOST_TEST(joined.evaluate().status == sample.status);
}

BOOST_AUTO_TEST_CASE(a_shape_needs_a_topology) {
  BOOST_TEST(sweep().set("shape", "8x2").evaluate().status == "shape_does_not_fit");
}

BOOST_AUTO_TEST_CASE(a_shape_that_cannot_be_read_is_a_problem_of_the_sweep) {
  testing::EstimatorSweep wrong = sweep();
  wrong.set("topology", topology({"ring", "switch"})).set("shape", "8 by 2");
  const std::vector<ValueProblem> problems = make_training_estimator()->problems_of(wrong.values());
  BOOST_REQUIRE(problems.size() == 1u);
  BOOST_TEST(problems[0].problem == "shape '8 by 2' is not a product of sizes");
}

BOOST_AUTO_TEST_CASE(a_mesh_of_chips_is_a_node_and_gateways_join_nodes) {
  Entry device, memory, links;
  device.numbers = {{"peak_flops", 1e15}, {"sram_capacity", 50e6}};
  memory.numbers = {{"bandwidth", 4e12}, {"capacity", 80e9}};
  links.numbers = {{"bandwidth", 400e9}, {"latency", 0}};
  testing::EstimatorSweep built = sweep();
  built.set_absent("system").set("device", device).set("memory", memory).set("interconnect", links);
  built.set("tensor_parallel", 16);
  const double node = built.set("node_devices", 16).evaluate()["tensor_comm_time"];
  built.set_absent("node_devices");
  // all links of a torus carry an exchange of all its devices
  built.set("topology", topology({"ring", "ring"})).set("device_link_bandwidth", 400e9);
  BOOST_TEST(built.evaluate()["tensor_comm_time"] == node, tt::tolerance(1e-12));
  // and each of them has the bandwidth of the interconnect, two in a ring
  BOOST_TEST(built.set_absent("device_link_bandwidth").evaluate()["tensor_comm_time"] == node / 4,
             tt::tolerance(1e-12));
  const Explanation torus = built.explain();
  BOOST_TEST(std::get<std::string>(torus.sections[3].table.rows[0][0]) == "tensor");
  BOOST_TEST(std::get<double>(torus.sections[3].table.rows[0][2]) == 16);  // in a node
  built.set("topology", topology({"ring", "switch"})).set("shape", "4x4");
  BOOST_TEST(std::get<double>(built.explain().sections[3].table.rows[0][2]) == 4);
}

BOOST_AUTO_TEST_CASE(explain_names_the_links_of_every_group) {
  const Explanation all = sweep().set("topology", topology({"ring", "fully_connected"})).explain();
  const Explanation& links = all.sections[5];
  BOOST_TEST(links.title == "which links carry what, before shares of software");
  BOOST_TEST(std::get<std::string>(links.facts[0].value) == "ring of 8, clique of 2");
  const auto& rows = links.table.rows;
  BOOST_REQUIRE(rows.size() == 3u);  // tensor ranks in a node; replicas in a node and between nodes
  BOOST_TEST(std::get<std::string>(rows[0][2]) == "2 of a ring of 8");
  BOOST_TEST(std::get<double>(rows[0][3]) == 200e9);
  BOOST_TEST(std::get<std::string>(rows[1][2]) == "4 of a ring of 8, 2 apart");
  BOOST_TEST(std::get<double>(rows[1][3]) == 200e9);  // the whole ring, shared by two
  BOOST_TEST(std::get<std::string>(rows[2][1]) == "between nodes");
  BOOST_TEST(std::get<double>(rows[2][3]) == 50e9);
}

BOOST_AUTO_TEST_SUITE_END()
