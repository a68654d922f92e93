/// The dataflow estimator: a step by hand, statuses, bad values, and blocks that equal their points.
#include "models/dataflow/estimator.hpp"

#include <bit>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>

#include "tests/support/dataflow_point.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(estimator_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::dataflow;
using namespace dfsweep::testing;

namespace {

/// 16 small chips: TP 2, PP 2, DP 4; a layer of hidden 8, two heads, sequence 4.
DataflowPoint small_point() {
  DataflowPoint point;
  point.set("model", transformer_entry(8, 2, 4, 4, 32))
      .set("device", device_entry(4, 4, 2, 1e9, 1e9, 1000, 100))
      .set("memory", memory_entry(1e9, 1e-9, 1e9))
      .set("topology", topology_entry("rrr"))
      .set("shape", "2x2x4")
      .set("interconnect", interconnect_entry(1e9, 1e-9, 1e-6));
  return point;
}

struct StatusCase {
  const char* why;
  std::function<void(DataflowPoint&)> change;
  const char* status;
};

Entry assignment(std::vector<double> partitions) {
  Entry entry;
  entry.name = "assignment";
  entry.lists["assignment"] = std::move(partitions);
  return entry;
}

const StatusCase status_cases[] = {
    {"as it is", [](DataflowPoint&) {}, "ok"},
    {"another count", [](DataflowPoint& p) { p.set("device_count", 8); }, "invalid"},
    {"another degree", [](DataflowPoint& p) { p.set("tensor_parallel", 4); }, "invalid"},
    {"a batch that replicas do not share evenly", [](DataflowPoint& p) { p.set("global_batch", 30); }, "invalid"},
    {"a micro-batch larger than the share", [](DataflowPoint& p) { p.set("micro_batch", 16); }, "invalid"},
    {"more groups than layers", [](DataflowPoint& p) { p.set("interleaving", 3); }, "invalid"},
    {"little DRAM", [](DataflowPoint& p) { p.set("dram_capacity", 10); }, "out_of_memory"},
    {"little SRAM", [](DataflowPoint& p) { p.set("sram_capacity", 10); }, "out_of_sram"},
    {"no SRAM is needed on paper", [](DataflowPoint& p) { p.set("sram_capacity", 0).set("sram_accounting", "paper"); },
     "ok"},
    {"a mapping of another graph",
     [](DataflowPoint& p) {
       p.set("mapping", assignment({0, 1}));
     },
     "no_mapping"},
    {"another number of partitions", [](DataflowPoint& p) { p.set("partitions", 6); }, "no_mapping"},
    {"the number of partitions", [](DataflowPoint& p) { p.set("partitions", 41); }, "ok"},
    {"too many partitions", [](DataflowPoint& p) { p.set("max_partitions", 40); }, "no_mapping"},
    {"tiles that do not divide the sequence", [](DataflowPoint& p) { p.set("num_tile", 3); }, "no_mapping"},
    {"more kernels at once than cores",
     [](DataflowPoint& p) { p.set("compute_utilization", 0).set("mapping", "single_partition"); }, "no_mapping"},
    {"the cycle model kernel by kernel", [](DataflowPoint& p) { p.set("compute_utilization", 0); }, "ok"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(tables_obey_the_seam) {
  const auto estimator = make_dataflow_estimator();
  std::set<std::string_view> names;
  for (const ParameterInfo& info : estimator->parameters()) {
    BOOST_TEST_CONTEXT(info.name) {
      BOOST_TEST(names.insert(info.name).second);
      BOOST_TEST(!info.meaning.empty());
      BOOST_TEST((info.absence == Absence::required) == info.fallback.empty());
      BOOST_TEST(info.choices.empty() ==
                 (info.kind != ParameterKind::choice && info.kind != ParameterKind::choice_or_entry));
      if (info.kind == ParameterKind::integer || info.kind == ParameterKind::real)
        BOOST_TEST(info.lowest < info.highest);
    }
  }
  for (const MetricInfo& info : estimator->metrics()) BOOST_TEST(!info.meaning.empty());
  BOOST_TEST(estimator->statuses()[status_ok].name == "ok");
  BOOST_TEST(estimator->statuses()[status_failed].name == "failed");
}

BOOST_DATA_TEST_CASE(statuses, bdata::make(status_cases), c) {
  DataflowPoint point = small_point();
  c.change(point);
  const NamedEstimate result = point.evaluate();
  BOOST_TEST(result.status == c.status);
  const bool is_ok = result.status == "ok";
  BOOST_TEST(std::isnan(result["step_time"]) != is_ok);
  const bool has_memory = is_ok || result.status == "out_of_memory" || result.status == "out_of_sram";
  BOOST_TEST(std::isnan(result["memory_used"]) != has_memory);
  BOOST_TEST(std::isnan(result["optimality_gap"]));
}

/// One element-wise kernel and one product on two chips, two layers, four sequences of a replica; all by hand.
BOOST_AUTO_TEST_CASE(a_step_by_hand) {
  Entry graph;
  graph.name = "pair";
  graph.texts["kind"] = "graph";
  graph.numbers = {{"layers", 2}, {"global_batch", 4}};
  Entry x;
  x.texts = {{"name", "x"}, {"type", "elementwise"}, {"tiling", "n"}};
  x.numbers = {{"m", 1000}, {"n", 1000}};
  Entry w;
  w.texts = {{"name", "w"}};
  w.numbers = {{"m", 1}, {"k", 1000}, {"n", 1}, {"weight_words", 1000}};
  Entry edge;
  edge.texts = {{"from", "x"}, {"to", "w"}};
  graph.parts = {{"kernel", {x, w}}, {"edge", {edge}}};
  DataflowPoint point;
  point.set("model", graph)
      .set("device", device_entry(1, 1, 1, 0.5e9, 1e7, 1000, 100))  // 1 GFLOP/s
      .set("memory", memory_entry(1e9, 1e-9))
      .set("topology", topology_entry("r"))
      .set("interconnect", interconnect_entry(1e6, 1e-9, 1e-3))
      .set("tensor_parallel", 2)
      .set("compute_utilization", 0.5)
      .set("overlap", "none");
  const NamedEstimate result = point.evaluate();
  BOOST_TEST(result.status == "ok");
  // w has one dimension to shard, k, which needs rows of x: x stays whole (a tie) and w ends with an all-reduce of 2 B.
  const double compute = 1e6 / 0.5e9 + 2.0 * 500 / 0.5e9;
  const double memory = 2 * 2e6 / 1e9;                // x is written and read; its weights stay in SRAM
  const double network = 2.0 * 0.5 * 2 / 1e6 + 2e-3;  // two passes of half of 2 B, and two latencies
  const double passes = 4 * 2;
  BOOST_TEST(result["compute_time"] == passes * compute, tt::tolerance(1e-14));
  BOOST_TEST(result["memory_time"] == passes * memory, tt::tolerance(1e-14));
  BOOST_TEST(result["network_time"] == passes * network, tt::tolerance(1e-14));
  BOOST_TEST(result["bubble_time"] == 0.0);
  BOOST_TEST(result["step_time"] == passes * (compute + memory + network), tt::tolerance(1e-14));
  const double flop = (1e6 + 2000) * 2 * 4;
  BOOST_TEST(result["achieved_flops"] == flop / result["step_time"], tt::tolerance(1e-14));
  BOOST_TEST(result["utilization"] == flop / result["step_time"] / 2e9, tt::tolerance(1e-14));
  BOOST_TEST(result["partitions"] == 2.0);
  // Two chips at 1000 USD with 1 GB/s of DRAM; a ring of two links and two switch units of 1 MB/s.
  BOOST_TEST(result["system_cost"] == 2 * (1000 + 1.0) + 2 * 2e-9 * 1e6 + 2 * 24e-9 * 1e6, tt::tolerance(1e-14));
  BOOST_TEST(result["system_power"] == 2 * (100 + 1.0) + 2 * 1e-9 * 1e6 + 2 * 0.052e-9 * 1e6, tt::tolerance(1e-14));
  BOOST_TEST(result["cost_efficiency"] == result["achieved_flops"] / result["system_cost"], tt::tolerance(1e-14));
  // Half of 1000 weights of 2 B, their gradient and 12 B of optimizer state each, two layers; x alive once.
  BOOST_TEST(result["memory_used"] == 500 * (2 + 2 + 12.0) * 2 + 2e6, tt::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(parts_add_up_without_overlap) {
  for (const char* convention : {"physical", "dfmodel-g1", "dfmodel-g2", "dfmodel-g3"}) {
    const NamedEstimate r = small_point().set("overlap", "none").set("convention", std::string(convention)).evaluate();
    BOOST_TEST(r["step_time"] == r["compute_time"] + r["memory_time"] + r["network_time"] + r["bubble_time"],
               tt::tolerance(1e-12));
    const NamedEstimate perfect = small_point().set("convention", std::string(convention)).evaluate();
    const NamedEstimate exposed =
        small_point().set("convention", std::string(convention)).set("overlap", "network_exposed").evaluate();
    BOOST_TEST(perfect["step_time"] <= exposed["step_time"]);
    BOOST_TEST(exposed["step_time"] <= r["step_time"]);
  }
}

BOOST_AUTO_TEST_CASE(more_of_anything_is_never_slower) {
  const double base = small_point().evaluate()["step_time"];
  for (const char* rate : {"dram_bandwidth", "link_bandwidth", "peak_flops"})
    BOOST_TEST(small_point().set(rate, 1e12).evaluate()["step_time"] <= base);
  BOOST_TEST(small_point().set("link_latency", 0).evaluate()["step_time"] < base);
}

// W14: replaced parts of a chip and a swept capacity of its memory change price and power.
BOOST_AUTO_TEST_CASE(prices_follow_the_parts) {
  const NamedEstimate as_it_is = small_point().evaluate();
  BOOST_TEST((as_it_is["price_source"] == 0 && as_it_is["power_source"] == 0));
  for (const char* part : {"peak_flops", "dram_capacity"}) {
    const NamedEstimate more = small_point().set(part, 1e15).evaluate();
    BOOST_TEST(more["system_cost"] > as_it_is["system_cost"]);
    BOOST_TEST(more["system_power"] > as_it_is["system_power"]);
    BOOST_TEST((more["price_source"] == 1 && more["power_source"] == 1));
    const NamedEstimate logged = small_point().set(part, 1e15).set("convention", "dfmodel-g1").evaluate();
    BOOST_TEST(logged["price_source"] == 0);
  }
  const NamedEstimate stated =
      small_point().set("memory_price", 7).set("link_price", 3).set("host_price", 2).evaluate();
  BOOST_TEST(stated["system_cost"] == 16 * (1000 + 7 + 3 + 2.0), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(overrides_replace_fields_of_entries) {
  const NamedEstimate entry = small_point().set("memory", memory_entry(4e9, 1e-9, 1e9)).evaluate();
  const NamedEstimate override_ = small_point().set("dram_bandwidth", 4e9).evaluate();
  BOOST_TEST(entry["step_time"] == override_["step_time"]);
  BOOST_TEST(entry["system_cost"] == override_["system_cost"]);
  // The outer links are the interconnect's with its overrides, unless they are named.
  const NamedEstimate both = small_point().set("link_bandwidth", 4e9).evaluate();
  const NamedEstimate outer = small_point().set("link_bandwidth", 4e9).set("outer_link_bandwidth", 4e9).evaluate();
  BOOST_TEST(both["step_time"] == outer["step_time"]);
}

BOOST_AUTO_TEST_CASE(least_time_is_never_slower_on_its_network) {
  for (const char* topology : {"rrr", "sss", "fff"}) {
    DataflowPoint point = small_point();
    point.set("topology", topology_entry(topology)).set("overlap", "none");
    const double bytes = point.evaluate()["network_time"];
    BOOST_TEST(point.set("sharding", "least_time").evaluate()["network_time"] <= bytes);
  }
}

BOOST_AUTO_TEST_CASE(bad_values_are_reported_together) {
  DataflowPoint point = small_point();
  point.set("shape", "2x").set("memory", Entry{}).set("mapping", Entry{}).set("model", Entry{});
  const SweepValues values = point.values();
  try {
    static_cast<void>(make_dataflow_estimator()->prepare(values));
    BOOST_FAIL("accepted");
  } catch (const InvalidValues& invalid) {
    BOOST_TEST(invalid.problems.size() == 5u);  // the memory lacks two fields
    for (const ValueProblem& problem : invalid.problems)
      BOOST_TEST((!problem.problem.empty() && !problem.reason.empty()));
  }
}

BOOST_AUTO_TEST_CASE(a_model_without_batch_needs_one) {
  Entry model = transformer_entry(8, 2, 4, 4, 32);
  model.numbers.erase("global_batch");
  DataflowPoint point = small_point();
  point.set("model", model);
  BOOST_CHECK_THROW(static_cast<void>(point.evaluate()), InvalidValues);
  BOOST_TEST(point.set("global_batch", 32).evaluate().status == "ok");
}

BOOST_AUTO_TEST_CASE(explanations_name_what_binds) {
  const Explanation all = small_point().explain();
  std::set<std::string> titles;
  for (const Explanation& section : all.sections) titles.insert(section.title);
  for (const char* title : {"result", "layout", "kernels", "partitions, per layer and sequence", "memory of a chip"})
    BOOST_TEST(titles.count(title) == 1u);
  for (const Explanation& section : all.sections)
    for (const auto& row : section.table.rows) BOOST_TEST(row.size() == section.table.headings.size());
  for (const StatusCase& c : status_cases) {
    DataflowPoint point = small_point();
    c.change(point);
    BOOST_TEST(!point.explain().facts.empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()
