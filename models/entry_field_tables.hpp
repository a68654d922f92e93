/// The fields that entries of most kinds may have. Those of systems, software and transformers are declared by typed
/// tables beside their decoders (models/entry_table.hpp).
#pragma once

#include "models/entry_fields.hpp"

namespace dfsweep::declared {

using enum FieldType;

inline constexpr FieldInfo common[] = {
    {"name", text, "1", "as sweeps name it"},
    {"description", text, "1", "one line"},
    {"source", text, "1", "where the entry is from"},
};

inline constexpr FieldInfo devices[] = {
    {"peak_flops", number, "FLOP/s", "peak rate; with the four fields of the systolic arrays these decide"},
    {"cores", number, "1", "cores, each a systolic array"},
    {"systolic_width", number, "1", "lanes of a core"},
    {"systolic_height", number, "1", "stages of a core"},
    {"frequency", number, "Hz", "clock; every cell does one multiplication and one addition in a cycle"},
    {"sram_capacity", number, "B", "memory on the chip"},
    {"price", number, "USD", "of a chip"},
    {"power", number, "W", "of a chip"},
    {"memory_bandwidth", number, "B/s", "of the memory on its board; measured tables hold for that memory only"},
    {"memory_capacity", number, "B", "of the memory on its board"},
    {"profile", text, "1", "folder of its measured tables; default its name"},
};

inline constexpr FieldInfo memories[] = {
    {"bandwidth", number, "B/s", "of the memory of one chip"},
    {"capacity", number, "B", "of the memory of one chip"},
    {"price_per_bandwidth", number, "USD/(B/s)", "price"},
    {"power_per_bandwidth", number, "W/(B/s)", "power"},
};

inline constexpr FieldInfo interconnects[] = {
    {"bandwidth", number, "B/s", "of a link, in one direction"},
    {"latency", number, "s", "of a link"},
    {"link_price_per_bandwidth", number, "USD/(B/s)", "price of a link"},
    {"switch_price_per_bandwidth", number, "USD/(B/s)", "price of a switch, for each port"},
    {"link_power_per_bandwidth", number, "W/(B/s)", "power of a link"},
    {"switch_power_per_bandwidth", number, "W/(B/s)", "power of a switch, for each port"},
};

inline constexpr FieldInfo topologies[] = {
    {"dimensions", texts, "1", "from the innermost outwards: ring, fully_connected, switch"},
};

inline constexpr FieldInfo networks[] = {
    {"device", text, "1", "that the network was measured with"},
    {"devices_per_node", number, "1", "devices that share a node"},
    {"profile", text, "1", "folder of its measured tables; default its name"},
};

/// Models that are not transformers; those of transformers are declared in models/transformer/entry.hpp.
inline constexpr FieldInfo workloads[] = {
    {"kind", text, "1", "transformer, dlrm, hpl, fft, graph: tells which of the other fields are needed"},
    {"global_batch", number, "1", "sequences or samples of a step"},
    {"word_bytes", number, "1", "bytes of a number, where the sweep gives no precision"},
    {"layers", number, "1", "transformer, graph: how often the layer is repeated"},
    {"tables", number, "1", "dlrm: embedding tables"},
    {"rows_per_table", number, "1", "dlrm: rows of an embedding table"},
    {"embedding_dim", number, "1", "dlrm: numbers of a row"},
    {"pooled_rows", number, "1", "dlrm: rows that a sample reads of each table"},
    {"mlp_layers", number, "1", "dlrm: layers of both networks"},
    {"bottom_layers", number, "1", "dlrm: those before the interaction"},
    {"mlp_width", number, "1", "dlrm: width of these layers"},
    {"samples_per_chip", number, "1", "dlrm: samples that a chip takes at once"},
    {"matrix_size", number, "1", "hpl: rows of the matrix"},
    {"block_size", number, "1", "hpl: columns of a panel"},
    {"steps", number, "1", "hpl: panels that are factored"},
    {"length", number, "1", "fft: points, an even power of two"},
    {"radix", number, "1", "fft: points of a butterfly, a power of two"},
    {"boundary_words", number, "1", "graph: numbers between one pipeline stage and the next"},
    {"kernel", parts, "1", "graph: kernels of a layer"},
    {"kernel.name", text, "1", "as edges and mappings name it"},
    {"kernel.type", text, "1", "matrix (default), elementwise"},
    {"kernel.outer", number, "1", "independent products of m x k and k x n numbers; default 1"},
    {"kernel.m", number, "1", "default 1"},
    {"kernel.k", number, "1", "default 1"},
    {"kernel.n", number, "1", "default 1"},
    {"kernel.weight_words", number, "1", "weights; default 0"},
    {"kernel.gradient_words", number, "1", "gradients that replicas sum up; default 0"},
    {"kernel.memory_words", number, "1", "further traffic with DRAM, per chip and pass; default 0"},
    {"kernel.exchange_words", number, "1", "sent by every chip to all others, evenly; default 0"},
    {"kernel.tiling", text, "1", "dimension that a sequence is streamed along: none (default), n, k"},
    {"kernel.pass", text, "1", "forward (default), backward"},
    {"edge", parts, "1", "graph: what consumes what"},
    {"edge.from", text, "1", "kernel that produces"},
    {"edge.to", text, "1", "kernel that consumes"},
};

/// Systems as Calculon describes them: engines, memory tiers and network tiers.
inline constexpr FieldInfo calculon_systems[] = {
    {"processing", text, "1",
     "no_overlap (default): times of computing and of memory traffic add up; roofline: the larger"},
    {"price", number, "USD", "of a device"},
    {"power", number, "W", "of a device"},
    {"engine", parts, "1", "an engine of a device at one precision"},
    {"engine.kind", text, "1", "matrix, vector"},
    {"engine.precision", text, "1", "fp8, fp16, bf16, fp32"},
    {"engine.peak_flops", number, "FLOP/s", "peak rate"},
    {"engine.efficiency", numbers, "1", "shares of the peak; default 1"},
    {"engine.efficiency_flops", numbers, "1", "FLOP of an operation from which they hold, falling, the last 0"},
    {"memory", parts, "1", "memory tiers of a device: its own, then the one for offload"},
    {"memory.capacity", number, "B", "of a device"},
    {"memory.bandwidth", number, "B/s", "of a device"},
    {"memory.efficiency", numbers, "1", "shares of the bandwidth; default 1"},
    {"memory.efficiency_bytes", numbers, "1", "bytes of an operation from which they hold, falling, the last 0"},
    {"network", parts, "1", "network tiers, from the innermost"},
    {"network.bandwidth", number, "B/s", "of a device"},
    {"network.efficiency", number, "1", "share of the bandwidth; default 1"},
    {"network.size", number, "1", "devices"},
    {"network.latency", number, "s", "of an operation; default 0"},
    {"network.must_be_filled", number, "1", "true where groups must divide the size; default false"},
    {"network.processor_usage", number, "1", "share of compute that drives the network while both overlap; default 0"},
    {"network.p2p", numbers, "1", "scalar a and offset b: S bytes among P devices put a S (1 + b / P) on the wire"},
    {"network.reduce_scatter", numbers, "1", "likewise"},
    {"network.all_gather", numbers, "1", "likewise"},
    {"network.all_reduce", numbers, "1", "likewise"},
};

inline constexpr FieldInfo laws[] = {
    {"kind", text, "1", "power (default): the sums are ln lr and ln B; plain_rate: lr itself and ln B"},
    {"lr_intercept", number, "1", "learning rate: the sum at N = Na = D = C = L = 1"},
    {"lr_lnN", number, "1", "slope with ln N, parameters without embeddings, of all experts; default 0"},
    {"lr_lnNa", number, "1", "slope with ln Na, activated parameters; default 0"},
    {"lr_lnD", number, "1", "slope with ln D, training tokens; default 0"},
    {"lr_lnC", number, "1", "slope with ln C, training FLOP; default 0"},
    {"lr_lnL", number, "1", "slope with ln L, final loss; default 0"},
    {"batch_intercept", number, "1", "tokens of a step: ln B at N = Na = D = C = L = 1"},
    {"batch_lnN", number, "1", "slope with ln N; default 0"},
    {"batch_lnNa", number, "1", "slope with ln Na; default 0"},
    {"batch_lnD", number, "1", "slope with ln D; default 0"},
    {"batch_lnC", number, "1", "slope with ln C; default 0"},
    {"batch_lnL", number, "1", "slope with ln L; default 0"},
    {"curvature_xx", number, "1", "second derivative of ln L by ln lr at the optimum"},
    {"curvature_xy", number, "1", "the mixed one, by ln lr and ln B"},
    {"curvature_yy", number, "1", "the one by ln B"},
    {"range_N", numbers, "1", "least and greatest N of the runs that the law was fitted to"},
    {"range_Na", numbers, "1", "least and greatest Na"},
    {"range_D", numbers, "1", "least and greatest D"},
    {"interval_confidence", number, "1",
     "of the intervals: 0.95; they are value +- quantile sqrt(f' C f), "
     "f = (1, the logarithms that the law depends on)"},
    {"lr_quantile", number, "1", "of ln lr"},
    {"lr_covariance", numbers, "1", "C of ln lr: lower triangle, row after row, of intercept and slopes"},
    {"batch_quantile", number, "1", "of ln B"},
    {"batch_covariance", numbers, "1", "C of ln B"},
};

inline constexpr FieldInfo mappings[] = {
    {"kind", text, "1", "mapping"},
    {"assignment", numbers, "1", "partition of every kernel, in the order of the kernels or by their names"},
};

inline constexpr FieldInfo taskgraphs[] = {
    {"tokens", number, "1", "tokens of a step, for rates; default none"},
    {"group", parts, "1", "what runs one task at a time: devices that work together, or a link"},
    {"group.name", text, "1", "as tasks name it"},
    {"group.kind", text, "1", "devices (default), link"},
    {"group.devices", number, "1", "devices of the group; default 1"},
    {"group.peak_flops", number, "FLOP/s", "of a device; default that of the sweep"},
    {"group.memory_bandwidth", number, "B/s", "of a device; default that of the sweep"},
    {"group.link_bandwidth", number, "B/s", "of a device, in one direction; default that of the sweep"},
    {"group.link_latency", number, "s", "of a transfer; default that of the sweep"},
    {"task", parts, "1", "tasks, in any order"},
    {"task.name", text, "1", "as other tasks name it"},
    {"task.group", text, "1", "that runs it"},
    {"task.part", text, "1", "what its products count as: attention, ffn, other (default)"},
    {"task.after", texts, "1", "tasks whose ends it waits for; default none"},
    {"task.product", parts, "1", "matrix products of one device, one after the other"},
    {"task.product.m", number, "1", "rows of the result"},
    {"task.product.k", number, "1", "numbers that are summed up"},
    {"task.product.n", number, "1", "columns of the result"},
    {"task.product.count", number, "1", "such products; default 1"},
    {"task.transfer", parts, "1", "transfers, after the products"},
    {"task.transfer.size", number, "B", "of the whole tensor"},
    {"task.transfer.kind", text, "1", "send (default), all_gather, reduce_scatter, all_reduce"},
    {"task.transfer.links", number, "1", "send: links that share it; default 1"},
};

}  // namespace dfsweep::declared
