/// Branch and bound over shardings.
#include "models/dataflow/mapping/joint_mapping.hpp"

#include <algorithm>
#include <limits>

#include "models/dataflow/mapping/joint_bound.hpp"

namespace dfsweep::dataflow {

namespace {

/// Relative tolerance: a bound this close to the best time leaves no improvement beyond rounding.
constexpr double rounding = 1e-12;

class JointSearch {
 public:
  JointSearch(const Workload& workload, const Layout& layout, const PartitionRules& rules, const StepInputs& in,
              const Device& device, const MappingRequest& request, SinkSharding sink,
              std::span<const ShardDimension> first, const JointLimits& limits)
      : workload_(workload),
        layout_(layout),
        rules_(rules),
        in_(in),
        device_(device),
        request_(request),
        limits_(limits),
        costs_(workload, layout, rules, *request.convention, in,
               request.num_tile > 0.0 ? request.num_tile : workload.tile_length, sink),
        chosen_(costs_.kernels(), 0),
        preferred_(costs_.kernels(), 0) {
    for (std::size_t k = 0; k < costs_.kernels(); ++k) {
      const std::vector<ShardDimension>& choices = costs_.choices(k);
      preferred_[k] = static_cast<std::size_t>(std::find(choices.begin(), choices.end(), first[k]) - choices.begin());
    }
  }

  JointMapping run() {
    chosen_ = preferred_;
    look();
    if (!best_.mapping.problem.empty() && !best_.mapping.capacity) return best_;  // no sharding can change this
    climb();
    preferred_ = chosen_;
    decided_.assign(chosen_.size(), false);
    JointBound bound(workload_, layout_, rules_, in_, device_, request_, costs_, best_.sharding, limits_.nodes);
    bound_ = &bound;
    branch(0, bound.of(0, chosen_, upper_));
    best_.shardings = looked_;
    if (best_.mapping.assignment.empty()) return best_;
    best_.mapping.outcome = lowest_ < upper_ ? SearchOutcome::limited : SearchOutcome::optimal;
    best_.mapping.gap = lowest_ < upper_ ? 1.0 - lowest_ / upper_ : 0.0;
    return best_;
  }

 private:
  [[nodiscard]] std::vector<ShardDimension> dimensions() const {
    std::vector<ShardDimension> result;
    for (std::size_t k = 0; k < chosen_.size(); ++k) result.push_back(costs_.choices(k)[chosen_[k]]);
    return result;
  }

  /// Partitions that searches after the first may still visit.
  [[nodiscard]] std::int64_t nodes_left() const {
    return limits_.nodes - visited_ - (bound_ != nullptr ? bound_->nodes() : 0);
  }
  [[nodiscard]] bool is_spent() const { return looked_ >= limits_.shardings || nodes_left() <= 0; }

  /// Evaluates a complete sharding; true if it is the best so far.
  bool look() {
    ++looked_;
    const std::vector<ShardDimension> sharding = dimensions();
    const PartitionModel model(workload_, sharding, layout_.split, rules_);
    BestMapping mapping = best_mapping(model, layout_, in_, device_, request_, std::max<std::int64_t>(nodes_left(), 1));
    if (looked_ > 1) visited_ += mapping.nodes;
    double once = 0.0;
    for (std::size_t k = 0; k < chosen_.size(); ++k) once += costs_.of(k, chosen_[k]).once;
    const double objective = mapping.time.value() + once;
    if (mapping.outcome == SearchOutcome::limited)
      lowest_ = std::min(lowest_, (1.0 - mapping.gap) * mapping.time.value() + once);
    const bool is_first = best_.sharding.empty();
    const bool is_better = !mapping.assignment.empty() && objective < upper_;
    if (is_better) upper_ = objective;
    if (is_first || is_better) {
      best_.sharding = sharding;
      best_.mapping = std::move(mapping);
    }
    return is_better;
  }

  /// Local search: changes one kernel at a time while the time improves.
  void climb() {
    for (bool improved = true; improved;) {
      improved = false;
      for (const std::size_t k : costs_.order())
        for (std::size_t choice = 0; choice < costs_.choices(k).size(); ++choice) {
          const std::size_t kept = chosen_[k];
          if (choice == kept || is_spent()) continue;
          chosen_[k] = choice;
          if (look())
            improved = true;
          else
            chosen_[k] = kept;
        }
    }
  }

