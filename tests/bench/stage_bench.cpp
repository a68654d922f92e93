/// Bench: processor time to the proven best stages of a pipeline, by slowest stage and by step, search only, on one
/// core.
///
///     stage_bench
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "models/dataflow/search/stage_search.hpp"
#include "models/dataflow/workload/programs.hpp"
#include "tests/bench/clocks.hpp"
#include "tests/support/mapping_study.hpp"

namespace {

using namespace dfsweep;
using namespace dfsweep::dataflow;
using namespace dfsweep::testing;

constexpr Overlap overlaps[] = {Overlap::perfect, Overlap::none, Overlap::network_exposed};

/// Kernels at 0.5 PFLOP/s, tensors over links of 450 GB/s, embeddings exchanged at 10 GB/s.
StageProblem program_problem(const Graph& graph) {
  StageProblem problem;
  for (const Kernel& kernel : graph.kernels)
    problem.kernels.push_back(
        {Seconds{flop_of(kernel) / 5e14}, {}, Seconds{kernel.exchange_words * 4.0 / 1e10}, Bytes{}});
  for (const Edge& edge : graph.edges)
    problem.edges.push_back(
        {edge.source, edge.destination, Bytes{graph.kernels[edge.source].m * graph.kernels[edge.source].n * 4.0}});
  problem.link_bandwidth = Bandwidth{450e9};
  problem.link_latency = Seconds{1e-6};
  return problem;
}

StageProblem layered_stages(std::size_t kernels, std::size_t width, std::uint64_t seed) {
  const PartitionProblem layered = layered_problem(kernels, width, 1.0, 1e12, Overlap::perfect, seed);
  StageProblem problem;
  for (const PartitionKernel& kernel : layered.kernels)
    problem.kernels.push_back({kernel.compute, kernel.memory / layered.dram_bandwidth, kernel.network, Bytes{}});
  for (const PartitionEdge& edge : layered.edges)
    problem.edges.push_back({edge.source, edge.destination, edge.traffic});
  problem.link_bandwidth = Bandwidth{450e9};
  problem.link_latency = Seconds{1e-6};
  return problem;
}

/// All overlap modes and numbers of stages, for a step of this many passes; 0: the slowest stage alone.
void measure(const std::string& name, const std::vector<StageProblem>& problems, double passes) {
  std::vector<double> times;
  double most_gap = 0.0;
  std::int64_t most_nodes = 0;
  int unproven = 0;
  for (const StageProblem& given : problems)
    for (const Overlap overlap : overlaps)
      for (const std::size_t stages : {2U, 4U, 8U, 16U}) {
        StageProblem problem = given;
        problem.overlap = overlap;
        problem.stages = stages;
        const double start = 1e3 * processor_seconds();
        problem.passes = std::max(1.0, passes);
        const StageSearchResult result = passes > 0.0 ? best_stages(problem) : balanced_stages(problem);
        times.push_back(1e3 * processor_seconds() - start);
        most_nodes = std::max(most_nodes, result.nodes);
        most_gap = std::max(most_gap, result.gap);
        unproven += result.outcome == SearchOutcome::optimal ? 0 : 1;
      }
  std::sort(times.begin(), times.end());
  const std::string goal = passes > 0.0 ? std::to_string(static_cast<int>(passes)) + " passes" : "slowest stage";
  std::printf("%-28s %-13s %4zu problems: median %9.3f ms, most %9.3f ms, %8lld nodes; %d unproven, gap at most %.4f\n",
              name.c_str(), goal.c_str(), times.size(), times[times.size() / 2], times.back(),
              static_cast<long long>(most_nodes), unproven, most_gap);
  std::fflush(stdout);
}

void measure_all(double passes) {
  measure("DLRM, 60 kernels",
          {program_problem(dlrm_graph({.tables = 600,
                                       .rows_per_table = 14211469,
                                       .embedding_dim = 93,
                                       .pooled_rows = 30,
                                       .mlp_layers = 20,
                                       .bottom_layers = 10,
                                       .mlp_width = 13500,
                                       .samples_per_chip = 128}))},
          passes);
  measure("HPL, 64 steps", {program_problem(hpl_graph({.matrix_size = 1048576, .block_size = 2048, .steps = 64}))},
          passes);
  for (const std::size_t width : {1U, 2U, 3U, 4U, 6U})
    for (const std::size_t kernels : {16U, 32U, 64U}) {
      std::vector<StageProblem> problems;
      for (std::uint64_t seed = 0; seed < 3; ++seed) problems.push_back(layered_stages(kernels, width, seed));
      measure("layered, " + std::to_string(kernels) + " kernels, width " + std::to_string(width), problems, passes);
    }
}

}  // namespace

int main() {
  for (const double passes : {0.0, 1.0, 4.0, 64.0}) measure_all(passes);
}
