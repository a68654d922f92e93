/// Partitions and tensors of a mapped point, one by one.
#include "models/dataflow/explain_parts.hpp"

#include <algorithm>
#include <tuple>

#include "models/expect.hpp"

namespace dfsweep::dataflow {

namespace {

Bound bound_of(const PartitionTimes& times) {
  if (times.network > std::max(times.compute, times.memory)) return Bound::network;
  return times.compute >= times.memory ? Bound::compute : Bound::memory;
}

/// What makes the time of a partition, in words.
std::string binding(Overlap overlap, const PartitionTimes& times) {
  const std::string on_chip = times.compute >= times.memory ? "compute" : "memory";
  switch (overlap) {
    case Overlap::none:
      return name_of(bound_of(times)) + " most, in turn";
    case Overlap::network_exposed:
      return on_chip + ", then network";
    case Overlap::perfect:
      break;
  }
  return name_of(bound_of(times));
}

}  // namespace

std::string name_of(Bound bound) {
  switch (bound) {
    case Bound::compute:
      return "compute";
    case Bound::memory:
      return "memory";
    case Bound::network:
      break;
  }
  return "network";
}

std::vector<ExplainedPartition> explained_partitions(const ExplainedMapping& at) {
  const PassShares shares = pass_shares(at.convention, batches_of(at.workload(), at.layout, at.convention, at.inputs));
  const NetworkRates rates = network_rates(at.layout, at.inputs);
  const Device* const device = at.inputs.compute_utilization == 0.0 ? &at.device : nullptr;
  const bool resident = weights_are_resident(at.schedule, at.layout, at.inputs.sram_capacity);
  const bool occupied = resident && at.schedule.resident_bytes > 0.0;  // else no pass reads weights, or all do
  const auto levels = topological_levels(at.graph());
  DFSWEEP_EXPECT(levels.has_value());
  std::vector<ExplainedPartition> partitions;
  for (std::vector<std::size_t>& kernels : kernels_of_partitions(at.mapped.assignment)) {
    const PartitionTerms terms = at.partitions.terms(kernels, at.schedule.num_tile, device);
    ExplainedPartition partition;
    partition.times =
        partition_times(terms, rates, shares, at.inputs, resident ? Weights::resident : Weights::streamed);
    partition.bound = bound_of(partition.times);
    partition.sram_bytes =
        occupied ? terms.buffer_bytes + at.schedule.resident_bytes * at.layout.layers_per_stage : terms.sram_bytes;
    const auto rank = [&levels](std::size_t k) { return std::tuple((*levels)[k], k); };
    std::sort(kernels.begin(), kernels.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    partition.kernels = std::move(kernels);
    partitions.push_back(std::move(partition));
  }
  return partitions;
}

Explanation explain_partitions(const ExplainedMapping& at) {
  Explanation section{.title = "partitions, per layer and sequence", .facts = {}, .table = {}, .sections = {}};
  section.table.headings = {"partition", "compute", "memory",        "network", "time",
                            "bound by",  "SRAM",    "share of SRAM", "kernels"};
  section.table.units = {"", "s", "s", "s", "s", "", "B", "", ""};
  double number = 0.0;
  for (const ExplainedPartition& p : explained_partitions(at)) {
    std::string names;
    for (const std::size_t k : p.kernels) names += (names.empty() ? "" : " ") + at.graph().kernels[k].name;
    section.table.rows.push_back({number, p.times.compute, p.times.memory, p.times.network, p.times.total,
                                  binding(at.inputs.overlap, p.times), p.sram_bytes,
                                  p.sram_bytes / at.inputs.sram_capacity, names});
    number += 1.0;
  }
  return section;
}

Explanation explain_tensors(const ExplainedMapping& at) {
  Explanation section{.title = "tensors, per sequence", .facts = {}, .table = {}, .sections = {}};
  section.table.headings = {"from", "to", "bytes per chip", "where"};
  section.table.units = {"", "", "B", ""};
  double on_chip = 0.0;
  double through_dram = 0.0;
  for (std::size_t e = 0; e < at.graph().edges.size(); ++e) {
    const Edge& edge = at.graph().edges[e];
    const std::size_t from = at.mapped.assignment[edge.source];
    const std::size_t to = at.mapped.assignment[edge.destination];
    const double bytes = at.partitions.edge_bytes(e);
    (from == to ? on_chip : through_dram) += bytes;
    const std::string where = from == to ? "on the chip, partition " + std::to_string(from)
                                         : "DRAM, partition " + std::to_string(from) + " to " + std::to_string(to);
    section.table.rows.push_back(
        {at.graph().kernels[edge.source].name, at.graph().kernels[edge.destination].name, bytes, where});
  }
  section.facts = {{"stay on the chip", on_chip, "B"}, {"stored to DRAM and loaded again", through_dram, "B"}};
  return section;
}

}  // namespace dfsweep::dataflow
