/// Tables of costs, and elimination of kernels last to first.
#include "models/dataflow/sharding_costs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace dfsweep {

namespace {

constexpr std::size_t most_states = std::size_t{1} << 16;

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
  // Kernels without their edges: what a kernel costs by itself, from the model that defines it.
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
          {.compute = in.compute_utilization == 0.0 ? 0.0 : terms.flop / (in.compute_utilization * in.peak_flops),
           .network = network_seconds(terms.network, rates, shares),
           .memory = terms.activation_bytes,
           .tensor = bytes,
           .tile = tiled ? shard.outer * shard.m * std::ceil(shard.n / num_tile) * workload.word_bytes : bytes,
           .weights = shard.weight_words * workload.word_bytes,
           .pieces = shard.outer * shard.m,
           .once = gradient_seconds(terms.network, rates) * once_share});
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
            conversion_between(produced_layout(choices_[source][from]),
                               wanted_layout(workload.graph.kernels[source], workload.graph.kernels[destination], to));
        if (conversion == Conversion::all_gather) {
          terms.all_gather_bytes = costs_[source][from].tensor;
          terms.all_gathers = 1.0;
        } else if (conversion == Conversion::all_to_all) {
          terms.all_to_all_bytes = costs_[source][from].tensor;
          terms.all_to_alls = 1.0;
        }
        seconds.push_back(network_seconds(terms, rates, shares));
      }
  }
  const std::vector<std::size_t> levels = *topological_levels(workload.graph);
  order_.resize(count);
  for (std::size_t k = 0; k < count; ++k) order_[k] = k;
  std::stable_sort(order_.begin(), order_.end(),
                   [&levels](std::size_t a, std::size_t b) { return levels[a] < levels[b]; });
  position_.resize(count);
  for (std::size_t p = 0; p < count; ++p) position_[order_[p]] = p;
  eliminate();
}

std::size_t ShardingCosts::index_of(const Message& message, std::span<const std::size_t> chosen) const {
  std::size_t index = 0;
  for (const std::size_t p : message.positions) index = index * choices_[order_[p]].size() + chosen[order_[p]];
  return index;
}

void ShardingCosts::eliminate() {
  messages_.resize(order_.size());
  std::vector<std::size_t> chosen(order_.size(), 0);
  for (std::size_t p = order_.size(); p-- > 0;) {
    const std::size_t kernel = order_[p];
    Message& message = messages_[p];
    std::vector<std::size_t> later;  // messages that depend on this kernel last
    for (const std::size_t e : edges_of_[kernel]) {
      const std::size_t other = position_[edges_[e].source == kernel ? edges_[e].destination : edges_[e].source];
      if (other < p) message.positions.push_back(other);
    }
    for (std::size_t q = p + 1; q < order_.size(); ++q) {
      const std::vector<std::size_t>& positions = messages_[q].positions;
      if (positions.empty() || positions.back() != p) continue;
      later.push_back(q);
      message.positions.insert(message.positions.end(), positions.begin(), positions.end() - 1);
    }
    std::sort(message.positions.begin(), message.positions.end());
    message.positions.erase(std::unique(message.positions.begin(), message.positions.end()), message.positions.end());
    std::size_t states = 1;
    for (const std::size_t q : message.positions) states *= choices_[order_[q]].size();
    if (states > most_states) {
      complete_ = false;
      return;
    }
    for (std::size_t state = 0; state < states; ++state) {
      std::size_t rest = state;
      for (std::size_t i = message.positions.size(); i-- > 0;) {
        const std::size_t other = order_[message.positions[i]];
        chosen[other] = rest % choices_[other].size();
        rest /= choices_[other].size();
      }
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t choice = 0; choice < choices_[kernel].size(); ++choice) {
        chosen[kernel] = choice;
        double seconds = costs_[kernel][choice].network;
        for (const std::size_t e : edges_of_[kernel])
          if (position_[edges_[e].source] <= p && position_[edges_[e].destination] <= p)
            seconds += conversion(e, chosen[edges_[e].source], chosen[edges_[e].destination]);
        for (const std::size_t q : later) seconds += messages_[q].seconds[index_of(messages_[q], chosen)];
        least = std::min(least, seconds);
      }
      message.seconds.push_back(least);
    }
  }
}

double ShardingCosts::network_to_come(std::size_t decided, std::span<const std::size_t> chosen) const {
  double seconds = 0.0;
  if (!complete_) return seconds;
  for (std::size_t p = decided; p < order_.size(); ++p) {
    const Message& message = messages_[p];
    if (message.positions.empty() || message.positions.back() < decided)
      seconds += message.seconds[index_of(message, chosen)];
  }
  return seconds;
}

}  // namespace dfsweep
