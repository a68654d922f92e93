/// Numbers of stacks that measured steps may correct.
///
/// Spreads are how far figures of the literature lie apart: 15 % for efficiencies of large products, 20 to 30 % for
/// those of attention and for traffic, half for sizes and latencies that few publications give. Of memory: frameworks
/// report 3 to 10 GB more than tensors take, and 5 to 20 % of fragments and copies.
#include "models/kernels/calibration.hpp"

#include "models/kernels/software.hpp"

namespace dfsweep::training {

namespace {

constexpr Software common_stack;
constexpr double most_share = 1.0;  ///< of shares
constexpr double unbounded = std::numeric_limits<double>::infinity();

using enum SharedBy;

constexpr CalibrationInfo correctable[] = {
    {"matrix_share", "software", "1", common_stack.matrix.peak_share, 0.15, most_share, 1, entry, "matrix products",
     "share of the peak rate that large products reach"},
    {"matrix_share_8bit", "software", "1", common_stack.matrix.share_8bit, 0.1, unbounded, 1, all, "matrix products",
     "factor on it at 8 bits"},
    {"matrix_share_4bit", "software", "1", common_stack.matrix.share_4bit, 0.15, unbounded, 1, all, "matrix products",
     "factor on it at 4 bits"},
    {"half_rows", "software", "1", common_stack.matrix.half_rows, 0.5, unbounded, 0, all, "matrix products",
     "rows at which a product runs at half of its rate"},
    {"half_columns", "software", "1", common_stack.matrix.half_columns, 0.5, unbounded, 0, all, "matrix products",
     "columns at which it does"},
    {"half_depth", "software", "1", common_stack.matrix.half_depth, 0.5, unbounded, 0, all, "matrix products",
     "depth at which it does"},
    {"half_rows_grouped", "software", "1", common_stack.matrix.half_rows_grouped, 0.6, unbounded, 0, all,
     "matrix products", "rows of an expert at which its product does"},
    {"misaligned", "software", "1", common_stack.matrix.misaligned, 0.1, unbounded, 1, all, "matrix products",
     "factor on time for a size that is no multiple of 64"},
    {"matrix_memory_share", "software", "1", common_stack.matrix.memory_share, 0.1, most_share, 1, all, "memory",
     "share of the memory bandwidth that products reach"},
    {"launch_time", "software", "s", common_stack.matrix.launch.value(), 0.3, unbounded, 0, all, "host",
     "fixed time of a product"},
    {"cast_bytes", "software", "1", common_stack.matrix.cast_bytes, 0.4, unbounded, 0, all, "vector work",
     "traffic of converting an operand to fewer bits"},
    {"attention_share", "software", "1", common_stack.attention.peak_share, 0.2, most_share, 1, entry, "attention",
     "share of the peak rate that scores reach"},
    {"odd_head", "software", "1", common_stack.attention.odd_head, 0.5, unbounded, 1, all, "attention",
     "factor on time where heads are no multiple of 8 wide"},
    {"score_bytes", "software", "1", common_stack.attention.score_bytes, 0.3, unbounded, 0, all, "attention",
     "traffic of a score that is written"},
    {"hidden_bytes", "software", "1", common_stack.elementwise.hidden, 0.2, unbounded, 0, all, "vector work",
     "traffic of a layer for each token and hidden number"},
    {"routing", "software", "1", common_stack.elementwise.routing, 0.3, unbounded, 0, entry, "vector work",
     "factor on the traffic of routing tokens to experts"},
    {"logit_bytes", "software", "1", common_stack.elementwise.logit_bytes, 0.3, unbounded, 0, all, "vector work",
     "traffic of a logit of the loss"},
    {"inside_share", "software", "1", common_stack.links.inside, 0.15, most_share, 1, all, "links",
     "share of the bandwidth that collectives in a node reach"},
    {"across_share", "software", "1", common_stack.links.across, 0.15, most_share, 1, all, "links",
     "share that those between nodes reach"},
    {"expert_share", "software", "1", common_stack.links.expert, 0.3, most_share, 1, all, "links",
     "share that exchanges of experts reach"},
    {"tensor_visible", "software", "1", common_stack.links.tensor_visible, 0.3, most_share, 0, all, "overlap",
     "share of tensor-parallel exchanges that nothing hides"},
    {"expert_visible", "software", "1", common_stack.links.expert_visible, 0.3, most_share, 0, all, "overlap",
     "share of expert exchanges that nothing hides"},
    {"gradient_hidden", "software", "1", common_stack.links.gradient_hidden, 0.3, most_share, 1, entry, "overlap",
     "largest part of a micro-batch's computing that hides the exchange of gradients"},
    {"gradient_exposed", "software", "1", common_stack.links.gradient_exposed, 0.3, most_share, 0, all, "overlap",
     "least share of it that stays visible"},
    {"gather_hidden", "software", "1", common_stack.links.gather_hidden, 0.15, most_share, 1, all, "overlap",
     "share of the gathering of sharded weights that computing can hide"},
    {"stage_visible", "software", "1", common_stack.links.stage_visible, 0.5, most_share, 0, all, "overlap",
     "share of the transfers between stages that nothing hides"},
    {"host_layer_time", "software", "s", common_stack.host.layer.value(), 0.3, unbounded, 0, all, "host",
     "to launch the kernels of a dense layer"},
    {"host_expert_layer_time", "software", "s", common_stack.host.expert_layer.value(), 0.4, unbounded, 0, entry,
     "host", "to launch those of a layer with experts"},
    {"host_expert_time", "software", "s", common_stack.host.expert.value(), 0.4, unbounded, 0, entry, "host",
     "for each local expert"},
    {"fixed_time", "software", "s", common_stack.step.fixed.value(), 0.4, unbounded, 0, all, "step",
     "fixed time of a step"},
    {"optimizer_bytes", "software", "1", common_stack.step.optimizer_bytes, 0.3, unbounded, 0, all, "step",
     "traffic of the optimizer for each parameter"},
    {"straggler", "software", "1", common_stack.step.straggler, 0.5, unbounded, 0, all, "step",
     "slowdown for each doubling of the devices"},
    {"reserved", "software", "B", common_stack.kept.reserved.value(), 0.5, unbounded, 0, entry, "memory kept",
     "context, libraries and communication buffers", Resource::memory},
    {"state_factor", "software", "1", common_stack.kept.state_factor, 0.15, unbounded, 1, entry, "memory kept",
     "factor on weights, gradients and optimizer: copies and buckets", Resource::memory},
    {"activation_factor", "software", "1", common_stack.kept.activation_factor, 0.2, unbounded, 0, entry, "memory kept",
     "factor on activations: fragments and buffers of kernels", Resource::memory},
    {"kept_score_bytes", "software", "1", common_stack.kept.score, 0.3, unbounded, 0, all, "memory kept",
     "of a score that is written", Resource::memory},
    {"kept_logit_bytes", "software", "1", common_stack.kept.logit, 0.3, unbounded, 0, all, "memory kept",
     "of a logit of the last stage", Resource::memory},
};

}  // namespace

std::span<const CalibrationInfo> calibration() {
  return correctable;
}

}  // namespace dfsweep::training
