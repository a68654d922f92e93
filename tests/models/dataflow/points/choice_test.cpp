/// Degrees and micro-batches given as "best": equal to every candidate tried by hand, statuses, stated ties.
#include "models/dataflow/points/choice.hpp"
#include "models/absent.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>

#include "models/dataflow/estimator.hpp"
#include "tests/support/dataflow_point.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(choice_test)

namespace bdata = boost::unit_test::data;
using namespace dfsweep;
using namespace dfsweep::dataflow;
using namespace dfsweep::testing;

namespace {

const std::string degree_names[] = {"tensor_parallel", "pipeline_parallel", "data_parallel"};
const std::string best(best_value);

/// 16 chips, 6 layers (uneven over 4 stages), batches of 24.
DataflowPoint small_point() {
  DataflowPoint point = sixteen_chips();
  point.set("model", transformer_entry(64, 4, 6, 16, 24));
  return point;
}

DataflowPoint with_everything_best(DataflowPoint point) {
  for (const std::string& name : degree_names) point.set(name, best);
  point.set("micro_batch", best);
  return point;
}

struct Tried {
  NamedEstimate result;
  double chosen[5] = {};
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
          const NamedEstimate result = point.set("micro_batch", m).evaluate();
          if (result.status == "ok" && (least.result.status != "ok" || result["step_time"] < least.result["step_time"]))
            least = {result, {t, p, d, std::nan(""), m}};
        }
  return least;
}

struct Case {
  const char* why;
  std::function<void(DataflowPoint&)> change;
};

const Case cases[] = {
    {"three dimensions", [](DataflowPoint&) {}},
    {"two dimensions: which of them serve what is open",
     [](DataflowPoint& p) { p.set("topology", topology_entry("rs")); }},
    {"one dimension", [](DataflowPoint& p) { p.set("topology", topology_entry("f")); }},
    {"a given shape", [](DataflowPoint& p) { p.set("topology", topology_entry("rs")).set("shape", "4x4"); }},
    {"a shape without count", [](DataflowPoint& p) { p.set("shape", "2x2x4").set("device_count", absent); }},
    {"memory that few layouts fit", [](DataflowPoint& p) { p.set("dram_capacity", 1e6); }},
    {"no latency: ties", [](DataflowPoint& p) { p.set("link_latency", 0).set("link_bandwidth", 1e18); }},
    {"slow links", [](DataflowPoint& p) { p.set("link_bandwidth", 1e6); }},
    {"the cycle model", [](DataflowPoint& p) { p.set("compute_utilization", 0); }},
    {"no overlap", [](DataflowPoint& p) { p.set("overlap", "none"); }},
    {"the original's bubble and transfers", [](DataflowPoint& p) { p.set("convention", "dfmodel-g1"); }},
    {"a forward pass", [](DataflowPoint& p) { p.set("phase", "prefill"); }},
    {"interleaving, which short stages do not allow", [](DataflowPoint& p) { p.set("interleaving", 2); }},
    {"links in a domain", [](DataflowPoint& p) { p.set("high_bandwidth_domain", 4).set("outer_link_bandwidth", 1e8); }},
};

}  // namespace

BOOST_DATA_TEST_CASE(equals_trying_everything, bdata::make(cases), c) {
  DataflowPoint base = small_point();
  c.change(base);
  const Tried tried = best_by_trying(base);
  const NamedEstimate chosen = with_everything_best(base).evaluate();
  BOOST_TEST_REQUIRE(tried.result.status == "ok");
  BOOST_TEST_REQUIRE(chosen.status == "ok");
  for (std::size_t choice = 0; choice < 5; ++choice) {
    const std::string_view metric = dataflow::metrics()[index_of(dataflow::chosen_metrics[choice])].name;
    if (metric == "best_dimension_roles") continue;
    BOOST_TEST_CONTEXT(metric) BOOST_TEST(chosen[metric] == tried.chosen[choice]);
  }
  for (const auto& [metric, value] : tried.result.metrics)
    if (metric.find("best_") != 0 && !std::isnan(value)) BOOST_TEST_CONTEXT(metric) BOOST_TEST(chosen[metric] == value);
}

BOOST_AUTO_TEST_CASE(equals_trying_everything_with_the_best_mapping) {
  DataflowPoint base = small_point();
  base.set("device_count", 4).set("mapping", best).set("phase", "prefill");
  for (const char* sharding : {"least_bytes", "least_time", "joint"}) {
    base.set("sharding", std::string(sharding));
    const Tried tried = best_by_trying(base);
    const NamedEstimate chosen = with_everything_best(base).evaluate();
    BOOST_TEST(chosen["step_time"] == tried.result["step_time"]);
    BOOST_TEST(chosen["best_micro_batch"] == tried.chosen[4]);
    BOOST_TEST(chosen["optimality_gap"] == 0.0);
  }
}

