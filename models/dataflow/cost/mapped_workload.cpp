/// Reduction of a mapping: sums over its partitions.
#include "models/dataflow/cost/mapped_workload.hpp"

#include <algorithm>
#include <cmath>

#include "models/divisors.hpp"

namespace dfsweep::dataflow {

namespace {

bool same_class(const PartitionClass& a, const PartitionClass& b) {
  return a.flop == b.flop && a.cycles == b.cycles && a.activations == b.activations && a.weights == b.weights &&
         a.rows == b.rows && a.network == b.network;
}

void add_class(std::vector<PartitionClass>& classes, const PartitionClass& fresh) {
  for (PartitionClass& known : classes)
    if (same_class(known, fresh)) {
      known.count += 1.0;
      return;
    }
  classes.push_back(fresh);
}

std::size_t index_of(std::vector<NetworkTerms>& networks, const NetworkTerms& terms) {
  const auto found = std::find(networks.begin(), networks.end(), terms);
  if (found != networks.end()) return static_cast<std::size_t>(found - networks.begin());
  networks.push_back(terms);
  return networks.size() - 1;
}

/// Bytes of forward outputs that backward kernels consume, each counted once.
Bytes kept_bytes(const PartitionModel& model) {
  const Graph& graph = model.workload().graph;
  Bytes bytes;
  for (std::size_t k = 0; k < graph.kernels.size(); ++k) {
    if (graph.kernels[k].pass != Pass::forward) continue;
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
      if (graph.edges[e].source == k && graph.kernels[graph.edges[e].destination].pass == Pass::backward) {
        bytes += model.edge_bytes(e);
        break;
      }
  }
  return bytes;
}

/// Weights of forward and of backward kernels on one chip, in words.
struct WeightWords {
  double forward = 0.0;
  double backward = 0.0;
};

WeightWords weight_words(const PartitionModel& model) {
  WeightWords words;
  const std::vector<Kernel>& kernels = model.workload().graph.kernels;
  for (std::size_t k = 0; k < kernels.size(); ++k)
    (kernels[k].pass == Pass::forward ? words.forward : words.backward) += model.shard(k).weight_words;
  return words;
}

/// DRAM of a chip, with w bytes per word and the copies that the convention stores:
///
///     state   = forward weights (w copies + w gradient copies + optimizer bytes) + backward weights w copies
///     kept    = outputs of forward kernels that backward kernels consume, each once; when training
///     live    = peak of tensors alive between partitions
///     machine = tables or matrix over all chips
///
/// Where the model has layers of another kind, state and kept are means over all layers. [dfmodel] section 5.5, without
/// its omission of gradients, optimizer state and kept tensors.
void add_memory(MappedWorkload& mapped, const PartitionModel& model, const MappingRequest& request, double chips) {
  const Workload& w = model.workload();
  const Convention& c = *request.convention;
  const WeightWords words = weight_words(model);
  mapped.state =
      Bytes{(words.forward * c.weight_copies_stored + words.backward * c.backward_weight_copies_stored) * w.word_bytes};
  if (w.phase == Phase::train) {
    mapped.state += Bytes{words.forward * (c.gradient_copies_stored * w.word_bytes + c.optimizer_bytes_per_parameter)};
    mapped.kept = c.activations_kept * kept_bytes(model);
  }
  const OtherLayers& other = request.other;
  mapped.state = mean_of_layers(mapped.state, other.state, other.share);
  mapped.kept = mean_of_layers(mapped.kept, other.kept, other.share);
  mapped.live = live_tensor_bytes(model, request.assignment, partition_count(request.assignment));
  mapped.machine = Bytes{w.machine_words * w.word_bytes / chips};
}

/// The weights of a layer and, in training, their accumulated gradients.
ResidentWeights resident_weights(const PartitionModel& model, const MappingRequest& request) {
  const Workload& w = model.workload();
  if (request.rules.weights == WeightTraffic::none) return {};
  const double copies = w.phase == Phase::train ? 2.0 : 1.0;
  const Bytes own{copies * weight_words(model).forward * w.word_bytes};
  const bool is_mixed = request.other.share > 0.0;
  return {mean_of_layers(own, request.other.resident, request.other.share), is_mixed ? own : Bytes{}};
}

}  // namespace

Bytes live_tensor_bytes(const PartitionModel& model, const Assignment& assignment, std::size_t partitions) {
  std::vector<Bytes> change(partitions + 1);
  const std::vector<Edge>& edges = model.workload().graph.edges;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const std::size_t from = assignment[edges[e].source];
    const std::size_t to = assignment[edges[e].destination];
    if (from == to || from >= partitions || to >= partitions) continue;
    change[from] += model.edge_bytes(e);
    change[to + 1] -= model.edge_bytes(e);
  }
  Bytes alive;
  Bytes most;
  for (const Bytes bytes : change) most = std::max(most, alive += bytes);
  return most;
}

