/// Pipeline stages of a graph: the definition by hand, the search against brute force, its limits and its tie rule.
#include "models/dataflow/search/stage_search.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/dataflow/search/stage_instance.hpp"
#include "tests/models/dataflow/search/random_problem.hpp"

namespace dfsweep::test {

BOOST_AUTO_TEST_SUITE(stage_search_test)

using namespace dataflow;

namespace {

constexpr Overlap overlaps[] = {Overlap::perfect, Overlap::none, Overlap::network_exposed};

/// Kernels 0 to n - 1 with edges i -> j, i < j, where the bits of `edges` say so, under other names.
StageProblem stage_graph(std::size_t n, std::uint64_t edges, const std::vector<std::size_t>& names) {
  StageProblem problem;
  problem.kernels.resize(n);
  std::size_t bit = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j, ++bit)
      if ((edges >> bit & 1U) != 0) problem.edges.push_back({names[i], names[j], {}});
  return problem;
}

/// Small whole amounts, so that sums of doubles are exact and equal means equal.
void fill(StageProblem& problem, std::mt19937_64& random, std::size_t most) {
  const auto amount = [&](std::size_t last) { return static_cast<double>(draw(random, last)); };
  for (StageKernel& kernel : problem.kernels)
    kernel = {Seconds{amount(most)}, Seconds{amount(most) * amount(1)}, Seconds{amount(most) * amount(1)},
              Bytes{amount(2)}, Seconds{amount(most) * amount(1)}};
  problem.micro_batch = 1.0 + amount(1);
  problem.passes = problem.micro_batch * (1.0 + amount(3));
  for (StageEdge& edge : problem.edges) edge.bytes = Bytes{amount(most)};
  problem.link_latency = Seconds{amount(1)};
}

/// Calls visit(stage) for every way to put kernels into numbered stages.
template <class Visit>
void for_each_answer(const StageProblem& problem, StageOfKernel& stage, std::size_t kernel, const Visit& visit) {
  if (kernel == stage.size()) return visit(stage);
  for (stage[kernel] = 0; stage[kernel] < problem.stages; ++stage[kernel])
    for_each_answer(problem, stage, kernel + 1, visit);
}

/// What a search minimises, and the search.
struct Objective {
  const char* name;
  Seconds (*time)(const StageProblem&, const StageOfKernel&);
  StageSearchResult (*search)(const StageProblem&, std::int64_t);
};
constexpr Objective objectives[] = {{"slowest stage", slowest_stage, balanced_stages},
                                    {"step", step_of_stages, best_stages}};

struct Least {
  double time = std::numeric_limits<double>::infinity();
  std::size_t stages = 0;  ///< fewest of those with that time
};

Least brute_force(const StageProblem& problem, const Objective& objective) {
  Least least;
  StageOfKernel stage(problem.kernels.size(), 0);
  for_each_answer(problem, stage, 0, [&](const StageOfKernel& answer) {
    if (!is_feasible(problem, answer)) return;
    const double time = objective.time(problem, answer).value();
    const std::size_t stages = uses_of(problem, answer).size();
    if (time > least.time || (time == least.time && stages >= least.stages)) return;
    least = {time, stages};
  });
  return least;
}

void check(const StageProblem& problem, const Objective& objective) {
  const Least expected = brute_force(problem, objective);
  const StageSearchResult found = objective.search(problem, default_stage_nodes);
  if (!std::isfinite(expected.time)) {
    BOOST_REQUIRE(found.outcome == SearchOutcome::infeasible);
    BOOST_REQUIRE(found.stage.empty());
    return;
  }
  BOOST_REQUIRE(found.outcome == SearchOutcome::optimal);
  BOOST_REQUIRE(is_feasible(problem, found.stage));
  BOOST_REQUIRE_EQUAL(found.time.value(), expected.time);
  BOOST_REQUIRE_EQUAL(objective.time(problem, found.stage).value(), expected.time);
  BOOST_REQUIRE_EQUAL(partition_count(found.stage), expected.stages);
  BOOST_REQUIRE(found.gap == 0.0 && found.bound == found.time);
}

void check(const StageProblem& problem, const std::string& where) {
  for (const Objective& objective : objectives) {
    BOOST_TEST_CONTEXT(where << ", overlap " << static_cast<int>(problem.overlap) << ", stages " << problem.stages
                             << ", least " << objective.name)
    check(problem, objective);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_stage_takes_what_the_definition_says) {
  // 0 -> 1 -> 2, and 0 -> 2, whose tensor passes through the stage of 1.
  StageProblem problem;
  problem.kernels = {{Seconds{5}, Seconds{1}, Seconds{2}, Bytes{10}},
                     {Seconds{3}, Seconds{7}, Seconds{1}, Bytes{20}},
                     {Seconds{2}, Seconds{2}, Seconds{9}, Bytes{30}}};
  problem.edges = {{0, 1, Bytes{40}}, {1, 2, Bytes{60}}, {0, 2, Bytes{20}}};
  problem.kernels[1].gradients = Seconds{4};
  problem.kernels[2].gradients = Seconds{3};
  problem.link_bandwidth = Bandwidth{10};
  problem.link_latency = Seconds{0.5};
  problem.stages = 3;
  problem.passes = 8;
  problem.micro_batch = 2;
  const StageOfKernel apart{0, 1, 2};
  const auto times = [&](Overlap overlap) {
    problem.overlap = overlap;
    std::vector<double> result;
    for (const StageUse& use : uses_of(problem, apart)) result.push_back(use.time.value());
    return result;
  };
  // Sent after stage 0: 40 + 20 bytes; after stage 1: 60 + 20; after stage 2: nothing, and no latency either.
  const std::vector<double> sent{6.5, 8.5, 0.0};
  BOOST_TEST(times(Overlap::perfect) == (std::vector<double>{6.5, 8.5, 9.0}), boost::test_tools::per_element());
  BOOST_TEST(times(Overlap::none) == (std::vector<double>{8 + sent[0], 11 + sent[1], 13.0}),
             boost::test_tools::per_element());
  BOOST_TEST(times(Overlap::network_exposed) == (std::vector<double>{7 + sent[0], 8 + sent[1], 11.0}),
             boost::test_tools::per_element());
  BOOST_TEST(slowest_stage(problem, apart).value() == 8 + sent[1]);
  // 13.5 s, 16.5 s and 11 s; of 8 passes the first 2 go through all stages, the other 6 at the pace of the slowest.
  BOOST_TEST(step_of_stages(problem, apart).value() == 2 * (13.5 + 16.5 + 11.0) + 6 * 16.5 + 4);
  BOOST_TEST(step_of_stages(problem, {0, 1, 1}).value() == 2 * (13.5 + 19.0) + 6 * 19.0 + 7);
  BOOST_TEST(uses_of(problem, {0, 0, 1})[0].held.value() == 30.0);
  BOOST_TEST(is_feasible(problem, apart));
  BOOST_TEST(!is_feasible(problem, {0, 1, 0}));
  problem.stages = 2;
  BOOST_TEST(!is_feasible(problem, apart));
  problem.stages = 3;
  problem.capacity = Bytes{29};
  BOOST_TEST(!is_feasible(problem, apart));
}

BOOST_AUTO_TEST_CASE(equals_brute_force_on_every_graph_of_up_to_five_kernels) {
  std::mt19937_64 random{11};
  for (std::size_t n = 1; n <= 5; ++n)
    for (std::uint64_t edges = 0; edges < std::uint64_t{1} << (n * (n - 1) / 2); ++edges) {
      StageProblem problem = stage_graph(n, edges, shuffled(n, random));
      fill(problem, random, 4);
      for (const Overlap overlap : overlaps)
        for (std::size_t stages = 1; stages <= std::min<std::size_t>(n, 4); ++stages)
          for (const double capacity : {unlimited.value(), 3.0}) {
            problem.overlap = overlap;
            problem.stages = stages;
            problem.capacity = Bytes{capacity};
            check(problem, std::to_string(n) + " kernels, edges " + std::to_string(edges));
          }
    }
}

BOOST_AUTO_TEST_CASE(equals_brute_force_on_random_graphs_of_up_to_eight_kernels) {
  std::mt19937_64 random{12};
  for (int round = 0; round < 3000; ++round) {
    const std::size_t n = 2 + draw(random, 6);
    StageProblem problem =
        stage_graph(n, random() & (draw(random, 1) == 0 ? random() : ~std::uint64_t{0}), shuffled(n, random));
    fill(problem, random, 2 + draw(random, 18));
    problem.overlap = overlaps[round % 3];
    problem.stages = 2 + draw(random, n > 6 ? 1 : 2);
    if (draw(random, 3) == 0) problem.capacity = Bytes{static_cast<double>(2 + draw(random, n))};
    check(problem, "round " + std::to_string(round));
  }
}

/// Sinks with equal amounts, fed by two chains in opposite orders, as the weight updates of a recommendation model.
BOOST_AUTO_TEST_CASE(equals_brute_force_where_sinks_are_symmetric) {
  std::mt19937_64 random{13};
  for (int round = 0; round < 300; ++round) {
    const std::vector<std::size_t> names = shuffled(8, random);
    StageProblem problem = stage_graph(8, 0, names);
    for (const auto& [from, to] :
         {std::pair{0, 1}, {2, 3}, {0, 4}, {0, 5}, {1, 6}, {1, 7}, {3, 4}, {2, 5}, {3, 6}, {2, 7}})
      problem.edges.push_back({names[static_cast<std::size_t>(from)], names[static_cast<std::size_t>(to)], {}});
    fill(problem, random, 6);
    for (StageEdge& edge : problem.edges) edge.bytes = Bytes{2.0};
    for (std::size_t sink = 5; sink < 8; ++sink) problem.kernels[names[sink]] = problem.kernels[names[4]];
    BOOST_TEST(StageInstance(problem).symmetric.size() == 1U);
    problem.overlap = overlaps[round % 3];
    problem.stages = 2 + draw(random, 1);
    if (draw(random, 1) == 0) problem.capacity = Bytes{6.0};
    check(problem, "round " + std::to_string(round));
  }
}

BOOST_AUTO_TEST_CASE(a_node_limit_leaves_an_answer_and_a_bound_that_holds) {
  std::mt19937_64 random{14};
  int limited = 0;
  for (int round = 0; round < 100; ++round) {
    StageProblem problem = stage_graph(11, random() & random(), shuffled(11, random));
    fill(problem, random, 60);
    problem.overlap = overlaps[round % 3];
    problem.stages = 4;
    for (const Objective& objective : objectives) {
      const StageSearchResult best = objective.search(problem, default_stage_nodes);
      BOOST_REQUIRE(best.outcome == SearchOutcome::optimal);
      for (const std::int64_t nodes : {1, 20, 200}) {
        const StageSearchResult result = objective.search(problem, nodes);
        BOOST_REQUIRE(is_feasible(problem, result.stage));
        BOOST_TEST(result.nodes <= nodes);
        BOOST_TEST(result.time.value() >= best.time.value());
        BOOST_TEST(result.bound.value() <= best.time.value());
        BOOST_TEST(result.gap == 1.0 - result.bound / result.time);
        limited += result.outcome == SearchOutcome::limited ? 1 : 0;
      }
    }
  }
  BOOST_TEST(limited > 100);
}

/// A single pass visits the stages one after the other, so a second one only adds a transfer.
BOOST_AUTO_TEST_CASE(a_single_pass_needs_one_stage_unless_memory_needs_more) {
  StageProblem problem = stage_graph(3, 5, {0, 1, 2});
  for (StageKernel& kernel : problem.kernels) kernel = {Seconds{2}, Seconds{1}, {}, Bytes{1}, {}};
  for (StageEdge& edge : problem.edges) edge.bytes = Bytes{1};
  problem.overlap = Overlap::none;
  problem.stages = 3;
  const StageSearchResult one = best_stages(problem);
  BOOST_TEST(one.time.value() == 9.0);
  BOOST_TEST(partition_count(one.stage) == 1U);
  problem.capacity = Bytes{2};
  const StageSearchResult two = best_stages(problem);
  BOOST_TEST(two.time.value() == 10.0);
  BOOST_TEST(partition_count(two.stage) == 2U);
}

/// Kernels of 3, 1, 1 and 3 s in a row: {0 1}, {2 3} takes 4.875 s and 4 s, {0}, {1 2 3} 3.25 s and 5 s. A second stage
/// gains nothing for one pass, few passes prefer the smaller sum, many the smaller maximum.
BOOST_AUTO_TEST_CASE(few_passes_prefer_a_cheap_transfer_to_even_stages) {
  StageProblem problem = stage_graph(4, 0, {0, 1, 2, 3});
  const double compute[] = {3, 1, 1, 3};
  for (std::size_t k = 0; k < 4; ++k) problem.kernels[k].compute = Seconds{compute[k]};
  problem.edges = {{0, 1, Bytes{0.25}}, {1, 2, Bytes{0.875}}, {2, 3, Bytes{2}}};
  problem.overlap = Overlap::none;
  problem.stages = 2;
  struct Row {
    double passes;
    double step;
    std::vector<std::size_t> stage;
  };
  const Row rows[] = {{1, 8.0, {0, 0, 0, 0}}, {4, 3 * 5 + 8.25, {0, 1, 1, 1}}, {40, 39 * 4.875 + 8.875, {0, 0, 1, 1}}};
  for (const Row& row : rows) {
    problem.passes = row.passes;
    const StageSearchResult found = best_stages(problem);
    BOOST_TEST(found.time.value() == row.step);
    BOOST_TEST(found.stage == row.stage, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(no_work_at_all_takes_no_time_and_one_stage) {
  StageProblem problem = stage_graph(3, 7, {0, 1, 2});
  problem.stages = 3;
  const StageSearchResult found = best_stages(problem);
  BOOST_TEST(found.time.value() == 0.0);
  BOOST_TEST(partition_count(found.stage) == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::test
