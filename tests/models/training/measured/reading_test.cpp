/// Measured rows: what words of a table mean, what empty cells become, and what cannot be expressed.
#include "models/training/measured/reading.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "models/machine/accelerator_names.hpp"
#include "models/training/measured/decision.hpp"
#include "models/training/measured/links.hpp"
#include "models/training/measured/measured_point.hpp"
#include "models/training/step/estimate.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/training_point.hpp"

BOOST_AUTO_TEST_SUITE(reading_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;
using namespace dfsweep::training;

namespace {

struct LinkCase {
  const char* why;
  const char* text;
  double bandwidth;  ///< B/s of a device in one direction
};

const LinkCase inside_cases[] = {
    {"half of both directions", "NVLink4 900 GB/s bidirectional per device", 450e9},
    {"four NVLinks of 25 GB/s", "NVLink3 600 GB/s bidirectional per device (4 links stated)", 100e9},
    {"Ethernet counts one direction", "21 x 100 Gb/s Ethernet all-to-all", 262.5e9},
};
const LinkCase across_cases[] = {
    {"eight links for eight devices", "8 x 400 Gb/s InfiniBand per node", 50e9},
    {"four for eight", "4 x 100 Gb/s Omni-Path per node", 6.25e9},
    {"all of a node", "1600 Gb/s per node RoCE", 25e9},
    {"its own", "1 x 800 Gb/s per device", 100e9},
    {"three of its own", "3 x 100 Gb/s Ethernet per device", 37.5e9},
};

/// A row of Megatron of 2024 on two nodes of H100.
MeasuredRow row() {
  MeasuredRow r;
  r.cells = {{"source", "nemo-24.07"},
             {"accelerator", "H100-80GB"},
             {"devices", "16"},
             {"devices_per_node", "8"},
             {"layers", "32"},
             {"hidden", "4096"},
             {"heads", "32"},
             {"kv_heads", "8"},
             {"ffn_hidden", "14336"},
             {"gated_mlp", "1"},
             {"vocabulary", "32000"},
             {"attention", "grouped"},
             {"sequence_length", "4096"},
             {"global_batch", "64"},
             {"micro_batch", "1"},
             {"tensor_parallel", "2"},
             {"pipeline_parallel", "4"},
             {"context_parallel", "1"},
             {"precision", "bf16"},
             {"recompute", "full"},
             {"sharding", "zero-1"}};
  return r;
}

RowReading read(std::string_view column, std::string_view cell) {
  MeasuredRow changed = row();
  changed.cells[std::string(column)] = cell;
  return read_row(changed, nullptr);
}

bool assumes(const RowReading& reading, std::string_view parameter) {
  for (const Assumption& assumption : reading.assumptions)
    if (assumption.parameter == parameter) return !assumption.reason.empty();
  return false;
}

}  // namespace

BOOST_DATA_TEST_CASE(links_inside_a_node_are_read, bdata::make(inside_cases)) {
  BOOST_TEST(inside_bandwidth(sample.text)->value() == sample.bandwidth);
}

BOOST_DATA_TEST_CASE(links_between_nodes_are_read, bdata::make(across_cases)) {
  BOOST_TEST(across_bandwidth(sample.text, 8)->value() == sample.bandwidth);
}

BOOST_AUTO_TEST_CASE(links_without_a_figure_are_unknown) {
  BOOST_TEST(!across_bandwidth("data-center network between slices", 4));
  BOOST_TEST(!inside_bandwidth("inter-chip 2D torus, 200 GB/s per chip"));  // one way or both: the system says
  BOOST_TEST(joined_devices("NVLink5 1800 GB/s bidirectional per device, 72-device domain", 4) == 72);
  BOOST_TEST((node_links("NVLink2 300 GB/s bidirectional per device") == NodeLinks::direct));
  BOOST_TEST((node_links("Infinity Fabric 896 GB/s per device, 7 links of 128 GB/s") == NodeLinks::direct));
  BOOST_TEST((node_links("NVLink4 900 GB/s bidirectional per device") == NodeLinks::switched));
}

BOOST_AUTO_TEST_CASE(a_full_row_is_read_as_it_stands) {
  const RowReading r = read_row(row(), nullptr);
  BOOST_TEST(r.problem == "");
  BOOST_TEST(r.software == "megatron-24.04");
  BOOST_TEST(r.execution.bytes.gradient == 2);
  BOOST_TEST(r.architecture.head_dim == 128);
  BOOST_TEST(r.execution.parallel.data == 2);
  BOOST_TEST((r.execution.recompute == Recompute::full));
  BOOST_TEST((r.execution.sharding == Sharding::optimizer));
  BOOST_TEST(!r.undecided.recompute);
  BOOST_TEST(assumes(r, "interleaving"));  // the column is empty
  BOOST_TEST(r.execution.parallel.chunks_per_stage == 8);
}

namespace {

struct ShardingCase {
  const char* text;  ///< of the cell
  Sharding sharding;
  double group;
};
const ShardingCase sharding_cases[] = {
    {"none (zero-0)", Sharding::none, 0},
    {"zero-1 over 8", Sharding::optimizer, 8},
    {"fsdp gradients+optimizer (zero-2)", Sharding::gradients, 0},
    {"fsdp full (zero-3)", Sharding::parameters, 0},
    {"fsdp over 4, data parallel over 2 slices", Sharding::parameters, 4},
    {"fsdp over 2 slices", Sharding::parameters, 0},  // all devices of both slices
    {"fsdp over 4, 2 copies", Sharding::parameters, 4},
    {"fsdp over 4 (one pod), copies between pods", Sharding::parameters, 4},
    {"hybrid sharded", Sharding::parameters, 8},
};

struct ProblemCase {
  const char* why;
  const char* column;
  const char* cell;
};
const ProblemCase problem_cases[] = {
    {"no sizes", "hidden", ""},
    {"latent attention without its ranks", "attention", "latent"},
    {"degrees that do not multiply", "tensor_parallel", "3"},
    {"no sequence length", "sequence_length", ""},
};

}  // namespace

BOOST_DATA_TEST_CASE(words_of_sharding_are_read, bdata::make(sharding_cases)) {
  MeasuredRow changed = row();
  changed.cells["sharding"] = sample.text;
  changed.cells["tensor_parallel"] = changed.cells["pipeline_parallel"] = "1";
  changed.cells["devices"] = "8";
  const RowReading r = read_row(changed, nullptr);
  BOOST_TEST((r.execution.sharding == sample.sharding));
  BOOST_TEST(r.execution.sharding_group == sample.group);
}

BOOST_DATA_TEST_CASE(rows_that_say_too_little_have_a_reason, bdata::make(problem_cases)) {
  BOOST_TEST(read(sample.column, sample.cell).problem != "");
}

BOOST_AUTO_TEST_CASE(empty_cells_are_assumed_with_a_reason) {
  BOOST_TEST(assumes(read("recompute", ""), "recompute"));
  BOOST_TEST(assumes(read("sharding", ""), "optimizer_sharding"));
  BOOST_TEST(assumes(read("micro_batch", ""), "micro_batch"));
  BOOST_TEST(assumes(read("global_batch", ""), "global_batch"));
  BOOST_TEST(!assumes(read("devices_per_node", ""), "recompute"));
}

namespace {

/// A run of adapters of MLPerf, with all its columns.
MeasuredRow adapters() {
  MeasuredRow r = row();
  const std::pair<const char*, const char*> cells[] = {{"source", "mlperf-training-5.1"},
                                                       {"accelerator", "GB200-186GB"},
                                                       {"task", "lora"},
                                                       {"precision", "fp8"},
                                                       {"recompute", "none"},
                                                       {"tensor_parallel", "1"},
                                                       {"pipeline_parallel", "1"},
                                                       {"context_parallel", "8"},
                                                       {"global_batch", "2"},
                                                       {"tensor_overlap", "0"},
                                                       {"cuda_graph", "1"},
                                                       {"context_exchange", "a2a"},
                                                       {"eight_bit_parameters", "0"},
                                                       {"eight_bit_attention", "1"},
                                                       {"eight_bit_activations_kept", "1"}};
  for (const auto& [column, cell] : cells) r.cells[column] = cell;
  return r;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_columns_of_a_run_of_adapters_are_read) {
  const RowReading r = read_row(adapters(), nullptr);
  BOOST_TEST(r.problem == "");
  const Execution& e = r.execution;
  BOOST_TEST((e.task == Task::low_rank));
  BOOST_TEST((e.tensor_overlap == TensorOverlap::none));
  BOOST_TEST((e.context_exchange == ContextExchange::all_to_all));
  BOOST_TEST(e.step_graph);
  BOOST_TEST(e.attention_8bit);
  BOOST_TEST(e.activations_8bit);
  BOOST_TEST(!r.undecided.activations_8bit);
  BOOST_TEST((r.weights == KeptWeights::frozen));
  Software software;
  software.kept.frozen_weight = 1;
  const TrainingPoint point = testing::training_point();
  BOOST_TEST(measured_point(r, point.accelerator, point.network, software).execution.bytes.weight == 1);
}

namespace {

struct GraphCase {
  const char* why;
  const char* accelerator;
  const char* round;
  const char* tensor;
  const char* context;
  bool is_recorded;
};

const GraphCase graph_cases[] = {
    {"Hopper in the spring of 2024", "H100-80GB", "mlperf-training-4.0", "4", "2", false},
    {"Hopper from that autumn on", "H100-80GB", "mlperf-training-4.1", "4", "2", true},
    {"four devices of Hopper compute long enough", "H100-80GB", "mlperf-training-4.1", "4", "1", false},
    {"two devices of Blackwell share a sequence", "B200-180GB", "mlperf-training-5.1", "1", "2", true},
};

}  // namespace

BOOST_AUTO_TEST_CASE(graphs_that_scripts_leave_open_are_those_of_short_steps) {
  for (const GraphCase& c : graph_cases) {
    MeasuredRow open = adapters();
    open.cells["cuda_graph"] = "";
    open.cells["accelerator"] = c.accelerator;
    open.cells["source"] = c.round;
    open.cells["tensor_parallel"] = c.tensor;
    open.cells["context_parallel"] = c.context;
    BOOST_TEST(read_row(open, nullptr).execution.step_graph == c.is_recorded, c.why);
  }
}

BOOST_AUTO_TEST_CASE(cells_that_scripts_leave_open_are_decided) {
  MeasuredRow open = adapters();
  open.cells["cuda_graph"] = open.cells["eight_bit_activations_kept"] = "";
  const RowReading shared = read_row(open, nullptr);
  BOOST_TEST(shared.execution.step_graph);  // several devices share a sequence
  BOOST_TEST(assumes(shared, "step_graph"));
  BOOST_TEST(shared.undecided.activations_8bit);
  open.cells["context_parallel"] = "1";
  BOOST_TEST(!read_row(open, nullptr).execution.step_graph);
  MeasuredRow whole = adapters();
  whole.cells["task"] = "pretrain";
  whole.cells["eight_bit_parameters"] = "1";
  BOOST_TEST((read_row(whole, nullptr).weights == KeptWeights::narrow));
}

/// Megatron-LM refuses the flag for overlap without the one for sequence parallelism.
BOOST_AUTO_TEST_CASE(overlapped_exchanges_of_tensors_need_sequence_parallelism) {
  MeasuredRow stated = adapters();
  stated.cells["sequence_parallel"] = stated.cells["tensor_overlap"] = "0";
  BOOST_TEST(!read_row(stated, nullptr).execution.parallel.sequence_parallel);
  stated.cells["tensor_overlap"] = "1";
  BOOST_TEST(read_row(stated, nullptr).execution.parallel.sequence_parallel);
}

BOOST_AUTO_TEST_CASE(exchanges_of_tensors_on_gaudi_run_beside_kernels) {
  MeasuredRow gaudi = row();
  gaudi.cells["source"] = "intel-gaudi2";
  BOOST_TEST((read_row(gaudi, nullptr).execution.tensor_overlap == TensorOverlap::overlapped));
}

/// Degrees of which only the product is known: tensors are split until a device holds a sequence.
BOOST_AUTO_TEST_CASE(a_product_of_degrees_is_split) {
  MeasuredRow open = adapters();
  for (const char* column : {"tensor_parallel", "pipeline_parallel", "context_parallel", "micro_batch"})
    open.cells[column] = "";
  open.cells["model_parallel_product"] = "8";
  open.cells["gradient_accumulation"] = "1";
  const RowReading r = read_row(open, nullptr);
  BOOST_TEST((r.execution.context_exchange == ContextExchange::all_to_all));
  const TrainingPoint point = testing::training_point();
  const TrainingPoint found = measured_point(r, point.accelerator, point.network, Software{});
  BOOST_TEST(found.execution.parallel.tensor == 1);
  BOOST_TEST(found.execution.parallel.context == 8);
  BOOST_TEST(found.execution.parallel.data == 2);
  BOOST_TEST(found.execution.batch.micro == 1);
}

BOOST_AUTO_TEST_CASE(slices_of_a_pod_bound_its_links) {
  MeasuredRow changed = row();
  for (const auto& [column, cell] : {std::pair{"accelerator", "TPUv5p"},
                                     {"source", "mlperf-training-4.0"},
                                     {"intra_node_link", "inter-chip 3D torus, 600 GB/s per chip"},
                                     {"sharding", "fsdp over 4, 2 copies"},
                                     {"pipeline_parallel", "1"},
                                     {"recompute", "custom (save_dot_except_logits_ffn1)"}})
    changed.cells[column] = cell;
  const RowReading r = read_row(changed, nullptr);
  BOOST_TEST(r.links.node_devices == 8);  // two tensor ranks of four shards
  BOOST_TEST((r.execution.recompute == Recompute::selective));
  changed.cells["recompute"] = "custom (minimal)";
  BOOST_TEST((read_row(changed, nullptr).execution.recompute == Recompute::elementwise));
}

BOOST_AUTO_TEST_CASE(the_measured_step_follows_from_rate_time_or_utilization) {
  TrainingPoint point = testing::training_point();  // 32 sequences of 4096 tokens on 16 devices: 8192 tokens each
  MeasuredRow r;
  r.cells = {{"utilization_causal", "0.5"}, {"flops_per_token_causal", "1e12"}};
  BOOST_TEST(measured_step_time(r, point).value() == 8192 * 1e12 / 0.5e15);
  r.cells["step_time_s"] = "7";
  BOOST_TEST(measured_step_time(r, point).value() == 7);
  r.cells["tokens_per_second_per_device"] = "4096";
  BOOST_TEST(measured_step_time(r, point).value() == 2);
  BOOST_TEST(measured_memory(r).value() == 0);
  r.cells["memory_reported_gib"] = "1.5";
  BOOST_TEST(measured_memory(r).value() == 1.5 * 1073741824);
  r.cells["memory_peak_allocated_bytes"] = "181e9";
  BOOST_TEST(measured_memory(r).value() == 181e9);
}

BOOST_AUTO_TEST_SUITE_END()
