/// The tidy tables of the reference are read into the structs of the model.
#include "tests/support/calculon_reference.hpp"

#include <cmath>
#include <sstream>
#include <vector>

namespace dfsweep::testing {

using namespace calculon;

namespace {

template <class Value>
Value word(const std::map<std::string, Value>& known, const std::string& text) {
  const auto found = known.find(text);
  return found == known.end() ? Value::unknown : found->second;
}

const std::map<std::string, Datatype> datatypes{{"float8", Datatype::float8},
                                                {"float16", Datatype::float16},
                                                {"bfloat16", Datatype::bfloat16},
                                                {"float32", Datatype::float32}};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, '.');) parts.push_back(part);
  return parts;
}

/// "efficiency.1.value" of a curve.
void set_step(EfficiencyCurve& curve, const std::string& index, const std::string& what, double value, double unit) {
  const auto i = static_cast<std::size_t>(std::stoul(index));
  if (curve.steps.size() <= i) curve.steps.resize(i + 1);
  if (what == "value")
    curve.steps[i].efficiency = value;
  else
    curve.steps[i].from = value * unit;
}

void set_engine(Engine& engine, const std::vector<std::string>& path, double value) {
  auto& rate = engine[static_cast<std::size_t>(datatypes.at(path[1]))];
  if (!rate) rate.emplace();
  if (path[2] == "tflops")
    rate->peak = value * 1e12;
  else
    set_step(rate->efficiency, path[3], path[4], value, 1e9);
}

void set_memory(MemoryTier& tier, const std::vector<std::string>& path, double value) {
  if (path[1] == "GiB")
    tier.capacity = value * 1073741824.0;
  else if (path[1] == "GBps")
    tier.bandwidth = value * 1e9;
  else
    set_step(tier.efficiency, path[2], path[3], value, 1e6);
}

void set_network(NetworkTier& tier, const std::vector<std::string>& path, double value) {
  static const std::map<std::string, std::size_t> operations{
      {"p2p", 0}, {"reduce_scatter", 1}, {"all_gather", 2}, {"all_reduce", 3}};
  const std::string& field = path[2];
  if (field == "bandwidth") tier.bandwidth = value * 1e9;
  if (field == "efficiency") tier.efficiency = value;
  if (field == "size") tier.size = std::lround(value);
  if (field == "latency") tier.latency = value;
  if (field == "must_be_filled") tier.must_be_filled = value != 0.0;
  if (field == "processor_usage") tier.processor_usage = value;
  if (field != "op") return;
  OperationVolume& volume = tier.volumes[operations.at(path[3])];
  (path[4] == "scalar" ? volume.scalar : volume.offset) = std::isnan(value) ? 0.0 : value;
}

void set_field(System& system, const std::string& field, const std::string& text, double value) {
  const std::vector<std::string> path = split(field);
  if (path[0] == "processing_mode")
    system.mode = text == "roofline" ? ProcessingMode::roofline : ProcessingMode::no_overlap;
  else if (path[0] == "matrix")
    set_engine(system.matrix, path, value);
  else if (path[0] == "vector")
    set_engine(system.vector, path, value);
  else if (path[0] == "mem1")
    set_memory(system.memory, path, value);
  else if (path[0] == "mem2")
    set_memory(system.offload, path, value);
  else if (path[0] == "network") {
    const auto i = static_cast<std::size_t>(std::stoul(path[1]));
    if (system.networks.size() <= i) system.networks.resize(i + 1);
    set_network(system.networks[i], path, value);
  }
}

}  // namespace

CalculonReference calculon_reference(const std::string& reference_folder) {
  CalculonReference reference;
  const GoldenTable models(reference_folder + "/reference/calculon/models.csv");
  for (std::size_t i = 0; i < models.size(); ++i) {
    const auto whole = [&](const char* column) { return std::lround(models.number(i, column)); };
    reference.models[models.text(i, "model")] = {.hidden = whole("hidden"),
                                                 .feedforward = whole("feedforward"),
                                                 .sequence = whole("seq_size"),
                                                 .heads = whole("attn_heads"),
                                                 .head_size = whole("attn_size"),
                                                 .blocks = whole("num_blocks")};
  }
  const GoldenTable systems(reference_folder + "/reference/calculon/systems.csv");
  for (std::size_t i = 0; i < systems.size(); ++i)
    set_field(reference.systems[systems.text(i, "system")], systems.text(i, "field"), systems.text(i, "value"),
              systems.number(i, "value"));
  return reference;
}

Execution execution_of(const GoldenTable& table, std::size_t row) {
  static const std::map<std::string, Attention> attentions{{"multihead", Attention::multihead},
                                                           {"multiquery", Attention::multiquery}};
  static const std::map<std::string, Recompute> recomputes{
      {"none", Recompute::none}, {"attn_only", Recompute::attention}, {"full", Recompute::full}};
  static const std::map<std::string, TensorComm> comms{{"ar", TensorComm::all_reduce},
                                                       {"p2p_rs_ag", TensorComm::p2p_reduce_scatter_all_gather},
                                                       {"rs_ag", TensorComm::reduce_scatter_all_gather}};
  static const std::map<std::string, TensorOverlap> overlaps{
      {"none", TensorOverlap::none}, {"ring", TensorOverlap::ring}, {"pipe", TensorOverlap::pipe}};
  const auto whole = [&](const char* column) { return std::lround(table.number(row, column)); };
  const auto flag = [&](const char* column) { return whole(column) != 0; };
  return {.processors = whole("num_procs"),
          .tensor_parallel = whole("tensor_par"),
          .pipeline_parallel = whole("pipeline_par"),
          .data_parallel = whole("data_par"),
          .tensor_network = whole("tensor_par_net"),
          .pipeline_network = whole("pipeline_par_net"),
          .data_network = whole("data_par_net"),
          .global_batch = whole("batch_size"),
          .micro_batch = whole("microbatch_size"),
          .datatype = word(datatypes, table.text(row, "datatype")),
          .fused_activation = flag("fused_activation"),
          .attention = word(attentions, table.text(row, "attention_type")),
          .recompute = word(recomputes, table.text(row, "activation_recompute")),
          .interleaving = whole("pipeline_interleaving"),
          .optimizer_sharding = flag("optimizer_sharding"),
          .tensor_comm = word(comms, table.text(row, "tensor_par_comm_type")),
          .tensor_overlap = word(overlaps, table.text(row, "tensor_par_overlap")),
          .sequence_parallel_redo = flag("seq_par_ag_redo"),
          .data_overlap = flag("data_par_overlap"),
          .weight_offload = flag("weight_offload"),
          .activation_offload = flag("activations_offload"),
          .optimizer_offload = flag("optimizer_offload"),
          .training = flag("training")};
}

}  // namespace dfsweep::testing
