/// Computation of the tables of costs.
#include "models/dataflow/mapping/sharding_costs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace dfsweep::dataflow {

namespace {

double words_of(const Kernel& kernel) {
  return kernel.outer * kernel.m * kernel.n;
}

}  // namespace

ShardingCosts::ShardingCosts(const Workload& workload, const Layout& layout, const PartitionRules& rules,
                             const Convention& convention, const StepInputs& in, double num_tile, SinkSharding sink)
    : edges_(workload.graph.edges) {
  const std::size_t count = workload.graph.kernels.size();
  const NetworkRates rates = network_rates(layout, in);
  const Batches batches = batches_of(workload, layout, convention, in);
  const PassShares shares = pass_shares(convention, batches);
  // step = (passes l pass + ...) (1 + bubble) + l gradients
  const bool gradients_once = convention.gradient_charge == GradientCharge::once_per_step;
  const double once_share =
      gradients_once ? 1.0 / (batches.passes * (1.0 + layout.bubble / batches.micro_batches)) : 0.0;
  std::size_t most_choices = 0;
  for (std::size_t k = 0; k < count; ++k) {
    choices_.push_back(sharding_choices(workload.graph, k, sink));
    most_choices = std::max(most_choices, choices_.back().size());
  }
  // A graph without edges, so that the partition model gives the costs of single kernels.
  Workload alone = workload;
  alone.graph.edges.clear();
  costs_.resize(count);
  for (std::size_t choice = 0; choice < most_choices; ++choice) {
    std::vector<ShardDimension> sharding(count);
    for (std::size_t k = 0; k < count; ++k) sharding[k] = choices_[k][std::min(choice, choices_[k].size() - 1)];
    const PartitionModel model(alone, sharding, layout.split, rules);
    for (std::size_t k = 0; k < count; ++k) {
      if (choice >= choices_[k].size()) continue;
      const PartitionTerms terms = model.terms(std::array{k}, num_tile, nullptr);
      const Kernel& shard = model.shard(k);
      const double bytes = words_of(shard) * workload.word_bytes;
      const bool tiled = shard.tiling == Tiling::n;
      costs_[k].push_back(
          {.compute = in.compute_utilization == 0.0 ? 0.0 : (terms.flop / in.used_flops()).value(),
           .network = network_seconds(terms.network, rates, shares).value(),
           .memory = terms.activations.value(),
           .tensor = bytes,
           .tile = tiled ? shard.outer * shard.m * std::ceil(shard.n / num_tile) * workload.word_bytes : bytes,
           .weights = shard.weight_words * workload.word_bytes,
           .read = terms.weights.value() * shares.each,
           .pieces = shard.outer * shard.m,
           .once = gradient_seconds(terms.network.traffic, rates).value() * once_share});
    }
  }
  edges_of_.resize(count);
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const auto [source, destination] = edges_[e];
    edges_of_[source].push_back(e);
    edges_of_[destination].push_back(e);
    std::vector<double>& seconds = conversions_.emplace_back();
    for (std::size_t from = 0; from < choices_[source].size(); ++from)
      for (const ShardDimension to : choices_[destination]) {
        NetworkTerms terms;
        const Conversion conversion =
            conversion_between(produced_layout(workload.graph.kernels[source], choices_[source][from]),
                               wanted_layout(workload.graph.kernels[source], workload.graph.kernels[destination], to));
        if (const std::optional<Collective> collective = collective_of(conversion))
          terms.traffic[*collective] = {Bytes{costs_[source][from].tensor}, 1.0};
        seconds.push_back(network_seconds(terms, rates, shares).value());
      }
  }
  const std::vector<std::size_t> levels = *topological_levels(workload.graph);
  order_.resize(count);
  for (std::size_t k = 0; k < count; ++k) order_[k] = k;
  std::stable_sort(order_.begin(), order_.end(),
                   [&levels](std::size_t a, std::size_t b) { return levels[a] < levels[b]; });
  position_.resize(count);
  for (std::size_t p = 0; p < count; ++p) position_[order_[p]] = p;
}

}  // namespace dfsweep::dataflow
