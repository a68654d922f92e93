/// Rows of the published tables.
#include "models/dataflow/points/published.hpp"

#include <array>

#include "models/dataflow/parallelism/layout.hpp"

namespace dfsweep::dataflow {

namespace {

using enum ParameterKind;

constexpr double most_chips = 1e9;
constexpr double most_bandwidth = 1e18;
constexpr std::string_view phases[] = {"train", "prefill"};
constexpr std::string_view precisions[] = {"fp32", "bf16", "fp16", "fp8"};
constexpr std::string_view mappings[] = {"kernel_by_kernel", "single_partition", "best"};
constexpr std::string_view phase_orders[] = {"free", "separate", "one_mixed", "halves"};
constexpr std::string_view sram_accountings[] = {"code", "paper", "split"};
constexpr std::string_view shardings[] = {"least_bytes", "least_time", "joint"};
constexpr std::string_view sink_shardings[] = {"sharded", "replicated"};
constexpr std::string_view convention_choices[] = {"physical", "dfmodel-g1", "dfmodel-g2", "dfmodel-g3"};
constexpr std::string_view overlaps[] = {"perfect", "none", "network_exposed"};

/// "in_order", then the names of role_choices.
constexpr auto roles = [] {
  std::array<std::string_view, role_choices.size() + 1> names{"in_order"};
  for (std::size_t r = 0; r < role_choices.size(); ++r) names[r + 1] = role_choices[r].name;
  return names;
}();

constexpr ParameterInfo named(std::string_view name, std::string_view meaning) {
  ParameterInfo info;
  info.name = name;
  info.meaning = meaning;
  return info;
}

constexpr ParameterInfo entry_of(std::string_view name, std::string_view catalogue, std::string_view meaning) {
  ParameterInfo info = named(name, meaning);
  info.kind = entry;
  info.catalogue = catalogue;
  return info;
}

constexpr ParameterInfo choice_of(std::string_view name, std::span<const std::string_view> choices,
                                  std::string_view fallback, std::string_view meaning) {
  ParameterInfo info = named(name, meaning);
  info.kind = choice;
  info.choices = choices;
  info.absence = Absence::fallback;
  info.fallback = fallback;
  return info;
}

constexpr ParameterInfo whole(std::string_view name, double lowest, double highest, std::string_view fallback,
                              std::string_view meaning) {
  ParameterInfo info = named(name, meaning);
  info.kind = integer;
  info.lowest = lowest;
  info.highest = highest;
  info.absence = Absence::fallback;
  info.fallback = fallback;
  return info;
}

constexpr ParameterInfo open(ParameterInfo info, std::string_view instead) {
  info.absence = Absence::from_entry;
  info.fallback = instead;
  return info;
}

/// A parameter that the estimator chooses itself where it is "best".
constexpr ParameterInfo choosable(ParameterInfo info) {
  info.accepts_best = true;
  return info;
}

constexpr ParameterInfo override_of(std::string_view name, std::string_view unit, double lowest, double highest,
                                    std::string_view field, std::string_view instead, std::string_view meaning) {
  ParameterInfo info = named(name, meaning);
  info.kind = real;
  info.unit = unit;
  info.lowest = lowest;
  info.highest = highest;
  info.overrides = field;
  info.absence = Absence::from_entry;
  info.fallback = instead;
  return info;
}

constexpr ParameterInfo shape_info() {
  ParameterInfo info = named("shape", "sizes of the dimensions of the topology, as in 8x128");
  info.kind = text;
  return open(info, "the degrees of parallelism and device_count");
}

constexpr ParameterInfo mapping_info() {
  ParameterInfo info = choice_of("mapping", mappings, "kernel_by_kernel",
                                 "partition of every kernel; a file holds a list or table 'assignment'");
  info.kind = choice_or_entry;
  info.catalogue = "mappings";
  return info;
}

constexpr ParameterInfo utilization_info() {
  ParameterInfo info =
      named("compute_utilization", "share of the peak that kernels reach; 0: counted by the cycle model");
  info.kind = real;
  info.highest = 1.0;
  info.absence = Absence::fallback;
  info.fallback = "0.9";
  return info;
}

constexpr ParameterInfo convention_info() {
  return choice_of("convention", convention_choices, "physical", "whose reading of the formulas is used");
}

constexpr std::array parameter_table{
    entry_of("model", "models", "the workload"),
    choice_of("phase", phases, "train", "training step or forward pass of a transformer; other kinds ignore it"),
    entry_of("device", "devices", "the chip"),
    entry_of("memory", "memories", "the DRAM of a chip"),
    entry_of("topology", "topologies", "kinds of the network's dimensions, innermost first"),
    shape_info(),
    entry_of("interconnect", "interconnects", "the links of the first dimension"),
    open(entry_of("outer_interconnect", "interconnects", "the links of the dimensions after the first"),
         "the interconnect, with its overrides"),
    open(whole("device_count", 1, most_chips, {}, "chips of one copy of the system"), "the product of the shape"),
    choosable(open(whole("tensor_parallel", 1, most_chips, {}, "chips that share a layer"),
                   "the shape or the other degrees")),
    choosable(
        open(whole("pipeline_parallel", 1, most_chips, {}, "stages: of layers, or of kernels where no layer repeats"),
             "the shape or the other degrees")),
    choosable(
        open(whole("data_parallel", 1, most_chips, {}, "replicas of the model"), "the shape or the other degrees")),
    choosable(choice_of("dimension_roles", roles, "in_order",
                        "parallelism that each dimension serves, innermost first; in_order: the first that agrees")),
    open(whole("high_bandwidth_domain", 1, most_chips, {}, "chips joined by first-dimension links, whatever the shape"),
         "the first dimension alone"),
    open(whole("global_batch", 1, 1e15, {}, "sequences of a step; samples for DLRM"), "the model's global_batch"),
    choosable(whole("micro_batch", 1, 1e9, "1", "sequences that pass the pipeline together")),
    whole("interleaving", 1, 1e6, "1", "groups of layers per pipeline stage; shortens the bubble"),
    open(whole("sequence_length", 1, 1e9, {}, "tokens of a sequence"), "the model's sequence_length"),
    open(choice_of("precision", precisions, {}, "number format of weights and activations"),
         "the model's word_bytes, or 2 bytes"),
    mapping_info(),
    whole("partitions", 0, 1e6, "0", "number of partitions wanted exactly; 0: any"),
    whole("max_partitions", 0, 1e6, "0", "most partitions; 0: any number"),
    choice_of("phase_order", phase_orders, "free",
              "where backward kernels may go: anywhere; after the forward ones, sharing no partition or one; in the "
              "second half"),
    open(choice_of("sram_accounting", sram_accountings, {}, "what counts against the SRAM of a chip"),
         "the convention's"),
    whole("num_tile", 0, 1e9, "0", "tiles that a sequence is streamed in; 0: the best divisor"),
    choice_of(
        "sharding", shardings, "least_bytes",
        "what the sharding of a layer minimises; joint: the step, together with mapping = best (else as least_time)"),
    open(choice_of("sink_sharding", sink_shardings, {}, "how kernels that nobody consumes are sharded on a tie"),
         "the convention's for the phase"),
    choice_of("overlap", overlaps, "perfect", "how compute, memory and network times of a partition combine"),
    utilization_info(),
    convention_info(),
    open(whole("all_reduce_passes", 1, 2, {}, "passes over the data of an all-reduce on rings and switches"),
         "the convention's"),
    whole("copies", 1, most_chips, "1", "systems that share the work evenly"),
    override_of("dram_bandwidth", "B/s", 1, most_bandwidth, "memory.bandwidth", "the memory's bandwidth",
                "DRAM bandwidth"),
    override_of("dram_capacity", "B", 1, 1e18, "memory.capacity", "the memory's capacity", "DRAM capacity"),
    override_of("sram_capacity", "B", 0, 1e18, "device.sram_capacity", "the device's sram_capacity", "SRAM of a chip"),
    override_of("peak_flops", "FLOP/s", 1, 1e24, "device.peak_flops", "the device's cores, or its peak_flops",
                "peak rate of a chip"),
    override_of("link_bandwidth", "B/s", 1, most_bandwidth, "interconnect.bandwidth", "the interconnect's bandwidth",
                "bandwidth of a link in one direction, first dimension"),
    override_of("outer_link_bandwidth", "B/s", 1, most_bandwidth, "outer_interconnect.bandwidth",
                "the outer interconnect's bandwidth", "bandwidth of a link in one direction, other dimensions"),
    override_of("link_latency", "s", 0, 1e6, "interconnect.latency", "the interconnect's latency", "latency of a link"),
    override_of("device_price", "USD", 0, 1e12, "device.price", "the device's price", "price of a chip"),
    override_of("device_power", "W", 0, 1e12, "device.power", "the device's power", "power of a chip"),
};
static_assert(parameter_table.size() == parameter_count);

constexpr MetricInfo metric_of(std::string_view name, std::string_view unit, Better better, std::string_view meaning) {
  MetricInfo info;
  info.name = name;
  info.unit = unit;
  info.better = better;
  info.meaning = meaning;
  return info;
}

constexpr MetricInfo memory_info() {
  MetricInfo info = metric_of("memory_used", "byte", Better::lower, "DRAM that a chip needs");
  info.valid_statuses = 1u << ok | 1u << out_of_memory | 1u << out_of_sram;
  return info;
}

constexpr MetricInfo gap_info() {
  MetricInfo info = metric_of(
      "optimality_gap", "1", Better::lower,
      "proven relative distance from the best mapping, and of the slowest of stages that share a graph from the "
      "best stages; not applicable to a mapping that was given");
  info.may_not_apply = true;
  return info;
}

/// A metric built on prices or powers, which an entry need not have.
constexpr MetricInfo if_known(MetricInfo info) {
  info.may_not_apply = true;
  return info;
}

constexpr MetricInfo choice_made(std::string_view name, std::string_view meaning) {
  MetricInfo info = metric_of(name, "1", Better::neither, meaning);
  info.may_not_apply = true;
  return info;
}

constexpr MetricInfo roles_chosen() {
  MetricInfo info =
      choice_made("best_dimension_roles", "dimension_roles that were chosen; not applicable where they were given");
  info.type = MetricType::flags;
  info.flags = std::span(roles).subspan(1);
  return info;
}

constexpr std::array metric_table{
    metric_of("step_time", "s", Better::lower, "time of one iteration over the global batch"),
    metric_of("utilization", "1", Better::higher, "achieved_flops over the peak of all chips"),
    metric_of("achieved_flops", "FLOP s-1", Better::higher, "FLOP of the workload over step_time, all chips"),
    metric_of("compute_time", "s", Better::lower, "compute of a chip, before overlap"),
    metric_of("memory_time", "s", Better::lower, "DRAM traffic of a chip, before overlap"),
    metric_of("network_time", "s", Better::lower, "communication of a chip, before overlap"),
    metric_of("bubble_time", "s", Better::lower, "idle time of a pipeline stage"),
    metric_of("partitions", "1", Better::neither, "partitions with at least one kernel"),
    memory_info(),
    if_known(metric_of("system_cost", "USD", Better::lower,
                       "chips, DRAM, links and switches; unknown where an entry has no price")),
    if_known(metric_of("system_power", "W", Better::lower,
                       "chips, DRAM, links and switches; unknown where an entry has no power")),
    if_known(metric_of("cost_efficiency", "FLOP s-1 USD-1", Better::higher,
                       "achieved_flops over system_cost; unknown where an entry has no price")),
    if_known(metric_of("power_efficiency", "FLOP J-1", Better::higher,
                       "achieved_flops over system_power; unknown where an entry has no power")),
    gap_info(),
    choice_made("best_tensor_parallel", "tensor_parallel that was chosen; not applicable where it was given"),
    choice_made("best_pipeline_parallel", "pipeline_parallel that was chosen; not applicable where it was given"),
    choice_made("best_data_parallel", "data_parallel that was chosen; not applicable where it was given"),
    roles_chosen(),
    choice_made("best_micro_batch", "micro_batch that was chosen; not applicable where it was given"),
};
static_assert(metric_table.size() == metric_count);

constexpr std::array status_table{
    StatusInfo{"ok", "estimated"},
    StatusInfo{"failed", "a defect of the program"},
    StatusInfo{"invalid", "shape, device_count, degrees or batches contradict each other"},
    StatusInfo{"no_mapping", "the mapping does not fit the graph, its limits, the tiles or the cores"},
    StatusInfo{"out_of_memory", "the DRAM of a chip does not hold its share"},
    StatusInfo{"out_of_sram", "a partition does not fit in the SRAM of a chip"},
};

}  // namespace

std::span<const ParameterInfo> parameters() {
  return parameter_table;
}
std::span<const MetricInfo> metrics() {
  return metric_table;
}
std::span<const StatusInfo> statuses() {
  return status_table;
}

}  // namespace dfsweep::dataflow
