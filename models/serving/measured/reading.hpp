/// Reading of a measured row of serving: what it describes, what had to be assumed, or why it cannot be expressed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/machine/system.hpp"
#include "models/measured_row.hpp"
#include "models/transformer/architecture.hpp"

namespace dfsweep::serving {

/// Values of parameters as a sweep spells them; "" leaves a parameter open.
struct MeasuredServing {
  double device_count = 1.0;
  double tensor_parallel = 0.0;  ///< 0: to be decided, the smallest that fits
  double pipeline_parallel = 1.0;
  std::string attention_parallel = "tensor";
  std::string precision;  ///< of products
  std::string weight_precision;
  std::string cache_precision;
  double prompt_tokens = 0.0;
  double output_tokens = 0.0;
  std::string batching = "in_flight";
  std::string batch;
  std::string concurrency;
  std::string batch_limit;
  std::string requests;
  std::string time_per_output_token_limit;
  double load = 1.0;
  double beams = 1.0;
  std::string problem;  ///< why the row cannot be expressed; "" where it can
  std::vector<Assumption> assumptions;
};

/// `has_experts`: whether the row's model has; decides how attention is spread where the row does not say.
[[nodiscard]] MeasuredServing read_serving_row(const MeasuredRow& row, bool has_experts);

/// The smallest power of two of devices, dividing `devices`, whose memory holds the weights and a batch of 128
/// requests; `devices` where none does.
[[nodiscard]] double smallest_tensor(const MeasuredServing& row, const Architecture& architecture,
                                     const System& system);

}  // namespace dfsweep::serving
