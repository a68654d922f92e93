/// Degrees and micro-batches given as "best": equal to every candidate tried by hand, statuses, stated ties.
#include "models/dataflow/choice.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>

#include "models/dataflow/estimator.hpp"
#include "tests/support/dataflow_point.hpp"

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using namespace dfsweep::testing;

namespace {

const std::string degree_names[] = {"tensor_parallel", "pipeline_parallel", "data_parallel"};
const std::string best(best_value);

/// 16 chips, 6 layers (uneven over 4 stages), batches of 24.
DataflowPoint small_point() {
  DataflowPoint point;
  point.set("model", transformer_entry(64, 4, 6, 16, 24))
      .set("device", device_entry(64, 4, 2, 1e9, 1e6, 1000, 100))
      .set("memory", memory_entry(1e9, 1e-9, 1e8))
      .set("topology", topology_entry("rrr"))
      .set("device_count", 16)
      .set("interconnect", interconnect_entry(1e9, 1e-9, 1e-6));
  return point;
}

DataflowPoint with_everything_best(DataflowPoint point) {
  for (const std::string& name : degree_names) point.set(name, best);
  point.set("micro_batch", best);
  return point;
}

struct Tried {
  DataflowResult result;
  double chosen[4] = {};
};

/// The least step time over all degrees up to 16 and all micro-batches up to 24, the first in ascending order on a tie.
Tried best_by_trying(const DataflowPoint& base) {
  Tried least{{"none", {}}, {}};
  for (double t = 1; t <= 16; t *= 2)
    for (double p = 1; p <= 16; p *= 2)
      for (double d = 1; d <= 16; d *= 2)
        for (double m = 1; m <= 24 && t * p * d <= 16; ++m) {
          DataflowPoint point = base;
          const double degrees[] = {t, p, d};
          for (std::size_t r = 0; r < 3; ++r) point.set(degree_names[r], degrees[r]);
          const DataflowResult result = point.set("micro_batch", m).evaluate();
          if (result.status == "ok" && (least.result.status != "ok" || result["step_time"] < least.result["step_time"]))
            least = {result, {t, p, d, m}};
        }
  return least;
}

struct Case {
  const char* why;
  std::function<void(DataflowPoint&)> change;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.why;
}

const Case cases[] = {
    {"three dimensions", [](DataflowPoint&) {}},
    {"two dimensions: which of them serve what is open",
     [](DataflowPoint& p) { p.set("topology", topology_entry("rs")); }},
    {"one dimension", [](DataflowPoint& p) { p.set("topology", topology_entry("f")); }},
    {"a given shape",
     [](DataflowPoint& p) { p.set("topology", topology_entry("rs")).set("shape", std::string("4x4")); }},
    {"a shape without count",
     [](DataflowPoint& p) { p.set("shape", std::string("2x2x4")).set("device_count", LayoutRequest::unsaid); }},
    {"memory that few layouts fit", [](DataflowPoint& p) { p.set("dram_capacity", 1e6); }},
    {"no latency: ties", [](DataflowPoint& p) { p.set("link_latency", 0).set("link_bandwidth", 1e18); }},
    {"slow links", [](DataflowPoint& p) { p.set("link_bandwidth", 1e6); }},
    {"the cycle model", [](DataflowPoint& p) { p.set("compute_utilization", 0); }},
    {"no overlap", [](DataflowPoint& p) { p.set("overlap", std::string("none")); }},
    {"the original's bubble and transfers", [](DataflowPoint& p) { p.set("convention", std::string("dfmodel-g1")); }},
    {"a forward pass", [](DataflowPoint& p) { p.set("phase", std::string("prefill")); }},
    {"interleaving, which short stages do not allow", [](DataflowPoint& p) { p.set("interleaving", 2); }},
    {"links in a domain", [](DataflowPoint& p) { p.set("high_bandwidth_domain", 4).set("outer_link_bandwidth", 1e8); }},
};

}  // namespace

BOOST_DATA_TEST_CASE(equals_trying_everything, bdata::make(cases), c) {
  DataflowPoint base = small_point();
  c.change(base);
  const Tried tried = best_by_trying(base);
  const DataflowResult chosen = with_everything_best(base).evaluate();
  BOOST_TEST_REQUIRE(tried.result.status == "ok");
  BOOST_TEST_REQUIRE(chosen.status == "ok");
  for (std::size_t choice = 0; choice < 4; ++choice) {
    const std::string_view metric = dataflow::metrics()[dataflow::chosen_metrics[choice]].name;
    BOOST_TEST_CONTEXT(metric) BOOST_TEST(chosen[metric] == tried.chosen[choice]);
  }
  for (const auto& [metric, value] : tried.result.metrics)
    if (metric.find("best_") != 0 && !std::isnan(value)) BOOST_TEST_CONTEXT(metric) BOOST_TEST(chosen[metric] == value);
}

