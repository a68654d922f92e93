/// Explanations of mappings: partitions, tensors, the choices next to a mapping, and what is drawn.
#include "models/dataflow/explain/explain.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/dataflow_point.hpp"

BOOST_AUTO_TEST_SUITE(explain_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::dataflow;
using namespace dfsweep::testing;

namespace {

/// Three kernels in a row on one chip of 1 GFLOP/s and 1 GB/s: matrix 2 x 100^3 FLOP, activation 100^2, matrix again.
/// Tensors of 100 x 100 words of 2 bytes = 20 kB, which take 40 us through DRAM.
DataflowPoint three_kernels(const char* pass_of_second = "forward") {
  Entry graph;
  graph.name = "three";
  graph.texts["kind"] = "graph";
  graph.numbers["global_batch"] = 1;
  const auto kernel = [](const char* name, const char* type, double k) {
    Entry part;
    part.texts = {{"name", name}, {"type", type}};
    part.numbers = {{"m", 100}, {"k", k}, {"n", 100}};
    return part;
  };
  const auto edge = [](const char* from, const char* to) {
    Entry part;
    part.texts = {{"from", from}, {"to", to}};
    return part;
  };
  graph.parts["kernel"] = {kernel("first", "matrix", 100), kernel("activation", "elementwise", 1),
                           kernel("second", "matrix", 100)};
  graph.parts["kernel"].back().texts["pass"] = pass_of_second;
  graph.parts["edge"] = {edge("first", "activation"), edge("activation", "second")};
  DataflowPoint point;
  point.set("model", graph)
      .set("phase", "prefill")
      .set("device", device_entry(1, 1, 1, 0.5e9, 1e9, 1, 1))
      .set("memory", memory_entry(1e9, 0))
      .set("topology", topology_entry("r"))
      .set("shape", "1")
      .set("interconnect", interconnect_entry(1e9, 0))
      .set("compute_utilization", 1.0)
      .set("overlap", "none");
  return point;
}

const Explanation& section(const Explanation& all, const std::string& title) {
  const auto found = std::find_if(all.sections.begin(), all.sections.end(),
                                  [&](const Explanation& section) { return section.title == title; });
  BOOST_REQUIRE(found != all.sections.end());
  return *found;
}

std::string text(const Explanation& section, std::size_t row, std::size_t column) {
  return std::get<std::string>(section.table.rows.at(row).at(column));
}
double number(const Explanation& section, std::size_t row, std::size_t column) {
  return std::get<double>(section.table.rows.at(row).at(column));
}

}  // namespace

// Without overlap: 2 + 0.01 + 2 ms of compute, and 40 us for each tensor that passes through DRAM.
BOOST_AUTO_TEST_CASE(the_next_best_of_one_partition_costs_one_tensor_through_dram) {
  const Explanation all = three_kernels().set("mapping", "best").explain();
  const Explanation& others = section(all, "other mappings");
  BOOST_REQUIRE(others.table.rows.size() == 4u);
  BOOST_TEST(text(others, 0, 0) == "this one");
  BOOST_TEST(number(others, 0, 2) == 4.01e-3, tt::tolerance(1e-12));
  BOOST_TEST(text(others, 1, 0) == "one kernel moved");
  BOOST_TEST(std::isnan(number(others, 1, 2)), "there is no other partition to move to");
  BOOST_TEST(text(others, 2, 0) == "best with 2 partitions");
  BOOST_TEST(number(others, 2, 2) == 4.05e-3, tt::tolerance(1e-12));
  BOOST_TEST(text(others, 3, 0) == "kernel by kernel");
  BOOST_TEST(number(others, 3, 2) == 4.09e-3, tt::tolerance(1e-12));
  BOOST_TEST(std::get<std::string>(others.facts.at(0).value) == "best with 2 partitions");
  BOOST_TEST(std::get<double>(others.facts.at(1).value) == 0.04e-3, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_given_mapping_is_set_beside_the_best_one) {
  const Explanation all = three_kernels().set("mapping", "kernel_by_kernel").explain();
  const Explanation& others = section(all, "other mappings");
  BOOST_REQUIRE(others.table.rows.size() == 4u);
  BOOST_TEST(text(others, 1, 4) == "first to partition 1");
  BOOST_TEST(number(others, 1, 1) == 2.0);
  BOOST_TEST(number(others, 1, 2) == 4.05e-3, tt::tolerance(1e-12));
  BOOST_TEST(text(others, 3, 0) == "best under the same limits");
  BOOST_TEST(number(others, 3, 2) == 4.01e-3, tt::tolerance(1e-12));
  BOOST_TEST(std::get<double>(others.facts.at(1).value) == -0.08e-3, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(partitions_and_tensors_say_what_binds_and_what_stays) {
  Entry mapping;
  mapping.name = "two";
  mapping.lists["assignment"] = {0, 0, 1};
  const Explanation all = three_kernels().set("mapping", mapping).set("overlap", "perfect").explain();
  const Explanation& partitions = section(all, "partitions, per layer and sequence");
  BOOST_TEST(text(partitions, 0, 5) == "compute");
  BOOST_TEST(text(partitions, 0, 8) == "first activation");
  BOOST_TEST(number(partitions, 1, 2) == 20e-6, tt::tolerance(1e-12));
  const Explanation& tensors = section(all, "tensors, per sequence");
  BOOST_TEST(text(tensors, 0, 3) == "on the chip, partition 0");
  BOOST_TEST(text(tensors, 1, 3) == "DRAM, partition 0 to 1");
  BOOST_TEST(number(tensors, 1, 2) == 20e3);
  BOOST_REQUIRE(all.drawing.has_value());
  BOOST_TEST(all.drawing->groups.size() == 2u);
  BOOST_TEST(all.drawing->nodes.at(2).group == 1u);
  BOOST_TEST(all.drawing->edges.at(1).amount == 20e3);
  BOOST_TEST(all.drawing->groups.at(0).share + all.drawing->groups.at(1).share == 1.0, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(tensors_kept_for_the_backward_pass_come_with_a_note) {
  const auto has_note = [](const Explanation& all) {
    return std::any_of(all.facts.begin(), all.facts.end(), [](const Fact& fact) { return fact.label == "note"; });
  };
  BOOST_TEST(!has_note(three_kernels().explain()));
  BOOST_TEST(has_note(three_kernels("backward").set("phase", "train").explain()));
  BOOST_TEST(!has_note(three_kernels("backward").set("phase", "train").set("convention", "dfmodel-g1").explain()));
}

BOOST_AUTO_TEST_CASE(a_mapping_that_does_not_fit_is_drawn_and_one_that_is_none_is_not) {
  const Explanation small = three_kernels().set("mapping", "single_partition").set("sram_capacity", 1.0).explain();
  BOOST_TEST(small.drawing.has_value());
  BOOST_TEST(std::isnan(number(section(small, "other mappings"), 0, 2)));
  Entry mapping;
  mapping.name = "backwards";
  mapping.lists["assignment"] = {1, 0, 0};
  BOOST_TEST(!three_kernels().set("mapping", mapping).explain().drawing.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
