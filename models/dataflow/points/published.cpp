/// Rows of the published tables.
#include "models/dataflow/points/published.hpp"

#include <array>

#include "models/dataflow/parallelism/layout.hpp"
#include "models/published_rows.hpp"

namespace dfsweep::dataflow {

namespace {

using namespace published;

constexpr double most_chips = 1e9;
constexpr double most_bandwidth = 1e18;
constexpr std::string_view phases[] = {"train", "prefill"};
constexpr std::string_view precisions[] = {"fp32", "bf16", "fp16", "fp8"};
constexpr std::string_view mappings[] = {"kernel_by_kernel", "single_partition", "best"};
constexpr std::string_view phase_orders[] = {"free", "separate", "one_mixed", "halves"};
constexpr std::string_view sram_accountings[] = {"code", "paper", "split"};
constexpr std::string_view weight_reloads[] = {"none", "by_sram"};
constexpr std::string_view shardings[] = {"least_bytes", "least_time", "joint"};
constexpr std::string_view sink_shardings[] = {"sharded", "replicated"};
constexpr std::string_view convention_choices[] = {"physical", "dfmodel-g1", "dfmodel-g2", "dfmodel-g3"};
constexpr std::string_view overlaps[] = {"perfect", "none", "network_exposed"};

/// Choices of dimension_roles: "in_order" and the names of role_choices.
constexpr auto roles = [] {
  std::array<std::string_view, role_choices.size() + 1> names{"in_order"};
  for (std::size_t r = 0; r < role_choices.size(); ++r) names[r + 1] = role_choices[r].name;
  return names;
}();

constexpr auto parameter_rows = std::to_array<Row<Parameter, ParameterInfo>>({
    {Parameter::model, entry_of("model", "models", "the workload")},
    {Parameter::phase,
     or_else(
         choice_of("phase", phases,
                   "training step or forward pass of a transformer, other kinds ignore it; train keeps all that "
                   "backward consumes: no fused attention, recomputation or sharded states (see estimator training)"),
         "train")},
    {Parameter::device, entry_of("device", "devices", "the chip")},
    {Parameter::memory, entry_of("memory", "memories", "the DRAM of a chip")},
    {Parameter::topology, entry_of("topology", "topologies", "kinds of the network dimensions, innermost first")},
    {Parameter::shape, open(text("shape", "sizes of the dimensions of the topology, as in 8x128"),
                            "the degrees of parallelism and device_count")},
    {Parameter::interconnect, entry_of("interconnect", "interconnects", "links of the first dimension")},
    {Parameter::outer_interconnect,
     open(entry_of("outer_interconnect", "interconnects", "links of all dimensions after the first"),
          "the interconnect, with its overrides")},
    {Parameter::device_count,
     open(whole("device_count", 1, most_chips, "chips of one copy of the system"), "the product of the shape")},
    {Parameter::tensor_parallel, choosable(open(whole("tensor_parallel", 1, most_chips, "chips that share a layer"),
                                                "the shape or the other degrees"))},
    {Parameter::pipeline_parallel,
     choosable(open(whole("pipeline_parallel", 1, most_chips,
                          "pipeline stages, made of layers, or of kernels where no layer repeats"),
                    "the shape or the other degrees"))},
    {Parameter::data_parallel,
     choosable(open(whole("data_parallel", 1, most_chips, "replicas of the model"), "the shape or the other degrees"))},
    {Parameter::dimension_roles,
     choosable(
         or_else(choice_of("dimension_roles", roles,
                           "parallelism of each dimension, innermost first; in_order: the first that fits the degrees"),
                 "in_order"))},
    {Parameter::high_bandwidth_domain, open(whole("high_bandwidth_domain", 1, most_chips,
                                                  "chips joined by first-dimension links, independent of the shape"),
                                            "the first dimension alone")},
    {Parameter::global_batch,
     open(whole("global_batch", 1, 1e15, "sequences per step; samples for DLRM"), "the model's global_batch")},
    {Parameter::micro_batch,
     choosable(or_else(whole("micro_batch", 1, 1e9, "sequences in a micro-batch of the pipeline"), "1"))},
    {Parameter::interleaving,
     or_else(whole("interleaving", 1, 1e6, "groups of layers per pipeline stage; shortens the bubble"), "1")},
    {Parameter::sequence_length,
     open(whole("sequence_length", 1, 1e9, "tokens per sequence"), "the model's sequence_length")},
    {Parameter::precision, open(choice_of("precision", precisions, "number format of weights and activations"),
                                "the model's word_bytes, or 2 bytes")},
    {Parameter::mapping,
     or_else(choice_or_entry_of("mapping", mappings, "mappings",
                                "partition of every kernel; a file holds a list or table 'assignment'"),
             "kernel_by_kernel")},
    {Parameter::partitions, or_else(whole("partitions", 0, 1e6, "exact number of partitions; 0: any"), "0")},
    {Parameter::max_partitions,
     or_else(whole("max_partitions", 0, 1e6, "maximum number of partitions; 0: no limit"), "0")},
    {Parameter::phase_order,
     or_else(choice_of(
                 "phase_order", phase_orders,
                 "where backward kernels may go: anywhere; after the forward ones, sharing no partition or one; in the "
                 "second half"),
             "free")},
    {Parameter::sram_accounting,
     open(choice_of("sram_accounting", sram_accountings, "what counts against the SRAM of a chip"),
          "the convention's")},
    {Parameter::weight_reload,
     or_else(choice_of("weight_reload", weight_reloads,
                       "how often weights that exceed the SRAM are loaded: once per pass; or, under every convention, "
                       "for each tile of tokens whose inputs and outputs fill the SRAM (not with mapping = best)"),
             "none")},
    {Parameter::num_tile,
     or_else(whole("num_tile", 0, 1e9, "number of tiles in which a sequence is streamed; 0: the best divisor"), "0")},
    {Parameter::sharding, or_else(choice_of("sharding", shardings,
                                            "objective of the sharding of a layer; joint: the step, together with "
                                            "mapping = best (otherwise as least_time)"),
                                  "least_bytes")},
    {Parameter::sink_sharding,
     open(choice_of("sink_sharding", sink_shardings, "how kernels without consumers are sharded on a tie"),
          "the convention's for the phase")},
    {Parameter::overlap,
     or_else(choice_of("overlap", overlaps,
                       "how compute, memory and network times of a partition combine; perfect: kernels that stream "
                       "into each other (dataflow chips), network_exposed or none: kernels in sequence (GPUs)"),
             "perfect")},
    {Parameter::compute_utilization, or_else(real("compute_utilization", "1", 0, 1,
                                                  "share of the peak rate that kernels reach; 0: use the cycle model"),
                                             "0.9")},
    {Parameter::convention, or_else(convention_of(convention_choices, "variant of the formulas"), "physical")},
    {Parameter::all_reduce_passes,
     open(whole("all_reduce_passes", 1, 2, "passes over the data of an all-reduce on rings and switches"),
          "the convention's")},
    {Parameter::copies,
     or_else(whole("copies", 1, most_chips, "copies of the system that share the work evenly"), "1")},
    {Parameter::dram_bandwidth,
     override_of("memory.bandwidth", real("dram_bandwidth", "B/s", 1, most_bandwidth, "DRAM bandwidth"),
                 "the memory's bandwidth")},
    {Parameter::dram_capacity,
     override_of("memory.capacity", real("dram_capacity", "B", 1, 1e18, "DRAM capacity"), "the memory's capacity")},
    {Parameter::sram_capacity,
     override_of("device.sram_capacity", real("sram_capacity", "B", 0, 1e18, "SRAM of a chip"),
                 "the device's sram_capacity")},
    {Parameter::peak_flops,
     override_of("device.peak_flops", real("peak_flops", "FLOP/s", 1, 1e24, "peak rate of a chip"),
                 "the device's cores, or its peak_flops")},
    {Parameter::link_bandwidth, override_of("interconnect.bandwidth",
                                            real("link_bandwidth", "B/s", 1, most_bandwidth,
                                                 "bandwidth of a link in one direction, first dimension"),
                                            "the interconnect's bandwidth")},
    {Parameter::outer_link_bandwidth, override_of("outer_interconnect.bandwidth",
                                                  real("outer_link_bandwidth", "B/s", 1, most_bandwidth,
                                                       "bandwidth of a link in one direction, other dimensions"),
                                                  "the outer interconnect's bandwidth")},
    {Parameter::link_latency,
     override_of("interconnect.latency", real("link_latency", "s", 0, 1e6, "latency of a link"),
                 "the interconnect's latency")},
});
static_assert(is_in_order(parameter_rows, Parameter::model, Parameter::prices));

/// Prices and powers of the chip replace those of its entry.
constexpr auto price_parameters = [] {
  constexpr std::string_view replaced =
      "the device's, with the ratio of derived ones where its parts are replaced; else derived";
  auto rows = cost::price_parameters;
  ParameterInfo& price = rows[index_of(cost::PriceParameter::device_price)];
  ParameterInfo& power = rows[index_of(cost::PriceParameter::device_power)];
  price = override_of("device.price", price, replaced);
  power = override_of("device.power", power, replaced);
  return rows;
}();
constexpr auto parameter_table =
    joined(infos_of(parameter_rows), price_parameters, std::array{cost::power_limit}, whole_run::run_parameters);
static_assert(parameter_table.size() == count_of<Parameter> + whole_run::run_parameters.size());

/// Metric of a choice that the estimator made; where no candidate is feasible, the nearest one.
constexpr MetricInfo choice_made(std::string_view name, std::string_view meaning) {
  constexpr std::uint32_t of_runs = (1u << count_of<whole_run::RunStatus>)-1;
  MetricInfo info =
      also_at(if_known(metric_of(name, "1", Better::neither, meaning)), Status::invalid, Status::no_mapping,
              Status::out_of_memory, Status::out_of_sram, Status::unsupported_model, Status::power_limit_too_low);
  info.valid_statuses |= of_runs << run_places.first_status;
  return info;
}

constexpr auto metric_rows = std::to_array<Row<Metric, MetricInfo>>({
    {Metric::step_time, metric_of("step_time", "s", Better::lower, "time of one iteration over the global batch")},
    {Metric::utilization, metric_of("utilization", "1", Better::higher, "achieved_flops over the peak of all chips")},
    {Metric::achieved_flops,
     metric_of("achieved_flops", "FLOP s-1", Better::higher, "FLOP of the workload over step_time, all chips")},
    {Metric::compute_time, metric_of("compute_time", "s", Better::lower, "compute of a chip, before overlap")},
    {Metric::memory_time, metric_of("memory_time", "s", Better::lower, "DRAM traffic of a chip, before overlap")},
    {Metric::network_time, metric_of("network_time", "s", Better::lower, "communication of a chip, before overlap")},
    {Metric::bubble_time, metric_of("bubble_time", "s", Better::lower, "idle time of a pipeline stage")},
    {Metric::partitions_used, metric_of("partitions", "1", Better::neither, "partitions with at least one kernel")},
    {Metric::memory_used, also_at(metric_of("memory_used", "byte", Better::lower, "DRAM that a chip needs"),
                                  Status::out_of_memory, Status::out_of_sram)},
    {Metric::system_cost, metric_of("system_cost", "USD", Better::lower,
                                    "chips, DRAM, links and switches: stated, or derived from their parts")},
    {Metric::system_power, metric_of("system_power", "W", Better::lower,
                                     "chips, DRAM, links and switches: stated, or derived from their parts")},
    {Metric::cost_efficiency, if_known(metric_of("cost_efficiency", "FLOP s-1 USD-1", Better::higher,
                                                 "achieved_flops over system_cost; not applicable where that is 0"))},
    {Metric::power_efficiency, if_known(metric_of("power_efficiency", "FLOP J-1", Better::higher,
                                                  "achieved_flops over system_power; not applicable where that is 0"))},
    {Metric::optimality_gap, if_known(metric_of("optimality_gap", "1", Better::lower,
                                                "proven relative distance of the step from that of the best mapping, "
                                                "and of the best stages where stages share "
                                                "a graph; not applicable to a given mapping"))},
    {Metric::best_tensor_parallel,
     choice_made("best_tensor_parallel", "chosen tensor_parallel; not applicable where it was given")},
    {Metric::best_pipeline_parallel,
     choice_made("best_pipeline_parallel", "chosen pipeline_parallel; not applicable where it was given")},
    {Metric::best_data_parallel,
     choice_made("best_data_parallel", "chosen data_parallel; not applicable where it was given")},
    {Metric::best_dimension_roles,
     flags_of(choice_made("best_dimension_roles", "chosen dimension_roles; not applicable where they were given"),
              std::span(roles).subspan(1))},
    {Metric::best_micro_batch,
     choice_made("best_micro_batch", "chosen micro_batch; not applicable where it was given")},
    {Metric::shortfall, also_at(if_known(metric_of("shortfall", "1", Better::lower,
                                                   "bytes needed over bytes available of the memory that is too small; "
                                                   "not applicable where all memories are large enough")),
                                Status::out_of_memory, Status::out_of_sram)},
    {Metric::network_serialization,
     metric_of("network_serialization", "s", Better::lower, "part of network_time: bytes over bandwidths")},
    {Metric::network_latency,
     metric_of("network_latency", "s", Better::lower, "part of network_time: latencies of links")},
    {Metric::memory_intensity,
     if_known(metric_of("memory_intensity", "FLOP byte-1", Better::higher,
                        "useful FLOP of a chip over the bytes that its DRAM reads and writes; not applicable without "
                        "DRAM traffic, or where stages share a graph"))},
    {Metric::network_intensity,
     if_known(metric_of("network_intensity", "FLOP byte-1", Better::higher,
                        "useful FLOP of a chip over the bytes that it sends over its links; not applicable where it "
                        "sends none, or where stages share a graph"))},
    {Metric::energy_per_token,
     if_known(metric_of("energy_per_token", "J", Better::lower,
                        "system_average_power over the tokens of a second; of transformers alone"))},
});
static_assert(is_in_order(metric_rows, Metric::step_time, Metric::prices));
constexpr auto metric_table =
    joined(infos_of(metric_rows), cost::price_metrics, cost::watts_metrics, whole_run::run_metrics);
static_assert(metric_table.size() == count_of<Metric> + whole_run::run_metrics.size());

constexpr auto status_rows = std::to_array<Row<Status, StatusInfo>>({
    {Status::ok, {"ok", "estimated"}},
    {Status::failed, {"failed", "a defect of dfsweep"}},
    {Status::invalid, {"invalid", "shape, device_count, degrees or batches contradict each other"}},
    {Status::no_mapping, {"no_mapping", "the mapping does not fit the graph, its limits, the tiles or the cores"}},
    {Status::out_of_memory, {"out_of_memory", "the DRAM of a chip does not hold its share"}},
    {Status::out_of_sram, {"out_of_sram", "a partition does not fit in the SRAM of a chip"}},
    {Status::unsupported_model,
     {"unsupported_model",
      "the graphs do not describe the model: latent attention, a window shorter than the sequence, or experts under a "
      "dfmodel convention"}},
    {Status::power_limit_too_low,
     {"power_limit_too_low", "power_limit is not above the idle power of the chip with its DRAM"}},
});
static_assert(is_in_order(status_rows));
constexpr auto status_table = joined(infos_of(status_rows), whole_run::run_statuses);

constexpr std::string_view headline[] = {"time_to_target", "loss",           "train_days",      "step_time",
                                         "utilization",    "achieved_flops", "cost_efficiency", "power_efficiency",
                                         "system_cost",    "system_power",   "memory_used"};
constexpr std::string_view step_parts[] = {"compute_time", "memory_time", "network_time", "bubble_time"};
constexpr ResultViews::TradeOff trade_offs[] = {{"system_cost", "step_time"},
                                                {"system_power", "step_time"},
                                                {"memory_used", "step_time"},
                                                {"cost_to_target", "time_to_target"}};
constexpr ResultViews result_views = {headline, "step_time", step_parts, ResultViews::Parts::overlap, trade_offs};

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

}  // namespace dfsweep::dataflow
