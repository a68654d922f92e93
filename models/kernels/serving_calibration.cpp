/// Numbers of stacks that measured serving may correct.
///
/// Spreads are how far figures of the literature lie apart: 15 to 20 % for efficiencies of products and streams, half
/// and more for times of hosts, which differ between releases. Minor numbers are about few runs (experts, eight-bit
/// attention), or act like leading ones: what they learn of some stacks does not carry to others.
#include "models/kernels/serving_calibration.hpp"

#include "models/kernels/efficiency.hpp"

namespace dfsweep::serving {

namespace {

constexpr Efficiency common_stack;
constexpr double beyond_bounds = 1e6;  ///< the model bounds shares itself
constexpr double unbounded = std::numeric_limits<double>::infinity();

using enum SharedBy;

constexpr CalibrationInfo correctable[] = {
    {"matrix_share", "software", "1", common_stack.matrix.peak_share, 0.15, most_matrix_share, beyond_bounds, entry,
     "matrix products", "share of the peak rate that large products reach"},
    {"matrix_share_8bit", "software", "1", common_stack.matrix.share_8bit, 0.15, unbounded, 1, all, "matrix products",
     "factor on it at 8 bits"},
    {"matrix_share_4bit", "software", "1", common_stack.matrix.share_4bit, 0.15, unbounded, 1, all, "matrix products",
     "factor on it at 4 bits"},
    {"half_rows", "software", "1", common_stack.matrix.half_rows, 0.5, unbounded, 0, all, "matrix products",
     "tokens at which a product runs at half of its rate", Resource::time, Reach::minor},
    {"matrix_memory_share", "software", "1", common_stack.matrix.memory_share, 0.1, most_memory_share, beyond_bounds,
     entry, "memory", "share of the memory bandwidth that weights reach"},
    {"expert_matrix_share", "software", "1", common_stack.matrix.expert_peak_share, 0.2, unbounded, 1, all,
     "matrix products", "factor on matrix_share for experts", Resource::time, Reach::minor},
    {"expert_memory_share", "software", "1", common_stack.matrix.expert_memory_share, 0.2, unbounded, 1, all, "memory",
     "factor on matrix_memory_share for experts", Resource::time, Reach::minor},
    {"attention_share", "software", "1", common_stack.cache.peak_share, 0.25, most_attention_share, beyond_bounds, all,
     "attention", "share of the peak rate of attention over a prompt", Resource::time, Reach::minor},
    {"attention_share_8bit", "software", "1", common_stack.cache.share_8bit, 0.2, unbounded, 1, all, "attention",
     "factor on it at 8 bits", Resource::time, Reach::minor},
    {"cache_memory_share", "software", "1", common_stack.cache.memory_share, 0.2, most_memory_share, beyond_bounds, all,
     "memory", "share of the memory bandwidth that keys and values reach"},
    {"grouped_query_cost", "software", "1", common_stack.cache.grouped, 0.5, unbounded, 0, all, "attention",
     "cost of each further query head of a group"},
    {"inside_share", "software", "1", common_stack.links.inside, 0.25, most_link_share, beyond_bounds, entry, "links",
     "share of the bandwidth that exchanges in a node reach"},
    {"across_share", "software", "1", common_stack.links.across, 0.25, most_link_share, beyond_bounds, all, "links",
     "share that those between nodes reach", Resource::time, Reach::minor},
    {"exchange_time", "software", "s", common_stack.links.exchange.value(), 0.5, unbounded, 0, all, "links",
     "launch and skew of a step of an exchange"},
    {"layer_time", "software", "s", common_stack.host.layer.value(), 0.5, unbounded, 0, all, "host",
     "of a layer in a step"},
    {"prompt_layer_time", "software", "s", common_stack.host.prompt_launch.value(), 0.5, unbounded, 0, all, "host",
     "to launch a layer of a prompt, beside the device"},
    {"expert_layer_time", "software", "s", common_stack.host.expert_layer.value(), 0.5, unbounded, 0, all, "host",
     "more for a layer with experts", Resource::time, Reach::minor},
    {"fixed_time", "software", "s", common_stack.host.step.value(), 0.7, unbounded, 0, entry, "step",
     "scheduling, sampling and copies of a step", Resource::time, Reach::minor},
    {"sequence_time", "software", "s", common_stack.host.sequence.value(), 0.5, unbounded, 0, all, "step",
     "of a step, for a sequence", Resource::time, Reach::minor},
    {"hidden_bytes", "software", "1", common_stack.traffic.hidden, 0.3, unbounded, 0, all, "vector work",
     "traffic of a layer for each token and hidden number", Resource::time, Reach::minor},
    {"logit_bytes", "software", "1", common_stack.traffic.logit, 0.3, unbounded, 0, all, "vector work",
     "traffic of a logit", Resource::time, Reach::minor},
    {"reserved", "software", "B", common_stack.memory.reserved.value(), 0.5, unbounded, 0, entry, "memory kept",
     "context, libraries and graphs", Resource::memory},
};

}  // namespace

std::span<const CalibrationInfo> calibration() {
  return correctable;
}

}  // namespace dfsweep::serving
