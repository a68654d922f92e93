#include "models/training/measured/reading.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/short_number.hpp"
#include "models/training/measured/links.hpp"
#include "models/training/measured/software_name.hpp"

namespace dfsweep::training {

namespace {

void assume(RowReading& reading, std::string_view parameter, std::string_view value, std::string_view reason) {
  reading.assumptions.push_back({std::string(parameter), std::string(value), std::string(reason)});
}

void assume(RowReading& reading, std::string_view parameter, double value, std::string_view reason) {
  assume(reading, parameter, short_number(value), reason);
}
bool is_megatron(const RowReading& r) {
  return r.software.starts_with("megatron") || r.software == "hai-llm";  // DeepSeek's own shares its conventions
}
bool is_new_megatron(const RowReading& r) {
  return is_megatron(r) && r.software != "megatron-2022";
}
bool is_xla(const RowReading& r) {
  return r.software == "xla" || r.software == "xla-2023";
}

// ---- model

Architecture architecture(const MeasuredRow& row, const Architecture* known) {
  Architecture a = known != nullptr ? *known : Architecture{};
  a.layers = row.number_or("layers", a.layers);
  a.hidden = row.number_or("hidden", a.hidden);
  a.heads = row.number_or("heads", a.heads);
  a.key_value_heads = row.number_or("kv_heads", a.key_value_heads > 0 ? a.key_value_heads : a.heads);
  if (a.head_dim <= 0 && a.heads > 0) a.head_dim = a.hidden / a.heads;
  a.ffn_hidden = row.number_or("ffn_hidden", a.ffn_hidden);
  a.ffn_matrices = row.number_or("gated_mlp", a.ffn_matrices - 2) + 2;
  a.vocabulary = row.number_or("vocabulary", a.vocabulary);
  a.tied_embeddings = row.number_or("tied_embeddings", a.tied_embeddings ? 1 : 0) != 0;
  Experts& experts = a.experts;
  experts.count = row.number_or("experts", experts.count);
  experts.per_token = row.number_or("experts_per_token", experts.per_token);
  experts.ffn_hidden = row.number_or("expert_ffn_hidden", experts.ffn_hidden);
  if (known == nullptr) experts.shared_ffn_hidden = row.number_or("shared_experts", 0) * experts.ffn_hidden;
  if (row.says("notes", "with multi-token prediction") || row.says("notes", "one multi-token-prediction layer"))
    a.prediction_layers = 1;
  return a;
}

std::string_view model_problem(const MeasuredRow& row, const Architecture& a, const Architecture* known) {
  if (a.layers <= 0 || a.hidden <= 0 || a.heads <= 0 || a.ffn_hidden <= 0 || a.vocabulary <= 0)
    return "the sizes of the model are not published, or it is no transformer";
  if (row.text("attention") == "latent" && (known == nullptr || !known->latent.is_used()))
    return "the ranks of latent attention are not in the columns, and no entry has the name of the model";
  return "";
}

// ---- degrees and batch

/// The number before "slices": 4 in "fsdp over 256, data parallel over 4 slices" and in "fsdp over 4 slices".
double slices(const MeasuredRow& row) {
  const std::string_view text = row.text("sharding");
  const std::size_t end = text.find(" slices");
  if (end == std::string_view::npos) return 1.0;
  const std::size_t blank = text.find_last_of(' ', end - 1);
  return first_number(text.substr(blank == std::string_view::npos ? 0 : blank + 1)).value_or(1);
}

/// Largest number of chunks, at most 8, that divides the layers of a stage. Embedding and output layer count as layers
/// where only then all stages are equal.
double largest_chunks(double layers, double stages) {
  for (const double ends : {0.0, 2.0})
    if (const double held = (layers + ends) / stages; held == std::floor(held))
      for (double chunks = 8; chunks > 1; --chunks)
        if (std::fmod(held, chunks) == 0) return chunks;
  return 1;
}

void read_chunks(const MeasuredRow& row, RowReading& r) {
  Parallelism& p = r.execution.parallel;
  if (p.pipeline <= 1) return;
  if (const auto given = row.number("virtual_pipeline")) {
    p.chunks_per_stage = *given;
    return;
  }
  if (row.says("notes", "interleaved 1F1B")) {
    p.chunks_per_stage = 2;
    assume(r, "interleaving", 2, "interleaved, number of chunks not stated");
    return;
  }
  const bool interleaves = is_megatron(r) && !row.says("notes", "not interleaved");
  p.chunks_per_stage = interleaves ? largest_chunks(r.architecture.layers, p.pipeline) : 1;
  assume(r, "interleaving", p.chunks_per_stage,
         interleaves ? "Megatron interleaves where layers divide; at most 8 chunks" : "not stated");
}

void read_degrees(const MeasuredRow& row, RowReading& r) {
  Parallelism& p = r.execution.parallel;
  r.devices = row.number_or("devices", 1);
  p.tensor = row.number_or("tensor_parallel", 1);
  p.pipeline = row.number_or("pipeline_parallel", 1);
  p.context = row.number_or("context_parallel", 1);
  if (!row.number("tensor_parallel")) {
    r.undecided.degrees = true;
    r.undecided.group = row.number_or("model_parallel_product", 0);
    assume(r, "tensor_parallel", "best", "the smallest degrees that fit");
  }
  p.data = std::max(1.0, std::floor(r.devices / (p.tensor * p.pipeline * p.context)));
  p.expert = row.number_or("expert_parallel", 1);
  if (r.architecture.experts.count > 0 && !row.number("expert_parallel"))
    assume(r, "expert_parallel", 1, "weights of experts are sharded like all others");
  p.expert = std::min(p.expert, p.tensor * p.context * p.data);
  if (std::fmod(p.tensor * p.context * p.data, p.expert) != 0)
    r.problem = "expert_parallel does not divide the replicas";
  if (device_count(p) != r.devices) r.problem = "the degrees do not multiply to the devices";
  read_chunks(row, r);
  const auto stated = row.number("sequence_parallel");
  p.sequence_parallel = stated ? *stated != 0 : r.software != "megatron-2022";
  // Megatron-LM refuses that overlap without it (megatron/training/arguments.py).
  if (is_new_megatron(r) && row.text("tensor_overlap") == "1") p.sequence_parallel = true;
  if (!stated && p.tensor > 1) assume(r, "sequence_parallel", p.sequence_parallel ? 1 : 0, "default of the stack");
}

void read_batch(const MeasuredRow& row, RowReading& r) {
  Batch& batch = r.execution.batch;
  const Parallelism& p = r.execution.parallel;
  batch.sequence = row.number_or("sequence_length", 0);
  batch.global = row.number_or("global_batch", 0);
  if (batch.sequence <= 0) r.problem = "sequence_length is not published";
  if (batch.global <= 0) {
    batch.global = p.data;
    assume(r, "global_batch", batch.global, "one sequence for each replica");
  }
  const auto accumulated = row.number("gradient_accumulation");
  if (r.undecided.group > 0 && accumulated) {
    batch.micro = std::max(1.0, batch.global * r.undecided.group / (r.devices * *accumulated));
  } else if (const auto micro = row.number("micro_batch")) {
    batch.micro = std::min(*micro, std::max(1.0, batch.global / p.data));
  } else if (is_xla(r)) {
    batch.micro = batch.global / p.data;
    assume(r, "micro_batch", batch.micro, "the whole batch of a replica at once");
  } else if (r.software.starts_with("fsdp") && p.pipeline > 1) {
    batch.micro = std::max(1.0, std::floor(batch.global / (p.data * p.pipeline)));
    assume(r, "micro_batch", batch.micro, "as many micro-batches as stages, the default of PyTorch pipelines");
  } else {
    r.undecided.micro_batch = p.pipeline <= 1;
    assume(r, "micro_batch", p.pipeline > 1 ? "1" : "best",
           p.pipeline > 1 ? "with pipelines" : "the largest that fits");
  }
}

// ---- states, recomputation, formats

void read_sharding(const MeasuredRow& row, RowReading& r) {
  Execution& e = r.execution;
  const std::string_view text = row.text("sharding");
  const double replicas = e.parallel.data * e.parallel.context;
  r.undecided.sharding = row.says("sharding", "assumed") || text.empty();
  if (text.empty()) {
    e.sharding = is_xla(r) || r.software == "optimum" ? Sharding::parameters : Sharding::optimizer;
    assume(r, "optimizer_sharding", static_cast<double>(e.sharding), "default of the stack");
  } else if (row.says("sharding", "zero-0")) {
    e.sharding = Sharding::none;
  } else if (row.says("sharding", "zero-1")) {
    e.sharding = Sharding::optimizer;
  } else if (row.says("sharding", "zero-2") || row.says("sharding", "parameters kept")) {
    e.sharding = Sharding::gradients;
  } else {
    e.sharding = Sharding::parameters;
  }
  if (row.says("sharding", "data parallel over"))
    e.sharding_group = replicas / slices(row);
  else if (row.says("sharding", "hybrid"))
    e.sharding_group = row.number_or("devices_per_node", 8) / e.parallel.tensor;
  else if (row.says("sharding", " in node x "))
    e.sharding_group = replicas / (row.says("sharding", "(x2") ? 2 : 1);
  else if (const auto ranks = number_after(text, " over "); ranks && !row.says("sharding", " slices"))
    e.sharding_group = *ranks;
  // Sharded parameters are not gathered anew for every micro-batch of a pipeline: they stay for the step.
  if (e.sharding == Sharding::parameters && e.parallel.pipeline > 1) e.sharding = Sharding::optimizer;
}

/// NeMo and Megatron-Bridge reduce gradients in 16 bits; Llama 3 kept them in 32.
bool keeps_narrow_gradients(const MeasuredRow& row, const RowReading& r) {
  return r.software.starts_with("megatron") && is_new_megatron(r) && row.text("source") != "llama3-paper";
}

void read_states(const MeasuredRow& row, RowReading& r) {
  Execution& e = r.execution;
  if (row.says("precision", "pure"))
    e.bytes = {2, 2, 4};
  else if (e.sharding == Sharding::parameters)
    e.bytes = {4, 4, 8};
  else if (row.says("precision", "fp32 gradient"))
    e.bytes = {2, 6, 12};
  else if (r.software == "megatron-2022" || r.software == "internevo" || keeps_narrow_gradients(row, r))
    e.bytes = {2, 2, 12};
  else
    e.bytes = {2, 4, 12};
  if (row.says("precision", "fp4"))
    e.format = MatrixFormat::bits4;
  else if (row.says("precision", "fp8") || row.says("precision", "int8"))
    e.format = MatrixFormat::bits8;
  e.task = row.text("task") == "lora" ? Task::low_rank : Task::full;
  if (!row.cells.contains("eight_bit_parameters") || !is_new_megatron(r) || e.format == MatrixFormat::bits16) return;
  if (e.task == Task::low_rank)
    r.weights = KeptWeights::frozen;
  else if (row.text("eight_bit_parameters") == "1")
    r.weights = KeptWeights::narrow;
}

void read_recompute(const MeasuredRow& row, RowReading& r) {
  Execution& e = r.execution;
  const std::string_view text = row.text("recompute");
  e.recomputed_layers = row.says("recompute", "alternate layers") ? 0.5 : 1.0;
  if (text.empty()) {
    if (r.architecture.experts.count > 0)
      e.recompute = r.software == "megatron-26.06" ? Recompute::elementwise : Recompute::selective;
    r.undecided.recompute = true;
    r.undecided.recomputed_layers = is_new_megatron(r);
    assume(r, "recompute", "best", "the least that fits; at least what is usual with experts");
  } else if (row.says("recompute", "none")) {
    e.recompute = Recompute::none;
  } else if (row.says("recompute", "(attention)")) {
    e.recompute = Recompute::attention;
  } else if (row.says("recompute", "save_dot_except")) {
    e.recompute = Recompute::selective;
  } else if (row.says("recompute", "latent up-projection")) {
    e.recompute = Recompute::latent;
  } else if (text == "minimal" || row.says("recompute", "(minimal)") || row.says("recompute", "normalisation")) {
    e.recompute = Recompute::elementwise;
  } else if (text == "full" || row.says("recompute", "custom") || row.says("recompute", "alternate layers") ||
             row.says("recompute", "host memory")) {
    e.recompute = Recompute::full;
    e.offloaded_activations = row.says("recompute", "offload") || row.says("recompute", "host memory") ? 1 : 0;
  } else if (const auto hardware = number_after(row.text("notes"), "hfu "); hardware && row.number_or("mfu", 0) > 0) {
    // Hardware over model utilization is 1 + x/3 where a share x of the forward pass is repeated.
    e.recompute = Recompute::full;
    e.recomputed_layers = std::clamp(3 * (*hardware / row.number_or("mfu", 1) - 1), 0.0, 1.0);
  } else {
    e.recompute = Recompute::selective;
  }
}

void read_kernels(const MeasuredRow& row, RowReading& r) {
  Execution& e = r.execution;
  const bool flash = r.software != "megatron-2022" && r.software != "deepspeed" && r.software != "xla-2023";
  e.attention = flash ? AttentionKernel::flash : AttentionKernel::materialized;
  const bool overlaps = is_new_megatron(r) || is_xla(r) || r.software == "optimum" ||
                        row.says("notes", "asynchronous tensor parallel") ||
                        (r.software == "megatron-2022" && row.text("sequence_parallel") == "1");
  const bool hides = row.number_or("tensor_overlap", overlaps ? 1 : 0) != 0;
  e.tensor_overlap = hides ? TensorOverlap::overlapped : TensorOverlap::none;
  if (row.text("context_exchange") == "a2a") e.context_exchange = ContextExchange::all_to_all;
  if (row.says("notes", "dual-pipe")) e.schedule = Schedule::dual_pipe;
  if (std::fmod(r.architecture.layers, e.parallel.pipeline) != 0) e.stage_split = StageSplit::balanced;
}

/// Adapters have short steps once several devices share a sequence, and so has pre-training without a pipeline: stacks
/// of 2025 record these steps on Blackwell, and from the autumn of 2024 those of adapters on Hopper where 8 devices do.
void read_step_graph(const MeasuredRow& row, RowReading& r) {
  Execution& e = r.execution;
  if (!row.cells.contains("cuda_graph")) return;
  if (const auto stated = row.number("cuda_graph")) {
    e.step_graph = *stated != 0;
    return;
  }
  const bool shares = std::max(e.parallel.context, r.undecided.group) > 1;
  const bool is_short = std::max(e.parallel.tensor * e.parallel.context, r.undecided.group) >= 8;
  const bool is_blackwell = r.accelerator.starts_with("B") || r.accelerator.starts_with("GB");
  const bool is_hopper = r.accelerator.starts_with("H") && r.software != "megatron-24.04";
  e.step_graph = e.parallel.pipeline <= 1 && ((is_blackwell && (e.task == Task::full || shares)) ||
                                              (is_hopper && e.task == Task::low_rank && is_short));
  assume(r, "step_graph", e.step_graph ? 1 : 0, "short steps are recorded");
}

void read_narrow_activations(const MeasuredRow& row, RowReading& r) {
  Execution& e = r.execution;
  e.attention_8bit = row.text("eight_bit_attention") == "1";
  e.activations_8bit = row.text("eight_bit_activations_kept") == "1";
  const bool is_asked = row.cells.contains("eight_bit_activations_kept");
  r.undecided.activations_8bit = is_asked && !e.activations_8bit && e.task == Task::low_rank;
  if (r.undecided.group > 1 && e.task == Task::low_rank) e.context_exchange = ContextExchange::all_to_all;
}

void read_links(const MeasuredRow& row, RowReading& r) {
  const std::string_view inside = row.text("intra_node_link");
  const double node = row.number_or("fast_domain_devices", row.number_or("devices_per_node", 8));
  const Parallelism& p = r.execution.parallel;
  const bool in_slices = row.says("sharding", " copies") && r.execution.sharding_group > 0;
  const double torus = in_slices ? p.tensor * r.execution.sharding_group : r.devices / slices(row);
  r.links.node_devices = row.says("intra_node_link", "inter-chip") ? torus : joined_devices(inside, node);
  r.links.node_links = node_links(inside);
  r.links.inside = inside_bandwidth(inside).value_or(Bandwidth{});
  r.links.across =
      across_bandwidth(row.text("inter_node_link"), row.number_or("devices_per_node", 8)).value_or(Bandwidth{});
}

}  // namespace

RowReading read_row(const MeasuredRow& row, const Architecture* known) {
  RowReading r;
  r.software = software_of_row(row);
  r.accelerator = row.text("accelerator");
  r.architecture = architecture(row, known);
  r.problem = model_problem(row, r.architecture, known);
  if (!r.problem.empty()) return r;
  read_degrees(row, r);
  read_batch(row, r);
  read_sharding(row, r);
  read_states(row, r);
  read_recompute(row, r);
  read_kernels(row, r);
  read_step_graph(row, r);
  read_narrow_activations(row, r);
  read_links(row, r);
  return r;
}

}  // namespace dfsweep::training
