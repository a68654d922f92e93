/// Properties of random task graphs of users, some of whose tasks have no work. Ten times as many with
/// DFSWEEP_LONG_TESTS=1.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "tests/support/random_values.hpp"
#include "tests/support/taskgraph_point.hpp"

BOOST_AUTO_TEST_SUITE(graph_properties_test)

using namespace dfsweep;
using namespace dfsweep::testing;

namespace {

constexpr double rounding = 1e-9;

/// A graph of up to 12 tasks on devices and links, some of them without work.
Entry some_graph(RandomValues& base) {
  const auto part = [](std::map<std::string, std::string, std::less<>> texts,
                       std::map<std::string, double, std::less<>> numbers) {
    Entry entry;
    entry.texts = std::move(texts);
    entry.numbers = std::move(numbers);
    return entry;
  };
  Entry graph;
  graph.name = "graph";
  if (base.one_in(2)) graph.numbers["tokens"] = base.rate(1e-3, 1e15);
  const auto groups = static_cast<std::size_t>(base.whole(1, 5));
  for (std::size_t g = 0; g < groups; ++g) {
    Entry group = part({{"name", "g" + std::to_string(g)}, {"kind", base.one_in(3) ? "link" : "devices"}},
                       {{"devices", base.whole(1, 1e6)}});
    if (base.one_in(3)) group.numbers["peak_flops"] = base.rate(1, 1e24);
    if (base.one_in(3)) group.numbers["memory_bandwidth"] = base.rate(1, 1e24);
    if (base.one_in(3)) group.numbers["link_bandwidth"] = base.rate(1, 1e24);
    if (base.one_in(3)) group.numbers["link_latency"] = base.one_of({0.0, 1e-9, 1.0});
    graph.parts["group"].push_back(group);
  }
  const auto tasks = static_cast<std::size_t>(base.whole(1, 12));
  for (std::size_t t = 0; t < tasks; ++t) {
    const auto g = static_cast<std::size_t>(base.whole(1, static_cast<double>(groups))) - 1;
    Entry task = part({{"name", "t" + std::to_string(t)}, {"group", "g" + std::to_string(g)}}, {});
    for (std::size_t before = 0; before < t; ++before)
      if (base.one_in(4)) task.text_lists["after"].push_back("t" + std::to_string(before));
    if (graph.parts["group"][g].texts["kind"] == "devices" && base.one_in(2))
      task.parts["product"] = {part({}, {{"m", base.whole(1, 1e15)}, {"k", base.whole(1, 1e6)}, {"n", 1.0}})};
    if (base.one_in(3))
      task.parts["transfer"] = {part({{"kind", base.one_of({"send", "all_gather", "all_reduce"})}},
                                     {{"size", base.one_in(3) ? 0.0 : base.rate(1e-9, 1e24)}})};
    graph.parts["task"].push_back(task);
  }
  return graph;
}

}  // namespace

BOOST_AUTO_TEST_CASE(promises_of_given_graphs) {
  const std::uint64_t rounds = std::getenv("DFSWEEP_LONG_TESTS") == nullptr ? 10'000 : 100'000;
  std::size_t estimated = 0;
  std::size_t without_work = 0;
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    RandomValues base(seed);
    TaskGraphPoint point;
    point.set("strategy", some_graph(base)).set("link_latency", 0);
    if (base.one_in(2)) point.set_absent("link_latency");
    const NamedEstimate e = point.evaluate();
    BOOST_TEST_CONTEXT("seed " << seed) {
      without_work += e.status == "no_work";
      if (e.status != "ok") continue;
      ++estimated;
      for (const auto& [name, value] : e.metrics)
        BOOST_TEST_REQUIRE((std::isnan(value) || (value >= 0 && std::isfinite(value))), name << " is " << value);
      const double step = e["step_time"];
      BOOST_TEST_REQUIRE(step > 0);
      BOOST_TEST_REQUIRE(e["critical_path"] <= step * (1 + rounding));
      BOOST_TEST_REQUIRE(std::abs(e["attention_time"] + e["ffn_time"] + e["communication_time"] + e["other_time"] -
                                  step) <= rounding * step);
      for (const char* share : {"busy_fraction", "most_busy_fraction", "link_busy_fraction"})
        BOOST_TEST_REQUIRE((std::isnan(e[share]) || e[share] <= 1 + rounding));
    }
  }
  BOOST_TEST(estimated > rounds / 2);
  BOOST_TEST(without_work > rounds / 100);
}

BOOST_AUTO_TEST_SUITE_END()