std::optional<Schedule> ChipShares::schedule(std::span<const std::vector<std::size_t>> partitions, double num_tile,
                                             const ResidentWeights& resident, const Device* device) {
  Schedule schedule{.num_tile = num_tile,
                    .sram = {},
                    .resident = resident,
                    .buffers = {},
                    .reload = model_.rules().reload,
                    .classes = {}};
  for (const std::vector<std::size_t>& kernels : partitions) {
    const PartitionTerms terms = model_.terms(kernels, num_tile, device);
    if (std::isinf(terms.cycles)) return std::nullopt;
    schedule.sram = std::max(schedule.sram, terms.sram);
    schedule.buffers = std::max(schedule.buffers, terms.buffers);
    add_class(schedule.classes, {1.0, terms.flop, terms.cycles, terms.activations, terms.weights, terms.rows,
                                 index_of(networks_, terms.network)});
  }
  return schedule;
}

ChipShare ChipShares::of(std::span<const std::vector<std::size_t>> partitions, const ResidentWeights& resident) {
  ChipShare share;
  share.partitions = static_cast<double>(partitions.size());
  for (const std::vector<std::size_t>& kernels : partitions) {
    const NetworkTerms network = model_.terms(kernels, 1.0, nullptr).network;
    for (const Collective c : all_of<Collective>) share.traffic[c] += network.traffic[c];
    for (const BlockMessages& block : network.blocks) {
      share.traffic[Collective::broadcast] += block.broadcast;
      share.traffic[Collective::shift] += block.shift;
    }
  }
  const double length = model_.workload().tile_length;
  const bool is_given = request_.num_tile > 0.0;
  share.utilization_schedules.push_back(
      *schedule(partitions, is_given ? request_.num_tile : length, resident, nullptr));
  share.network_uses.resize(networks_.size());
  for (const PartitionClass& c : share.utilization_schedules.back().classes) share.network_uses[c.network] += c.count;
  if (request_.device == nullptr || !request_.device->has_cores()) return share;
  for (const double num_tile : is_given ? std::vector<double>{request_.num_tile} : divisors_of(length))
    if (std::optional<Schedule> found = schedule(partitions, num_tile, resident, request_.device))
      share.cycle_schedules.push_back(std::move(*found));
  return share;
}

MappedWorkload mapped_workload(const PartitionModel& model, const MappingRequest& request) {
  MappedWorkload mapped;
  mapped.problem = mapping_problem(model.workload().graph, request.assignment, request.limits);
  if (!mapped.problem.empty()) return mapped;
  if (request.num_tile > 0.0 && std::fmod(model.workload().tile_length, request.num_tile) != 0.0) {
    mapped.problem = "num_tile does not divide the tiled length";
    return mapped;
  }
  ChipShares shares(model, request);
  static_cast<ChipShare&>(mapped) =
      shares.of(kernels_of_partitions(request.assignment), resident_weights(model, request));
  mapped.networks = std::move(shares).networks();
  mapped.assignment = request.assignment;
  mapped.flop = Flop{model.workload().flop};
  add_memory(mapped, model, request, model.split().chips);
  return mapped;
}

}  // namespace dfsweep::dataflow
