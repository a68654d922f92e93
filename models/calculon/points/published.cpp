/// Rows of the published parameters.
#include "models/calculon/points/published.hpp"

#include <array>

#include "models/published_rows.hpp"

namespace dfsweep::calculon {

namespace {

using namespace published;

constexpr double most_count = 1e9;
/// Degrees below 1 are legal, because each broken rule is a status with a name of its own.
constexpr double least_count = -1e6;

constexpr std::string_view precisions[] = {"fp32", "bf16", "fp16", "fp8", "fp4", "other"};
constexpr std::string_view phases[] = {"train", "forward"};
constexpr std::string_view attentions[] = {"multihead", "multiquery", "grouped", "latent", "other"};
constexpr std::string_view recomputes[] = {"full", "attention", "none", "selective", "elementwise", "latent", "other"};
constexpr std::string_view tensor_comms[] = {"all_reduce", "p2p_reduce_scatter_all_gather", "reduce_scatter_all_gather",
                                             "other"};
constexpr std::string_view tensor_overlaps[] = {"none", "ring", "pipe", "other"};
/// 0 or 1.
constexpr ParameterInfo flag(std::string_view name, std::string_view fallback, std::string_view meaning) {
  return or_else(whole(name, 0.0, 1.0, meaning), fallback);
}

constexpr auto parameter_rows = std::to_array<Row<Parameter, ParameterInfo>>({
    {Parameter::model, entry_of("model", "models", "the transformer")},
    {Parameter::system,
     entry_of("system", "calculon_systems", "a device with its engines, memory tiers and network tiers")},
    {Parameter::device_count, whole("device_count", least_count, most_count, "devices")},
    {Parameter::tensor_parallel,
     or_else(whole("tensor_parallel", least_count, most_count, "devices that share a layer"), "1")},
    {Parameter::pipeline_parallel,
     or_else(whole("pipeline_parallel", least_count, most_count, "stages of layers"), "1")},
    {Parameter::data_parallel, open(whole("data_parallel", least_count, most_count, "replicas"),
                                    "device_count over the product of the other degrees, rounded down")},
    {Parameter::tensor_network,
     or_else(whole("tensor_network", -1000, 1000, "network tier of tensor parallelism, from 0"), "0")},
    {Parameter::pipeline_network,
     open(whole("pipeline_network", -1000, 1000, "network tier of pipeline parallelism"), "the system's last tier")},
    {Parameter::data_network,
     open(whole("data_network", -1000, 1000, "network tier of data parallelism"), "the system's last tier")},
    {Parameter::global_batch, open(whole("global_batch", least_count, most_count, "sequences of a step"),
                                   "the largest multiple of data_parallel up to max_batch")},
    {Parameter::max_batch,
     open(whole("max_batch", 1, most_count, "largest global batch, where global_batch is not given"),
          "the model's global_batch")},
    {Parameter::micro_batch,
     or_else(whole("micro_batch", least_count, most_count, "sequences of a replica that are worked on at once"), "1")},
    {Parameter::sequence_length,
     open(whole("sequence_length", 1, 1e7, "tokens of a sequence"), "the model's sequence_length")},
    {Parameter::precision,
     or_else(choice_of("precision", precisions, "number format of weights and activations"), "fp16")},
    {Parameter::phase,
     or_else(choice_of("phase", phases, "training step, or its forward pass alone: nothing is kept for backward"),
             "train")},
    {Parameter::fused_activation,
     flag("fused_activation", "1", "1: the activation function keeps nothing for backward")},
    {Parameter::attention,
     or_else(choice_of("attention", attentions, "heads of keys and values: one per query head, or one"), "multihead")},
    {Parameter::recompute,
     or_else(choice_of("recompute", recomputes,
                       "what backward computes again, from all to nothing; see the page of the model"),
             "none")},
    {Parameter::interleaving,
     or_else(whole("interleaving", least_count, most_count, "chunks of layers that a stage has"), "1")},
    {Parameter::optimizer_sharding, flag("optimizer_sharding", "0", "1: replicas share the optimizer state")},
    {Parameter::tensor_comm,
     or_else(choice_of("tensor_comm", tensor_comms, "collectives of tensor parallelism"), "all_reduce")},
    {Parameter::tensor_overlap, or_else(choice_of("tensor_overlap", tensor_overlaps,
                                                  "how these overlap with products: in tiles of a ring or pipe"),
                                        "none")},
    {Parameter::sequence_parallel_redo,
     flag("sequence_parallel_redo", "0",
          "1: backward gathers sequence-parallel inputs again, nothing gathered is kept")},
    {Parameter::data_overlap, flag("data_overlap", "0", "1: the reduction of gradients overlaps with backward")},
    {Parameter::weight_offload, flag("weight_offload", "0", "1: weights live in memory tier 2")},
    {Parameter::activation_offload, flag("activation_offload", "0", "1: kept activations live in memory tier 2")},
    {Parameter::optimizer_offload,
     flag("optimizer_offload", "0", "1: optimizer state and gradients live in memory tier 2")},
});
static_assert(is_in_order(parameter_rows, Parameter::model, Parameter::prices));
constexpr auto parameter_table = joined(infos_of(parameter_rows), cost::price_parameters, whole_run::run_parameters);

}  // namespace

std::span<const ParameterInfo> parameters() {
  return parameter_table;
}

}  // namespace dfsweep::calculon
