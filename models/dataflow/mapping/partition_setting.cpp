/// Construction of a partition problem from the terms of kernels and the rates of a system.
#include "models/dataflow/mapping/partition_setting.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "models/dataflow/cost/pass_times.hpp"
#include "models/dataflow/mapping/core_choices.hpp"

namespace dfsweep::dataflow {

namespace {

Kernel tile_of(const Kernel& shard, double num_tile) {
  Kernel tile = shard;
  if (shard.tiling == Tiling::n) tile.n = std::ceil(shard.n / num_tile);
  if (shard.tiling == Tiling::k) tile.k = std::ceil(shard.k / num_tile);
  return tile;
}

/// Whether SRAM limits partitions; HPL and FFT work in place in DRAM.
bool has_sram_rule(Spread spread) {
  return spread == Spread::tensor_parallel || spread == Spread::replicated;
}

/// Cache of core choices: kernels with equal tiles have equal choices.
class ChoicesOfTiles {
 public:
  ChoicesOfTiles(double tiles, const Device& device) : tiles_(tiles), device_(device) {}
  const std::vector<CoreChoice>& of(const Kernel& tile) {
    const TileBlocks blocks = tile_blocks(tile, device_);
    for (const auto& [known, choices] : found_)
      if (known == blocks) return choices;
    return found_.emplace_back(blocks, core_choices(blocks, tiles_, device_)).second;
  }

 private:
  double tiles_;
  const Device& device_;
  std::vector<std::pair<TileBlocks, std::vector<CoreChoice>>> found_;
};

void add_edges(PartitionProblem& problem, const PartitionModel& model, double num_tile) {
  const std::vector<Edge>& edges = model.workload().graph.edges;
  const bool sram_rule = has_sram_rule(model.workload().spread);
  const bool code = model.rules().sram != SramAccounting::paper;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const Bytes tile = sram_rule ? model.edge_tile_bytes(e, num_tile) : Bytes{};
    problem.edges.push_back({.source = edges[e].source,
                             .destination = edges[e].destination,
                             .traffic = model.edge_bytes(e),
                             .sram_inside = code ? tile * model.edge_depth(e) : tile,
                             .sram_boundary = code ? 2.0 * tile : Bytes{}});
  }
}

}  // namespace

PartitionProblem partition_problem_of(const PartitionModel& model, const MappedWorkload& base, const Layout& layout,
                                      const Convention& convention, const StepInputs& in, const Device& device,
                                      const PartitionSetting& setting) {
  const Workload& workload = model.workload();
  const Batches batches = batches_of(workload, layout, convention, in);
  const PassShares shares = pass_shares(convention, batches);
  const NetworkRates rates = network_rates(layout, in);
  const bool resident = setting.weights == WeightPlace::resident;
  const bool cycle_model = in.compute_utilization == 0.0;
  const bool weights_in_sram = !resident && model.rules().sram != SramAccounting::paper;

  PartitionProblem problem;
  add_edges(problem, model, setting.num_tile);
  Device clocked = device;
  clocked.frequency = in.frequency;
  ChoicesOfTiles choices(setting.num_tile, clocked);
  for (std::size_t k = 0; k < workload.graph.kernels.size(); ++k) {
    const PartitionTerms terms = model.terms(std::array{k}, setting.num_tile, nullptr);
    PartitionKernel kernel;
    kernel.pass = workload.graph.kernels[k].pass;
    kernel.network = network_seconds(terms.network, rates, shares);
    kernel.memory = Bytes{model.shard(k).memory_words * workload.word_bytes};
    if (!resident) kernel.memory += terms.weights * shares.each;
    if (weights_in_sram && has_sram_rule(workload.spread))
      kernel.sram = Bytes{model.shard(k).weight_words * workload.word_bytes};
    kernel.sram_alone = resident ? terms.buffers : terms.sram;
    if (cycle_model)
      kernel.choices = choices.of(tile_of(model.shard(k), setting.num_tile));
    else
      kernel.compute = terms.flop / in.used_flops();
    problem.kernels.push_back(std::move(kernel));
  }
  problem.dram_bandwidth = in.dram_bandwidth;
  if (cycle_model) problem.cores = device.cores;
  Bytes sram = in.sram_capacity;
  if (resident) sram -= resident_bytes(base.utilization_schedules.front().resident, layout);
  problem.sram_capacity = has_sram_rule(workload.spread) || resident ? sram : unlimited;
  const MemoryUse use = memory_use(base, layout, batches);
  problem.live_capacity = (in.dram_capacity - (use.state + use.kept + use.machine)) / batches.micro_batch;
  problem.overlap = in.overlap;
  problem.mixing = setting.mixing;
  problem.count_rule = setting.count_rule;
  problem.count = setting.count;
  return problem;
}

}  // namespace dfsweep::dataflow
