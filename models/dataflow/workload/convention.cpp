/// The four conventions. Why each choice of `physical` is made: docs/models/dataflow.md, "Conventions".
#include "models/dataflow/workload/convention.hpp"

#include <array>

#include "models/expect.hpp"

namespace dfsweep::dataflow {

namespace {

/// Generation 1: all 80-system studies and the SN10 mappings with perfect overlap. [dfmodel] sections 0, 4, 5
constexpr Convention first_generation() {
  Convention c;
  c.name = "dfmodel-g1";
  c.meaning = "DFModel's first logged generation: all-reduce in two passes, no latency";
  c.gather = one_pass;
  c.all_to_all = published_all_to_all;
  c.all_reduce_steps = no_steps;
  c.gather_steps = no_steps;
  c.all_to_all_steps = no_steps;
  c.transfer_steps = no_steps;
  c.exchange = last_dimension_exchange;
  c.gradient_seconds_per_byte = 0.25e-9;
  c.gradient_charge = GradientCharge::spread;
  c.role_order = RoleOrder::tensor_pipeline_data;
  c.domain = DomainRule::every_role;
  c.bubble = BubbleRule::layers;
  c.stage_rule = StageRule::layers;
  c.pipeline_transfer = PipelineTransfer::once_per_step;
  c.pass_unit = PassUnit::sequence;
  c.batch_unit = BatchUnit::passes;
  c.layer_detail = LayerDetail::plain;
  c.prefill_sink = SinkSharding::replicated;
  c.sram_accounting = SramAccounting::paper;
  c.training_weights = WeightTraffic::none;
  c.prefill_weights = WeightTraffic::none;
  c.backward_weight_copies_stored = 1.0;
  c.gradient_copies_stored = 0.0;
  c.optimizer_bytes_per_parameter = 0.0;
  c.activations_kept = 0.0;
  c.chips_without_switch = 4.0;
  c.price_rule = PriceRule::as_stated;
  return c;
}

/// Generation 2: rail-only, SRAM x DRAM, SN10 mappings without overlap.
constexpr Convention second_generation() {
  Convention c = first_generation();
  c.name = "dfmodel-g2";
  c.meaning = "DFModel's second generation: all-reduce in one pass, high-bandwidth domains";
  c.all_reduce_passes = 1.0;
  c.all_reduce_passes_fully_connected = 1.0;
  c.gradient_passes = 1.0;
  c.exchange = pairwise_exchange_quarter;
  c.third_dimension_link_power = 0.0;
  return c;
}

/// Generation 3: serving and 3D memory.
constexpr Convention third_generation() {
  Convention c = second_generation();
  c.name = "dfmodel-g3";
  c.meaning = "DFModel's third generation: all-reduce in two passes with latency";
  c.all_reduce_passes = 2.0;
  c.all_reduce_steps = ring_all_reduce_steps;
  c.exchange = pairwise_exchange_pairs;
  c.third_dimension_link_power = 1.0;
  return c;
}

constexpr Convention physical() {
  Convention c;
  c.name = "physical";
  c.meaning = "physical behaviour: latencies, weights from DRAM, 1F1B bubble, gradients once per step";
  return c;
}

constexpr std::array all_conventions{physical(), first_generation(), second_generation(), third_generation()};

}  // namespace

std::span<const Convention> conventions() {
  return all_conventions;
}

const Convention& convention_named(std::string_view name) {
  for (const Convention& convention : all_conventions)
    if (convention.name == name) return convention;
  broken_promise("a convention with this name exists", __FILE__, __LINE__);
}

}  // namespace dfsweep::dataflow
