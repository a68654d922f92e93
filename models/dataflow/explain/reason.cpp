/// Sentences for every status except ok.
#include "models/dataflow/explain/reason.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/dataflow/cost/pass_times.hpp"
#include "models/dataflow/parallelism/layout_problem.hpp"
#include "models/short_number.hpp"

namespace dfsweep::dataflow {

namespace {

/// A count with its noun: "3 kernels", "1 kernel".
std::string counted(double count, const std::string& noun) {
  return short_number(count) + " " + noun + (count == 1.0 ? "" : "s");
}

/// Needed and available memory: "453.6 GB of 80 GB of DRAM".
std::string of_memory(Bytes needed, Bytes available, const std::string& memory) {
  const auto [needed_text, available_text] = distinct_amounts(needed.value(), available.value(), "B");
  return needed_text + " of " + available_text + " of " + memory;
}

/// The largest use with its share: "activations 71 %".
std::string largest_use(const MemoryUse& use) {
  const std::array uses{std::pair{"activations", use.live + use.kept},
                        std::pair{"weights, gradients and optimizer state", use.state},
                        std::pair{"tables or matrix", use.machine}};
  const auto largest =
      std::max_element(uses.begin(), uses.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return std::string(largest->first) + " " + short_number(std::round(100.0 * largest->second / use.total())) + " %";
}

std::string batch_reason(const MappedPoint& at) {
  const double batch = at.inputs.global_batch;
  const Batches batches = batches_of(at.workload, at.layout, at.convention, at.inputs);
  const std::string share =
      "global_batch " + short_number(batch) + " over data_parallel " + short_number(at.layout.data_parallel);
  if (at.workload.spread == Spread::tensor_parallel)
    return share + " x micro_batch " + short_number(at.inputs.micro_batch) + " gives " +
           short_number(batches.micro_batches) + " micro-batches per replica, not a positive whole number";
  return share + " gives " + short_number(batches.passes) + " passes per replica, less than 1";
}

/// DRAM use of a chip, in the stage that needs most where there are stages.
MemoryUse largest_memory_use(const MappedPoint& at) {
  const Batches batches = batches_of(at.workload, at.layout, at.convention, at.inputs);
  if (at.mapped.stages.empty()) return memory_use(at.mapped, at.layout, batches);
  MemoryUse largest;
  for (const MappedStage& stage : at.mapped.stages)
    if (const MemoryUse use = memory_use(stage, at.layout, batches); use.total() > largest.total()) largest = use;
  return largest;
}

std::string dram_reason(const MappedPoint& at) {
  const MemoryUse use = largest_memory_use(at);
  return "a chip needs " + of_memory(use.total(), at.inputs.dram_capacity, "DRAM") + ", " + largest_use(use);
}

/// A partition and its kernels: "partition 2 (FFN1)", "partition 2 (12 kernels)".
std::string partition_text(const MappedPoint& at, std::size_t partition, const std::vector<std::size_t>& kernels) {
  const std::string what = kernels.size() == 1 ? at.workload.graph.kernels[kernels.front()].name
                                               : counted(static_cast<double>(kernels.size()), "kernel");
  return "partition " + std::to_string(partition) + " (" + what + ")";
}

std::string sram_reason(const MappedPoint& at) {
  const PartitionModel model(at.workload, at.mapped.sharding, at.layout.split, at.rules);
  const std::vector<std::vector<std::size_t>> partitions = kernels_of_partitions(at.mapped.assignment);
  Bytes most{-1.0};
  std::size_t largest = 0;
  for (std::size_t p = 0; p < partitions.size(); ++p) {
    const Bytes needed = model.terms(partitions[p], at.step.num_tile, nullptr).sram;
    if (needed > most) largest = p;
    most = std::max(most, needed);
  }
  return partition_text(at, largest, partitions[largest]) + " needs " +
         of_memory(most, at.inputs.sram_capacity, "SRAM");
}

std::string core_reason(const MappedPoint& at) {
  if (!at.device.has_cores())
    return "the cycle model needs a device with cores, systolic_width, systolic_height and frequency";
  const std::vector<std::vector<std::size_t>> partitions = kernels_of_partitions(at.mapped.assignment);
  for (std::size_t p = 0; p < partitions.size(); ++p)
    if (static_cast<double>(partitions[p].size()) > at.device.cores)
      return "partition " + std::to_string(p) + " has " + counted(static_cast<double>(partitions[p].size()), "kernel") +
             ", the chip " + counted(at.device.cores, "core") + ", and the cycle model gives every kernel a core";
  return "the cycle model finds no core for some kernel";
}

}  // namespace

std::string reason_of(const MappedPoint& at) {
  switch (at.step.status) {
    case StepStatus::ok:
      return {};
    case StepStatus::invalid:
      return batch_reason(at);
    case StepStatus::no_mapping:
      return at.mapped.problem.empty() ? core_reason(at) : at.mapped.problem;
    case StepStatus::out_of_memory:
      return dram_reason(at) + (at.mapped.shortage.empty() ? "" : "; no mapping fits: " + at.mapped.shortage);
    case StepStatus::out_of_sram:
      return at.mapped.shortage.empty() ? sram_reason(at) : "no mapping fits: " + at.mapped.shortage;
    case StepStatus::unsupported_model:
      return at.mapped.unsupported;
    case StepStatus::power_limit_too_low:
      return "a chip with its DRAM draws " + short_number(at.inputs.power.idle.value()) +
             " W while nothing runs, and power_limit is not above that";
  }
  return {};
}

std::string reason_of(const PointModel& model, const Codes& codes) {
  const Workload workload = model.workload(codes);
  const Layout layout = model.layout(codes, workload);
  const Convention& convention = model.convention_of(codes);
  if (layout.verdict != Layout::Verdict::possible)
    return layout_problem(model.layout_request(codes), workload, convention);
  const StepInputs inputs = model.inputs(codes, workload.global_batch);
  const MappedWorkload mapped = model.mapped(codes, workload, layout, Reasons::full);
  std::vector<NetworkTime> scratch(network_count(mapped));
  const Step step = step_of(mapped, workload, layout, convention, inputs, scratch);
  const PartitionRules rules = model.rules(codes, workload);
  return reason_of({workload, layout, convention, inputs, model.device_of(codes), rules, mapped, step});
}

}  // namespace dfsweep::dataflow
