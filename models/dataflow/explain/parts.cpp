/// Tables of the stages, partitions and tensors of a mapped point.
#include "models/dataflow/explain/parts.hpp"

#include <algorithm>
#include <tuple>

#include "models/dataflow/cost/staged_pace.hpp"
#include "models/expect.hpp"

namespace dfsweep::dataflow {

namespace {

Bound bound_of(const PartitionTimes& times) {
  if (times.network > std::max(times.compute, times.memory)) return Bound::network;
  return times.compute >= times.memory ? Bound::compute : Bound::memory;
}

/// The bottleneck of a partition in words.
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

std::size_t ExplainedMapping::stage_of(std::size_t partition) const {
  double before = 0.0;
  for (std::size_t s = 0; s < mapped.stages.size(); ++s) {
    before += mapped.stages[s].partitions;
    if (static_cast<double>(partition) < before) return s;
  }
  return 0;
}

std::vector<const Schedule*> schedules_in_use(const MappedWorkload& mapped, const StepInputs& in, const Step& step) {
  std::vector<const Schedule*> in_use;
  const auto add = [&](const ChipShare& share) {
    const std::span<const Schedule> schedules = schedules_for(share, in);
    const auto used = std::find_if(schedules.begin(), schedules.end(),
                                   [&step](const Schedule& schedule) { return schedule.num_tile == step.num_tile; });
    if (used != schedules.end()) in_use.push_back(&*used);
  };
  for (const MappedStage& stage : mapped.stages) add(stage);
  if (mapped.stages.empty()) add(mapped);
  const std::size_t wanted = mapped.stages.empty() ? 1 : mapped.stages.size();
  return in_use.size() == wanted ? in_use : std::vector<const Schedule*>{};
}

std::vector<ExplainedPartition> explained_partitions(const ExplainedMapping& at) {
  const PassShares shares = pass_shares(at.convention, batches_of(at.workload(), at.layout, at.convention, at.inputs));
  const NetworkRates rates = network_rates(at.layout, at.inputs);
  const Device* const device = at.inputs.compute_utilization == 0.0 ? &at.device : nullptr;
  const auto levels = topological_levels(at.graph());
  DFSWEEP_EXPECT(levels.has_value());
  std::vector<ExplainedPartition> partitions;
  for (std::vector<std::size_t>& kernels : kernels_of_partitions(at.mapped.assignment)) {
    const Schedule& schedule = *at.schedules[at.stage_of(partitions.size())];
    const bool resident = weights_are_resident(schedule, at.layout, at.inputs.sram_capacity);
    const bool occupied =
        resident && schedule.resident.of_layer > Bytes{};  // otherwise no pass reads weights, or every pass does
    const PartitionTerms terms = at.partitions.terms(kernels, schedule.num_tile, device);
    ExplainedPartition partition;
    partition.times =
        partition_times(terms, rates, shares, at.inputs, resident ? Weights::resident : Weights::streamed);
    partition.bound = bound_of(partition.times);
    partition.sram = occupied ? terms.buffers + resident_bytes(schedule.resident, at.layout) : terms.sram;
    const auto rank = [&levels](std::size_t k) { return std::tuple((*levels)[k], k); };
    std::sort(kernels.begin(), kernels.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    partition.kernels = std::move(kernels);
    partitions.push_back(std::move(partition));
  }
  return partitions;
}

Explanation explain_stages(const ExplainedMapping& at) {
  Explanation section{.title = "stages, per pass", .facts = {}, .table = {}, .sections = {}};
  section.table.headings = {"stage", "compute", "memory", "collectives", "to the next",
                            "time",  "sent",    "DRAM",   "SRAM",        "kernels"};
  section.table.units = {"", "s", "s", "s", "s", "s", "B", "B", "B", ""};
  const PointRates point(at.layout, at.convention, at.inputs,
                         batches_of(at.workload(), at.layout, at.convention, at.inputs));
  std::vector<NetworkTime> network;
  for (const NetworkTerms& terms : at.mapped.networks)
    network.push_back(network_time(terms, point.network, point.shares));
  std::vector<std::string> names(at.mapped.stages.size());
  const std::vector<ExplainedPartition> partitions = explained_partitions(at);
  for (std::size_t p = 0; p < partitions.size(); ++p)
    for (const std::size_t k : partitions[p].kernels) {
      std::string& stage = names[at.stage_of(p)];
      stage += (stage.empty() ? "" : " ") + at.graph().kernels[k].name;
    }
  std::size_t slowest = 0;
  Seconds most;
  for (std::size_t s = 0; s < names.size(); ++s) {
    const StageTimes times = stage_times(at.mapped.stages[s], point, network);
    section.table.rows.push_back({static_cast<double>(s), times.pass.compute.value(), times.pass.memory.value(),
                                  (times.pass.network - times.transfer).value(), times.transfer.value(),
                                  times.pass.total.value(), at.mapped.stages[s].sent.value(), times.memory_used.value(),
                                  at.schedules[s]->sram.value(), names[s]});
    if (times.pass.total > most) slowest = s;
    most = std::max(most, times.pass.total);
  }
  section.facts = {{"slowest stage", static_cast<double>(slowest), ""},
                   {"stages in use", static_cast<double>(names.size()), ""},
                   {"stages of the pipeline", at.layout.pipeline_parallel, ""}};
  return section;
}

Explanation explain_partitions(const ExplainedMapping& at) {
  Explanation section{.title = "partitions, per layer and sequence", .facts = {}, .table = {}, .sections = {}};
  section.table.headings = {"partition", "compute", "memory",        "network", "time",
                            "bound by",  "SRAM",    "share of SRAM", "kernels"};
  section.table.units = {"", "s", "s", "s", "s", "", "B", "", ""};
  if (at.has_stages()) {
    section.table.headings.push_back("stage");
    section.table.units.emplace_back();
  }
  double number = 0.0;
  for (const ExplainedPartition& p : explained_partitions(at)) {
    std::string names;
    for (const std::size_t k : p.kernels) names += (names.empty() ? "" : " ") + at.graph().kernels[k].name;
    section.table.rows.push_back({number, p.times.compute.value(), p.times.memory.value(), p.times.network.value(),
                                  p.times.total.value(), binding(at.inputs.overlap, p.times), p.sram.value(),
                                  p.sram / at.inputs.sram_capacity, names});
    if (at.has_stages())
      section.table.rows.back().emplace_back(static_cast<double>(at.stage_of(static_cast<std::size_t>(number))));
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
  double between_stages = 0.0;
  for (std::size_t e = 0; e < at.graph().edges.size(); ++e) {
    const Edge& edge = at.graph().edges[e];
    const std::size_t from = at.mapped.assignment[edge.source];
    const std::size_t to = at.mapped.assignment[edge.destination];
    const double bytes = at.partitions.edge_bytes(e).value();
    const bool is_sent = at.stage_of(from) != at.stage_of(to);
    (from == to ? on_chip : is_sent ? between_stages : through_dram) += bytes;
    std::string where = from == to ? "on the chip, partition " + std::to_string(from)
                                   : "DRAM, partition " + std::to_string(from) + " to " + std::to_string(to);
    if (is_sent) where = "sent, stage " + std::to_string(at.stage_of(from)) + " to " + std::to_string(at.stage_of(to));
    section.table.rows.push_back(
        {at.graph().kernels[edge.source].name, at.graph().kernels[edge.destination].name, bytes, where});
  }
  section.facts = {{"stay on the chip", on_chip, "B"}, {"stored to DRAM and loaded again", through_dram, "B"}};
  if (at.has_stages()) section.facts.push_back({"sent to another stage", between_stages, "B"});
  return section;
}

}  // namespace dfsweep::dataflow
