/// StageInstance: a stage problem in integer ticks and bytes and in bit sets, the input of the exact search.
#pragma once

#include <array>
#include <vector>

#include "models/dataflow/search/partition_instance.hpp"
#include "models/dataflow/search/stage_problem.hpp"

namespace dfsweep::dataflow {

/// Sums over the kernels of a stage; their maximum is the busy time of its chips. By overlap mode:
/// (compute, memory, network), (their sum) or (compute + network, memory + network). Unused elements are 0.
using StageWork = std::array<Ticks, 3>;

constexpr Ticks largest(const StageWork& work) {
  return std::max(std::max(work[0], work[1]), work[2]);
}
constexpr StageWork operator+(const StageWork& a, const StageWork& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
constexpr StageWork operator-(const StageWork& a, const StageWork& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// Tensors that leave a set of kernels.
struct Sending {
  Ticks time = 0;
  int tensors = 0;
  bool operator==(const Sending&) const = default;
};
constexpr Sending operator+(const Sending& a, const Sending& b) {
  return {a.time + b.time, a.tensors + b.tensors};
}
constexpr Sending operator-(const Sending& a, const Sending& b) {
  return {a.time - b.time, a.tensors - b.tensors};
}

/// Ticks as in PartitionInstance: a power of two of a second such that the whole problem takes about 2^58 ticks.
struct StageInstance {
  explicit StageInstance(const StageProblem& problem);

  std::size_t kernels = 0;
  std::size_t stages = 1;
  KernelSet all = 0;
  std::array<KernelSet, most_kernels> predecessors{};
  std::array<StageWork, most_kernels> work{};
  std::array<Sending, most_kernels> arriving{};
  std::array<Sending, most_kernels> leaving{};
  std::array<WholeBytes, most_kernels> held{};
  std::array<Ticks, most_kernels> gradients{};  ///< per step, divided by the micro-batch
  WholeBytes capacity = int_infinity;
  Ticks latency = 0;
  double later_micro_batches = 0.0;  ///< micro-batches of a step after the first
  bool transfer_adds = false;        ///< the transfer adds to the time of a stage; otherwise it overlaps
  StageWork total{};
  Ticks total_gradients = 0;
  /// Classes of two or more symmetric kernels: without consumers and with equal amounts, so interchangeable once their
  /// producers are done.
  std::vector<KernelSet> symmetric;
  double seconds_per_tick = 1.0;

  /// Time of a stage with `stage_work` that ends with the transfer `sending`.
  [[nodiscard]] Ticks time(const StageWork& stage_work, const Sending& sending) const {
    const Ticks transfer = sending.tensors > 0 ? sending.time + latency : 0;
    return transfer_adds ? largest(stage_work) + transfer : std::max(largest(stage_work), transfer);
  }
  /// Kernels that may follow `done`; only the lowest of symmetric kernels.
  [[nodiscard]] KernelSet ready(KernelSet done) const;
  /// The set with finished kernels exchanged for symmetric ready kernels of lower number; the remaining problem is the
  /// same.
  [[nodiscard]] KernelSet canonical(KernelSet done) const;
  /// Time of a step per sequence of a micro-batch, in ticks: step_of_stages() / micro_batch. Monotonic in each
  /// argument.
  [[nodiscard]] double step(Ticks slowest, Ticks sum, Ticks most_gradients) const {
    return later_micro_batches * static_cast<double>(slowest) + static_cast<double>(sum + most_gradients);
  }
  /// Lower bound on the slowest stage: the work divided evenly, and the longest single kernel.
  [[nodiscard]] Ticks least_time() const;
  /// The same of the gradients.
  [[nodiscard]] Ticks least_gradients() const;

 private:
  void read_kernels(const StageProblem& problem);
  void find_symmetric();
  [[nodiscard]] Ticks ticks(Seconds time) const { return whole_ticks(time, seconds_per_tick); }
  [[nodiscard]] KernelSet ready_of(KernelSet members, KernelSet done) const;
};

}  // namespace dfsweep::dataflow
