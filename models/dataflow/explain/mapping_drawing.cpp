/// Conversion of partitions into frames of a drawing.
#include "models/dataflow/explain/mapping_drawing.hpp"

namespace dfsweep::dataflow {

namespace {

std::string note_of(const Kernel& kernel, ShardDimension dimension) {
  std::string note = kernel.pass == Pass::backward ? "backward" : "";
  const auto add = [&note](const std::string& words) { note += (note.empty() ? "" : ", ") + words; };
  switch (dimension) {
    case ShardDimension::none:
      break;
    case ShardDimension::outer:
      add("by outer");
      break;
    case ShardDimension::m:
      add("by m");
      break;
    case ShardDimension::k:
      add("by k");
      break;
    case ShardDimension::n:
      add("by n");
      break;
  }
  return note;
}

std::vector<std::string> categories_for(Overlap overlap) {
  const std::string words = overlap == Overlap::perfect ? "bound by " : "longest part: ";
  return {words + name_of(Bound::compute), words + name_of(Bound::memory), words + name_of(Bound::network)};
}

Drawing::Group frame_of(const ExplainedPartition& partition, std::size_t number, Seconds pass, Bytes capacity) {
  Drawing::Group group;
  group.title = "partition " + std::to_string(number);
  group.facts = {{"time", partition.times.total.value(), "s"},    {"compute", partition.times.compute.value(), "s"},
                 {"memory", partition.times.memory.value(), "s"}, {"network", partition.times.network.value(), "s"},
                 {"SRAM", partition.sram.value(), "B"},           {"share of SRAM", partition.sram / capacity, ""}};
  group.category = static_cast<std::size_t>(partition.bound);
  group.share = pass > Seconds{} ? partition.times.total / pass : 0.0;
  return group;
}

}  // namespace

Drawing mapping_drawing(const ExplainedMapping& at) {
  const std::vector<ExplainedPartition> partitions = explained_partitions(at);
  Seconds pass;
  for (const ExplainedPartition& partition : partitions) pass += partition.times.total;
  Drawing drawing;
  drawing.categories = categories_for(at.inputs.overlap);
  drawing.edge_unit = "B";
  drawing.between = at.has_stages() ? "DRAM, or the network between stages" : "DRAM";
  drawing.inside = "on the chip";
  std::vector<std::size_t> node_of(at.graph().kernels.size());
  for (std::size_t p = 0; p < partitions.size(); ++p) {
    drawing.groups.push_back(frame_of(partitions[p], p, pass, at.inputs.sram_capacity));
    if (at.has_stages())
      drawing.groups.back().title = "stage " + std::to_string(at.stage_of(p)) + ", " + drawing.groups.back().title;
    for (const std::size_t k : partitions[p].kernels) {
      const Kernel& kernel = at.graph().kernels[k];
      node_of[k] = drawing.nodes.size();
      drawing.nodes.push_back(
          {kernel.name, note_of(kernel, at.partitions.dimension(k)), p,
           kernel.type == KernelType::matrix ? Drawing::Emphasis::strong : Drawing::Emphasis::plain});
    }
  }
  for (std::size_t e = 0; e < at.graph().edges.size(); ++e)
    drawing.edges.push_back({node_of[at.graph().edges[e].source], node_of[at.graph().edges[e].destination],
                             at.partitions.edge_bytes(e).value()});
  return drawing;
}

}  // namespace dfsweep::dataflow
