/// Schedules against a simulation event by event; bounds; anomalies of list scheduling.
#include "models/taskgraph/graph/scheduler.hpp"

#include <boost/test/unit_test.hpp>
#include <numeric>

#include "tests/support/task_simulation.hpp"

BOOST_AUTO_TEST_SUITE(scheduler_test)

using namespace dfsweep;
using namespace dfsweep::taskgraph;
using namespace dfsweep::testing;

namespace {

constexpr int graphs = 10'000;

std::vector<Seconds> seconds(const std::vector<double>& values) {
  return std::vector<Seconds>(values.begin(), values.end());
}

Seconds sum(const std::vector<Seconds>& values) {
  return std::accumulate(values.begin(), values.end(), Seconds{});
}

/// Two groups; task 2 waits for both others.
Dependences small_graph() {
  Dependences graph(2);
  graph.add(0, {});
  graph.add(1, {});
  graph.add(0, std::vector<TaskIndex>{0, 1});
  return graph;
}

}  // namespace

BOOST_AUTO_TEST_CASE(equals_the_simulation_on_random_graphs) {
  std::mt19937_64 random(1);
  int busy_groups = 0;
  for (int g = 0; g < graphs; ++g) {
    const RandomGraph graph = random_graph(random);
    Scheduler scheduler(graph.dependences);
    const Seconds makespan = scheduler.run(graph.durations);
    const SimulatedTimes simulated = simulate(graph.dependences, graph.durations);
    BOOST_REQUIRE(makespan == simulated.makespan);
    for (std::size_t t = 0; t < graph.durations.size(); ++t) {
      BOOST_REQUIRE(scheduler.starts()[t] == simulated.starts[t]);
      BOOST_REQUIRE(scheduler.ends()[t] == simulated.ends[t]);
    }
    std::vector<Seconds> ends(graph.durations.size());
    busy_groups += longest_path(graph.dependences, graph.durations, ends) < makespan;
  }
  BOOST_TEST(busy_groups > graphs / 4);  // there, tasks wait for their group, not only for one another
}

/// The scheduler keeps an order of tasks between calls; it does not change results.
BOOST_AUTO_TEST_CASE(does_not_depend_on_what_was_computed_before) {
  std::mt19937_64 random(2);
  for (int g = 0; g < 1000; ++g) {
    const RandomGraph graph = random_graph(random);
    Scheduler used(graph.dependences);
    std::vector<Seconds> durations = graph.durations;
    for (int change = 0; change < 5; ++change) {
      for (Seconds& d : durations) d = static_cast<double>(random() % 7) * Seconds{0.125};
      Scheduler fresh(graph.dependences);
      BOOST_REQUIRE(used.run(durations) == fresh.run(durations));
      for (std::size_t t = 0; t < durations.size(); ++t) BOOST_REQUIRE(used.starts()[t] == fresh.starts()[t]);
    }
  }
}

/// Longest path <= makespan <= sum of all work: no instant passes without a task, since a free group never waits.
BOOST_AUTO_TEST_CASE(the_makespan_lies_between_its_bounds) {
  std::mt19937_64 random(3);
  for (int g = 0; g < graphs; ++g) {
    const RandomGraph graph = random_graph(random);
    Scheduler scheduler(graph.dependences);
    const Seconds makespan = scheduler.run(graph.durations);
    std::vector<Seconds> ends(graph.durations.size());
    BOOST_REQUIRE(longest_path(graph.dependences, graph.durations, ends) <= makespan);
    BOOST_REQUIRE(makespan <= sum(graph.durations));
    for (const Seconds busy : scheduler.busy()) BOOST_REQUIRE(busy <= makespan);
  }
}

/// Durations are multiples of 1/4, so sums are exact.
BOOST_AUTO_TEST_CASE(the_critical_chain_has_no_gaps) {
  std::mt19937_64 random(4);
  for (int g = 0; g < graphs; ++g) {
    const RandomGraph graph = random_graph(random);
    Scheduler scheduler(graph.dependences);
    const Seconds makespan = scheduler.run(graph.durations);
    std::vector<TaskIndex> room(graph.durations.size());
    Seconds at{};
    for (const TaskIndex task : scheduler.critical_chain(room)) {
      BOOST_REQUIRE(scheduler.starts()[task] == at);
      at = scheduler.ends()[task];
    }
    BOOST_REQUIRE(at == makespan);
  }
}

/// With a group for every task, tasks wait only for other tasks: then the longest path is the makespan, and shorter
/// tasks never make it longer.
BOOST_AUTO_TEST_CASE(without_contention_faster_tasks_never_hurt) {
  std::mt19937_64 random(5);
  for (int g = 0; g < 2000; ++g) {
    const RandomGraph shared = random_graph(random);
    Dependences own(shared.dependences.tasks());
    for (std::size_t t = 0; t < shared.dependences.tasks(); ++t) own.add(t, shared.dependences.predecessors(t));
    Scheduler scheduler(own);
    const Seconds before = scheduler.run(shared.durations);
    std::vector<Seconds> ends(shared.durations.size());
    BOOST_REQUIRE(before == longest_path(own, shared.durations, ends));
    std::vector<Seconds> faster = shared.durations;
    faster[random() % faster.size()] = Seconds{};
    BOOST_REQUIRE(scheduler.run(faster) <= before);
  }
}

/// Order of readiness is list scheduling, which has anomalies: here a faster task makes the whole slower. Task 0 lets
/// task 2 go, which is long and decides; with a faster task 1, task 3 is ready earlier and takes the group first.
BOOST_AUTO_TEST_CASE(a_faster_task_can_make_the_step_slower) {
  Dependences graph(3);
  graph.add(0, {});                         // 0
  graph.add(1, {});                         // 1
  graph.add(2, std::vector<TaskIndex>{0});  // 2, on the shared group
  graph.add(2, std::vector<TaskIndex>{1});  // 3, on the shared group
  graph.add(0, std::vector<TaskIndex>{2});  // 4, the long one that waits for 2
  Scheduler scheduler(graph);
  BOOST_TEST(scheduler.run(seconds({2, 3, 1, 5, 10})).value() == 13.0);  // 2, 3 on the shared group: 2..3, 3..8
  BOOST_TEST(scheduler.run(seconds({2, 1, 1, 5, 10})).value() == 17.0);  // 3 first: 1..6, 2: 6..7, 4: 7..17
}

BOOST_AUTO_TEST_CASE(ties_go_to_the_lowest_number) {
  Dependences graph(1);
  graph.add(0, {});
  graph.add(0, {});
  Scheduler scheduler(graph);
  BOOST_TEST(scheduler.run(seconds({2, 3})).value() == 5.0);
  BOOST_TEST(scheduler.starts()[0].value() == 0.0);
  BOOST_TEST(scheduler.starts()[1].value() == 2.0);
}

BOOST_AUTO_TEST_CASE(busy_times_are_sums) {
  const Dependences graph = small_graph();
  Scheduler scheduler(graph);
  BOOST_TEST(scheduler.run(seconds({1, 4, 2})).value() == 6.0);
  BOOST_TEST(scheduler.busy()[0].value() == 3.0);
  BOOST_TEST(scheduler.busy()[1].value() == 4.0);
}

BOOST_AUTO_TEST_SUITE_END()
