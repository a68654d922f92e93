/// Explanation of a point.
#include "models/dataflow/explain/explain.hpp"
#include "models/cost/bill_explanation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "models/dataflow/explain/mapping_drawing.hpp"
#include "models/dataflow/explain/other_mappings.hpp"
#include "models/dataflow/explain/reason.hpp"
#include "models/dataflow/parallelism/domain.hpp"
#include "models/dataflow/parallelism/layout_problem.hpp"
#include "models/short_number.hpp"

namespace dfsweep::dataflow {

namespace {

std::string name_of(StepStatus status) {
  switch (status) {
    case StepStatus::ok:
      return "ok";
    case StepStatus::invalid:
      return "invalid";
    case StepStatus::no_mapping:
      return "no_mapping";
    case StepStatus::out_of_memory:
      return "out_of_memory";
    case StepStatus::out_of_sram:
      return "out_of_sram";
    case StepStatus::unsupported_model:
      return "unsupported_model";
    case StepStatus::power_limit_too_low:
      return "power_limit_too_low";
  }
  return "failed";
}

std::string name_of(ShardDimension dimension) {
  switch (dimension) {
    case ShardDimension::none:
      return "none";
    case ShardDimension::outer:
      return "outer";
    case ShardDimension::m:
      return "m";
    case ShardDimension::k:
      return "k";
    case ShardDimension::n:
      return "n";
  }
  return "";
}

/// Chips of each dimension that share inner links: "8x2".
std::string domain_text(const LayoutRequest& request, const Convention& convention, const Shape& shape) {
  const auto whole = [](double number) { return std::to_string(static_cast<long long>(number)); };
  if (convention.domain == DomainRule::every_role) return whole(request.high_bandwidth_domain) + " of each role";
  const DomainChips domain = domain_chips(shape, request.high_bandwidth_domain);
  std::string text;
  for (std::size_t d = 0; d < shape.count; ++d) text += (d == 0 ? "" : "x") + whole(domain.chips[d]);
  return text;
}

Explanation explain_layout(const Layout& layout, const LayoutRequest& request, const Convention& convention) {
  Explanation section{.title = "layout", .facts = {}, .table = {}, .sections = {}};
  section.facts = {{"chips", layout.chips, ""},
                   {"tensor parallel", layout.tensor_parallel, ""},
                   {"pipeline parallel", layout.pipeline_parallel, ""},
                   {"data parallel", layout.data_parallel, ""},
                   {"layers per stage", layout.layers_per_stage, ""}};
  if (layout.stages_per_graph > 1.0)
    section.facts.back() = {"stages that share the graph", layout.stages_per_graph, ""};
  if (is_given(request.high_bandwidth_domain))
    section.facts.push_back({"chips of a high-bandwidth domain", domain_text(request, convention, layout.shape), ""});
  return section;
}

/// What the tables describe where layers are of two kinds.
std::string layers_text(const Workload& w) {
  const double dense = std::round(w.dense_share * w.layers);
  return "the times are means over " + short_number(w.layers - dense) + " layers with experts and " +
         short_number(dense) + " dense layers; the tables and the drawing describe a layer with experts";
}

Explanation explain_result(const Step& step, const Layout& layout, const StepInputs& in) {
  Explanation section{.title = "result", .facts = {{"status", name_of(step.status), ""}}, .table = {}, .sections = {}};
  if (step.status != StepStatus::ok) return section;
  const StepCosts costs = costs_of(step, layout, in);
  for (const auto& [label, value] : {std::pair{"step time", step.step_time},
                                     {"compute time", step.compute_time},
                                     {"memory time", step.memory_time},
                                     {"network time", step.network_time},
                                     {"bubble time", step.bubble_time}})
    section.facts.push_back({label, value.value(), "s"});
  section.facts.push_back({"work", step.flop.value(), "FLOP"});
  section.facts.push_back({"system cost", costs.system_cost.value(), "USD"});
  section.facts.push_back({"system cost is", cost::text_of(in.price_source), ""});
  section.facts.push_back({"system power", costs.system_power.value(), "W"});
  section.facts.push_back({"system power is", cost::text_of(in.power_source), ""});
  section.facts.push_back({"average power of a chip", costs.average_power.value(), "W"});
  section.facts.push_back({"tiles", step.num_tile, ""});
  return section;
}

Explanation explain_kernels(const PartitionModel& partitions, const Assignment& assignment) {
  Explanation section{.title = "kernels", .facts = {}, .table = {}, .sections = {}};
  section.table.headings = {"kernel", "partition", "sharded", "outer", "m", "k", "n", "work", "weights"};
  section.table.units = {"", "", "", "", "", "", "", "FLOP", "B"};
  const Workload& w = partitions.workload();
  for (std::size_t k = 0; k < w.graph.kernels.size(); ++k) {
    const Kernel& shard = partitions.shard(k);
    section.table.rows.push_back({shard.name, assignment.empty() ? 0.0 : static_cast<double>(assignment[k]),
                                  name_of(partitions.dimension(k)), shard.outer, shard.m, shard.k, shard.n,
                                  flop_of(shard), shard.weight_words * w.word_bytes});
  }
  return section;
}

Explanation explain_conversions(const PartitionModel& partitions) {
  Explanation section{.title = "tensors that change their layout", .facts = {}, .table = {}, .sections = {}};
  section.table.headings = {"from", "to", "collective", "bytes per chip"};
  section.table.units = {"", "", "", "B"};
  const Graph& graph = partitions.workload().graph;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const Conversion conversion = partitions.edge_conversion(e);
    if (conversion == Conversion::none) continue;
    section.table.rows.push_back({graph.kernels[graph.edges[e].source].name,
                                  graph.kernels[graph.edges[e].destination].name,
                                  std::string(conversion == Conversion::all_gather ? "all-gather" : "all-to-all"),
                                  partitions.edge_bytes(e).value()});
  }
  return section;
}

Explanation explain_collectives(const PerCollective<Traffic>& traffic, const NetworkRates& rates) {
  Explanation section{.title = "collectives per layer and sequence", .facts = {}, .table = {}, .sections = {}};
  section.table.headings = {"collective", "number", "bytes", "time per byte", "latency of one"};
  section.table.units = {"", "", "B", "s/B", "s"};
  for (const Collective c : all_of<Collective>) {
    if (traffic[c].count == 0.0) continue;
    section.table.rows.push_back({std::string(collective_names[c]), traffic[c].count, traffic[c].bytes.value(),
                                  rates[c].byte.value(), rates[c].each.value()});
  }
  return section;
}

Explanation explain_memory(const ExplainedMapping& at) {
  Explanation section{.title = "memory of a chip", .facts = {}, .table = {}, .sections = {}};
  section.facts = {{"weights, gradients and optimizer state of a layer", at.mapped.state.value(), "B"},
                   {"tensors alive between partitions, per sequence", at.mapped.live.value(), "B"},
                   {"tensors of a layer kept for the backward pass, per sequence", at.mapped.kept.value(), "B"},
                   {"share of tables or matrix", at.mapped.machine.value(), "B"},
                   {"needed", at.step.memory_used.value(), "B"},
                   {"capacity", at.inputs.dram_capacity.value(), "B"}};
  section.facts.push_back({"SRAM needed", at.schedules.front()->sram.value(), "B"});
  section.facts.push_back({"SRAM", at.inputs.sram_capacity.value(), "B"});
  return section;
}

/// Limits of the model for training steps.
constexpr std::string_view what_training_keeps =
    "every tensor that the backward pass consumes is kept, attention scores included, and each replica has all states; "
    "for "
    "GPUs with fused attention, recomputation or sharded states use the estimator training";

}  // namespace

