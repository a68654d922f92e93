/// Reading of a measured row of serving under load: users, degrees, engine and its settings as parameters of `serving`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/machine/number_format.hpp"
#include "models/measured_row.hpp"
#include "models/transformer/served.hpp"
#include "models/units.hpp"

namespace dfsweep::serving {

/// Degrees of a pool of servers, as a sweep spells them; "" leaves a parameter open.
struct PoolCells {
  std::string replicas;
  std::string tensor_parallel;
  std::string attention_data_parallel;
  std::string expert_parallel;
};

/// Values of parameters as a sweep spells them; "" leaves a parameter open.
struct MeasuredLoad {
  std::string engine;  ///< entry of "engines", and the entry of "software" with the same name
  std::string device_count;
  PoolCells shared;  ///< where one pool handles prompts and answers
  std::string pipeline_parallel;
  std::string pools = "shared";
  PoolCells prefill;  ///< of separate pools
  PoolCells decode;
  std::string precision;  ///< of products
  std::string weight_precision;
  std::string attention_precision;
  std::string cache_precision;
  double prompt_tokens = 0.0;  ///< mean
  double output_tokens = 0.0;
  double spread = 0.0;  ///< lengths are even on mean (1 - spread) to mean (1 + spread)
  std::string concurrency;
  double requests_per_user = 0.0;
  std::string chunk_tokens;
  std::string batch_limit;
  std::string receive_interval_steps;
  std::string batch_wait_steps;
  std::string cache_share;
  std::string problem;  ///< why the row cannot be expressed; "" where it can
  std::vector<Assumption> assumptions;
};

/// What the row names and the catalogue knows.
struct LoadContext {
  bool has_experts = false;  ///< the model
  NumberFormats formats;     ///< of the accelerator
  Served model = {};         ///< sizes of the model
  Bytes memory = {};         ///< of an accelerator
};

/// The columns are those of docs/measured-serving-load.md.
[[nodiscard]] MeasuredLoad read_load_row(const MeasuredRow& row, const LoadContext& context);

/// The engine of a framework as tables and programs name it ("tensorrt-llm", "dynamo-sglang"): an entry of "engines";
/// "" where it is unknown.
[[nodiscard]] std::string_view engine_of_framework(std::string_view framework);

}  // namespace dfsweep::serving
