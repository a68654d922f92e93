/// Dynamic programming over the order ideals, fewest kernels first.
#include "tests/support/least_times.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "models/expect.hpp"

namespace dfsweep::testing {

using namespace dataflow;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Sums of the same numbers in different orders.
bool is_near(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-13 * std::abs(b);
}

/// Of the tensors that lie in DRAM between two partitions.
double live_after(KernelSet done, const PartitionProblem& problem) {
  double live = 0.0;
  for (const PartitionEdge& edge : problem.edges)
    if ((done >> edge.source & 1U) != 0 && (done >> edge.destination & 1U) == 0) live += edge.traffic.value();
  return live;
}

}  // namespace

LeastTimesOfGraph::LeastTimesOfGraph(const PartitionProblem& problem) : ideals_(problem) {
  for (std::size_t k = 0; k < problem.kernels.size(); ++k)
    (problem.kernels[k].pass == Pass::forward ? forward_ : backward_) |= KernelSet{1} << k;
  for (OrderIdeals::Index i = 0; i < ideals_.count(); ++i)
    in_order_.push_back((ideals_[i] & backward_) == 0 || (forward_ & ~ideals_[i]) == 0);
}

LeastTimes LeastTimesOfGraph::solve(const PartitionProblem& problem) {
  read(problem);
  LeastTimes none;
  for (auto& times : none) times.fill(infinite);
  least_.assign(ideals_.count(), none);
  least_.front() = {};
  const auto join = [&](Amounts& amounts, KernelSet inside, std::size_t kernel) { add(amounts, inside, kernel); };
  const std::uint64_t compared_each = shares_cores_ ? 500'009 : 1'009;  // the definition is slow in the cycle model
  std::size_t number = 0;
  for (OrderIdeals::Index before = 0; before < ideals_.count(); ++before) {
    Amounts empty;
    empty.live = live_after(ideals_[before], problem);
    ideals_.for_each_after(before, empty, join, [&](OrderIdeals::Index after, KernelSet inside, Amounts amounts) {
      complete(amounts, inside, number++);
      if (partitions_++ % compared_each == 0)
        DFSWEEP_EXPECT(is_use(amounts, use_of(problem, ideals_[before], inside), problem));
      if (amounts.sram <= problem.sram_capacity.value() && amounts.live <= problem.live_capacity.value())
        relax(before, after, amounts, problem);
    });
  }
  return least_.back();
}

void LeastTimesOfGraph::complete(Amounts& amounts, KernelSet inside, std::size_t number) {
  if (std::has_single_bit(inside))
    amounts.sram = joining_[static_cast<std::size_t>(std::countr_zero(inside))].sram_alone;
  if (!shares_cores_) return;
  if (number == computes_.size()) computes_.push_back(shared_.compute(inside));
  amounts.compute = computes_[number];
}

void LeastTimesOfGraph::relax(OrderIdeals::Index before, OrderIdeals::Index after, const Amounts& amounts,
                              const PartitionProblem& problem) {
  const KernelSet inside = ideals_[after] & ~ideals_[before];
  const bool is_mixed = (inside & forward_) != 0 && (inside & backward_) != 0;
  const bool keeps_order = in_order_[before] && in_order_[after];
  const PassMixing strictest = !keeps_order ? PassMixing::free
                               : is_mixed   ? PassMixing::one_mixed
                                            : PassMixing::separate;
  const double memory = amounts.memory / problem.dram_bandwidth.value();
  for (const Overlap overlap : {Overlap::perfect, Overlap::none, Overlap::network_exposed}) {
    const auto mode = static_cast<std::size_t>(overlap);
    const double time = combined(overlap, amounts.compute, memory, amounts.network);
    for (auto mixing = static_cast<std::size_t>(strictest); mixing < 3; ++mixing) {
      double& least = least_[after][mixing][mode];
      least = std::min(least, least_[before][mixing][mode] + time);
    }
  }
}

void LeastTimesOfGraph::read(const PartitionProblem& problem) {
  shares_cores_ = problem.cores > 0.0;
  if (shares_cores_ && !shared_.are_of(problem)) {
    shared_.read(problem);
    computes_.clear();
  }
  joining_.clear();
  for (const PartitionKernel& kernel : problem.kernels)
    joining_.push_back(
        {{kernel.compute.value(), kernel.network.value(), kernel.memory.value(), kernel.sram.value(), 0.0},
         kernel.sram_alone.value(),
         {}});
  for (const PartitionEdge& edge : problem.edges) {
    for (const std::size_t end : {edge.source, edge.destination}) {
      joining_[end].amounts.memory += edge.traffic.value();
      joining_[end].amounts.sram += edge.sram_boundary.value();
    }
    joining_[edge.source].amounts.live += edge.traffic.value();
    joining_[edge.destination].arrivals.push_back(edge);
  }
}

void LeastTimesOfGraph::add(Amounts& amounts, KernelSet inside, std::size_t kernel) const {
  const Joining& joining = joining_[kernel];
  amounts.compute += joining.amounts.compute;
  amounts.network += joining.amounts.network;
  amounts.memory += joining.amounts.memory;
  amounts.sram += joining.amounts.sram;
  amounts.live += joining.amounts.live;
  for (const PartitionEdge& edge : joining.arrivals) {
    if ((inside >> edge.source & 1U) == 0) continue;
    amounts.memory -= 2.0 * edge.traffic.value();
    amounts.sram += edge.sram_inside.value() - 2.0 * edge.sram_boundary.value();
    amounts.live -= edge.traffic.value();
  }
}

bool LeastTimesOfGraph::is_use(const Amounts& amounts, const PartitionUse& use, const PartitionProblem& problem) {
  return is_near(amounts.compute, use.compute.value()) && is_near(amounts.network, use.network.value()) &&
         is_near(amounts.memory / problem.dram_bandwidth.value(), use.memory.value()) &&
         amounts.sram == use.sram.value() && amounts.live == use.live.value();
}

}  // namespace dfsweep::testing
