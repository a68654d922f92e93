/// Relaxations of the joint choice of sharding and mapping.
#include "models/dataflow/mapping/joint_bound.hpp"

#include <algorithm>
#include <limits>

#include "models/dataflow/search/partition_instance.hpp"

namespace dfsweep::dataflow {

namespace {

constexpr int weight_steps = 4;  ///< weights are multiples of 1 / weight_steps
constexpr std::size_t most_weighted =
    6;  ///< number of weighted sums to evaluate: those with the highest bounds at the root

/// Sets a utilization so that the relaxed problem has no cores; ShardCost bounds the compute.
StepInputs utilized(StepInputs in) {
  if (in.compute_utilization == 0.0) in.compute_utilization = 1.0;
  return in;
}

}  // namespace

JointBound::JointBound(const Workload& workload, const Layout& layout, const PartitionRules& rules,
                       const StepInputs& in, const Device& device, const MappingRequest& request,
                       const ShardingCosts& costs, std::span<const ShardDimension> some, std::int64_t nodes)
    : costs_(costs), in_(in), rules_(rules), nodes_(nodes) {
  const PartitionModel model(workload, some, layout.split, rules);
  MappingRequest any = request;
  any.assignment = kernel_by_kernel(workload.graph);
  any.limits = {};
  any.num_tile = 0.0;
  any.device = nullptr;
  relaxed_ = partition_problem_of(model, mapped_workload(model, any), layout, *request.convention, utilized(in), device,
                                  *search_setting(request.limits));
  relaxed_.sram_capacity = relaxed_.sram_capacity == unlimited ? unlimited : in.sram_capacity;
  relaxed_.live_capacity = unlimited;
  for (std::size_t e = 0; e < relaxed_.edges.size(); ++e) depths_.push_back(model.edge_depth(e));

  const std::vector<std::size_t> nothing(costs.kernels(), 0);
  double weights = 0.0;
  for (std::size_t k = 0; k < costs.kernels(); ++k) weights += least(k, 0, nothing).weights;
  const Bytes stays = mean_of_layers(Bytes{weights}, request.other.resident, request.other.share);
  weights_may_stay_ = rules.weights != WeightTraffic::none && stays * layout.layers_per_stage <= in.sram_capacity;
  unavoidable_.assign(relaxed_.edges.size(), 0);
  relax(0, nothing, Part::all);
  unavoidable_ = PartitionInstance(relaxed_).unavoidable;
  relax(0, nothing, Part::avoidable);
  least_avoidable_ = relaxed_time();
  for (const Weights& each : this->weights()) {
    ShardingElimination sums = weighted(each);
    const double at_root = sums.least(0, nothing) + each.memory * least_avoidable_;
    weighted_.push_back({std::move(sums), each.memory, at_root});
  }
  std::stable_sort(weighted_.begin(), weighted_.end(),
                   [](const Weighted& a, const Weighted& b) { return a.at_root > b.at_root; });
  while (weighted_.size() > most_weighted) weighted_.pop_back();
  if (in.overlap == Overlap::network_exposed) exposed_.push_back(weighted({0.0, 0.0, 1.0}));
}

std::vector<JointBound::Weights> JointBound::weights() const {
  if (in_.overlap == Overlap::none) return {{1.0, 1.0, 1.0}};
  std::vector<Weights> all;
  for (int compute = 0; compute <= weight_steps; ++compute)
    for (int memory = 0; memory + compute <= weight_steps; ++memory) {
      const int network = weight_steps - compute - memory;
      if (in_.overlap == Overlap::perfect)
        all.push_back({1.0 * compute / weight_steps, 1.0 * memory / weight_steps, 1.0 * network / weight_steps});
      else if (network == 0)
        all.push_back({1.0 * compute / weight_steps, 1.0 * memory / weight_steps, 1.0});
    }
  return all;
}

ShardingElimination JointBound::weighted(const Weights& weights) const {
  std::vector<std::vector<double>> prices(costs_.kernels());
  for (std::size_t k = 0; k < costs_.kernels(); ++k) {
    double crossings = 0.0;
    for (const std::size_t e : costs_.edges_of(k))
      if (costs_.edges()[e].source == k && unavoidable_[e]) crossings += 2.0;
    for (std::size_t c = 0; c < costs_.choices(k).size(); ++c) {
      const ShardCost& cost = costs_.of(k, c);
      const double bytes = cost.memory + (weights_may_stay_ ? 0.0 : cost.read) + crossings * cost.tensor;
      prices[k].push_back(weights.compute * cost.compute + weights.network * cost.network + cost.once +
                          weights.memory * bytes / in_.dram_bandwidth.value());
    }
  }
  return {costs_, std::move(prices), weights.network};
}

/// Amounts of a kernel: of its choice if decided, otherwise the minimum of each amount over its choices.
ShardCost JointBound::least(std::size_t kernel, std::size_t decided, std::span<const std::size_t> chosen) const {
  if (costs_.position(kernel) < decided) return costs_.of(kernel, chosen[kernel]);
  ShardCost low = costs_.of(kernel, 0);
  for (std::size_t c = 1; c < costs_.choices(kernel).size(); ++c) {
    const ShardCost& cost = costs_.of(kernel, c);
    low.compute = std::min(low.compute, cost.compute);
    low.network = std::min(low.network, cost.network);
    low.memory = std::min(low.memory, cost.memory);
    low.tensor = std::min(low.tensor, cost.tensor);
    low.tile = std::min(low.tile, cost.tile);
    low.weights = std::min(low.weights, cost.weights);
    low.read = std::min(low.read, cost.read);
    low.pieces = std::max(low.pieces, cost.pieces);
    low.once = std::min(low.once, cost.once);
  }
  return low;
}

/// Network seconds of a decided kernel, including conversions of its output for decided consumers.
double JointBound::decided_network(std::size_t kernel, std::size_t decided, std::span<const std::size_t> chosen) const {
  double seconds = costs_.of(kernel, chosen[kernel]).network;
  for (const std::size_t e : costs_.edges_of(kernel)) {
    const auto [source, destination] = costs_.edges()[e];
    if (source == kernel && costs_.position(destination) < decided)
      seconds += costs_.conversion(e, chosen[kernel], chosen[destination]);
  }
  return seconds;
}

void JointBound::relax(std::size_t decided, std::span<const std::size_t> chosen, Part part) {
  const bool paper = rules_.sram == SramAccounting::paper;
  const bool limited = relaxed_.sram_capacity != unlimited;
  const bool all = part == Part::all;
  std::vector<ShardCost> low;
  for (std::size_t k = 0; k < costs_.kernels(); ++k) low.push_back(least(k, decided, chosen));
  std::vector<double> arriving(low.size(), 0.0);
  std::vector<double> leaving(low.size(), 0.0);
  for (std::size_t e = 0; e < relaxed_.edges.size(); ++e) {
    PartitionEdge& edge = relaxed_.edges[e];
    const double tile = limited ? low[edge.source].tile : 0.0;
    edge.traffic = Bytes{all || !unavoidable_[e] ? low[edge.source].tensor : 0.0};
    edge.sram_boundary = Bytes{paper ? 0.0 : 2.0 * tile};
    edge.sram_inside = Bytes{paper ? tile : depths_[e] * tile};
    leaving[edge.source] += edge.sram_boundary.value();
    arriving[edge.destination] += edge.sram_boundary.value();
  }
  const bool with_network = all && in_.overlap == Overlap::perfect;
  for (std::size_t k = 0; k < low.size(); ++k) {
    PartitionKernel& kernel = relaxed_.kernels[k];
    const bool is_decided = costs_.position(k) < decided;
    const double network = is_decided ? decided_network(k, decided, chosen) : low[k].network;
    kernel.compute = Seconds{all ? low[k].compute : 0.0};
    kernel.network = Seconds{with_network ? network : 0.0};
    kernel.memory = Bytes{all ? low[k].memory + (weights_may_stay_ ? 0.0 : low[k].read) : 0.0};
    const double weights = paper || weights_may_stay_ || !limited ? 0.0 : low[k].weights;
    kernel.sram = Bytes{weights};
    const bool streams = rules_.sram == SramAccounting::split && low[k].weights > 0.0;
    kernel.sram_alone = Bytes{arriving[k] + (leaving[k] + weights) / (streams ? low[k].pieces : 1.0)};
  }
  relaxed_.overlap = all ? in_.overlap : Overlap::none;
}

double JointBound::relaxed_time() {
  const PartitionSearchResult found = search_.solve(relaxed_, {.nodes = std::max<std::int64_t>(nodes_ - visited_, 1)});
  visited_ += found.nodes;
  return found.outcome == SearchOutcome::infeasible ? std::numeric_limits<double>::infinity() : found.bound.value();
}

double JointBound::of(std::size_t decided, std::span<const std::size_t> chosen, double enough) {
  double highest = 0.0;
  double sum_of_all = 0.0;
  for (const Weighted& each : weighted_) {
    const double sum = each.sums.least(decided, chosen);
    highest = std::max(highest, sum + each.memory * least_avoidable_);
    sum_of_all = sum;
    if (highest >= enough) return highest;
  }
  if (in_.overlap == Overlap::none) {
    relax(decided, chosen, Part::avoidable);
    return std::max(highest, sum_of_all + relaxed_time());
  }
  relax(decided, chosen, Part::all);
  if (!exposed_.empty()) return std::max(highest, exposed_.front().least(decided, chosen) + relaxed_time());
  double once = 0.0;
  for (std::size_t k = 0; k < costs_.kernels(); ++k) once += least(k, decided, chosen).once;
  return std::max(highest, once + relaxed_time());
}

}  // namespace dfsweep::dataflow