  /// Whether another choice dominates that of `kernel`, whose neighbours are all decided: no amount is worse, and one
  /// is better or the choice has a lower number.
  [[nodiscard]] bool is_dominated(std::size_t kernel) const {
    const std::size_t now = chosen_[kernel];
    for (std::size_t other = 0; other < costs_.choices(kernel).size(); ++other)
      if (other != now && replaces(kernel, other, now)) return true;
    return false;
  }
  [[nodiscard]] bool replaces(std::size_t kernel, std::size_t other, std::size_t now) const {
    const ShardCost& a = costs_.of(kernel, other);
    const ShardCost& b = costs_.of(kernel, now);
    double leaving_a = a.network;
    double leaving_b = b.network;
    bool better = false;
    for (const std::size_t e : costs_.edges_of(kernel)) {
      const Edge& edge = costs_.edges()[e];
      if (edge.source == kernel) {
        leaving_a += costs_.conversion(e, other, chosen_[edge.destination]);
        leaving_b += costs_.conversion(e, now, chosen_[edge.destination]);
        continue;
      }
      const double to_a = costs_.conversion(e, chosen_[edge.source], other);
      const double to_b = costs_.conversion(e, chosen_[edge.source], now);
      if (to_a > to_b) return false;
      better |= to_a < to_b;
    }
    if (b.weights > 0.0 && a.pieces < b.pieces && rules_.sram == SramAccounting::split) return false;
    const double pairs[][2] = {{leaving_a, leaving_b}, {a.compute, b.compute}, {a.memory, b.memory},
                               {a.once, b.once},       {a.tensor, b.tensor},   {a.tile, b.tile},
                               {a.weights, b.weights}, {a.read, b.read}};
    for (const auto& [of_a, of_b] : pairs) {
      if (of_a > of_b) return false;
      better |= of_a < of_b;
    }
    // In the cycle model equal bounds do not imply equal compute times.
    return (better || other < now) && in_.compute_utilization > 0.0;
  }

  /// Whether the choice of the kernel at `position` is dominated or makes that of a neighbour dominated.
  [[nodiscard]] bool makes_dominated(std::size_t position) const {
    const std::size_t kernel = costs_.order()[position];
    const auto surrounded = [this](std::size_t k) {
      return decided_[k] && std::all_of(costs_.edges_of(k).begin(), costs_.edges_of(k).end(), [this](std::size_t e) {
               return decided_[costs_.edges()[e].source] && decided_[costs_.edges()[e].destination];
             });
    };
    if (surrounded(kernel) && is_dominated(kernel)) return true;
    for (const std::size_t e : costs_.edges_of(kernel))
      for (const std::size_t end : {costs_.edges()[e].source, costs_.edges()[e].destination})
        if (end != kernel && surrounded(end) && is_dominated(end)) return true;
    return false;
  }

  /// Branches over all choices from `position` on; `known` is a lower bound of this subtree.
  void branch(std::size_t position, double known) {
    if (position == chosen_.size()) {
      look();
      return;
    }
    const std::size_t kernel = costs_.order()[position];
    const std::size_t count = costs_.choices(kernel).size();
    decided_[kernel] = true;
    for (std::size_t i = 0; i < count; ++i) {
      chosen_[kernel] = i == 0 ? preferred_[kernel] : i <= preferred_[kernel] ? i - 1 : i;
      if (makes_dominated(position)) continue;
      const double low = count > 1 ? std::max(known, bound_->of(position + 1, chosen_, upper_)) : known;
      if (low >= upper_ * (1.0 - rounding)) continue;
      if (count > 1) ++looked_;
      if (count > 1 && is_spent()) {
        lowest_ = std::min(lowest_, known);
        break;
      }
      branch(position + 1, low);
      if (!is_spent()) continue;
      if (i + 1 < count) lowest_ = std::min(lowest_, known);
      break;
    }
    decided_[kernel] = false;
  }

  const Workload& workload_;
  const Layout& layout_;
  const PartitionRules& rules_;
  const StepInputs& in_;
  const Device& device_;
  const MappingRequest& request_;
  JointLimits limits_;
  ShardingCosts costs_;
  std::vector<std::size_t> chosen_;     ///< [kernel] index of its choice
  std::vector<std::size_t> preferred_;  ///< [kernel] choice to try first
  std::vector<bool> decided_;           ///< [kernel]
  JointBound* bound_ = nullptr;
  JointMapping best_;
  double upper_ = std::numeric_limits<double>::infinity();   ///< best time found: pass and share of costs once per step
  double lowest_ = std::numeric_limits<double>::infinity();  ///< lower bound of the subtrees not visited
  std::int64_t looked_ = 0;
  std::int64_t visited_ = 0;  ///< partitions that searches of complete shardings after the first visited
};

}  // namespace

JointMapping joint_mapping(const Workload& workload, const Layout& layout, const PartitionRules& rules,
                           const StepInputs& inputs, const Device& device, const MappingRequest& request,
                           SinkSharding sink, std::span<const ShardDimension> first, const JointLimits& limits) {
  return JointSearch(workload, layout, rules, inputs, device, request, sink, first, limits).run();
}

}  // namespace dfsweep::dataflow
