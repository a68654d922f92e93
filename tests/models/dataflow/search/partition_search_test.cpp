/// The partition search against brute force.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/dataflow/search/partition_incumbent.hpp"
#include "models/dataflow/search/partition_search.hpp"
#include "tests/models/dataflow/search/brute_force.hpp"
#include "tests/models/dataflow/search/random_problem.hpp"
#include "tests/support/mapping_study.hpp"

namespace dfsweep::test {

BOOST_AUTO_TEST_SUITE(partition_search_test)

using namespace dataflow;

namespace {

std::vector<Variant> all_variants(std::size_t n, const std::vector<double>& srams, const std::vector<double>& lives) {
  std::vector<Variant> variants;
  for (const double sram : srams)
    for (const double live : lives)
      for (const Overlap overlap : {Overlap::perfect, Overlap::none, Overlap::network_exposed})
        for (const PassMixing mixing : {PassMixing::separate, PassMixing::one_mixed, PassMixing::free}) {
          variants.push_back({Bytes{sram}, Bytes{live}, overlap, mixing, CountRule::any, 0});
          for (const CountRule rule : {CountRule::at_most, CountRule::exactly})
            for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{3}, n})
              variants.push_back({Bytes{sram}, Bytes{live}, overlap, mixing, rule, count});
        }
  return variants;
}

void apply(PartitionProblem& problem, const Variant& variant) {
  problem.sram_capacity = variant.sram_capacity;
  problem.live_capacity = variant.live_capacity;
  problem.overlap = variant.overlap;
  problem.mixing = variant.mixing;
  problem.count_rule = variant.count_rule;
  problem.count = variant.count;
}

