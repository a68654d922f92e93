/// Rows of the published parameters.
#include "models/calculon/points/published.hpp"

#include <array>

#include "models/published_rows.hpp"
#include "models/step_rows.hpp"

namespace dfsweep::calculon {

namespace {

using namespace published;
using step_rows::flag;
using step_rows::least_count;
using step_rows::most_count;

constexpr std::string_view precisions[] = {"fp32", "bf16", "fp16", "fp8", "fp4", "other"};
constexpr std::string_view attentions[] = {"multihead", "multiquery", "grouped", "latent", "other"};
constexpr std::string_view tensor_comms[] = {"all_reduce", "p2p_reduce_scatter_all_gather", "reduce_scatter_all_gather",
                                             "other"};

constexpr auto parameter_rows = std::to_array<Row<Parameter, ParameterInfo>>({
    {Parameter::model, step_rows::parameter("model")},
    {Parameter::system,
     entry_of("system", "calculon_systems", "a device with its engines, memory tiers and network tiers")},
    {Parameter::device_count, step_rows::parameter("device_count")},
    {Parameter::tensor_parallel, step_rows::parameter("tensor_parallel")},
    {Parameter::pipeline_parallel, step_rows::parameter("pipeline_parallel")},
    {Parameter::data_parallel, step_rows::parameter("data_parallel")},
    {Parameter::tensor_network,
     or_else(whole("tensor_network", -1000, 1000, "network tier of tensor parallelism, from 0"), "0")},
    {Parameter::pipeline_network,
     open(whole("pipeline_network", -1000, 1000, "network tier of pipeline parallelism"), "the system's last tier")},
    {Parameter::data_network,
     open(whole("data_network", -1000, 1000, "network tier of data parallelism"), "the system's last tier")},
    {Parameter::global_batch, step_rows::parameter("global_batch")},
    {Parameter::max_batch, step_rows::parameter("max_batch")},
    {Parameter::micro_batch, step_rows::parameter("micro_batch")},
    {Parameter::sequence_length, step_rows::parameter("sequence_length")},
    {Parameter::precision,
     or_else(choice_of("precision", precisions, "number format of weights and activations"), "fp16")},
    {Parameter::phase, step_rows::parameter("phase")},
    {Parameter::fused_activation,
     flag("fused_activation", "1", "1: the activation function keeps nothing for backward")},
    {Parameter::attention,
     or_else(choice_of("attention", attentions, "heads of keys and values: one per query head, or one"), "multihead")},
    {Parameter::recompute, step_rows::parameter("recompute")},
    {Parameter::interleaving, step_rows::parameter("interleaving")},
    {Parameter::optimizer_sharding, flag("optimizer_sharding", "0", "1: replicas share the optimizer state")},
    {Parameter::tensor_comm,
     or_else(choice_of("tensor_comm", tensor_comms, "collectives of tensor parallelism"), "all_reduce")},
    {Parameter::tensor_overlap, step_rows::parameter("tensor_overlap")},
    {Parameter::sequence_parallel_redo,
     flag("sequence_parallel_redo", "0",
          "1: backward gathers sequence-parallel inputs again, nothing gathered is kept")},
    {Parameter::data_overlap, flag("data_overlap", "0", "1: the reduction of gradients overlaps with backward")},
    {Parameter::weight_offload, flag("weight_offload", "0", "1: weights live in memory tier 2")},
    {Parameter::activation_offload, step_rows::parameter("activation_offload")},
    {Parameter::optimizer_offload, step_rows::parameter("optimizer_offload")},
});
static_assert(is_in_order(parameter_rows, Parameter::model, Parameter::prices));
constexpr auto parameter_table = joined(infos_of(parameter_rows), cost::price_parameters, whole_run::run_parameters);

}  // namespace

std::span<const ParameterInfo> parameters() {
  return parameter_table;
}

}  // namespace dfsweep::calculon
