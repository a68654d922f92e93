/// The partition search against brute force.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "models/dataflow/partition_search.hpp"
#include "tests/models/dataflow/brute_force.hpp"
#include "tests/models/dataflow/random_problem.hpp"

namespace dfsweep::test {

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
  for (int round = 0; round < 1000; ++round) {
    const std::size_t n = 2 + draw(random, 6);
    const std::uint64_t edges = draw(random, 1) == 0 ? random() & random() : random() & random() & random();
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

}  // namespace dfsweep::test
