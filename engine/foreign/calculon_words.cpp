#include "engine/foreign/calculon_words.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace dfsweep::foreign {

namespace {

constexpr std::array<ExecutionInput, 23> inputs{{
    {"num_procs", "device_count", InputKind::whole},
    {"tensor_par", "tensor_parallel", InputKind::whole},
    {"pipeline_par", "pipeline_parallel", InputKind::whole},
    {"data_par", "data_parallel", InputKind::whole},
    {"tensor_par_net", "tensor_network", InputKind::whole},
    {"pipeline_par_net", "pipeline_network", InputKind::whole},
    {"data_par_net", "data_network", InputKind::whole},
    {"batch_size", "global_batch", InputKind::whole},
    {"microbatch_size", "micro_batch", InputKind::whole},
    {"datatype", "precision", InputKind::datatype},
    {"fused_activation", "fused_activation", InputKind::flag},
    {"attention_type", "attention", InputKind::attention},
    {"activation_recompute", "recompute", InputKind::recompute},
    {"pipeline_interleaving", "interleaving", InputKind::whole},
    {"optimizer_sharding", "optimizer_sharding", InputKind::flag},
    {"tensor_par_comm_type", "tensor_comm", InputKind::tensor_comm},
    {"tensor_par_overlap", "tensor_overlap", InputKind::overlap},
    {"seq_par_ag_redo", "sequence_parallel_redo", InputKind::flag},
    {"data_par_overlap", "data_overlap", InputKind::flag},
    {"weight_offload", "weight_offload", InputKind::flag},
    {"activations_offload", "activation_offload", InputKind::flag},
    {"optimizer_offload", "optimizer_offload", InputKind::flag},
    {"training", "phase", InputKind::phase},
}};

struct Word {
  std::string_view theirs;
  std::string_view ours;
};
constexpr Word datatypes[] = {{"float8", "fp8"}, {"float16", "fp16"}, {"bfloat16", "bf16"}, {"float32", "fp32"}};
constexpr Word attentions[] = {{"multihead", "multihead"}, {"multiquery", "multiquery"}, {"grouped", "grouped"}};
constexpr Word recomputes[] = {
    {"full", "full"}, {"attn_only", "attention"}, {"none", "none"}, {"selective", "selective"}};
constexpr Word tensor_comms[] = {
    {"ar", "all_reduce"}, {"p2p_rs_ag", "p2p_reduce_scatter_all_gather"}, {"rs_ag", "reduce_scatter_all_gather"}};
constexpr Word overlaps[] = {{"none", "none"}, {"ring", "ring"}, {"pipe", "pipe"}};

std::optional<std::string_view> translated(std::span<const Word> words, std::string_view theirs) {
  for (const Word& word : words)
    if (word.theirs == theirs) return word.ours;
  return std::nullopt;
}

std::string translated_or_other(std::span<const Word> words, std::string_view theirs) {
  return std::string(translated(words, theirs).value_or("other"));
}

bool is_whole(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

std::optional<bool> boolean_of(std::string_view text) {
  if (text == "1" || text == "true" || text == "True") return true;
  if (text == "0" || text == "false" || text == "False") return false;
  return std::nullopt;
}

}  // namespace

std::span<const ExecutionInput> execution_inputs() {
  return inputs;
}

std::optional<std::string> our_value(InputKind kind, std::string_view theirs) {
  switch (kind) {
    case InputKind::whole:
      return is_whole(theirs) ? std::optional(std::string(theirs)) : std::nullopt;
    case InputKind::flag:
    case InputKind::phase: {
      const std::optional<bool> boolean = boolean_of(theirs);
      if (!boolean) return std::nullopt;
      if (kind == InputKind::phase) return *boolean ? "train" : "forward";
      return *boolean ? "1" : "0";
    }
    case InputKind::datatype:
      return translated_or_other(datatypes, theirs);
    case InputKind::attention:
      return translated_or_other(attentions, theirs);
    case InputKind::recompute:
      return translated_or_other(recomputes, theirs);
    case InputKind::tensor_comm:
      return translated_or_other(tensor_comms, theirs);
    case InputKind::overlap:
      break;
  }
  return translated_or_other(overlaps, theirs);
}

std::optional<std::string_view> precision_of(std::string_view datatype) {
  return translated(datatypes, datatype);
}

std::string entry_name(std::string_view theirs) {
  std::string name(theirs);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return name;
}

}  // namespace dfsweep::foreign
