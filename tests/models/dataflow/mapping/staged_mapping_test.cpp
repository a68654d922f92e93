/// Graphs shared out over the stages of a pipeline, through the estimator: times by hand, against brute force, limits.
#include "models/dataflow/mapping/staged_mapping.hpp"
#include "models/absent.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/dataflow/parallelism/layout.hpp"
#include "tests/models/dataflow/mapping/staged_points.hpp"

BOOST_AUTO_TEST_SUITE(staged_mapping_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::dataflow;
using namespace dfsweep::testing;

namespace {

/// k0 -> k1 -> k2 with 1, 0.5 and 2 ms of compute; tensors of 20 kB: 20 us of DRAM, 201 us of network.
Entry three_in_a_row() {
  return graph_entry({{50}, {25}, {100}}, {{0, 1}, {1, 2}});
}

struct Pipeline {
  const char* overlap;
  const char* mapping;
  double slowest;  ///< s per pass
  double others;
};
std::ostream& operator<<(std::ostream& out, const Pipeline& c) {
  return out << c.overlap << ", " << c.mapping;
}

// Two stages: {k0 k1} and {k2}. A latency of 1 us for each micro-batch of 2 passes.
const double sent = 200e-6 + 0.5e-6;
const Pipeline pipelines[] = {
    {"perfect", "kernel_by_kernel", 2e-3, 1.5e-3},
    {"perfect", "best", 2e-3, 1.5e-3},
    // k0 stores, k1 loads and stores, k2 loads 20 kB each
    {"none", "kernel_by_kernel", 2e-3 + 20e-6, 1.5e-3 + 60e-6 + sent},
    {"none", "single_partition", 2e-3 + 20e-6, 1.5e-3 + 20e-6 + sent},
    {"none", "best", 2e-3 + 20e-6, 1.5e-3 + 20e-6 + sent},
    {"network_exposed", "kernel_by_kernel", 2e-3, 1.5e-3 + sent},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_pipeline_takes_the_slowest_stage_per_pass_and_the_others_once, bdata::make(pipelines), c) {
  const NamedEstimate result = point_of(three_in_a_row(), 2)
                                   .set("micro_batch", 2)
                                   .set("overlap", std::string(c.overlap))
                                   .set("mapping", std::string(c.mapping))
                                   .evaluate();
  BOOST_REQUIRE(result.status == "ok");
  BOOST_TEST(result["step_time"] == 12 * c.slowest + 2 * c.others, tt::tolerance(1e-12));
  BOOST_TEST(result["bubble_time"] == 2 * c.others, tt::tolerance(1e-12));
  BOOST_TEST(result["compute_time"] == 12 * 2e-3, tt::tolerance(1e-12));
  BOOST_TEST(result["achieved_flops"] * result["step_time"] == 12 * 3.5e6, tt::tolerance(1e-12));
  if (std::string(c.overlap) == "none")
    BOOST_TEST(result["compute_time"] + result["memory_time"] + result["network_time"] + result["bubble_time"] ==
                   result["step_time"],
               tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_tensor_passes_through_the_stages_between_its_ends) {
  // k0 feeds k2 as well: the stage of k1 sends both tensors, 400 us, more than it computes.
  const Entry graph = graph_entry({{10}, {10}, {10}}, {{0, 1}, {1, 2}, {0, 2}});
  const NamedEstimate result = point_of(graph, 3).set("link_latency", 0).evaluate();
  BOOST_REQUIRE(result.status == "ok");
  // The first stage would send 400 us too: {k0}, {k1 k2} costs that; so does any cut. All in one stage takes 600 us.
  BOOST_TEST(result["step_time"] - result["bubble_time"] == 12 * 400e-6, tt::tolerance(1e-12));
  const NamedEstimate alone = point_of(graph, 3).set("link_bandwidth", 1e7).evaluate();
  BOOST_TEST(alone["step_time"] == 12 * 600e-6, tt::tolerance(1e-12));  // the other two stages stay empty
}

BOOST_AUTO_TEST_CASE(given_partitions_stay_whole) {
  Entry mapping;
  mapping.name = "given";
  mapping.lists["assignment"] = {0, 1, 1};
  const NamedEstimate result = point_of(three_in_a_row(), 2).set("mapping", mapping).evaluate();
  BOOST_REQUIRE(result.status == "ok");
  BOOST_TEST(result["step_time"] == 12 * 2.5e-3 + 1e-3, tt::tolerance(1e-12));
  BOOST_TEST(result["partitions"] == 2.0);
}

BOOST_AUTO_TEST_CASE(each_stage_holds_what_it_executes) {
  // 40, 40 and 20 kB of weights and 20 kB of tensor. Balanced are {k0 k1}, {k2}, which need 100 kB; the others 80 kB.
  const Entry graph = graph_entry({{10, 100, 20e3}, {10, 100, 20e3}, {20, 100, 10e3}}, {{0, 1}, {1, 2}});
  DataflowPoint point = point_of(graph, 2);
  point.set("mapping", "single_partition");
  const NamedEstimate roomy = point.evaluate();
  BOOST_TEST(roomy["step_time"] - roomy["bubble_time"] == 12 * 400e-6, tt::tolerance(1e-12));
  BOOST_TEST(roomy["memory_used"] == 100e3);
  // Too little for the weights of {k0 k1}, and then only for the tensor beside them.
  for (const double capacity : {80e3, 99e3}) {
    const NamedEstimate small = point.set("dram_capacity", capacity).evaluate();
    BOOST_REQUIRE(small.status == "ok");
    BOOST_TEST(small["step_time"] - small["bubble_time"] == 12 * 600e-6, tt::tolerance(1e-12));
    BOOST_TEST(small["memory_used"] == 80e3);
  }
  const NamedEstimate none = point.set("dram_capacity", 30e3).evaluate();
  BOOST_TEST(none.status == "out_of_memory");
  BOOST_TEST(none["memory_used"] > 30e3);
}

BOOST_AUTO_TEST_CASE(more_stages_than_kernels_contradict) {
  BOOST_TEST(point_of(three_in_a_row(), 3).evaluate().status == "ok");
  BOOST_TEST(point_of(three_in_a_row(), 4).evaluate().status == "invalid");
  BOOST_TEST(point_of(three_in_a_row(), 2).set("interleaving", 2).evaluate().status == "invalid");
  BOOST_TEST(point_of(three_in_a_row(), 2).set("convention", "dfmodel-g1").evaluate().status == "invalid");
  Entry repeated = three_in_a_row();
  repeated.numbers["layers"] = 2;
  BOOST_TEST(point_of(repeated, 2).evaluate().status == "ok");  // a layer each, as before
  BOOST_TEST(point_of(repeated, 3).evaluate().status == "invalid");
}

namespace {

/// Four steps on a ring of four chips or two stages of two.
DataflowPoint hpl_point() {
  Entry hpl;
  hpl.name = "hpl";
  hpl.texts["kind"] = "hpl";
  hpl.numbers = {{"matrix_size", 400}, {"block_size", 50}, {"steps", 4}};
  DataflowPoint point = point_of(hpl, absent);
  point.set("tensor_parallel", absent)
      .set("data_parallel", absent)
      .set("topology", topology_entry("rr"))
      .set("shape", "2x2");
  return point;
}

}  // namespace

BOOST_AUTO_TEST_CASE(programs_have_stages_where_they_are_asked_for) {
  // Without a pipeline four chips work on each step: 2 s^2 50 / 4 FLOP, s = 400, 350, 300, 250.
  const double work = 2.0 * 50.0 * (400 * 400 + 350 * 350 + 300 * 300 + 250 * 250) / 1e9;
  const NamedEstimate all = hpl_point().evaluate();
  BOOST_TEST(all["compute_time"] == work / 4, tt::tolerance(1e-12));
  BOOST_TEST(hpl_point().set("pipeline_parallel", 1).evaluate()["step_time"] == all["step_time"]);
  // Two stages of two chips: the single pass visits one after the other, so the first takes all steps.
  const NamedEstimate two = hpl_point().set("pipeline_parallel", 2).evaluate();
  BOOST_REQUIRE(two.status == "ok");
  BOOST_TEST(two["compute_time"] == work / 2, tt::tolerance(1e-12));
  BOOST_TEST(two["bubble_time"] == 0.0);
  BOOST_TEST(two["optimality_gap"] == 0.0);
  BOOST_TEST(two["achieved_flops"] * two["step_time"] == all["achieved_flops"] * all["step_time"],
             tt::tolerance(1e-12));
  // Named roles without degrees, and what cannot be.
  BOOST_TEST(hpl_point().set("dimension_roles", "tensor_pipeline").evaluate()["step_time"] == two["step_time"]);
  BOOST_TEST(hpl_point().set("pipeline_parallel", 4).evaluate().status == "invalid");
  // To the original a degree is the size of a dimension.
  DataflowPoint original = hpl_point();
  original.set("convention", "dfmodel-g1");
  const double grid = original.evaluate()["step_time"];
  BOOST_TEST(original.set("pipeline_parallel", 2).evaluate()["step_time"] == grid);
}

/// 1.5, 0.02 and 1.5 ms of compute; tensors of 20 and 2 kB. Many passes want two stages, one pass wants one, and with
/// too little DRAM for that the two whose transfer is cheapest.
BOOST_AUTO_TEST_CASE(the_number_of_passes_decides_the_stages) {
  const Entry graph = graph_entry({{75, 100, 20e3}, {10, 10, 20e3}, {75, 100, 20e3}}, {{0, 1}, {1, 2}});
  DataflowPoint point = point_of(graph, 2);
  point.set("mapping", "single_partition").set("overlap", "network_exposed");
  const NamedEstimate many = point.evaluate();
  BOOST_TEST(many["bubble_time"] > 0.0);
  const NamedEstimate once = point.set("global_batch", 1).evaluate();
  BOOST_TEST(once["bubble_time"] == 0.0);
  BOOST_TEST(once["compute_time"] == 3.02e-3, tt::tolerance(1e-12));
  // Weights of 40 kB each; two of them and a tensor of 2 kB fit: {k0 k1}, {k2} sends 2 kB, {k0}, {k1 k2} 20 kB.
  const NamedEstimate small = point.set("dram_capacity", 90e3).evaluate();
  BOOST_REQUIRE(small.status == "ok");
  BOOST_TEST(small["step_time"] == 3.02e-3 + 20e-6 + 1e-6, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(the_first_dimension_may_be_the_pipeline) {
  DataflowPoint slow_outside = hpl_point();
  slow_outside.set("outer_link_bandwidth", 1e6).set("pipeline_parallel", 2).set("overlap", "none");
  const NamedEstimate inner = slow_outside.set("dimension_roles", "tensor_pipeline").evaluate();
  const NamedEstimate outer = slow_outside.set("dimension_roles", "pipeline_tensor").evaluate();
  // Tensors between stages are as large as blocks within them: 200 x 50 words against 400 x 50 / 2 and 350 x 50 / 2.
  BOOST_TEST(inner["step_time"] < outer["step_time"]);
}

BOOST_AUTO_TEST_CASE(the_best_number_of_stages_is_what_trying_finds) {
  const std::string best(best_value);
  Entry dlrm;
  dlrm.name = "dlrm";
  dlrm.texts["kind"] = "dlrm";
  dlrm.numbers = {{"tables", 4},      {"rows_per_table", 100}, {"embedding_dim", 16},
                  {"pooled_rows", 2}, {"mlp_layers", 3},       {"bottom_layers", 2},
                  {"mlp_width", 64},  {"samples_per_chip", 8}, {"global_batch", 256}};
  for (const Entry& model : {dlrm, three_in_a_row()}) {
    DataflowPoint point = point_of(model, 1);
    point.set("topology", topology_entry("rr")).set("device_count", 4).set("link_bandwidth", 1e7);
    const std::string inside = model.name == "dlrm" ? "data_parallel" : "tensor_parallel";
    double least = std::numeric_limits<double>::infinity();
    double least_stages = 0.0;
    for (const double stages : {1.0, 2.0, 4.0}) {
      const NamedEstimate result = point.set("pipeline_parallel", stages).set(inside, 4.0 / stages).evaluate();
      if (result.status != "ok" || result["step_time"] >= least) continue;
      least = result["step_time"];
      least_stages = stages;
    }
    const NamedEstimate chosen = point.set("pipeline_parallel", best).set(inside, best).evaluate();
    BOOST_TEST(chosen["step_time"] == least);
    BOOST_TEST(chosen["best_pipeline_parallel"] == least_stages);
  }
}

// 2 MB of weights for each of four kernels: only alone on a chip they stay in SRAM and are not read, 2 ms, for every
// pass.
BOOST_AUTO_TEST_CASE(the_best_number_of_stages_keeps_weights_on_the_chips) {
  const Entry graph =
      graph_entry({{10, 100, 1e6}, {10, 100, 1e6}, {10, 100, 1e6}, {10, 100, 1e6}}, {{0, 1}, {1, 2}, {2, 3}});
  DataflowPoint point = point_of(graph, absent);
  const std::string best(best_value);
  point.set("topology", topology_entry("rr")).set("device_count", 4).set("sram_capacity", 2.5e6);
  point.set("pipeline_parallel", best).set("data_parallel", best).set("link_bandwidth", 1e9);
  const NamedEstimate chosen = point.evaluate();
  BOOST_TEST(chosen["best_pipeline_parallel"] == 4.0);
  BOOST_TEST(chosen["step_time"] < 12 * 0.25e-3 + 4 * 0.25e-3);
}

// Alone k2 needs its 50 kB of weights and its two tensors of 20 kB twice; the chip has 1 kB less.
BOOST_AUTO_TEST_CASE(explanations_name_the_stage_and_the_kernel_that_do_not_fit) {
  DataflowPoint point = point_of(graph_entry({{50}, {25}, {100, 100, 25e3}, {10}}, {{0, 1}, {1, 2}, {2, 3}}), 2);
  point.set("mapping", "best").set("sram_accounting", "code").set("sram_capacity", 129e3);
  BOOST_TEST(point.evaluate().status == "out_of_sram");
  const std::vector<Fact> facts = point.explain().facts;
  const auto reason =
      std::find_if(facts.begin(), facts.end(), [](const Fact& fact) { return fact.label == "no mapping fits"; });
  BOOST_REQUIRE(reason != facts.end());
  BOOST_TEST(std::get<std::string>(reason->value) ==
             "stage 1: k2 alone needs 130000 B of SRAM, 1000 B more than available");
}

BOOST_AUTO_TEST_CASE(explanations_tell_stages_apart) {
  const Explanation all = point_of(three_in_a_row(), 2).explain();
  const auto stages = std::find_if(all.sections.begin(), all.sections.end(),
                                   [](const Explanation& section) { return section.title == "stages, per pass"; });
  BOOST_REQUIRE(stages != all.sections.end());
  BOOST_REQUIRE(stages->table.rows.size() == 2U);
  BOOST_TEST(std::get<std::string>(stages->table.rows[0].back()) == "k0 k1");
  BOOST_TEST(std::get<double>(stages->table.rows[1][5]) == 2e-3, tt::tolerance(1e-12));
  BOOST_TEST(std::get<double>(stages->facts.at(0).value) == 1.0);
  BOOST_REQUIRE(all.drawing.has_value());
  BOOST_TEST(all.drawing->groups.at(2).title == "stage 1, partition 2");
}

BOOST_AUTO_TEST_SUITE_END()