/// Solves every variant and compares with brute force; true if all agree.
bool agrees(PartitionProblem problem, const std::vector<Variant>& variants, PartitionSearch& search) {
  const std::vector<double> expected = brute_force(problem, variants);
  for (std::size_t v = 0; v < variants.size(); ++v) {
    apply(problem, variants[v]);
    const PartitionSearchResult result = search.solve(problem);
    const bool solvable = std::isfinite(expected[v]);
    BOOST_REQUIRE_MESSAGE(
        (result.outcome == SearchOutcome::optimal) == solvable,
        "variant " << v << ": outcome " << static_cast<int>(result.outcome) << ", brute force " << expected[v]);
    if (!solvable) {
      BOOST_REQUIRE(result.outcome == SearchOutcome::infeasible);
      continue;
    }
    BOOST_REQUIRE_MESSAGE(result.time.value() == expected[v],
                          "variant " << v << ": search " << result.time.value() << ", brute force " << expected[v]);
    BOOST_REQUIRE(is_feasible(problem, result.assignment));
    BOOST_REQUIRE(result.gap == 0.0);
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(equals_brute_force_on_every_graph_of_up_to_five_kernels) {
  std::mt19937_64 random{1};
  PartitionSearch search;
  const double infinite = unlimited.value();
  for (std::size_t n = 1; n <= 5; ++n) {
    const std::vector<Variant> variants = all_variants(n, {3.0, 6.0, infinite}, {4.0, infinite});
    for (std::uint64_t edges = 0; edges < std::uint64_t{1} << (n * (n - 1) / 2); ++edges) {
      PartitionProblem problem = graph_problem(n, edges, shuffled(n, random), draw(random, n));
      fill_amounts(problem, random, Alphabet{}, draw(random, 1) == 0);
      if (draw(random, 2) == 0) fill_choices(problem, random, static_cast<double>(2 + draw(random, 8)));
      BOOST_REQUIRE_MESSAGE(agrees(problem, variants, search), n << " kernels, edges " << edges);
    }
  }
}

BOOST_AUTO_TEST_CASE(equals_brute_force_on_random_graphs_of_up_to_eight_kernels) {
  std::mt19937_64 random{2};
  PartitionSearch search;
  for (int round = 0; round < 10000; ++round) {
    const std::size_t n = 2 + draw(random, 6);
    const std::uint64_t edges = draw(random, 2) == 0 && n < 8 ? random() & random() : random();
    PartitionProblem problem = graph_problem(n, edges, shuffled(n, random), draw(random, n));
    const std::size_t scale = 1 + draw(random, 3);
    fill_amounts(problem, random, {3 * scale, 2 * scale, scale, scale, 2 * scale, draw(random, 1), draw(random, scale)},
                 draw(random, 1) == 0);
    if (draw(random, 4) == 0) fill_choices(problem, random, static_cast<double>(2 + draw(random, 12)));
    const std::vector<Variant> all =
        all_variants(n, {static_cast<double>(2 + draw(random, 8 * scale))},
                     {static_cast<double>(2 + draw(random, 8 * scale)), unlimited.value()});
    BOOST_REQUIRE_MESSAGE(agrees(problem, all, search), "round " << round);
  }
}

BOOST_AUTO_TEST_CASE(sinks_that_are_alike_are_told_apart_only_where_it_matters) {
  std::mt19937_64 random{3};
  PartitionSearch search;
  const double infinite = unlimited.value();
  for (int round = 0; round < 60; ++round) {
    // Two chains of two or three kernels; each of the other kernels is fed by one kernel of each chain.
    PartitionProblem problem = graph_problem(8, 0, shuffled(8, random), draw(random, 1) == 0 ? 8 : 2);
    const std::vector<std::size_t> names = shuffled(8, random);
    for (PartitionKernel& kernel : problem.kernels) kernel.pass = Pass::forward;
    problem.edges = {{names[0], names[1], {}, {}, {}}, {names[2], names[3], {}, {}, {}}};
    for (std::size_t sink = 4; sink < 8; ++sink) {
      problem.edges.push_back({names[draw(random, 1)], names[sink], {}, {}, {}});
      problem.edges.push_back({names[2 + draw(random, 1)], names[sink], {}, {}, {}});
    }
    fill_amounts(problem, random, {2, 1, 0, 1, 1, 1, 0}, false);
    for (std::size_t sink = 5; sink < 8; ++sink) problem.kernels[names[sink]] = problem.kernels[names[4]];
    for (PartitionEdge& edge : problem.edges) {
      edge.traffic = Bytes{1.0};
      edge.sram_inside = edge.sram_boundary = Bytes{1.0};
      edge.sram_inside += Bytes{static_cast<double>(draw(random, 1))};
    }
    for (std::size_t k = 0; k < 8; ++k) {
      Bytes alone = problem.kernels[k].sram;
      for (const PartitionEdge& edge : problem.edges)
        if (edge.source == k || edge.destination == k) alone += edge.sram_boundary;
      problem.kernels[k].sram_alone = alone;
    }
    std::vector<Variant> variants;
    for (const double sram : {4.0, 5.0, 6.0, 8.0})
      for (const double live : {5.0, 7.0, infinite})
        for (const Overlap overlap : {Overlap::perfect, Overlap::none, Overlap::network_exposed})
          for (const CountRule rule : {CountRule::any, CountRule::at_most, CountRule::exactly})
            variants.push_back({Bytes{sram}, Bytes{live}, overlap, PassMixing::free, rule, 3});
    BOOST_REQUIRE_MESSAGE(agrees(problem, variants, search), "round " << round);
  }
}

BOOST_AUTO_TEST_CASE(a_node_limit_leaves_a_mapping_and_a_bound_that_holds) {
  std::mt19937_64 random{4};
  PartitionSearch search;
  int limited = 0;
  for (int round = 0; round < 200; ++round) {
    PartitionProblem problem = graph_problem(14, random() & random(), shuffled(14, random), 14);
    fill_amounts(problem, random, {40, 40, 10, 20, 30, 5, 5}, false);
    problem.sram_capacity = Bytes{90.0};
    for (PartitionKernel& kernel : problem.kernels)
      problem.sram_capacity = std::max(problem.sram_capacity, kernel.sram_alone);
    const PartitionSearchResult best = search.solve(problem);
    BOOST_REQUIRE(best.outcome == SearchOutcome::optimal);
    for (const std::int64_t nodes : {1, 10, 100}) {
      const PartitionSearchResult result = search.solve(problem, {.nodes = nodes});
      BOOST_REQUIRE(is_feasible(problem, result.assignment));
      BOOST_TEST(result.time.value() >= best.time.value());
      BOOST_TEST(result.bound.value() <= best.time.value());
      BOOST_TEST(result.gap == 1.0 - result.bound / result.time);
      BOOST_TEST((result.gap == 0.0 || result.outcome == SearchOutcome::limited));
      limited += result.outcome == SearchOutcome::limited ? 1 : 0;
    }
  }
  BOOST_TEST(limited > 50);
}

BOOST_AUTO_TEST_CASE(wide_graphs_are_left_with_a_better_mapping_than_two_orders_give) {
  PartitionSearch search;
  for (const Overlap overlap : {Overlap::perfect, Overlap::none, Overlap::network_exposed}) {
    const PartitionProblem problem = testing::layered_problem(64, 8, 0.1, 1.0, overlap, 1);
    const PartitionInstance instance(problem);
    const double first = static_cast<double>(first_incumbent(instance).time) * instance.seconds_per_tick;
    const PartitionSearchResult result = search.solve(problem, {.nodes = 500'000});
    BOOST_REQUIRE((result.outcome == SearchOutcome::limited));
    BOOST_REQUIRE(is_feasible(problem, result.assignment));
    BOOST_TEST(result.time.value() < 0.95 * first);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace dfsweep::test
