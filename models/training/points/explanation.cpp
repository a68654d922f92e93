#include "models/training/points/explanation.hpp"

#include "models/cost/bill_explanation.hpp"
#include "models/machine/memory_reason.hpp"
#include "models/training/communication/placement.hpp"
#include "models/training/explain/layer_sections.hpp"
#include "models/training/explain/link_section.hpp"
#include "models/training/explain/pipeline_sections.hpp"
#include "models/training/explain/step_sections.hpp"
#include "models/training/points/published.hpp"
#include "models/training/step/estimate.hpp"

namespace dfsweep::training {

namespace {

Explanation section(std::string title, std::vector<Fact> facts) {
  return {.title = std::move(title), .facts = std::move(facts), .table = {}, .sections = {}};
}

Explanation memory_of(const MemoryTiers& memory) {
  Explanation all = section("memory of a device", {});
  all.table.headings = {"part", "device", "host"};
  all.table.units = {"", "B", "B"};
  const auto row = [&](const char* name, Bytes Footprint::*part) {
    all.table.rows.push_back({std::string(name), (memory.device.*part).value(), (memory.host.*part).value()});
  };
  row("weights", &Footprint::weights);
  row("gradients", &Footprint::gradients);
  row("optimizer", &Footprint::optimizer);
  row("gathered weights", &Footprint::gathered);
  row("activations", &Footprint::activations);
  row("logits", &Footprint::logits);
  row("reserved", &Footprint::reserved);
  all.table.rows.push_back({std::string("all"), memory.device.total().value(), memory.host.total().value()});
  return all;
}

Explanation places_of(const TrainingPoint& point) {
  Explanation all = section("which ranks share a node", {});
  all.table.headings = {"group", "ranks", "in a node", "nodes"};
  all.table.units = {"", "", "", ""};
  const Placement placed = place(point.execution.parallel, point.network.enclosures);
  const auto row = [&](const char* name, const GroupPlace& group) {
    all.table.rows.push_back({std::string(name), group.ranks, group.in_node, nodes(group)});
  };
  row("tensor", placed.tensor);
  row("context", placed.context);
  row("replicas of dense weights", placed.data_context);
  row("expert", placed.expert);
  row("one expert", placed.expert_tensor);
  row("replicas of experts", placed.expert_data);
  row("pipeline", placed.pipeline);
  return all;
}

std::string memory_reason(const TrainingPoint& point, const StepEstimate& estimate) {
  const bool is_device = estimate.fit == Fit::device_memory;
  const Footprint& use = is_device ? estimate.memory.device : estimate.memory.host;
  const Accelerator& a = point.accelerator;
  const MemoryUsePart parts[] = {{"weights", use.weights.value()},           {"gradients", use.gradients.value()},
                                 {"optimizer state", use.optimizer.value()}, {"gathered weights", use.gathered.value()},
                                 {"activations", use.activations.value()},   {"logits", use.logits.value()},
                                 {"reserved", use.reserved.value()}};
  return memory_reason(use.total().value(), (is_device ? a.memory_capacity : a.host_capacity).value(),
                       is_device ? "its memory" : "the memory of the host", parts);
}

}  // namespace

Explanation explain_point(const Point& point, const StatusInfo& status) {
  Explanation all = section("training step", {{"status", std::string(status.name), ""}});
  if (point.status != status_ok) {
    const bool is_of_stack = point.status == code_of(Status::stack_cannot_run);
    all.facts.push_back({"reason",
                         is_of_stack ? "its software entry does not list " + lacking(*point.stack, point.demand)
                                     : std::string(status.meaning),
                         ""});
    return all;
  }
  const StepEstimate estimate = estimate_step(point.point);
  if (estimate.fit != Fit::fits) all.facts.push_back({"reason", memory_reason(point.point, estimate), ""});
  all.facts.push_back({"step time", estimate.time.total().value(), "s"});
  all.facts.push_back({"tokens per second", estimate.tokens / estimate.time.total().value(), "s-1"});
  all.facts.push_back({"model FLOP utilization, causal attention", estimate.model_flops_utilization_causal, "1"});
  all.facts.push_back({"model FLOP utilization, full attention", estimate.model_flops_utilization_full, "1"});
  all.facts.push_back({"hardware FLOP utilization", estimate.hardware_flops_utilization, "1"});
  all.sections.push_back(time_section(estimate.time));
  all.sections.push_back(utilization_section(estimate));
  all.sections.push_back(memory_of(estimate.memory));
  all.sections.push_back(places_of(point.point));
  all.sections.push_back(cost::bill_section(point.bill));
  if (point.point.network.dimensions.topology.count > 0) all.sections.push_back(link_section(point.point));
  all.sections.push_back(layer_sections(point.point));
  if (auto pipeline = explain_pipeline(pipeline_shape(point.point.execution), estimate.pipeline_work)) {
    all.sections.push_back(std::move(pipeline->section));
    all.timeline = std::move(pipeline->drawing);
  }
  return all;
}

}  // namespace dfsweep::training
