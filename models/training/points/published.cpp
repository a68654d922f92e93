/// Rows of the published parameters.
#include "models/training/points/published.hpp"

#include <array>

#include "models/published_rows.hpp"
#include "models/step_rows.hpp"

namespace dfsweep::training {

namespace {

using namespace published;
using step_rows::flag;
using step_rows::least_count;
using step_rows::most_count;

constexpr std::string_view precisions[] = {"fp32", "bf16", "fp16", "fp8", "fp4", "other", "int8"};
constexpr std::string_view context_exchanges[] = {"ring", "all_to_all"};
constexpr std::string_view attention_kernels[] = {"flash", "materialized"};
constexpr std::string_view schedules[] = {"one_forward_one_backward", "zero_bubble", "dual_pipe"};
constexpr std::string_view stage_splits[] = {"even", "balanced"};
constexpr std::string_view tasks[] = {"full", "low_rank"};
constexpr std::string_view node_link_kinds[] = {"switched", "direct"};

constexpr auto parameter_rows = std::to_array<Row<Parameter, ParameterInfo>>({
    {Parameter::model, step_rows::parameter("model")},
    {Parameter::system, open(entry_of("system", "systems", "a device with its memory, its node and its network"),
                             "device, memory and interconnect")},
    {Parameter::device_count, step_rows::parameter("device_count")},
    {Parameter::tensor_parallel, step_rows::parameter("tensor_parallel")},
    {Parameter::pipeline_parallel, step_rows::parameter("pipeline_parallel")},
    {Parameter::data_parallel, step_rows::parameter("data_parallel")},
    {Parameter::global_batch, step_rows::parameter("global_batch")},
    {Parameter::max_batch, step_rows::parameter("max_batch")},
    {Parameter::micro_batch, step_rows::parameter("micro_batch")},
    {Parameter::sequence_length, step_rows::parameter("sequence_length")},
    {Parameter::precision,
     or_else(choice_of("precision", precisions, "number format of weights and activations"), "bf16")},
    {Parameter::phase, step_rows::parameter("phase")},
    {Parameter::recompute, step_rows::parameter("recompute")},
    {Parameter::interleaving, step_rows::parameter("interleaving")},
    {Parameter::optimizer_sharding,
     or_else(
         whole("optimizer_sharding", 0, 3, "divided by replicas: 1 optimizer state, 2 gradients too, 3 weights too"),
         "0")},
    {Parameter::tensor_overlap, step_rows::parameter("tensor_overlap")},
    {Parameter::activation_offload, step_rows::parameter("activation_offload")},
    {Parameter::optimizer_offload, step_rows::parameter("optimizer_offload")},
    {Parameter::software,
     open(entry_of("software", "software", "efficiencies of a software stack"), "the numbers that all stacks share")},
    {Parameter::context_parallel,
     or_else(whole("context_parallel", 1, most_count, "devices that share a sequence"), "1")},
    {Parameter::expert_parallel,
     or_else(whole("expert_parallel", 1, most_count, "ranks over which experts are spread"), "1")},
    {Parameter::expert_tensor_parallel,
     or_else(whole("expert_tensor_parallel", 1, most_count, "ranks that share one expert"), "1")},
    {Parameter::capacity_factor,
     or_else(real("capacity_factor", "1", 0.0, 1e6,
                  "rows that experts work on over those of balanced routing: above 1 padding, below 1 dropped tokens"),
             "1")},
    {Parameter::sequence_parallel,
     flag("sequence_parallel", "1", "1: norms and residuals are split over the tensor group")},
    {Parameter::context_exchange,
     or_else(choice_of("context_exchange", context_exchanges, "how devices that share a sequence exchange it"),
             "ring")},
    {Parameter::attention_kernel, or_else(choice_of("attention_kernel", attention_kernels,
                                                    "flash: scores stay on the chip, the masked half is skipped"),
                                          "flash")},
    {Parameter::recomputed_layers,
     or_else(real("recomputed_layers", "1", 0.0, 1.0, "share of the layers to which recompute applies"), "1")},
    {Parameter::schedule,
     or_else(choice_of("schedule", schedules, "order of the micro-batches in a pipeline"), "one_forward_one_backward")},
    {Parameter::stage_split,
     open(choice_of("stage_split", stage_splits, "balanced: fewer layers beside the output layer"),
          "even where pipeline_parallel divides the layers, else balanced")},
    {Parameter::sharding_group,
     or_else(whole("sharding_group", 0, most_count, "ranks that share a copy of what is sharded; 0: all replicas"),
             "0")},
    {Parameter::task, or_else(choice_of("task", tasks, "low_rank: base weights are frozen"), "full")},
    {Parameter::state_bytes, open(text("state_bytes", "bytes of a parameter as weight/gradient/optimizer, \"2/4/12\""),
                                  "4/4/8 where optimizer_sharding is 3 and phase train; else 2, the software's "
                                  "kept_gradient_bytes (4) and 12")},
    {Parameter::activations_8bit,
     flag("activations_8bit", "0", "1: results of first products of feed-forward networks are kept in 8 bits")},
    {Parameter::attention_8bit, flag("attention_8bit", "0", "1: flash attention computes its scores in 8 bits")},
    {Parameter::step_graph, flag("step_graph", "0", "1: one recorded graph launches a step")},
    {Parameter::node_devices,
     open(whole("node_devices", 1, most_count, "devices of a node"), "the system's; 8 where a device is named")},
    {Parameter::node_links,
     open(choice_of("node_links", node_link_kinds, "direct: links of a node join pairs of devices"), "the system's")},
    {Parameter::link_bandwidth,
     open(real("link_bandwidth", "B/s", 1.0, 1e30,
               "of one link inside a node, in one direction; a device has one to a switch, more without"),
          "the interconnect's, or device_link_bandwidth")},
    {Parameter::outer_link_bandwidth,
     open(real("outer_link_bandwidth", "B/s", 1.0, 1e30, "of the links of a device to other nodes, in one direction"),
          "the system's")},
    {Parameter::device, open(entry_of("device", "devices", "the chip, where no system is named"), "the system's")},
    {Parameter::memory, open(entry_of("memory", "memories", "memory of such a chip"), "the system's")},
    {Parameter::interconnect,
     open(entry_of("interconnect", "interconnects", "links between such chips in a node"), "the system's")},
    {Parameter::outer_interconnect,
     open(entry_of("outer_interconnect", "interconnects", "links of such a chip to other nodes"), "interconnect")},
    {Parameter::dram_bandwidth,
     open(real("dram_bandwidth", "B/s", 1.0, 1e30, "of the memory of a device"), "the memory's or system's")},
    {Parameter::dram_capacity,
     open(real("dram_capacity", "B", 0.0, 1e30, "of the memory of a device"), "the memory's or system's")},
    {Parameter::peak_flops,
     open(real("peak_flops", "FLOP/s", 1.0, 1e30, "of a device, in the swept precision"), "the device's or system's")},
    {Parameter::topology,
     open(entry_of("topology", "topologies",
                   "kinds of the network's dimensions, innermost first; those of a tier share its bandwidth"),
          "switches, or as node_links says")},
    {Parameter::shape, open(text("shape", "sizes of the dimensions of the topology, as in 8x128"),
                            "as even as can be; a node first where gateways join groups")},
    {Parameter::device_link_bandwidth,
     open(real("device_link_bandwidth", "B/s", 1.0, 1e30, "of all links of a device inside its node, in one direction"),
          "link_bandwidth of all its links, or the system's")},
});
static_assert(is_in_order(parameter_rows, Parameter::model, Parameter::prices));
constexpr auto parameter_table =
    joined(infos_of(parameter_rows), cost::price_parameters, std::array{cost::power_limit}, whole_run::run_parameters);
static_assert(parameter_table.size() == count_of<Parameter> + whole_run::run_parameters.size());

}  // namespace

std::span<const ParameterInfo> parameters() {
  return parameter_table;
}

}  // namespace dfsweep::training
