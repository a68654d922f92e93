/// Fields of entries by kind. The fields of systems, software and transformers are declared in typed tables beside
/// their decoders (models/entry_table.hpp).
#pragma once

#include "models/entry_fields.hpp"

namespace dfsweep::declared {

using enum FieldType;

inline constexpr FieldInfo common[] = {
    {"name", text, "1", "name used in sweep files"},
    {"description", text, "1", "description in one line"},
    {"source", text, "1", "source of the numbers"},
    {"former_name", text, "1", "name that sweep files may use too: the entry once had it"},
};

inline constexpr FieldInfo devices[] = {
    {"peak_flops", number, "FLOP/s", "peak rate; ignored where the four fields of the systolic arrays are given"},
    {"cores", number, "1", "cores, each a systolic array"},
    {"systolic_width", number, "1", "lanes of a core"},
    {"systolic_height", number, "1", "stages of a core"},
    {"frequency", number, "Hz", "clock; each cell of an array does one multiply-add per cycle"},
    {"sram_capacity", number, "B", "memory on the chip"},
    {"price", number, "USD", "price of a chip"},
    {"power", number, "W", "power of a chip"},
    {"memory_bandwidth", number, "B/s",
     "bandwidth of the device memory; measured tables are valid for this memory only"},
    {"memory_capacity", number, "B", "capacity of the device memory"},
    {"profile", text, "1", "folder of the measured tables; default: the name of the entry"},
    {"platform", text, "1",
     "what programs it: cuda, rocm, xpu, gaudi, tpu, neuron, other; default: unknown, all engines of serving run",
     "serving"},
};

inline constexpr FieldInfo memories[] = {
    {"bandwidth", number, "B/s", "memory bandwidth of one chip"},
    {"capacity", number, "B", "memory capacity of one chip"},
    {"price_per_bandwidth", number, "USD/(B/s)", "price of the memory per bandwidth"},
    {"power_per_bandwidth", number, "W/(B/s)", "power of the memory per bandwidth"},
    {"technology", text, "1",
     "hbm2, hbm2e, hbm3 (default), hbm3e, hbm4, gddr, lpddr, ddr: for a derived price and power"},
};

inline constexpr FieldInfo interconnects[] = {
    {"bandwidth", number, "B/s", "bandwidth of a link, in one direction"},
    {"latency", number, "s", "latency of a link"},
    {"link_price_per_bandwidth", number, "USD/(B/s)", "price of a link per bandwidth"},
    {"switch_price_per_bandwidth", number, "USD/(B/s)", "price of a switch per port and bandwidth"},
    {"link_power_per_bandwidth", number, "W/(B/s)", "power of a link per bandwidth"},
    {"switch_power_per_bandwidth", number, "W/(B/s)", "power of a switch per port and bandwidth"},
};

inline constexpr FieldInfo topologies[] = {
    {"dimensions", texts, "1", "topologies from the innermost dimension outwards: ring, fully_connected, switch"},
};

inline constexpr FieldInfo networks[] = {
    {"device", text, "1", "device with which the network was measured"},
    {"devices_per_node", number, "1", "devices in a node"},
    {"profile", text, "1", "folder of the measured tables; default: the name of the entry"},
};

/// Fields of workloads other than transformers; models/transformer/entry.hpp declares those of transformers.
inline constexpr FieldInfo workloads[] = {
    {"kind", text, "1", "transformer, dlrm, hpl, fft or graph; decides which other fields are needed"},
    {"global_batch", number, "1", "sequences or samples per step"},
    {"word_bytes", number, "1", "bytes per number, used where the sweep gives no precision"},
    {"layers", number, "1", "transformer, graph: number of layers"},
    {"tables", number, "1", "dlrm: number of embedding tables"},
    {"rows_per_table", number, "1", "dlrm: rows of an embedding table"},
    {"embedding_dim", number, "1", "dlrm: numbers per row"},
    {"pooled_rows", number, "1", "dlrm: rows that a sample reads from each table"},
    {"mlp_layers", number, "1", "dlrm: layers of both MLPs together"},
    {"bottom_layers", number, "1", "dlrm: layers before the interaction"},
    {"mlp_width", number, "1", "dlrm: width of the layers of both MLPs"},
    {"samples_per_chip", number, "1", "dlrm: samples that a chip processes at once"},
    {"matrix_size", number, "1", "hpl: rows of the matrix"},
    {"block_size", number, "1", "hpl: columns of a panel"},
    {"steps", number, "1", "hpl: panels that are factored"},
    {"length", number, "1", "fft: points, an even power of two"},
    {"radix", number, "1", "fft: points of a butterfly, a power of two"},
    {"boundary_words", number, "1", "graph: numbers between one pipeline stage and the next"},
    {"kernel", parts, "1", "graph: kernels of a layer"},
    {"kernel.name", text, "1", "name used by edges and mappings"},
    {"kernel.type", text, "1", "matrix (default), elementwise"},
    {"kernel.outer", number, "1", "independent products of m x k and k x n numbers; default 1"},
    {"kernel.m", number, "1", "rows of a product; default 1"},
    {"kernel.k", number, "1", "inner dimension of a product; default 1"},
    {"kernel.n", number, "1", "columns of a product; default 1"},
    {"kernel.weight_words", number, "1", "number of weights; default 0"},
    {"kernel.gradient_words", number, "1", "gradients that replicas all-reduce; default 0"},
    {"kernel.memory_words", number, "1", "additional DRAM traffic per chip and pass; default 0"},
    {"kernel.exchange_words", number, "1", "numbers that each chip sends to all others in equal parts; default 0"},
    {"kernel.tiling", text, "1", "dimension along which a sequence is streamed: none (default), n, k"},
    {"kernel.pass", text, "1", "forward (default), backward"},
    {"edge", parts, "1", "graph: producers and consumers"},
    {"edge.from", text, "1", "kernel that produces the data"},
    {"edge.to", text, "1", "kernel that consumes the data"},
};

/// Systems as Calculon describes them: engines, memory tiers and network tiers.
inline constexpr FieldInfo calculon_systems[] = {
    {"processing", text, "1", "no_overlap (default): compute time plus memory time; roofline: the larger of the two"},
    {"price", number, "USD", "price of a device"},
    {"power", number, "W", "power of a device"},
    {"engine", parts, "1", "compute engines of a device, each at one precision"},
    {"engine.kind", text, "1", "matrix, vector"},
    {"engine.precision", text, "1", "fp8, fp16, bf16, fp32"},
    {"engine.peak_flops", number, "FLOP/s", "peak rate of the engine"},
    {"engine.efficiency", numbers, "1", "achieved shares of the peak; default 1"},
    {"engine.efficiency_flops", numbers, "1", "least FLOP of an operation for each share, descending, the last 0"},
    {"memory", parts, "1", "memory tiers of a device: device memory, then offload memory"},
    {"memory.capacity", number, "B", "capacity per device"},
    {"memory.bandwidth", number, "B/s", "bandwidth per device"},
    {"memory.efficiency", numbers, "1", "achieved shares of the bandwidth; default 1"},
    {"memory.efficiency_bytes", numbers, "1", "least bytes of an operation for each share, descending, the last 0"},
    {"network", parts, "1", "network tiers, from the innermost outwards"},
    {"network.bandwidth", number, "B/s", "bandwidth per device"},
    {"network.efficiency", number, "1", "achieved share of the bandwidth; default 1"},
    {"network.size", number, "1", "devices in the tier"},
    {"network.latency", number, "s", "latency of an operation; default 0"},
    {"network.must_be_filled", number, "1", "true where groups must divide the size; default false"},
    {"network.processor_usage", number, "1",
     "share of compute used to drive the network while both overlap; default 0"},
    {"network.p2p", numbers, "1", "scalar a and offset b: S bytes among P devices put a S (1 + b / P) on the wire"},
    {"network.reduce_scatter", numbers, "1", "as network.p2p"},
    {"network.all_gather", numbers, "1", "as network.p2p"},
    {"network.all_reduce", numbers, "1", "as network.p2p"},
};

/// Programs that train: the flags that set parameters of `training`.
inline constexpr FieldInfo trainers[] = {
    {"launch", text, "1", "command that starts the program; {name} is a parameter or a quantity of docs/launch.md"},
    {"model_place", text, "1",
     "word in `launch` that is replaced by the name of a model, where flags do not say its sizes; default: they do"},
    {"default", parts, "1", "what the program does without flags"},
    {"default.text", text, "1", "flags that say the same"},
    {"flag", parts, "1", "flags that set parameters; of several rows for a parameter the first that holds is used"},
    {"flag.parameter", text, "1", "the parameter or quantity; none: the flag is always given"},
    {"flag.text", text, "1", "the flags; {} is the value, {name} a parameter or quantity. Empty: no flag is needed"},
    {"flag.outer_text", text, "1", "flag for the part of a degree that lies between nodes; `text` is for the rest"},
    {"flag.value", text, "1", "the row is for this value only"},
    {"flag.above", number, "1", "the flag is given for larger values only"},
    {"flag.beside", text, "1", "only where this parameter or quantity is given and neither none nor 0"},
    {"flag.without", text, "1", "only where this parameter or quantity is not given, \"none\" or 0"},
    {"flag.only", text, "1", "import: read, never written; launch: written, never read"},
    {"lack", parts, "1", "what the program has not"},
    {"lack.parameter", text, "1", "the parameter or quantity; without it the sentence is always written"},
    {"lack.value", text, "1", "the value that it has not; none: all"},
    {"lack.above", number, "1", "larger values are what it cannot do"},
    {"lack.beside", text, "1", "only where this parameter or quantity is given and neither none nor 0"},
    {"lack.text", text, "1", "a sentence that says what the program has not"},
};

/// Engines that serve requests: rules of their schedulers, and the flags that set parameters of `serving`.
inline constexpr FieldInfo engines[] = {
    {"platforms", texts, "1",
     "accelerators that it runs on, by their field platform: cuda, rocm, xpu, gaudi, tpu, neuron, other; default: "
     "unknown, all"},
    {"prompts", text, "1",
     "how prompts join: cut (default) beside decoding, cut where the chunk ends; alone, in steps of their own before "
     "decoding; whole beside decoding"},
    {"chunk_tokens", number, "1", "default of chunk_tokens: most tokens of a step on a rank"},
    {"batch_limit", number, "1", "default of batch_limit: most sequences that run on a rank"},
    {"receive_interval_steps", number, "1", "default: decode steps between two looks at new requests; 1: every step"},
    {"batch_wait_steps", number, "1", "default: longest wait of prompts for other prompts while something runs"},
    {"rank_wait_steps", number, "1",
     "longest wait with attention data parallelism until every rank has a prompt; default 0"},
    {"batch_wait_share", number, "1", "share of a chunk that prompts wait for; default 0.85"},
    {"answers", text, "1",
     "cache that a started request reserves beside its prompt: share (default) of its answer, or of the largest "
     "answer"},
    {"answer_share", number, "1", "that share; default 0.5"},
    {"cache", text, "1",
     "reserved (default): a started request is never stopped; recompute: tokens count as they come, and the youngest "
     "request is stopped and read again where the cache is full"},
    {"memory_base", text, "1", "cache_share is of: all memory of the device (default), free: what weights leave"},
    {"cache_share", number, "1", "default of cache_share; default 0.9"},
    {"launch", text, "1", "command that starts a server; MODEL is the checkpoint"},
    {"config_flag", text, "1", "flag that names the configuration file; needed by flags of place config"},
    {"router", text, "1", "what joins the servers of separate pools"},
    {"flag", parts, "1", "flags that set parameters"},
    {"flag.parameter", text, "1", "the parameter; with separate pools also with its prefix"},
    {"flag.text", text, "1", "the flag; {} is the value. Place config: a path of keys, a colon and the value"},
    {"flag.place", text, "1", "command (default), config: a line of the configuration file"},
    {"flag.value", text, "1", "the flag is given for this value only"},
    {"flag.above", number, "1", "the flag is given for larger values only"},
    {"flag.pool", text, "1", "of separate pools, the only one that has the flag: prefill, decode"},
    {"flag.times", text, "1", "parameter by which the value is multiplied"},
    {"flag.beside", text, "1", "the flag is given only where this parameter has a value other than none"},
    {"lack", parts, "1", "parameters that the engine cannot set"},
    {"lack.parameter", text, "1", "the parameter"},
    {"lack.value", text, "1", "the value that it has not; without it, values above `above`"},
    {"lack.above", number, "1", "larger values are what it cannot do; default 0"},
    {"lack.beside", text, "1", "only where this parameter is above 1 too"},
    {"lack.text", text, "1", "a sentence that says what the engine has not"},
};

inline constexpr FieldInfo laws[] = {
    {"kind", text, "1", "power (default): the sums are ln lr and ln B; plain_rate: the sums are lr and ln B"},
    {"lr_intercept", number, "1", "ln lr (plain_rate: lr) at N = Na = D = C = L = 1"},
    {"lr_lnN", number, "1", "slope with ln N, N: parameters of all experts without embeddings; default 0"},
    {"lr_lnNa", number, "1", "slope with ln Na, Na: activated parameters; default 0"},
    {"lr_lnD", number, "1", "slope with ln D, D: training tokens; default 0"},
    {"lr_lnC", number, "1", "slope with ln C, C: training FLOP; default 0"},
    {"lr_lnL", number, "1", "slope with ln L, L: final loss; default 0"},
    {"batch_intercept", number, "1", "ln B at N = Na = D = C = L = 1, B: tokens per step"},
    {"batch_lnN", number, "1", "slope with ln N; default 0"},
    {"batch_lnNa", number, "1", "slope with ln Na; default 0"},
    {"batch_lnD", number, "1", "slope with ln D; default 0"},
    {"batch_lnC", number, "1", "slope with ln C; default 0"},
    {"batch_lnL", number, "1", "slope with ln L; default 0"},
    {"curvature_xx", number, "1", "second derivative of ln L by ln lr at the optimum"},
    {"curvature_xy", number, "1", "mixed second derivative of ln L by ln lr and ln B"},
    {"curvature_yy", number, "1", "second derivative of ln L by ln B"},
    {"range_N", numbers, "1", "minimum and maximum N of the fitted runs"},
    {"range_Na", numbers, "1", "minimum and maximum Na of the fitted runs"},
    {"range_D", numbers, "1", "minimum and maximum D of the fitted runs"},
    {"range_lr", numbers, "1", "minimum and maximum learning rate of the fitted runs"},
    {"range_batch", numbers, "1", "minimum and maximum tokens per step of the fitted runs"},
    {"loss_floor", number, "1", "E of the loss at the optimum, L = E + A N^-alpha + B D^-beta"},
    {"loss_lnA", number, "1", "ln A"},
    {"loss_alpha", number, "1", "alpha"},
    {"loss_lnB", number, "1", "ln B"},
    {"loss_beta", number, "1", "beta"},
    {"loss_spread", number, "1", "standard deviation of ln L of the fitted runs around it"},
    {"interval_confidence", number, "1",
     "confidence of the intervals: 0.95; an interval is value +- quantile sqrt(f' C f), "
     "f = (1, the logarithms that the law depends on)"},
    {"lr_quantile", number, "1", "quantile for ln lr"},
    {"lr_covariance", numbers, "1", "C for ln lr: lower triangle by rows, of intercept and slopes"},
    {"batch_quantile", number, "1", "quantile for ln B"},
    {"batch_covariance", numbers, "1", "C for ln B"},
};

inline constexpr FieldInfo batch_laws[] = {
    {"samples", number, "1", "E0: sequences to the target with a small batch, in 8 or 16 bits"},
    {"samples_interval", numbers, "1", "lower and upper end of its interval"},
    {"critical_batch", number, "1",
     "Bc: global batch in sequences that needs twice as many; absent: not identified, no batch of the runs cost "
     "anything"},
    {"critical_batch_interval", numbers, "1",
     "lower and upper end; a single number is a lower end without an upper one"},
    {"format_factor_4bit", number, "1", "q: samples with products in 4 bits over those in 8; absent: unknown"},
    {"format_factor_4bit_interval", numbers, "1", "lower and upper end of its interval"},
    {"spread", number, "1", "s: standard deviation of ln samples between seeds"},
    {"spread_interval", numbers, "1", "lower and upper end of its interval"},
    {"interval_confidence", number, "1", "confidence of the intervals: 0.95"},
    {"range_batch", numbers, "1", "smallest and largest global batch of the fitted runs, sequences"},
    {"range_lr", numbers, "1", "smallest and largest learning rate of the fitted runs"},
    {"runs", number, "1", "number of fitted runs"},
    {"target_loss", number, "1", "the loss at which the runs had reached their target"},
    {"sequence_length", number, "1", "tokens of a sequence of the runs"},
    {"first_evaluation", number, "1", "sequences before the first evaluation; default evaluation_interval"},
    {"evaluation_interval", number, "1", "sequences between evaluations; absent: the target is seen at once"},
    {"evaluation_samples", number, "1", "sequences of an evaluation"},
    {"evaluation_share", number, "1", "v: time of a sequence in an evaluation over that in a step; default 1/3"},
};

inline constexpr FieldInfo mappings[] = {
    {"kind", text, "1", "mapping"},
    {"assignment", numbers, "1", "partition of every kernel, in the order of the kernels or by their names"},
};

inline constexpr FieldInfo taskgraphs[] = {
    {"tokens", number, "1", "tokens per step, needed for token rates; no default"},
    {"group", parts, "1", "a resource that runs one task at a time: cooperating devices, or a link"},
    {"group.name", text, "1", "name used by tasks"},
    {"group.kind", text, "1", "devices (default), link"},
    {"group.devices", number, "1", "number of devices; default 1"},
    {"group.peak_flops", number, "FLOP/s", "peak rate of a device; default: value of the sweep"},
    {"group.memory_bandwidth", number, "B/s", "memory bandwidth of a device; default: value of the sweep"},
    {"group.link_bandwidth", number, "B/s",
     "link bandwidth of a device, in one direction; default: value of the sweep"},
    {"group.link_latency", number, "s", "latency of a transfer; default: value of the sweep"},
    {"task", parts, "1", "tasks, in any order"},
    {"task.name", text, "1", "name used by other tasks"},
    {"task.group", text, "1", "group that runs the task"},
    {"task.part", text, "1", "category of its products: attention, ffn, other (default)"},
    {"task.after", texts, "1", "predecessors: tasks that must end first; default none"},
    {"task.product", parts, "1", "matrix products of one device, run in sequence"},
    {"task.product.m", number, "1", "rows of the result"},
    {"task.product.k", number, "1", "inner dimension"},
    {"task.product.n", number, "1", "columns of the result"},
    {"task.product.count", number, "1", "number of such products; default 1"},
    {"task.transfer", parts, "1", "transfers that follow the products"},
    {"task.transfer.size", number, "B", "size of the whole tensor"},
    {"task.transfer.kind", text, "1", "send (default), all_gather, reduce_scatter, all_reduce"},
    {"task.transfer.links", number, "1", "send: number of links that share the transfer; default 1"},
};

}  // namespace dfsweep::declared
