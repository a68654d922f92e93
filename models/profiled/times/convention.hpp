/// ProfileConvention: a variant of reading measured tables, as data passed to the formulas.
#pragma once

#include <span>
#include <string_view>

#include "models/measured_tables/predictors/prediction.hpp"
#include "models/measured_tables/profiles.hpp"
#include "models/profiled/times/attention_rules.hpp"
#include "models/profiled/times/pipeline.hpp"

namespace dfsweep::profiled {

/// Data that must fit in the memory of a device.
enum class MemoryCheck : std::uint8_t {
  batch,        ///< weights and the cache of the batch after the step
  one_request,  ///< weights and one request of max_request_tokens
};
/// The layers whose keys and values a device stores.
enum class CachedLayers : std::uint8_t { of_stage, of_model };
/// Cost of embedding, output layer and sampling.
enum class HeadCost : std::uint8_t {
  none,
  analytical,  ///< from tables, or derived from them by HeadModel
};
/// Which pipelines are possible.
enum class PipelineShape : std::uint8_t {
  any,
  even,  ///< P divides the layers, and t P devices fit in one node or fill whole nodes
};

struct ProfileConvention {
  std::string_view name;
  std::string_view meaning;

  PredictionMethod method = PredictionMethod::fitted;
  EmptyCell empty_cell = EmptyCell::unmeasured;
  AttentionRule decode = decode_by_context;
  AttentionRule prefill = prefill_by_prompt;
  double token_granularity = 1.0;    ///< tokens of a batch are rounded up to a multiple of it
  double context_granularity = 1.0;  ///< cached tokens are rounded up to a multiple of it
  double batching_overhead = 0.0;    ///< relative overhead of attention with grouped queries and more than one request
  double additions_per_block = 2.0;  ///< residual additions per block

  HeadCost head = HeadCost::analytical;

  NodeCrossing crosses = crosses_if_partner_is_elsewhere;
  PipelineShape pipeline_shape = PipelineShape::any;

  MemoryCheck memory_check = MemoryCheck::batch;
  CachedLayers cached_layers = CachedLayers::of_stage;
  double embedding_copies = 1.0;  ///< embedding tables counted per stage with an embedding
};

/// The conventions measured and vidur. docs/models/profiled.md gives the reasons for `measured`.
[[nodiscard]] std::span<const ProfileConvention> profile_conventions();
/// Pre: `name` is the name of a convention.
[[nodiscard]] const ProfileConvention& profile_convention_named(std::string_view name);

}  // namespace dfsweep::profiled
