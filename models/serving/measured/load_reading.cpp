#include "models/serving/measured/load_reading.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "models/short_number.hpp"

namespace dfsweep::serving {

namespace {

constexpr double usual_requests_per_user = 10.0;  ///< of the clients that are known
constexpr std::string_view usual_distribution = "uniform ";
constexpr double usual_share = 0.9;    ///< of the memory, for weights and cache, without an option: vLLM, SGLang
constexpr double raised_share = 0.95;  ///< where that has no room for the weights
constexpr double embedding_bytes = 2.0;

void assume_load(MeasuredLoad& r, std::string parameter, std::string value, std::string reason) {
  r.assumptions.push_back({std::move(parameter), std::move(value), std::move(reason)});
}

/// A remark on the row that changes no parameter.
void remark(MeasuredLoad& r, std::string reason) {
  assume_load(r, "", "", std::move(reason));
}

std::string cell_of(const MeasuredRow& row, std::string_view column) {
  return std::string(row.text(column));
}

std::string noted(const MeasuredRow& row, std::string text) {
  const std::string_view notes = row.text("check_notes");
  return notes.empty() ? text : text.append(": ").append(notes);
}

/// Checkpoints of 4 bits keep attention in 16; only kernels of chips with 4-bit units multiply 4-bit numbers.
void read_load_formats(const MeasuredRow& row, const LoadContext& context, MeasuredLoad& r) {
  const bool has_4bit = context.formats.has(NumberFormat::fp4);
  const bool is_gpt_oss = row.text("model").starts_with("gpt-oss");
  r.weight_precision = row.text("weight_precision");
  if (r.weight_precision.empty()) {
    r.weight_precision = "bf16";
    assume_load(r, "weight_precision", "bf16", "weight_precision is not published");
  }
  if (is_gpt_oss && r.weight_precision != "fp4") {
    r.weight_precision = "fp4";
    assume_load(r, "weight_precision", "fp4", "the experts of this model are published in 4 bits only");
  }
  const bool is_4bit = r.weight_precision == "fp4" || r.weight_precision == "int4";
  r.precision = r.weight_precision;
  if (r.weight_precision == "int4" || (is_4bit && !has_4bit)) r.precision = "bf16";
  if (is_gpt_oss && has_4bit) r.precision = "fp8";
  if (is_4bit && context.has_experts) r.attention_precision = "bf16";
  r.cache_precision = row.text("cache_precision");
  if (!r.cache_precision.empty()) return;
  r.cache_precision = r.weight_precision == "bf16" || r.weight_precision == "fp16" ? r.weight_precision : "fp8";
  assume_load(r, "cache_precision", r.cache_precision, "as the weights, at least 8 bits");
}

PoolCells pool_of(const MeasuredRow& row, std::string_view prefix, const LoadContext& context) {
  const auto cell = [&](std::string_view name) { return cell_of(row, std::string(prefix).append(name)); };
  PoolCells pool{.replicas = prefix.empty() ? "" : cell("workers"),
                 .tensor_parallel = cell("tensor_parallel"),
                 .attention_data_parallel = cell("attention_data_parallel"),
                 .expert_parallel = context.has_experts ? cell("expert_parallel") : ""};
  // Without experts there is nothing that ranks would exchange: they are replicas.
  if (!context.has_experts) pool.attention_data_parallel.clear();
  return pool;
}

void read_load_degrees(const MeasuredRow& row, const LoadContext& context, MeasuredLoad& r) {
  const std::string_view known = row.text("degrees_known");
  if (known == "no") r.problem = noted(row, "the degrees are not known");
  if (known == "approximate") remark(r, noted(row, "the degrees are approximate"));
  r.pipeline_parallel = cell_of(row, "pipeline_parallel");
  if (row.text("disaggregated") == "yes") {
    r.pools = "separate";
    r.prefill = pool_of(row, "prefill_", context);
    r.decode = pool_of(row, "decode_", context);
    const bool is_complete = !r.prefill.replicas.empty() && !r.decode.replicas.empty() &&
                             !r.prefill.tensor_parallel.empty() && !r.decode.tensor_parallel.empty();
    if (!is_complete && r.problem.empty()) r.problem = "the numbers or degrees of the workers of a pool are missing";
    return;
  }
  r.shared = pool_of(row, "", context);
  r.device_count = cell_of(row, "devices");
  if (r.shared.tensor_parallel.empty() && r.problem.empty()) r.problem = "tensor_parallel is missing";
  if (!context.has_experts && row.number_or("attention_data_parallel", 1) > 1)
    remark(r, "attention data parallelism of a model without experts: replicas");
}

/// "uniform 0.8-1.0 of nominal" spreads by (1.0 - 0.8) / (1.0 + 0.8) around the mean.
void read_load_lengths(const MeasuredRow& row, MeasuredLoad& r) {
  r.prompt_tokens = std::round(row.number_or("prompt_tokens", 0));
  r.output_tokens = std::round(row.number_or("output_tokens", 0));
  if (r.prompt_tokens < 1 || r.output_tokens < 1) r.problem = "prompt_tokens or output_tokens is missing";
  const std::string_view text = row.text("length_distribution");
  const auto lowest = number_after(text, usual_distribution);
  const auto highest = number_after(text, "-");
  if (text.starts_with(usual_distribution) && lowest && highest && *lowest < *highest)
    r.spread = (*highest - *lowest) / (*highest + *lowest);
  else
    assume_load(r, "prompt_spread", "0", "the distribution of lengths is not published: constant");
}

void read_users(const MeasuredRow& row, MeasuredLoad& r) {
  r.concurrency = row.text("concurrency");
  const double users = row.number_or("concurrency", 0);
  if (users < 1) r.problem = "concurrency is missing";
  const double requests = row.number_or("requests", 0);
  r.requests_per_user = requests >= users && users >= 1 ? requests / users : usual_requests_per_user;
  if (requests < users)
    assume_load(r, "requests_per_user", short_number(r.requests_per_user), "requests is not published");
}

void read_settings(const MeasuredRow& row, MeasuredLoad& r) {
  r.engine = engine_of_framework(row.text("framework"));
  if (r.engine.empty()) r.problem = "no engine is known for the framework '" + cell_of(row, "framework") + "'";
  if (row.text("framework").starts_with("dynamo-")) remark(r, "Dynamo before the engine is left out");
  r.chunk_tokens = row.text("chunk_tokens");
  r.batch_limit = row.text("running_limit");
  r.receive_interval_steps = row.text("receive_interval_steps");
  r.batch_wait_steps = row.text("batch_wait_steps");
  r.cache_share = row.text("memory_share");
}

double bytes_of(std::string_view format) {
  const auto* const found = std::find(number_format_names.begin(), number_format_names.end(), format);
  return weight_bytes(found != number_format_names.end()
                          ? static_cast<NumberFormat>(std::distance(number_format_names.begin(), found))
                          : NumberFormat::bf16);
}

/// Weights of a device that decodes. Degrees that are not published count as 1.
Bytes decoding_weights(const MeasuredRow& row, const LoadContext& context, const MeasuredLoad& r) {
  const std::string prefix = r.pools == "separate" ? "decode_" : "";
  const auto degree = [&](const char* name) { return std::max(1.0, row.number_or(prefix + name, 1)); };
  const Served& m = context.model;
  const double networks = bytes_of(r.weight_precision);
  const double attention = r.attention_precision.empty() ? networks : bytes_of(r.attention_precision);
  const double of_rank =
      m.attention_weights * attention + m.dense_weights * networks + m.embedding_weights * embedding_bytes;
  const double experts = m.expert_weights * networks / degree("attention_data_parallel");
  return Bytes{(of_rank + experts) / (degree("tensor_parallel") * degree("pipeline_parallel"))};
}

/// The run had room for its weights. Shares of free memory, as of TensorRT-LLM, always have.
void assume_share(const MeasuredRow& row, const LoadContext& context, MeasuredLoad& r) {
  if (!r.cache_share.empty() || r.engine == "trtllm") return;
  if (!(decoding_weights(row, context, r) > usual_share * context.memory)) return;
  r.cache_share = short_number(raised_share);
  assume_load(r, "cache_share", r.cache_share, "memory_share is not published; weights need more than the usual one");
}

void remark_on_trust(const MeasuredRow& row, MeasuredLoad& r) {
  if (row.text("consistent") == "no") remark(r, noted(row, "contradicts itself"));
  if (row.text("consistent") == "doubtful") remark(r, noted(row, "doubtful"));
  if (row.text("speculation") == "suspected") remark(r, "probably with speculation, which the point has not");
  if (row.text("repeat") == "yes") remark(r, "the curve has this concurrency more than once");
}

}  // namespace

MeasuredLoad read_load_row(const MeasuredRow& row, const LoadContext& context) {
  MeasuredLoad r;
  read_load_formats(row, context, r);
  read_load_degrees(row, context, r);
  read_load_lengths(row, r);
  read_users(row, r);
  read_settings(row, r);
  assume_share(row, context, r);
  remark_on_trust(row, r);
  return r;
}

std::string_view engine_of_framework(std::string_view framework) {
  constexpr std::string_view front = "dynamo-";
  if (framework.starts_with(front)) framework.remove_prefix(front.size());
  if (framework == "vllm" || framework == "sglang") return framework;
  if (framework == "tensorrt-llm" || framework == "trtllm" || framework == "trt") return "trtllm";
  return {};
}

}  // namespace dfsweep::serving
