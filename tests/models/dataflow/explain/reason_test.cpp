/// Why a point has no estimate: the limit, what is needed and what there is, for every status.
#include "models/dataflow/explain/reason.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>

#include "models/dataflow/estimator.hpp"
#include "tests/support/dataflow_point.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(reason_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::dataflow;
using namespace dfsweep::testing;

namespace {

const std::string best(best_value);

/// Two kernels in a row on one chip, 1 GB of DRAM: "first" has 10^8 weights of 2 B, the tensor is 2 MB.
DataflowPoint two_kernels() {
  Entry graph;
  graph.name = "two";
  graph.texts["kind"] = "graph";
  graph.numbers["global_batch"] = 12;
  Entry first;
  first.texts = {{"name", "first"}};
  first.numbers = {{"m", 1000}, {"k", 10}, {"n", 1000}, {"weight_words", 1e8}};
  Entry second;
  second.texts = {{"name", "second"}, {"type", "elementwise"}};
  second.numbers = {{"m", 1000}, {"n", 1000}};
  Entry edge;
  edge.texts = {{"from", "first"}, {"to", "second"}};
  graph.parts = {{"kernel", {first, second}}, {"edge", {edge}}};
  DataflowPoint point;
  point.set("model", graph)
      .set("phase", "prefill")
      .set("device", device_entry(1, 1, 1, 0.5e9, 1e9, 1, 1))
      .set("memory", memory_entry(1e9, 0, 1e9))
      .set("topology", topology_entry("r"))
      .set("shape", "1")
      .set("interconnect", interconnect_entry(1e9, 0));
  return point;
}

struct Case {
  const char* why;
  std::function<void(DataflowPoint&)> change;
  const char* status;
  const char* reason;
  double shortfall;  ///< NaN: not about an amount
};

const double none = std::nan("");

const Case cases[] = {
    {"feasible", [](DataflowPoint&) {}, "ok", "", none},
    {"a shape against a count", [](DataflowPoint& p) { p.set("device_count", 8); }, "invalid",
     "shape 1 has 1 chips, device_count is 8", none},
    {"a batch that micro-batches do not divide", [](DataflowPoint& p) { p.set("micro_batch", 5); }, "invalid",
     "global_batch 12 over data_parallel 1 x micro_batch 5 gives 2.4 micro-batches per replica, not a positive "
     "whole number",
     none},
    {"weights beyond the DRAM: 200 MB and a tensor of 2 MB", [](DataflowPoint& p) { p.set("dram_capacity", 101e6); },
     "out_of_memory", "a chip needs 202 MB of 101 MB of DRAM, weights, gradients and optimizer state 99 %", 2.0},
    {"tensors beyond the DRAM: 250 sequences in a micro-batch",
     [](DataflowPoint& p) { p.set("micro_batch", 250).set("global_batch", 250).set("dram_capacity", 100e6); },
     "out_of_memory", "a chip needs 700 MB of 100 MB of DRAM, activations 71 %", 7.0},
    {"one byte too few", [](DataflowPoint& p) { p.set("dram_capacity", 201999999); }, "out_of_memory",
     "a chip needs 202 MB of 201.999999 MB of DRAM, weights, gradients and optimizer state 99 %", 202e6 / 201999999},
    {"a partition beyond the SRAM: weights, and the tensor twice",
     [](DataflowPoint& p) { p.set("sram_capacity", 51e6).set("sram_accounting", "code"); }, "out_of_sram",
     "partition 0 (first) needs 204 MB of 51 MB of SRAM", 4.0},
    {"both kernels at once",
     [](DataflowPoint& p) {
       p.set("sram_capacity", 51e6).set("sram_accounting", "code").set("mapping", "single_partition");
     },
     "out_of_sram", "partition 0 (2 kernels) needs 204 MB of 51 MB of SRAM", 4.0},
    {"a mapping that is not found, and the constraint that binds",
     [](DataflowPoint& p) { p.set("sram_capacity", 51e6).set("sram_accounting", "code").set("mapping", best); },
     "out_of_sram", "no mapping fits: first alone needs 204000000 B of SRAM, 153000000 B more than available", 4.0},
    {"more partitions than kernels", [](DataflowPoint& p) { p.set("partitions", 3); }, "no_mapping",
     "the mapping has 2 partitions, not the requested number", none},
    {"two kernels on one core",
     [](DataflowPoint& p) { p.set("compute_utilization", 0).set("mapping", "single_partition"); }, "no_mapping",
     "partition 0 has 2 kernels, the chip 1 core, and the cycle model gives every kernel a core", none},
};

}  // namespace

BOOST_DATA_TEST_CASE(what_is_needed_and_what_there_is, bdata::make(cases), c) {
  DataflowPoint point = two_kernels();
  c.change(point);
  const NamedEstimate result = point.evaluate();
  BOOST_TEST(result.status == c.status);
  BOOST_TEST(point.reason() == c.reason);
  if (std::isnan(c.shortfall))
    BOOST_TEST(std::isnan(result["shortfall"]));
  else
    BOOST_TEST(result["shortfall"] == c.shortfall, tt::tolerance(1e-12));
  // The explanation says the same.
  std::string explained;
  for (const Fact& fact : point.explain().facts)
    if (fact.label == "reason") explained = std::get<std::string>(fact.value);
  BOOST_TEST(explained == c.reason);
}

BOOST_AUTO_TEST_CASE(the_metric_that_ranks_near_misses_is_named) {
  const auto estimator = make_dataflow_estimator();
  BOOST_REQUIRE(estimator->shortfall().has_value());
  BOOST_TEST(estimator->metrics()[*estimator->shortfall()].name == "shortfall");
}

/// Of all choices the one that needs least, which the metrics and the reason name.
BOOST_AUTO_TEST_CASE(a_choice_without_a_feasible_one_is_the_nearest_miss) {
  DataflowPoint point = two_kernels();
  point.set("topology", topology_entry("rr")).set("shape", "").set("device_count", 4).set("dram_capacity", 1e6);
  for (const char* degree : {"tensor_parallel", "pipeline_parallel", "data_parallel", "micro_batch"})
    point.set(degree, best);
  const NamedEstimate chosen = point.evaluate();
  BOOST_TEST(chosen.status == "out_of_memory");
  double least = std::numeric_limits<double>::infinity();
  for (const double tensor : {1, 2, 4})
    for (const double pipeline : {1, 2})
      for (const double data : {1, 2, 4})
        for (const double micro : {1, 2, 3, 4, 6, 12}) {
          DataflowPoint tried = point;
          tried.set("tensor_parallel", tensor).set("pipeline_parallel", pipeline).set("data_parallel", data);
          const NamedEstimate result = tried.set("micro_batch", micro).evaluate();
          if (result.status == "out_of_memory") least = std::min(least, result["shortfall"]);
        }
  BOOST_TEST(chosen["shortfall"] == least);
  BOOST_TEST(chosen["best_micro_batch"] == 1.0);
  const std::string reason = point.reason();
  BOOST_TEST(reason.find("at best, with tensor_parallel ") == 0u);
  BOOST_TEST(reason.find(", micro_batch 1: a chip needs ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(nothing_to_choose_from_is_said) {
  DataflowPoint point = two_kernels();
  point.set("shape", "").set("device_count", 16).set("tensor_parallel", best).set("data_parallel", 3);
  BOOST_TEST(point.evaluate().status == "invalid");
  BOOST_TEST(point.reason() == "no candidate of tensor_parallel agrees with the other values");
}

BOOST_AUTO_TEST_SUITE_END()
