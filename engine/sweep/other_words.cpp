#include "engine/sweep/other_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/sweep/estimators.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {
namespace {

struct OtherWord {
  std::string_view theirs;
  std::string_view ours;  ///< a parameter or a metric; an estimator may lack it
};

/// Of Megatron-LM, DeepSpeed, PyTorch, Hugging Face, vLLM, SGLang, TensorRT-LLM and papers. A word with several
/// meanings has a line for each; the first that an estimator has counts.
constexpr OtherWord other_words[] = {
    {"tp", "tensor_parallel"},
    {"tp_size", "tensor_parallel"},
    {"tensor_parallel_size", "tensor_parallel"},
    {"tensor_model_parallel_size", "tensor_parallel"},
    {"pp", "pipeline_parallel"},
    {"pp_size", "pipeline_parallel"},
    {"pipeline_parallel_size", "pipeline_parallel"},
    {"pipeline_model_parallel_size", "pipeline_parallel"},
    {"stages", "pipeline_parallel"},
    {"dp", "data_parallel"},
    {"dp_size", "data_parallel"},
    {"data_parallel_size", "data_parallel"},
    {"replicas", "data_parallel"},
    {"ep", "expert_parallel"},
    {"ep_size", "expert_parallel"},
    {"expert_parallel_size", "expert_parallel"},
    {"expert_model_parallel_size", "expert_parallel"},
    {"cp", "context_parallel"},
    {"context_parallel_size", "context_parallel"},
    {"vpp", "interleaving"},
    {"virtual_pipeline", "interleaving"},
    {"virtual_pipeline_parallel", "interleaving"},
    {"num_virtual_stages", "interleaving"},
    {"mbs", "micro_batch"},
    {"micro_batch_size", "micro_batch"},
    {"per_device_train_batch_size", "micro_batch"},
    {"gbs", "global_batch"},
    {"global_batch_size", "global_batch"},
    {"train_batch_size", "global_batch"},
    {"batch_size", "global_batch"},
    {"batch_size", "batch"},
    {"max_batch_size", "batch_limit"},
    {"max_num_seqs", "batch_limit"},
    {"max_running_requests", "batch_limit"},
    {"seq_len", "sequence_length"},
    {"seq_length", "sequence_length"},
    {"max_seq_len", "sequence_length"},
    {"context_length", "sequence_length"},
    {"isl", "prompt_tokens"},
    {"input_len", "prompt_tokens"},
    {"input_length", "prompt_tokens"},
    {"input_tokens", "prompt_tokens"},
    {"prompt_length", "prompt_tokens"},
    {"osl", "output_tokens"},
    {"output_len", "output_tokens"},
    {"output_length", "output_tokens"},
    {"max_tokens", "output_tokens"},
    {"max_new_tokens", "output_tokens"},
    {"users", "concurrency"},
    {"num_users", "concurrency"},
    {"max_concurrency", "concurrency"},
    {"rps", "arrival_rate"},
    {"qps", "arrival_rate"},
    {"request_rate", "arrival_rate"},
    {"gpus", "device_count"},
    {"num_gpus", "device_count"},
    {"n_gpus", "device_count"},
    {"world_size", "device_count"},
    {"devices", "device_count"},
    {"gpu", "device"},
    {"accelerator", "device"},
    {"chip", "device"},
    {"hardware", "system"},
    {"dtype", "precision"},
    {"datatype", "precision"},
    {"kv_cache_dtype", "cache_precision"},
    {"quantization", "weight_precision"},
    {"zero", "optimizer_sharding"},
    {"zero_stage", "optimizer_sharding"},
    {"fsdp", "optimizer_sharding"},
    {"remat", "recompute"},
    {"activation_checkpointing", "recompute"},
    {"recompute_granularity", "recompute"},
    {"lr", "learning_rate"},
    {"tokens", "train_tokens"},
    {"total_tokens", "train_tokens"},
    {"chunk_size", "chunk_tokens"},
    {"chunked_prefill_size", "chunk_tokens"},
    {"max_num_batched_tokens", "chunk_tokens"},
    {"num_speculative_tokens", "draft_window"},
    {"gpu_memory_utilization", "cache_share"},
    {"mem_fraction_static", "cache_share"},
    {"hbm_bandwidth", "dram_bandwidth"},
    {"memory_bandwidth", "dram_bandwidth"},
    {"hbm_capacity", "dram_capacity"},
    {"memory_capacity", "dram_capacity"},
    {"flops", "peak_flops"},
    {"ttft", "time_to_first_token"},
    {"tpot", "time_per_output_token"},
    {"itl", "time_per_output_token"},
    {"e2e_latency", "request_latency"},
    {"latency", "request_latency"},
    {"throughput", "token_rate"},
    {"tokens_per_second", "token_rate"},
    {"mfu", "model_flops_utilization"},
    {"hfu", "hardware_flops_utilization"},
    {"memory", "memory_used"},
    {"days", "train_days"},
    {"cost", "train_cost"},
    {"cost", "cost_per_million_tokens"},
    {"cost", "system_cost"},
};

template <class Info>
std::vector<std::string> names_of(std::span<const Info> infos) {
  std::vector<std::string> names;
  for (const Info& info : infos) names.emplace_back(info.name);
  return names;
}

/// The metric that `name` is, or limits: "max_ttft", "time_to_first_token_limit"; empty if it is no metric.
std::string limited_metric(std::string_view name, const std::vector<std::string>& metrics) {
  constexpr std::string_view suffix = "_limit";
  if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  for (const std::string_view prefix : {"max_", "min_"})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  const bool is_metric = std::find(metrics.begin(), metrics.end(), name) != metrics.end();
  return is_metric ? std::string(name) : own_word(name, metrics);
}

}  // namespace

std::string own_word(std::string_view word, std::span<const std::string> known) {
  for (const auto& [theirs, ours] : other_words)
    if (edit_distance(word, theirs) == 0 && std::find(known.begin(), known.end(), ours) != known.end())
      return std::string(ours);
  return {};
}

std::string word_hint(std::string_view word, std::span<const std::string> known, std::string_view otherwise) {
  const std::string own = own_word(word, known);
  return own.empty() ? did_you_mean(word, known, otherwise) : fmt::format("It is called '{}' here", own);
}

std::string unknown_parameter_hint(std::string_view name, const Estimator& estimator,
                                   std::span<const Estimator* const> known) {
  const std::vector<std::string> parameters = names_of(estimator.parameters());
  if (const std::string own = own_word(name, parameters); !own.empty())
    return fmt::format("It is called '{}' here", own);
  if (const std::string metric = limited_metric(name, names_of(estimator.metrics())); !metric.empty())
    return fmt::format("'{0}' is a metric. 'dfsweep show RESULT --where \"{0} < ...\"' keeps rows by it", metric);
  const std::string nearest_name =
      did_you_mean(name, parameters, fmt::format("'dfsweep describe {}' lists its parameters", estimator.name()));
  return parameter_hint(name, known, nearest_name);
}

}  // namespace dfsweep
