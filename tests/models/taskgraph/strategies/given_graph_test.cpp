/// Graphs that users write: times by hand, numbering, and everything that can be wrong with them.
#include "models/taskgraph/strategies/given_graph.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>

#include "models/taskgraph/strategies/given_run.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/taskgraph_point.hpp"

BOOST_AUTO_TEST_SUITE(given_graph_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::taskgraph;

namespace {

Entry part(std::map<std::string, std::string, std::less<>> texts, std::map<std::string, double, std::less<>> numbers) {
  Entry entry;
  entry.texts = std::move(texts);
  entry.numbers = std::move(numbers);
  return entry;
}

Entry task(const std::string& name, const std::string& group, const std::vector<std::string>& after) {
  Entry entry = part({{"name", name}, {"group", group}}, {});
  if (!after.empty()) entry.text_lists["after"] = after;
  return entry;
}

/// Two groups of devices and a link: first -> sent -> second, beside it a task of the second group.
Entry small_graph() {
  Entry graph;
  graph.numbers = {{"tokens", 100}};
  Entry first = task("first", "left", {});
  first.texts["part"] = "attention";
  first.parts["product"] = {part({}, {{"m", 1000}, {"k", 1000}, {"n", 1000}})};
  first.parts["transfer"] = {part({{"kind", "all_reduce"}}, {{"size", 1e6}})};
  Entry sent = task("sent", "wire", {"first"});
  sent.parts["transfer"] = {part({}, {{"size", 4e6}, {"links", 2}})};
  Entry second = task("second", "right", {"sent", "beside"});
  second.texts["part"] = "ffn";
  second.parts["product"] = {part({}, {{"m", 1}, {"k", 1000}, {"n", 1000}, {"count", 2}})};
  Entry beside = task("beside", "right", {});
  beside.parts["product"] = {part({}, {{"m", 1000}, {"k", 1000}, {"n", 1000}})};
  graph.parts["group"] = {part({{"name", "left"}}, {{"devices", 4}}), part({{"name", "right"}}, {{"peak_flops", 5e11}}),
                          part({{"name", "wire"}, {"kind", "link"}}, {})};
  graph.parts["task"] = {first, sent, second, beside};
  return graph;
}

/// 1 TFLOP/s, 100 GB/s; 1 GB/s and 1 us inside, 2 GB/s and 2 us between groups.
Setting small_setting() {
  Setting s;
  s.device = {1.0 / Throughput{1e12}, 1.0 / Bandwidth{1e11}, Bytes{2.0}, nullptr};
  s.link = {1.0 / Bandwidth{1e9}, Seconds{1e-6}};
  s.outer_link = {1.0 / Bandwidth{2e9}, Seconds{2e-6}};
  return s;
}

struct Case {
  const char* why;
  std::function<void(Entry&)> change;
  const char* problem;
  const char* field;  ///< the field that the problem names
};

Entry& task_of(Entry& graph, std::size_t number) {
  return graph.parts["task"][number];
}

const Case cases[] = {
    {"no tasks", [](Entry& g) { g.parts.erase("task"); }, "'task' is missing", "task"},
    {"no groups", [](Entry& g) { g.parts.erase("group"); }, "'group' is missing", "group"},
    {"a task without a name", [](Entry& g) { task_of(g, 3).texts.erase("name"); }, "'name' of task[3] is missing",
     "task[3].name"},
    {"two tasks of one name", [](Entry& g) { task_of(g, 3).texts["name"] = "first"; },
     "'first' is the name of two tasks", "task[3].name"},
    {"two groups of one name", [](Entry& g) { g.parts["group"][1].texts["name"] = "left"; },
     "'left' is the name of two groups", "group[1].name"},
    {"an unknown group", [](Entry& g) { task_of(g, 0).texts["group"] = "up"; }, "'group' of task 'first' is 'up'",
     "task[0].group"},
    {"no group", [](Entry& g) { task_of(g, 0).texts.erase("group"); }, "'group' of task 'first' is missing",
     "task[0].group"},
    {"an unknown predecessor", [](Entry& g) { task_of(g, 2).text_lists["after"][1] = "besides"; },
     "'after' names 'besides'", "task[2].after[1]"},
    {"a cycle", [](Entry& g) { task_of(g, 0).text_lists["after"] = {"second"}; }, "the tasks form a cycle",
     "task[0].after"},
    {"a product on a link",
     [](Entry& g) {
       task_of(g, 1).parts["product"] = {part({}, {{"m", 1}, {"k", 1}, {"n", 1}})};
     },
     "'product' of task 'sent' is on a link", "task[1].product"},
    {"a product without a size", [](Entry& g) { task_of(g, 0).parts["product"][0].numbers.erase("k"); },
     "'k' of a product of task 'first' is missing", "task[0].product[0].k"},
    {"a size that is not whole", [](Entry& g) { task_of(g, 0).parts["product"][0].numbers["m"] = 1.5; },
     "'m' of a product of task 'first' is 1.5", "task[0].product[0].m"},
    {"a transfer without a size", [](Entry& g) { task_of(g, 1).parts["transfer"][0].numbers.clear(); },
     "'size' of a transfer of task 'sent' is missing", "task[1].transfer[0].size"},
    {"an unknown transfer", [](Entry& g) { task_of(g, 1).parts["transfer"][0].texts["kind"] = "shout"; },
     "'kind' of a transfer of task 'sent' is 'shout'", "task[1].transfer[0].kind"},
    {"an unknown part", [](Entry& g) { task_of(g, 0).texts["part"] = "norm"; }, "'part' of task 'first' is 'norm'",
     "task[0].part"},
    {"a rate that is not positive", [](Entry& g) { g.parts["group"][0].numbers["peak_flops"] = 0; },
     "'peak_flops' of group 'left' is zero", "group[0].peak_flops"},
    {"a rate beyond those of a sweep", [](Entry& g) { g.parts["group"][0].numbers["link_bandwidth"] = 1e25; },
     "'link_bandwidth' of group 'left' is 1e+25", "group[0].link_bandwidth"},
    {"a rate below those of a sweep", [](Entry& g) { g.parts["group"][0].numbers["memory_bandwidth"] = 0.5; },
     "'memory_bandwidth' of group 'left' is 0.5", "group[0].memory_bandwidth"},
    {"a latency beyond those of a sweep", [](Entry& g) { g.parts["group"][0].numbers["link_latency"] = 2; },
     "'link_latency' of group 'left' is 2", "group[0].link_latency"},
    {"a transfer beyond all devices", [](Entry& g) { task_of(g, 1).parts["transfer"][0].numbers["size"] = 1e30; },
     "'size' of a transfer of task 'sent' is 1e+30", "task[1].transfer[0].size"},
    {"more tokens than a step can have", [](Entry& g) { g.numbers["tokens"] = 1e30; }, "'tokens' is 1e+30", "tokens"},
};

}  // namespace

BOOST_DATA_TEST_CASE(problems_have_their_place, bdata::make(cases), c) {
  Entry graph = small_graph();
  c.change(graph);
  const std::vector<EntryProblem> problems = decode_given_graph(graph).problems;
  BOOST_TEST_REQUIRE(!problems.empty());
  const bool found = std::any_of(problems.begin(), problems.end(), [&](const EntryProblem& p) {
    return p.problem == c.problem && p.fields.front() == c.field;
  });
  BOOST_TEST(found, problems.front().problem << " at " << problems.front().fields.front());
}

BOOST_AUTO_TEST_CASE(all_problems_are_found_together) {
  Entry graph = small_graph();
  for (const Case& c : cases)
    if (c.field[std::string_view(c.field).size() - 1] == 'm' || c.field == std::string_view("task[0].part") ||
        c.field == std::string_view("task[2].after[1]"))
      c.change(graph);
  BOOST_TEST(decode_given_graph(graph).problems.size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_circle_is_named) {
  Entry graph = small_graph();
  task_of(graph, 0).text_lists["after"] = {"second"};
  const std::vector<EntryProblem> problems = decode_given_graph(graph).problems;
  BOOST_TEST_REQUIRE(problems.size() == 1U);
  BOOST_TEST(problems[0].reason == "'first' after 'second' after 'sent' after 'first'");
}

/// first: 2 ms of product, then 2 x 3/4 x 1 MB over 1 GB/s, 1.5 ms, and 6 steps of 1 us. sent: 4 MB over two links of 2
/// GB/s, 1 ms, and 2 us. beside: 2 GFLOP at 0.5 TFLOP/s, 4 ms. second: two rows, 2 x 2.004 MB at 100 GB/s, 40.08 us.
BOOST_AUTO_TEST_CASE(a_graph_by_hand) {
  const Decoded<GivenGraph> decoded = decode_given_graph(small_graph());
  BOOST_TEST_REQUIRE(decoded.problems.empty());
  GivenRun run(decoded.value);
  const StepEstimate e = run.estimate(small_setting());
  const double first = 2e-3 + 1.5e-3 + 6e-6;
  const double sent = 1e-3 + 2e-6;
  BOOST_TEST(e.step.value() == first + sent + 40.08e-6, tt::tolerance(1e-12));
  BOOST_TEST(e.critical_path.value() == e.step.value(), tt::tolerance(1e-12));
  BOOST_TEST(e.times.of[Part::attention].value() == 2e-3, tt::tolerance(1e-12));
  BOOST_TEST(e.times.of[Part::communication].value() == 1.506e-3 + sent, tt::tolerance(1e-12));
  BOOST_TEST(e.times.of[Part::ffn].value() == 40.08e-6, tt::tolerance(1e-12));
  BOOST_TEST(e.devices == 5.0);
  BOOST_TEST(e.busy.least == first / e.step.value(), tt::tolerance(1e-12));
  BOOST_TEST(e.busy.most == (4e-3 + 40.08e-6) / e.step.value(), tt::tolerance(1e-12));
  BOOST_TEST(e.busy.link == sent / e.step.value(), tt::tolerance(1e-12));
  BOOST_TEST(e.busy.mean == (4 * e.busy.least + e.busy.most) / 5, tt::tolerance(1e-12));
  BOOST_TEST(run.chain().size() == 3U);
}

namespace {

/// A graph without anything that takes time, and one of links alone.
Entry tasks_without_work(const char* kind) {
  Entry graph;
  graph.name = "idle";
  graph.numbers = {{"tokens", 100}};
  graph.parts["group"] = {part({{"name", "left"}, {"kind", kind}}, {{"link_latency", 0}})};
  Entry nothing = task("nothing", "left", {});
  Entry sent = task("sent", "left", {"nothing"});
  sent.parts["transfer"] = {part({}, {{"size", 0}})};
  graph.parts["task"] = {nothing, sent};
  return graph;
}

}  // namespace

/// Its rates would be infinite, and it would rank first.
BOOST_AUTO_TEST_CASE(a_graph_without_work_has_no_estimate) {
  testing::TaskGraphPoint point;
  point.set("strategy", tasks_without_work("devices"));
  const testing::NamedEstimate r = point.evaluate();
  BOOST_TEST(r.status == "no_work");
  BOOST_TEST(std::isnan(r["token_rate"]));
  BOOST_TEST(point.reason() == "no task of the graph takes time");
}

/// One task without work may join others.
BOOST_AUTO_TEST_CASE(a_task_without_work_takes_no_time) {
  Entry graph = tasks_without_work("devices");
  graph.parts["task"][1].parts["transfer"][0].numbers["size"] = 5e11;
  testing::TaskGraphPoint point;
  const testing::NamedEstimate r = point.set("strategy", graph).evaluate();
  BOOST_TEST(r.status == "ok");
  BOOST_TEST(r["step_time"] == 1.0);
}

BOOST_AUTO_TEST_CASE(a_graph_of_links_has_no_rate_of_a_device) {
  Entry graph = tasks_without_work("link");
  graph.parts["task"][1].parts["transfer"][0].numbers["size"] = 5e11;
  testing::TaskGraphPoint point;
  const testing::NamedEstimate r = point.set("strategy", graph).evaluate();
  BOOST_TEST(r.status == "ok");
  BOOST_TEST(r["token_rate"] == 100.0);
  BOOST_TEST(r["devices_used"] == 0.0);
  BOOST_TEST(std::isnan(r["token_rate_per_device"]));
  BOOST_TEST(std::isnan(r["busy_fraction"]));
}

/// The order in the file is free: a task may stand before those it waits for.
BOOST_AUTO_TEST_CASE(the_order_in_the_file_only_breaks_ties) {
  Entry turned = small_graph();
  std::reverse(turned.parts["task"].begin(), turned.parts["task"].end());
  const Decoded<GivenGraph> a = decode_given_graph(small_graph());
  const Decoded<GivenGraph> b = decode_given_graph(turned);
  BOOST_TEST_REQUIRE(b.problems.empty());
  BOOST_TEST(b.value.tasks[0].name == "beside");
  BOOST_TEST(GivenRun(a.value).estimate(small_setting()).step.value() ==
             GivenRun(b.value).estimate(small_setting()).step.value());
}

BOOST_AUTO_TEST_SUITE_END()