Explanation explain_point(const PointModel& model, const Codes& codes) {
  const Workload workload = model.workload(codes);
  const Layout layout = model.layout(codes, workload);
  Explanation all{.title = "dataflow", .facts = {}, .table = {}, .sections = {}};
  all.facts.push_back({"convention", std::string(model.convention_of(codes).name), ""});
  if (layout.verdict != Layout::Verdict::possible) {
    all.facts.push_back({"status", std::string("invalid"), ""});
    all.facts.push_back(
        {"reason", layout_problem(model.layout_request(codes), workload, model.convention_of(codes)), ""});
    return all;
  }
  const StepInputs inputs = model.inputs(codes, workload.global_batch);
  const MappedWorkload mapped = model.mapped(codes, workload, layout, Reasons::full);
  std::vector<NetworkTime> scratch(network_count(mapped));
  const Step step = step_of(mapped, workload, layout, model.convention_of(codes), inputs, scratch);
  const PartitionRules rules = model.rules(codes, workload);
  const std::string reason = reason_of(
      MappedPoint{workload, layout, model.convention_of(codes), inputs, model.device_of(codes), rules, mapped, step});
  if (!reason.empty()) all.facts.push_back({"reason", reason, ""});
  if (!mapped.shortage.empty()) all.facts.push_back({"no mapping fits", mapped.shortage, ""});
  all.sections = {explain_result(step, layout, inputs),
                  explain_layout(layout, model.layout_request(codes), model.convention_of(codes))};
  if (!mapped.unsupported.empty() || !mapped.problem.empty() || step.status == StepStatus::invalid) return all;
  if (mapped.dense) all.facts.push_back({"layers", layers_text(workload), ""});
  const PartitionModel partitions(workload, mapped.sharding, layout.split, rules);
  const Assignment& assignment = mapped.assignment;
  all.sections.push_back(explain_kernels(partitions, assignment));
  std::array communication{explain_collectives(mapped.traffic, network_rates(layout, inputs)),
                           explain_conversions(partitions)};
  for (Explanation& section : communication)
    if (!section.table.rows.empty()) all.sections.push_back(std::move(section));
  const std::vector<const Schedule*> schedules = schedules_in_use(mapped, inputs, step);
  if (schedules.empty()) return all;
  const ExplainedMapping at{layout, mapped,   model.convention_of(codes), inputs, model.device_of(codes), partitions,
                            step,   schedules};
  if (at.has_stages()) all.sections.push_back(explain_stages(at));
  all.sections.push_back(explain_partitions(at));
  all.sections.push_back(explain_tensors(at));
  if (!at.has_stages()) {
    MappingRequest request = model.request(codes, workload);
    if (workload.dense) request.other = model.other_layers(codes, *workload.dense, layout, workload.dense_share);
    all.sections.push_back(explain_other_mappings(at, request));
    all.sections.push_back(explain_memory(at));
  }
  if (mapped.kept > Bytes{}) all.facts.push_back({"note", std::string(what_training_keeps), ""});
  all.drawing = mapping_drawing(at);
  return all;
}

}  // namespace dfsweep::dataflow