/// Fast links, then slow ones: the roles matter, and the order of the paper is one of several.
BOOST_AUTO_TEST_CASE(roles_equal_trying_them_all) {
  for (const char* topology : {"f", "rs", "rfs"}) {
    for (const char* convention : {"physical", "dfmodel-g3"}) {
      DataflowPoint base = small_point();
      base.set("topology", topology_entry(topology)).set("outer_link_bandwidth", 1e8);
      base.set("convention", convention).set("device_count", 8);
      double least = std::numeric_limits<double>::infinity();
      for (const RoleChoice& choice : role_choices) {
        DataflowPoint with_roles = base;
        with_roles.set("dimension_roles", choice.name);
        const Tried tried = best_by_trying(with_roles);
        if (tried.result.status != "ok") continue;
        BOOST_TEST(choice.dimensions == std::string(topology).size());
        BOOST_TEST((convention == std::string("physical") || choice.order == RoleOrder::tensor_pipeline_data));
        least = std::min(least, tried.result["step_time"]);
      }
      DataflowPoint point = with_everything_best(base);
      const NamedEstimate in_order = point.evaluate();
      const NamedEstimate chosen = point.set("dimension_roles", best).evaluate();
      BOOST_TEST_CONTEXT(topology << " " << convention) {
        BOOST_TEST(chosen["step_time"] == least);
        BOOST_TEST(chosen["step_time"] <= in_order["step_time"]);
        const auto roles = static_cast<std::size_t>(chosen["best_dimension_roles"]);
        BOOST_TEST(role_choices.at(roles).dimensions == std::string(topology).size());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_given_stays) {
  const NamedEstimate all = with_everything_best(small_point()).evaluate();
  const NamedEstimate some = with_everything_best(small_point()).set("tensor_parallel", 2).evaluate();
  BOOST_TEST(some.status == "ok");
  BOOST_TEST(std::isnan(some["best_tensor_parallel"]));
  BOOST_TEST(some["best_pipeline_parallel"] * some["best_data_parallel"] == 8.0);
  BOOST_TEST(some["step_time"] >= all["step_time"]);
  DataflowPoint one = small_point();
  const NamedEstimate micro = one.set("shape", "4x2x2").set("micro_batch", best).evaluate();
  BOOST_TEST(micro.status == "ok");
  BOOST_TEST(std::isnan(micro["best_data_parallel"]));
  BOOST_TEST(std::fmod(12.0, micro["best_micro_batch"]) == 0.0);  // a replica computes half of the 24 sequences
  const NamedEstimate nothing = small_point().set("shape", "4x2x2").evaluate();
  BOOST_TEST(std::isnan(nothing["best_micro_batch"]));
}

BOOST_AUTO_TEST_CASE(an_infeasible_point_reports_the_closest_candidate) {
  DataflowPoint little = with_everything_best(small_point());
  const NamedEstimate none = little.set("dram_capacity", 100).evaluate();
  BOOST_TEST(none.status == "out_of_memory");
  BOOST_TEST(none["memory_used"] > 100.0);
  BOOST_TEST(little.set("dram_capacity", std::ceil(none["memory_used"])).evaluate().status == "ok");
  BOOST_TEST(none["shortfall"] == none["memory_used"] / 100.0);
  BOOST_TEST(none["best_tensor_parallel"] * none["best_pipeline_parallel"] * none["best_data_parallel"] == 16.0);
  BOOST_TEST(with_everything_best(small_point()).set("num_tile", 3).evaluate().status == "no_mapping");
  BOOST_TEST(with_everything_best(small_point()).set("interleaving", 7).evaluate().status == "invalid");
  BOOST_TEST(with_everything_best(small_point()).set("tensor_parallel", 3).evaluate().status == "invalid");
  DataflowPoint unknown = with_everything_best(small_point());
  BOOST_CHECK_THROW(static_cast<void>(unknown.set("device_count", absent).evaluate()), InvalidValues);
}

/// An axis of values and "best", linked to another: the other columns keep their codes, and blocks equal points.
BOOST_AUTO_TEST_CASE(a_block_with_best_among_its_values) {
  const auto estimator = make_dataflow_estimator();
  DataflowPoint base = with_everything_best(small_point());
  SweepValues values = base.values();
  const auto number = [](double value) { return ParameterValue{.number = value, .text = {}}; };
  const std::vector<ParameterValue> bandwidths{number(1e9), number(1e7), number(1e8)};
  const ParameterValue chosen{.text = best};
  values.column_sizes = {3, 2};
  values[dataflow::Parameter::tensor_parallel] = {{number(2), chosen, chosen}, 0};
  values[dataflow::Parameter::link_bandwidth] = {bandwidths, 0};
  values[dataflow::Parameter::device_count] = {{number(16), number(8)}, 1};
  const std::vector<std::uint32_t> codes[] = {{0, 1, 2, 0, 1, 2}, {0, 0, 0, 1, 1, 1}};
  const Estimates block = estimates_of(*estimator->prepare(values), estimator->metrics().size(), codes, 6);
  for (std::size_t i = 0; i < 6; ++i) {
    DataflowPoint point = with_everything_best(small_point());
    point.set("link_bandwidth", bandwidths[codes[0][i]].number).set("device_count", codes[1][i] == 0 ? 16 : 8);
    if (codes[0][i] == 0) point.set("tensor_parallel", 2);
    const NamedEstimate single = point.evaluate();
    BOOST_TEST(single.status == "ok");
    for (std::size_t m = 0; m < estimator->metrics().size(); ++m) {
      const double ours = block.metrics[m][i];
      const double value = single[estimator->metrics()[m].name];
      BOOST_TEST_CONTEXT(estimator->metrics()[m].name << " of " << i)
      BOOST_TEST((ours == value || (std::isnan(value) && std::isnan(ours))));
    }
  }
}

/// 20160 chips have too many divisors for tables; the choice for 16 chips in the same sweep does not change.
BOOST_AUTO_TEST_CASE(a_sweep_too_large_for_tables) {
  const auto estimator = make_dataflow_estimator();
  DataflowPoint base = with_everything_best(small_point());
  SweepValues values = base.values();
  values.column_sizes = {2};
  values[dataflow::Parameter::device_count].values.push_back({.number = 20160, .text = {}});
  values[dataflow::Parameter::device_count].column = 0;
  const std::vector<std::uint32_t> codes[] = {{0}};
  const Estimates first = estimates_of(*estimator->prepare(values), estimator->metrics().size(), codes, 1);
  const NamedEstimate alone = base.evaluate();
  for (const auto metric :
       {dataflow::Metric::step_time, dataflow::Metric::best_tensor_parallel, dataflow::Metric::best_pipeline_parallel,
        dataflow::Metric::best_data_parallel, dataflow::Metric::best_micro_batch})
    BOOST_TEST(first.metrics[index_of(metric)][0] == alone[estimator->metrics()[index_of(metric)].name]);
}

/// The search also chooses the rows and columns of HPL's grid.
BOOST_AUTO_TEST_CASE(a_whole_machine_takes_the_best_shape) {
  Entry hpl;
  hpl.name = "hpl";
  hpl.texts["kind"] = "hpl";
  hpl.numbers = {{"matrix_size", 4096}, {"block_size", 64}, {"steps", 4}};
  DataflowPoint base = small_point();
  base.set("model", hpl).set("topology", topology_entry("rr")).set("sram_capacity", 1e9).set("dram_capacity", 1e12);
  double least = std::numeric_limits<double>::infinity();
  for (const char* shape : {"1x16", "2x8", "4x4", "8x2", "16x1"}) {
    DataflowPoint point = base;
    const NamedEstimate result = point.set("shape", std::string(shape)).evaluate();
    BOOST_TEST(result.status == "ok");
    least = std::min(least, result["step_time"]);
  }
  const NamedEstimate chosen = with_everything_best(base).evaluate();
  BOOST_TEST(chosen.status == "ok");
  BOOST_TEST(chosen["step_time"] == least);
  BOOST_TEST(chosen["best_tensor_parallel"] * chosen["best_pipeline_parallel"] == 16.0);
}

BOOST_AUTO_TEST_CASE(an_uneven_pipeline_is_as_slow_as_its_longest_stage) {
  DataflowPoint point = small_point();
  point.set("topology", topology_entry("rr")).set("shape", "4x4");  // 6 layers: stages of 2, 2, 1, 1
  const NamedEstimate six = point.evaluate();
  const NamedEstimate eight = point.set("model", transformer_entry(64, 4, 8, 16, 24)).evaluate();
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

BOOST_AUTO_TEST_SUITE_END()