BOOST_AUTO_TEST_CASE(equals_trying_everything_with_the_best_mapping) {
  DataflowPoint base = small_point();
  base.set("device_count", 4).set("mapping", best).set("phase", std::string("prefill"));
  for (const char* sharding : {"least_bytes", "least_time", "joint"}) {
    base.set("sharding", std::string(sharding));
    const Tried tried = best_by_trying(base);
    const DataflowResult chosen = with_everything_best(base).evaluate();
    BOOST_TEST(chosen["step_time"] == tried.result["step_time"]);
    BOOST_TEST(chosen["best_micro_batch"] == tried.chosen[3]);
    BOOST_TEST(chosen["optimality_gap"] == 0.0);
  }
}

BOOST_AUTO_TEST_CASE(what_is_given_stays) {
  const DataflowResult all = with_everything_best(small_point()).evaluate();
  const DataflowResult some = with_everything_best(small_point()).set("tensor_parallel", 2).evaluate();
  BOOST_TEST(some.status == "ok");
  BOOST_TEST(std::isnan(some["best_tensor_parallel"]));
  BOOST_TEST(some["best_pipeline_parallel"] * some["best_data_parallel"] == 8.0);
  BOOST_TEST(some["step_time"] >= all["step_time"]);
  DataflowPoint one = small_point();
  const DataflowResult micro = one.set("shape", std::string("4x2x2")).set("micro_batch", best).evaluate();
  BOOST_TEST(micro.status == "ok");
  BOOST_TEST(std::isnan(micro["best_data_parallel"]));
  BOOST_TEST(std::fmod(12.0, micro["best_micro_batch"]) == 0.0);  // a replica has half of 24 sequences
  const DataflowResult nothing = small_point().set("shape", std::string("4x2x2")).evaluate();
  BOOST_TEST(std::isnan(nothing["best_micro_batch"]));
}

BOOST_AUTO_TEST_CASE(where_nothing_is_feasible_the_closest_tells) {
  DataflowPoint little = with_everything_best(small_point());
  const DataflowResult none = little.set("dram_capacity", 100).evaluate();
  BOOST_TEST(none.status == "out_of_memory");
  BOOST_TEST(none["memory_used"] > 100.0);
  BOOST_TEST(little.set("dram_capacity", std::ceil(none["memory_used"])).evaluate().status == "ok");
  BOOST_TEST(std::isnan(none["best_tensor_parallel"]));
  BOOST_TEST(with_everything_best(small_point()).set("num_tile", 3).evaluate().status == "no_mapping");
  BOOST_TEST(with_everything_best(small_point()).set("interleaving", 7).evaluate().status == "invalid");
  BOOST_TEST(with_everything_best(small_point()).set("tensor_parallel", 3).evaluate().status == "invalid");
  DataflowPoint unknown = with_everything_best(small_point());
  BOOST_CHECK_THROW(static_cast<void>(unknown.set("device_count", LayoutRequest::unsaid).evaluate()), InvalidValues);
}

BOOST_AUTO_TEST_CASE(an_uneven_pipeline_is_as_slow_as_its_longest_stage) {
  DataflowPoint point = small_point();
  point.set("topology", topology_entry("rr")).set("shape", std::string("4x4"));  // 6 layers: stages of 2, 2, 1, 1
  const DataflowResult six = point.evaluate();
  const DataflowResult eight = point.set("model", transformer_entry(64, 4, 8, 16, 24)).evaluate();
  BOOST_TEST(six["step_time"] == eight["step_time"]);
  BOOST_TEST(six["memory_used"] == eight["memory_used"]);
  BOOST_TEST(six["achieved_flops"] < eight["achieved_flops"]);
}

BOOST_AUTO_TEST_CASE(explanations_name_the_choice) {
  std::size_t named = 0;
  for (const auto& fact : with_everything_best(small_point()).explain().facts)
    named += fact.label.rfind("best ", 0) == 0;
  BOOST_TEST(named == 4u);
}
