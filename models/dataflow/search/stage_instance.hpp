/// StageInstance: a stage problem in whole ticks and bytes and in bit sets, as the exact search reads it.
#pragma once

#include <array>
#include <vector>

#include "models/dataflow/search/partition_instance.hpp"
#include "models/dataflow/search/stage_problem.hpp"

namespace dfsweep::dataflow {

/// Sums over the kernels of a stage whose largest is the time that its chips are busy; by overlap mode
/// (compute, memory, network), (their sum) or (compute + network, memory + network). Unused ones are 0.
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

/// What the kernels of a set send on: tensors that leave it.
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

/// Ticks as in PartitionInstance: a power of two of a second of which everything together is about 2^58.
struct StageInstance {
  explicit StageInstance(const StageProblem& problem);

  std::size_t kernels = 0;
  std::size_t stages = 1;
  KernelSet all = 0;
  std::array<KernelSet, most_kernels> awaits{};
  std::array<StageWork, most_kernels> work{};
  std::array<Sending, most_kernels> arriving{};
  std::array<Sending, most_kernels> leaving{};
  std::array<WholeBytes, most_kernels> held{};
  WholeBytes capacity = endless;
  Ticks latency = 0;
  bool transfer_adds = false;  ///< to the time of a stage; else both at once
  StageWork total{};
  /// Kernels without consumers and with equal amounts, which are interchangeable once their producers are done; classes
  /// of two or more.
  std::vector<KernelSet> alike;
  double seconds_per_tick = 1.0;

  /// Time of a stage with that work after which `sending` leaves the finished kernels.
  [[nodiscard]] Ticks time(const StageWork& stage_work, const Sending& sending) const {
    const Ticks transfer = sending.tensors > 0 ? sending.time + latency : 0;
    return transfer_adds ? largest(stage_work) + transfer : std::max(largest(stage_work), transfer);
  }
  /// Kernels that may follow `done`; of alike ones the lowest only.
  [[nodiscard]] KernelSet ready(KernelSet done) const;
  /// The same set with finished kernels exchanged for alike ready ones of lower number: what remains is the same
  /// problem.
  [[nodiscard]] KernelSet canonical(KernelSet done) const;
  /// No stages take less: the work shared out evenly, and every kernel somewhere.
  [[nodiscard]] Ticks least_time() const;

 private:
  void read_kernels(const StageProblem& problem);
  void find_alike();
  [[nodiscard]] Ticks ticks(Seconds time) const { return whole_ticks(time, seconds_per_tick); }
  [[nodiscard]] KernelSet ready_of(KernelSet members, KernelSet done) const;
};

}  // namespace dfsweep::dataflow
