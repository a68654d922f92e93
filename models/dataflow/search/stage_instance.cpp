/// Conversion of a stage problem into integers.
#include "models/dataflow/search/stage_instance.hpp"

#include <algorithm>
#include <cmath>

#include "models/expect.hpp"

namespace dfsweep::dataflow {

namespace {

StageWork work_of(Overlap overlap, Ticks compute, Ticks memory, Ticks network) {
  switch (overlap) {
    case Overlap::perfect:
      return {compute, memory, network};
    case Overlap::none:
      return {compute + memory + network, 0, 0};
    case Overlap::network_exposed:
      return {compute + network, memory + network, 0};
  }
  return {};
}

/// Bytes rounded up; capacities are rounded down elsewhere.
WholeBytes whole_bytes(double bytes) {
  return bytes < 0x1p56 ? static_cast<WholeBytes>(bytes) : int_infinity;
}

/// The times of all stages and the gradients add up to no more; a tensor may be sent by every stage.
double longest_seconds(const StageProblem& problem, std::size_t stages) {
  double sent = problem.link_latency.value();
  for (const StageEdge& edge : problem.edges) sent += (edge.bytes / problem.link_bandwidth).value();
  double sum = sent * static_cast<double>(stages);
  for (const StageKernel& kernel : problem.kernels)
    sum += (kernel.compute + kernel.memory + kernel.network + kernel.gradients / problem.micro_batch).value();
  return sum;
}

}  // namespace

StageInstance::StageInstance(const StageProblem& problem)
    : kernels(problem.kernels.size()), stages(std::min(problem.stages, problem.kernels.size())) {
  DFSWEEP_EXPECT(problem.micro_batch > 0.0 && problem.passes >= problem.micro_batch);
  DFSWEEP_EXPECT(kernels >= 1 && kernels <= most_kernels && stages >= 1);
  const double longest = longest_seconds(problem, stages);
  DFSWEEP_EXPECT(std::isfinite(longest) && longest >= 0.0);
  seconds_per_tick = tick_for(longest);
  all = kernels == most_kernels ? ~KernelSet{0} : just(kernels) - 1;
  capacity = whole_bytes(std::floor(problem.capacity.value()));
  latency = ticks(problem.link_latency);
  later_micro_batches = problem.passes / problem.micro_batch - 1.0;
  transfer_adds = problem.overlap != Overlap::perfect;
  read_kernels(problem);
  for (const StageEdge& edge : problem.edges) {
    predecessors[edge.destination] |= just(edge.source);
    if (!(edge.bytes > Bytes{})) continue;
    const Sending sending{ticks(edge.bytes / problem.link_bandwidth), 1};
    leaving[edge.source] = leaving[edge.source] + sending;
    arriving[edge.destination] = arriving[edge.destination] + sending;
  }
  find_symmetric();
}

void StageInstance::read_kernels(const StageProblem& problem) {
  for (std::size_t k = 0; k < kernels; ++k) {
    const StageKernel& kernel = problem.kernels[k];
    work[k] = work_of(problem.overlap, ticks(kernel.compute), ticks(kernel.memory), ticks(kernel.network));
    held[k] = whole_bytes(std::ceil(kernel.held.value()));
    gradients[k] = ticks(kernel.gradients / problem.micro_batch);
    total = total + work[k];
    total_gradients += gradients[k];
  }
}

void StageInstance::find_symmetric() {
  KernelSet producers = 0;
  for (std::size_t k = 0; k < kernels; ++k) producers |= predecessors[k];
  KernelSet open = all & ~producers;
  while (open != 0) {
    const std::size_t first = lowest(open);
    KernelSet members = 0;
    for (KernelSet rest = open; rest != 0; rest &= rest - 1) {
      const std::size_t k = lowest(rest);
      if (work[k] == work[first] && held[k] == held[first] && arriving[k] == arriving[first] &&
          gradients[k] == gradients[first])
        members |= just(k);
    }
    if (!is_single(members)) symmetric.push_back(members);
    open &= ~members;
  }
}

KernelSet StageInstance::ready_of(KernelSet members, KernelSet done) const {
  KernelSet ready = 0;
  for (KernelSet rest = members; rest != 0; rest &= rest - 1)
    if (contains(done, predecessors[lowest(rest)])) ready |= just(lowest(rest));
  return ready;
}

KernelSet StageInstance::ready(KernelSet done) const {
  KernelSet result = ready_of(all & ~done, done);
  for (const KernelSet members : symmetric) {
    const KernelSet some = result & members;
    if (some != 0) result &= ~some | just(lowest(some));
  }
  return result;
}

KernelSet StageInstance::canonical(KernelSet done) const {
  for (const KernelSet members : symmetric) {
    KernelSet ready_members = ready_of(members, done);
    int finished = std::popcount(ready_members & done);
    done &= ~ready_members;
    for (; finished > 0; --finished, ready_members &= ready_members - 1) done |= just(lowest(ready_members));
  }
  return done;
}

Ticks StageInstance::least_time() const {
  const auto count = static_cast<Ticks>(stages);
  Ticks least = (largest(total) + count - 1) / count;
  for (std::size_t k = 0; k < kernels; ++k) least = std::max(least, largest(work[k]));
  return least;
}

Ticks StageInstance::least_gradients() const {
  const auto count = static_cast<Ticks>(stages);
  Ticks least = (total_gradients + count - 1) / count;
  for (std::size_t k = 0; k < kernels; ++k) least = std::max(least, gradients[k]);
  return least;
}

}  // namespace dfsweep::dataflow
