/// Stages and what happens inside them, through the estimator, against all stages with all mappings inside.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>

#include "models/dataflow/search/stage_problem.hpp"
#include "tests/models/dataflow/mapping/staged_points.hpp"
#include "tests/models/dataflow/search/brute_force.hpp"
#include "tests/models/dataflow/search/random_problem.hpp"

BOOST_AUTO_TEST_SUITE(staged_brute_force_test)

namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::dataflow;
using namespace dfsweep::testing;

namespace {

using dfsweep::test::draw;

struct Random {
  Entry entry;
  StageProblem problem;        ///< one pass on the chips of point_of, kernels without DRAM traffic
  PartitionProblem partition;  ///< the same with it
};

Random random_graph(std::mt19937_64& random) {
  const std::size_t n = 3 + draw(random, 2);
  std::vector<Sizes> sizes;
  std::vector<std::pair<int, int>> edges;
  Random result;
  for (std::size_t i = 0; i < n; ++i) {
    sizes.push_back({static_cast<double>(1 + draw(random, 9)), static_cast<double>(10 * (1 + draw(random, 15)))});
    const Seconds compute{2.0 * 100.0 * sizes[i].k * sizes[i].n / 1e9};
    result.problem.kernels.push_back({compute, {}, {}, {}});
    PartitionKernel kernel;
    kernel.compute = compute;
    result.partition.kernels.push_back(kernel);
  }
  for (std::size_t j = 1; j < n; ++j)
    for (std::size_t i = 0; i < j; ++i) {
      if (draw(random, 2) == 0) continue;
      edges.emplace_back(static_cast<int>(i), static_cast<int>(j));
      const Bytes bytes{100.0 * sizes[i].n * word_bytes};
      result.problem.edges.push_back({i, j, bytes});
      result.partition.edges.push_back({i, j, bytes, {}, {}});
    }
  result.problem.link_bandwidth = Bandwidth{1e8};
  result.problem.link_latency = Seconds{1e-6};
  result.problem.stages = 2 + draw(random, 1);
  result.partition.dram_bandwidth = Bandwidth{1e9};
  result.partition.mixing = PassMixing::free;
  result.entry = graph_entry(sizes, edges);
  return result;
}

/// Least time of a step over all stages and, inside them, all partitions that `allows`.
double brute_force(const Random& graph, const std::function<bool(KernelSet inside, std::size_t partitions)>& allows) {
  double least = std::numeric_limits<double>::infinity();
  const std::size_t n = graph.problem.kernels.size();
  dfsweep::test::for_each_mapping(graph.partition, [&](const std::vector<KernelSet>& partitions) {
    // Every way to put consecutive partitions into stages: bit p says that a stage ends after partition p.
    for (std::uint64_t ends = 0; ends < std::uint64_t{1} << (partitions.size() - 1); ++ends) {
      if (static_cast<std::size_t>(std::popcount(ends)) >= graph.problem.stages) continue;
      double slowest = 0.0;
      double sum = 0.0;
      double busy = 0.0;
      KernelSet before = 0;
      KernelSet stage = 0;
      std::size_t count = 0;
      bool allowed = true;
      for (std::size_t p = 0; p < partitions.size(); ++p) {
        busy += use_of(graph.partition, before | stage, partitions[p]).time.value();
        stage |= partitions[p];
        ++count;
        if (p + 1 < partitions.size() && (ends >> p & 1U) == 0) continue;
        allowed = allowed && allows(stage, count);
        const double transfer = use_of(graph.problem, before, stage).transfer.value();
        const double time = stage_time(graph.problem.overlap, busy, transfer);
        slowest = std::max(slowest, time);
        sum += time;
        before |= stage;
        stage = 0;
        busy = 0.0;
        count = 0;
      }
      if (allowed) least = std::min(least, (graph.problem.passes - 1.0) * slowest + sum);
    }
  });
  BOOST_REQUIRE(n > 0);
  return least;
}

}  // namespace

BOOST_AUTO_TEST_CASE(stages_and_mappings_against_all_of_them) {
  std::mt19937_64 random{31};
  const char* const overlaps[] = {"perfect", "none", "network_exposed"};
  const double passes[] = {12.0, 1.0, 3.0};
  double most_gap = 0.0;
  int joint = 0;
  constexpr int rounds = 150;
  for (int round = 0; round < rounds; ++round) {
    Random graph = random_graph(random);
    graph.problem.overlap = graph.partition.overlap = static_cast<Overlap>(round % 3);
    DataflowPoint point = point_of(graph.entry, static_cast<double>(graph.problem.stages));
    point.set("overlap", std::string(overlaps[round % 3]));
    graph.problem.passes = passes[round / 3 % 3];
    point.set("global_batch", graph.problem.passes);
    const auto step = [&](const char* mapping, double* gap) {
      const NamedEstimate result = point.set("mapping", std::string(mapping)).evaluate();
      BOOST_REQUIRE(result.status == "ok");
      *gap = result["optimality_gap"];
      return result["step_time"];
    };
    double gap = 0.0;
    const auto alone = [](KernelSet inside, std::size_t partitions) {
      return static_cast<std::size_t>(std::popcount(inside)) == partitions;
    };
    BOOST_TEST(step("kernel_by_kernel", &gap) == brute_force(graph, alone), tt::tolerance(1e-12));
    BOOST_TEST(std::abs(gap) < 1e-12);
    const auto check = [&](const char* mapping, double least) {
      const double found = step(mapping, &gap);
      BOOST_TEST(found >= least * (1.0 - 1e-12));
      BOOST_TEST(found * (1.0 - gap) <= least * (1.0 + 1e-12));
      most_gap = std::max(most_gap, gap);
      joint += found <= least * (1.0 + 1e-12);
    };
    check("single_partition", brute_force(graph, [](KernelSet, std::size_t partitions) { return partitions == 1; }));
    check("best", brute_force(graph, [](KernelSet, std::size_t) { return true; }));
  }
  BOOST_TEST_MESSAGE("joint optimum found in " << joint << " of " << 2 * rounds << ", largest gap " << most_gap);
  BOOST_TEST(joint > rounds);
}

BOOST_AUTO_TEST_SUITE_END()
