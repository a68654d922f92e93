/// Rows of the published tables.
#include "models/taskgraph/points/published.hpp"

#include <array>

#include "models/published_rows.hpp"
#include "models/taskgraph/strategies/convention.hpp"

namespace dfsweep::taskgraph {

namespace {

using namespace published;

constexpr double most_size = 1e7;
constexpr double most_tokens = 1e9;
constexpr std::string_view strategies[] = {"tensor_pipeline", "attention_pool", "layerwise"};
constexpr std::string_view objectives[] = {"step_time", "token_rate_per_device"};
constexpr std::string_view phases[] = {"prefill", "decode"};
constexpr std::string_view precisions[] = {"fp32", "bf16", "fp16", "fp8"};
constexpr std::string_view attention_kernels[] = {"flash", "materialized"};
constexpr std::string_view placements[] = {"fewest_devices", "fastest"};
constexpr std::string_view node_kinds[] = {"tasks", "operators"};
constexpr std::string_view fallbacks[] = {"none", "analytical"};
constexpr std::string_view coverages[] = {"measured", "interpolated", "extrapolated", "analytical"};
constexpr std::string_view data_files[] = {"mlp.csv", "attention.csv"};
constexpr std::string_view spills[] = {"none", "stream"};

/// A size of the model; without a model it has the value of the reference set-up.
constexpr ParameterInfo size_of(std::string_view name, std::string_view instead, std::string_view meaning) {
  return open(whole(name, 1, most_size, meaning), instead);
}

constexpr ParameterInfo rate_of(std::string_view name, std::string_view unit, std::string_view meaning) {
  return real(name, unit, 1, 1e24, meaning);
}

constexpr auto parameter_rows = std::to_array<Row<Parameter, ParameterInfo>>({
    {Parameter::strategy,
     or_else(choice_or_entry_of("strategy", strategies, "taskgraphs",
                                "how layers become tasks on devices, or a file with a graph of tasks"),
             "tensor_pipeline")},
    {Parameter::model, open(entry_of("model", "models", "the transformer"), "layers, hidden and the other sizes")},
    {Parameter::layers, open(whole("layers", 1, 1e5, "layers of the transformer"), "the model's; 4 without a model")},
    {Parameter::hidden, size_of("hidden", "the model's; 4096 without a model", "width of a layer")},
    {Parameter::heads, size_of("heads", "the model's; 32 without a model", "attention heads")},
    {Parameter::key_value_heads, size_of("key_value_heads", "the model's, else heads",
                                         "key-value heads; fewer than heads with grouped-query attention")},
    {Parameter::head_dim, size_of("head_dim", "the model's, else hidden / heads", "width of a head")},
    {Parameter::ffn_hidden,
     size_of("ffn_hidden", "the model's, else 4 hidden", "width of the feed-forward network, or of a routed expert")},
    {Parameter::device, entry_of("device", "devices", "the chip")},
    {Parameter::memory, open(entry_of("memory", "memories", "DRAM of a device"), "the device's memory_bandwidth")},
    {Parameter::interconnect, entry_of("interconnect", "interconnects", "links inside a group of devices")},
    {Parameter::outer_interconnect,
     open(entry_of("outer_interconnect", "interconnects", "links between groups of devices"), "interconnect")},
    {Parameter::device_count,
     open(whole("device_count", 1, most_size, "number of devices; layerwise: maximum number of devices"),
          "tensor_parallel * pipeline_parallel; attention_pool: tensor_parallel + pool_devices")},
    {Parameter::tensor_parallel,
     or_else(whole("tensor_parallel", 1, most_size, "devices that share a layer; attention_pool: the base devices"),
             "1")},
    {Parameter::pipeline_parallel,
     or_else(whole("pipeline_parallel", 1, most_size, "stages that share the layers of the baseline"), "1")},
    {Parameter::pool_devices,
     or_else(choosable(whole("pool_devices", 1, most_size, "devices of the attention pool")), "5")},
    {Parameter::most_pool_devices,
     or_else(whole("most_pool_devices", 1, 1e4, "pool_devices = \"best\" tests 1 to this number"), "64")},
    {Parameter::pool_objective,
     or_else(choice_of("pool_objective", objectives, "objective for the best number of pool devices"), "step_time")},
    {Parameter::batch, or_else(whole("batch", 1, most_tokens, "sequences per step"), "1")},
    {Parameter::sequence_length,
     or_else(whole("sequence_length", 1, most_tokens, "tokens per sequence; decode: the context"), "4096")},
    {Parameter::micro_batches,
     or_else(whole("micro_batches", 1, most_tokens, "parts of the batch that are in flight at the same time"), "1")},
    {Parameter::phase,
     or_else(choice_of("phase", phases, "prefill: all tokens at once; decode: one new token per sequence"), "prefill")},
    {Parameter::precision,
     or_else(choice_of("precision", precisions, "number format of weights and activations"), "bf16")},
    {Parameter::attention_kernel,
     or_else(choice_of("attention_kernel", attention_kernels, "whether scores are written to memory"), "materialized")},
    {Parameter::compute_utilization,
     or_else(real("compute_utilization", "1", 1e-6, 1, "share of the peak rate that products reach"), "1")},
    {Parameter::cache_capacity,
     open(real("cache_capacity", "B", 1, 1e18, "fast memory that must hold a group of layers"),
          "the device's sram_capacity")},
    {Parameter::cache_bandwidth, open(rate_of("cache_bandwidth", "B/s", "bandwidth of the cache"), "without limit")},
    {Parameter::token_tile, open(whole("token_tile", 1, most_tokens, "layerwise: maximum tokens per tile of a layer"),
                                 "a micro-batch of tokens")},
    {Parameter::spill,
     or_else(choice_of("spill", spills, "layers that do not fit: infeasible, or read from DRAM"), "none")},
    {Parameter::placement,
     or_else(choice_of("placement", placements,
                       "layerwise: fewest devices and then the best tiles, or the best tiles and number of devices"),
             "fewest_devices")},
    {Parameter::nodes,
     or_else(choice_of("nodes", node_kinds,
                       "tasks: products, attention and exchanges; operators: also norms, aggregation, activations, "
                       "residuals"),
             "tasks")},
    {Parameter::fallback,
     or_else(choice_of("fallback", fallbacks,
                       "products that the measured tables do not cover: none (no estimate), or roofline"),
             "none")},
    {Parameter::convention, or_else(convention_of(convention_names, "variant of the shapes of a layer"), "sharded")},
    {Parameter::peak_flops, override_of("device.peak_flops", rate_of("peak_flops", "FLOP/s", "peak rate of a device"),
                                        "the device's peak_flops")},
    {Parameter::dram_bandwidth,
     override_of("memory.bandwidth", rate_of("dram_bandwidth", "B/s", "DRAM bandwidth of a device"),
                 "the memory's bandwidth, else the device's memory_bandwidth")},
    {Parameter::link_bandwidth,
     override_of("interconnect.bandwidth",
                 rate_of("link_bandwidth", "B/s", "link bandwidth of a device, in one direction"),
                 "the interconnect's bandwidth")},
    {Parameter::outer_link_bandwidth,
     override_of("outer_interconnect.bandwidth",
                 rate_of("outer_link_bandwidth", "B/s", "link bandwidth of a device to other groups, in one direction"),
                 "the outer_interconnect's bandwidth, else that of links inside")},
    {Parameter::link_latency,
     override_of("interconnect.latency", real("link_latency", "s", 0, 1, "latency of all links"),
                 "the interconnects' latency")},
});
static_assert(is_in_order(parameter_rows, Parameter::strategy, Parameter::prices));
constexpr auto parameter_table = joined(infos_of(parameter_rows), cost::price_parameters, cost::ownership_parameters);
static_assert(parameter_table.size() == count_of<Parameter>);

constexpr MetricInfo time_of(std::string_view name, std::string_view meaning) {
  return metric_of(name, "s", Better::lower, meaning);
}

constexpr MetricInfo share_of(std::string_view name, std::string_view meaning) {
  return if_known(metric_of(name, "1", Better::higher, meaning));
}

/// A metric that is also known where the layers do not fit in the cache.
constexpr MetricInfo of_cache(MetricInfo info) {
  return if_known(also_at(info, Status::out_of_cache));
}

constexpr auto metric_rows = std::to_array<Row<Metric, MetricInfo>>({
    {Metric::step_time, time_of("step_time", "from the start of the first task to the end of the last")},
    {Metric::critical_path,
     time_of("critical_path", "longest path through the dependences: a lower bound on step_time")},
    {Metric::attention_time,
     time_of("attention_time", "attention in the critical chain of tasks; the four parts add up to step_time")},
    {Metric::ffn_time, time_of("ffn_time", "feed-forward networks in the critical chain")},
    {Metric::communication_time, time_of("communication_time", "exchanges and transfers in the critical chain")},
    {Metric::other_time,
     time_of("other_time", "other products, and operators between products, in the critical chain")},
    {Metric::token_rate,
     if_known(metric_of("token_rate", "s-1", Better::higher, "tokens per step over step_time, all devices"))},
    {Metric::token_rate_per_device,
     if_known(metric_of("token_rate_per_device", "s-1", Better::higher, "token_rate over devices_used"))},
    {Metric::time_per_token, if_known(time_of("time_per_token", "1 / token_rate"))},
    {Metric::time_per_output_token,
     if_known(time_of("time_per_output_token", "time between two tokens of a sequence, phase decode"))},
    {Metric::devices_used, metric_of("devices_used", "1", Better::lower, "number of devices in all groups")},
    {Metric::busy_fraction, share_of("busy_fraction", "share of step_time that devices are busy, mean over devices")},
    {Metric::least_busy_fraction, share_of("least_busy_fraction", "busy share of the least busy group")},
    {Metric::most_busy_fraction, share_of("most_busy_fraction", "busy share of the busiest group")},
    {Metric::link_busy_fraction, share_of("link_busy_fraction", "busy share of the busiest link; 0: no link")},
    {Metric::baseline_time,
     if_known(time_of("baseline_time", "step_time of strategy tensor_pipeline with the same degrees"))},
    {Metric::speedup, if_known(metric_of("speedup", "1", Better::higher, "baseline_time over step_time"))},
    {Metric::speedup_per_device,
     if_known(
         metric_of("speedup_per_device", "1", Better::higher,
                   "ratio of token rates per device to the baseline, i.e. the speedup with equal numbers of devices"))},
    {Metric::sequential_time,
     if_known(time_of("sequential_time", "pool: attention + ffn + communication of every layer in sequence"))},
    {Metric::overlapped_time,
     if_known(time_of("overlapped_time", "pool: max(attention, ffn) + communication of every layer"))},
    {Metric::crossover_length,
     if_known(metric_of("crossover_length", "1", Better::lower,
                        "pool: shortest sequence_length at which it is no slower than the baseline"))},
    {Metric::crossover_end,
     if_known(metric_of("crossover_end", "1", Better::higher,
                        "pool: longest sequence_length from there on at which it is no slower; NaN: no upper end"))},
    {Metric::best_pool_devices, if_known(metric_of("best_pool_devices", "1", Better::neither,
                                                   "chosen pool_devices; not applicable where they were given"))},
    {Metric::cache_fit,
     of_cache(metric_of(
         "cache_fit", "1", Better::higher,
         "layerwise: cache_capacity over the need of the largest group; everything fits where it is at least 1"))},
    {Metric::token_tile_used,
     if_known(metric_of("token_tile_used", "1", Better::higher, "layerwise: tokens of the largest tile of a layer"))},
    {Metric::layer_groups,
     if_known(metric_of("layer_groups", "1", Better::lower, "layerwise: groups of layers, one per device"))},
    {Metric::layer_weights, of_cache(metric_of("layer_weights", "byte", Better::lower, "weights of a layer"))},
    {Metric::layer_activations,
     of_cache(metric_of("layer_activations", "byte", Better::lower, "activations of all tokens between two layers"))},
    {Metric::coverage,
     flags_of(
         if_known(metric_of("coverage", "1", Better::lower,
                            "worst coverage of the product times by measured tables; not applicable without tables")),
         coverages)},
    {Metric::shortfall, of_cache(metric_of("shortfall", "1", Better::lower,
                                           "bytes needed over cache_capacity; not applicable where the layers fit"))},
    {Metric::system_cost, if_known(cost::system_cost)},
    {Metric::system_power, if_known(cost::system_power)},
    {Metric::energy_per_token, if_known(cost::energy_of_nameplate)},
});
static_assert(is_in_order(metric_rows, Metric::step_time, Metric::prices));
constexpr auto metric_table = joined(infos_of(metric_rows), cost::price_metrics, cost::ownership_metrics);
static_assert(metric_table.size() == count_of<Metric>);

constexpr std::array data_table{DataInfo{"profiles",
                                         "folder of measured operator tables; rooflines are used without it", false,
                                         data_files, DataForm::profiles}};

constexpr auto status_rows = std::to_array<Row<Status, StatusInfo>>({
    {Status::ok, {"ok", "estimated"}},
    {Status::failed, {"failed", "a defect of dfsweep"}},
    {Status::invalid, {"invalid", "degrees, batches, devices and sizes contradict each other"}},
    {Status::out_of_cache, {"out_of_cache", "the layers do not fit in the caches of the devices"}},
    {Status::no_profile, {"no_profile", "the measured tables do not cover a product"}},
    {Status::not_modelled,
     {"not_modelled", "latent attention, a window below the context, or experts in some layers alone"}},
    {Status::no_work, {"no_work", "no task of the graph takes time"}},
});
static_assert(is_in_order(status_rows));
constexpr auto status_table = infos_of(status_rows);

constexpr std::string_view headline[] = {"step_time", "token_rate_per_device", "time_per_output_token",
                                         "speedup",   "busy_fraction",         "devices_used"};
constexpr std::string_view step_parts[] = {"attention_time", "ffn_time", "communication_time", "other_time"};
constexpr ResultViews::TradeOff trade_offs[] = {{"devices_used", "step_time"},
                                                {"time_per_output_token", "token_rate_per_device"}};
constexpr ResultViews result_views = {headline, "step_time", step_parts, ResultViews::Parts::add_up, trade_offs};

}  // namespace

std::span<const ParameterInfo> parameters() {
  return parameter_table;
}
ResultViews views() {
  return result_views;
}
std::span<const MetricInfo> metrics() {
  return metric_table;
}
std::span<const StatusInfo> statuses() {
  return status_table;
}
std::span<const DataInfo> data() {
  return data_table;
}

}  // namespace dfsweep::taskgraph
