#include "models/serving/measured/reading.hpp"

#include <cmath>

#include "models/serving/batching/capacity.hpp"
#include "models/short_number.hpp"

namespace dfsweep::serving {

namespace {

constexpr double assumed_requests = 1500;  ///< of a table that gives 1000 to 3000 for like lengths
constexpr double server_load = 0.93;       ///< median of server over offline rates of submissions
constexpr double usual_chunk = 8192;       ///< prompt tokens of a step
constexpr double least_batch = 64;         ///< requests below which reading the weights takes most of a step

/// Mean lengths of the data sets of MLPerf, which results do not print. Prompts of gptj-6b: the mean of the same
/// articles with another tokenizer, which MLCommons gives for Llama 3.1 8B.
struct DataSet {
  std::string_view model;
  double prompt;
  double output;
  double beams;
  std::string_view token_limit;  ///< time of an output token that servers may take
};
constexpr DataSet data_sets[] = {
    {"llama2-70b", 294, 293, 1, "0.2 s"},
    {"mixtral-8x7b", 294, 145.9, 1, "0.2 s"},
    {"gptj-6b", 778, 69, 4, ""},
};

void assume(MeasuredServing& r, std::string parameter, std::string value, std::string reason) {
  r.assumptions.push_back({std::move(parameter), std::move(value), std::move(reason)});
}

/// A format as the parameters name it: "int4/fp16" keeps weights in the first and multiplies in the second.
void read_formats(const MeasuredRow& row, MeasuredServing& r) {
  const std::string weights{row.text("weight_precision")};
  const std::size_t slash = weights.find('/');
  r.weight_precision = weights.substr(0, slash);
  r.precision = slash == std::string::npos ? weights : weights.substr(slash + 1);
  if (weights.empty()) {
    r.weight_precision = r.precision = "bf16";
    assume(r, "precision", "bf16", "weight_precision is not published");
  }
  r.cache_precision = row.text("cache_precision");
  if (!r.cache_precision.empty()) return;
  const bool is_16bit = r.precision == "fp16" || r.precision == "bf16";
  r.cache_precision = is_16bit ? r.precision : "fp8";
  assume(r, "cache_precision", r.cache_precision, "as the products, at least 8 bits");
}

void read_degrees(const MeasuredRow& row, MeasuredServing& r, bool has_experts) {
  r.device_count = row.number_or("devices", 1);
  r.pipeline_parallel = row.number_or("pipeline_parallel", 1);
  r.tensor_parallel = row.number_or("tensor_parallel", 0);
  if (r.tensor_parallel <= 0 && row.says("batch_kind", "offline") == false && !row.says("batch_kind", "server")) {
    r.tensor_parallel = r.device_count / r.pipeline_parallel;
    assume(r, "tensor_parallel", short_number(r.tensor_parallel), "all devices: the degree is not published");
  }
  const bool is_default = has_experts && row.text("source") == "trtllm-inflight" && row.text("version") == "1.0";
  if (is_default || row.says("notes", "attention data-parallel")) r.attention_parallel = "data";
  // An expert's exchange needs several devices.
  if (r.tensor_parallel == 1) r.attention_parallel = "tensor";
}

void read_lengths(const MeasuredRow& row, MeasuredServing& r) {
  r.prompt_tokens = row.number_or("input_tokens", 0);
  r.output_tokens = row.number_or("output_tokens", 0);
  const bool is_mlperf = row.text("source").starts_with("mlperf");
  for (const DataSet& data : data_sets) {
    if (!is_mlperf || data.model != row.text("model")) continue;
    r.beams = data.beams;
    if (r.prompt_tokens <= 0) {
      r.prompt_tokens = data.prompt;
      assume(r, "prompt_tokens", short_number(data.prompt), "mean of the data set, not published with the result");
    }
    if (r.output_tokens <= 0) {
      r.output_tokens = data.output;
      assume(r, "output_tokens", short_number(data.output), "mean of other results of the same data set");
    }
    if (data.beams > 1) assume(r, "beams", short_number(data.beams), "rule of the benchmark");
    if (row.says("batch_kind", "server")) r.time_per_output_token_limit = data.token_limit;
  }
  r.output_tokens = std::round(r.output_tokens);
  if (r.prompt_tokens > 0 && r.output_tokens > 0) return;
  if (row.says("notes", "MT-bench")) {
    r.prompt_tokens = 100;
    r.output_tokens = 300;
    assume(r, "prompt_tokens", "100", "short questions of two turns");
    assume(r, "output_tokens", "300", "answers of the benchmark, roughly");
    return;
  }
  r.problem = "input_tokens or output_tokens is not published";
}

void read_requests(const MeasuredRow& row, MeasuredServing& r) {
  const std::string_view kind = row.text("batch_kind");
  const std::string number{row.text("batch_or_concurrency")};
  if (kind == "static batch") {
    r.batching = "static";
    r.batch = number.empty() ? "1" : number;
    if (number.empty()) assume(r, "batch", "1", "batch_or_concurrency is not published");
  } else if (kind == "concurrency") {
    r.concurrency = number;
  } else if (row.says("batch_kind", "sequence limit")) {
    r.batch_limit = number;
  } else if (row.says("batch_kind", "server")) {
    r.load = server_load;
    assume(r, "load", short_number(server_load), "median of server over offline rates");
  }
  const auto stated = number_after(row.text("notes"), "requests: ");
  if (kind != "all requests queued") return;
  if (row.says("notes", "requests: not stated")) {
    r.requests = short_number(assumed_requests);
    assume(r, "requests", r.requests, "not published; as for like lengths");
  } else if (stated) {
    r.requests = short_number(*stated);
  }
}

}  // namespace

MeasuredServing read_serving_row(const MeasuredRow& row, bool has_experts) {
  MeasuredServing r;
  read_formats(row, r);
  read_degrees(row, r, has_experts);
  read_lengths(row, r);
  read_requests(row, r);
  if (!row.text("speculation").empty())
    r.problem = "the length that speculation accepts and the model that drafts are not published";
  return r;
}

double smallest_tensor(const MeasuredServing& row, const Architecture& architecture, const System& system) {
  Replica replica;
  replica.model = served(architecture);
  replica.accelerator = system.accelerator;
  replica.network = system.network;
  const auto bytes = [](const std::string& format) {
    return format == "fp4" || format == "int4" ? 0.5625 : format == "fp8" || format == "int8" ? 1.0 : 2.0;
  };
  replica.bytes.weight = bytes(row.weight_precision);
  replica.bytes.cache = bytes(row.cache_precision);
  const RequestTokens tokens{.prompt = row.prompt_tokens, .output = row.output_tokens, .beams = row.beams};
  for (double t = 1; t < row.device_count; t *= 2) {
    replica.tensor = t;
    const bool divides = std::fmod(row.device_count, t) == 0.0;
    if (divides && most_requests(capacity_of(replica, usual_chunk), tokens) >= least_batch) return t;
  }
  return row.device_count;
}

}  // namespace dfsweep::serving
