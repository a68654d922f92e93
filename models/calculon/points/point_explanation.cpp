#include "models/calculon/points/point_explanation.hpp"

#include "models/machine/memory_reason.hpp"

namespace dfsweep::calculon {

namespace {

Explanation section(std::string title, std::vector<Fact> facts) {
  return {.title = std::move(title), .facts = std::move(facts), .table = {}, .sections = {}};
}

Explanation times_of(const BatchTimes& t) {
  return section("where the time goes", {{"forward", t.forward, "s"},
                                         {"backward", t.backward, "s"},
                                         {"recomputation", t.recompute, "s"},
                                         {"optimizer step", t.optimizer, "s"},
                                         {"bubble", t.bubble, "s"},
                                         {"tensor parallelism, exposed", t.tensor_exposed, "s"},
                                         {"repeated collectives, exposed", t.redo_exposed, "s"},
                                         {"pipeline, exposed", t.pipeline, "s"},
                                         {"data parallelism, exposed", t.data.exposed, "s"},
                                         {"offload, exposed", t.forward_offload + t.backward_offload, "s"},
                                         {"step", t.total, "s"}});
}

Explanation memory_of(const MemoryUse& use) {
  Explanation memory = section("memory", {{"tier 1", use.tier_1, "B"}, {"tier 2", use.tier_2, "B"}});
  memory.table.headings = {"part", "of a device", "least in tier 1 with offload"};
  memory.table.units = {"", "B", "B"};
  const auto row = [&](const char* name, double MemoryParts::*part) {
    memory.table.rows.push_back({std::string(name), use.whole.*part, use.resident.*part});
  };
  row("weights", &MemoryParts::weights);
  row("activations", &MemoryParts::activations);
  row("checkpoints", &MemoryParts::checkpoints);
  row("activation gradients", &MemoryParts::activation_gradients);
  row("weight gradients", &MemoryParts::weight_gradients);
  row("optimizer", &MemoryParts::optimizer);
  return memory;
}

Explanation layers_of(const BatchInputs& in, const ModelShape& model) {
  const BlockSetting setting = block_setting(model, in.execution);
  const LayerMachine machine = layer_machine(in.system, in.execution);
  const LayerContext context{setting.element_bytes, setting.tensor_parallel, setting.tensor_comm};
  Explanation layers = section("layers of a block, one micro-batch", {});
  layers.table.headings = {"layer",           "forward", "traffic", "time", "collective", "activation gradient",
                           "weight gradient", "kept"};
  layers.table.units = {"", "FLOP", "B", "s", "s", "s", "s", "B"};
  for (const Layer& layer : block_layers(setting)) {
    const LayerTimes times = layer_times(layer, context, machine);
    layers.table.rows.push_back({std::string(layer.name), times.forward.flops.value(), times.forward.bytes,
                                 times.forward.time, times.base.forward, times.activation_gradient.time,
                                 times.weight_gradient.time, layer.activation_stored_bytes});
  }
  return layers;
}

std::string reason_of(Rejection memory, const Results& results) {
  const MemoryUse& use = results.memory;
  const System& system = results.inputs.system;
  if (memory == Rejection::memory_tier_2)
    return memory_reason(use.tier_2, system.offload.capacity, "memory tier 2", {});
  const Execution& x = results.inputs.execution;
  const MemoryParts& whole = use.whole;
  const MemoryParts& resident = use.resident;
  const MemoryUsePart parts[] = {
      {"weights", x.weight_offload ? resident.weights : whole.weights},
      {"activations", x.activation_offload ? resident.activations : whole.activations + whole.checkpoints},
      {"gradients and optimizer state", x.optimizer_offload ? resident.weight_gradients + resident.optimizer
                                                            : whole.weight_gradients + whole.optimizer}};
  return memory_reason(use.tier_1, system.memory.capacity, "memory tier 1", parts);
}

}  // namespace

Explanation explain_rejection(Rejection rejection) {
  const RejectionInfo& info = info_of(rejection);
  return section("training step", {{"status", std::string(info.name), ""}, {"reason", std::string(info.meaning), ""}});
}

Explanation explain_results(const Results& results, const ModelShape& model) {
  const Efficiencies share = efficiencies(results);
  const Rejection memory = memory_rejection(results.memory, results.inputs.system);
  Explanation all = section("training step", {{"status", std::string(info_of(memory).name), ""},
                                              {"step time", results.times.total, "s"},
                                              {"sequences per second", sample_rate(results), "s-1"},
                                              {"utilization", share.total, "1"},
                                              {"compute efficiency", share.compute, "1"},
                                              {"processing share", share.system, "1"}});
  if (memory != Rejection::none) all.facts.insert(all.facts.begin() + 1, {"reason", reason_of(memory, results), ""});
  all.sections.push_back(times_of(results.times));
  all.sections.push_back(memory_of(results.memory));
  all.sections.push_back(layers_of(results.inputs, model));
  return all;
}

}  // namespace dfsweep::calculon
