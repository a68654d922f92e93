/// ProfileConvention: whose reading of measured tables is used, as data that the formulas are given.
#pragma once

#include <span>
#include <string_view>

#include "models/measured_tables/predictors/prediction.hpp"
#include "models/measured_tables/profiles.hpp"
#include "models/profiled/times/attention_rules.hpp"
#include "models/profiled/times/pipeline.hpp"

namespace dfsweep::inference {

/// What has to fit in the memory of a device.
enum class MemoryCheck : std::uint8_t {
  batch,        ///< weights and the cache of the batch after the step
  one_request,  ///< weights and one request of max_request_tokens
};
/// Whose keys and values a device holds.
enum class CachedLayers : std::uint8_t { of_stage, of_model };
/// What embedding, output layer and sampling cost.
enum class HeadCost : std::uint8_t {
  none,
  analytical,  ///< what tables say, and where they are silent what HeadModel derives from them
};
/// Which pipelines are possible.
enum class PipelineShape : std::uint8_t {
  any,
  even,  ///< P divides the layers; t P devices fit in one node or fill whole nodes
};

struct ProfileConvention {
  std::string_view name;
  std::string_view meaning;

  PredictionMethod method = PredictionMethod::fitted;
  EmptyCell empty_cell = EmptyCell::unmeasured;
  AttentionRule decode = decode_by_context;
  AttentionRule prefill = prefill_by_prompt;
  double token_granularity = 1.0;    ///< tokens of a batch are rounded up to a multiple
  double context_granularity = 1.0;  ///< and tokens in the cache
  double batching_overhead = 0.0;    ///< of attention with grouped queries for more than one request, as a share
  double additions_per_block = 2.0;  ///< residual additions

  HeadCost head = HeadCost::analytical;

  NodeCrossing crosses = crosses_if_partner_is_elsewhere;
  PipelineShape pipeline_shape = PipelineShape::any;

  MemoryCheck memory_check = MemoryCheck::batch;
  CachedLayers cached_layers = CachedLayers::of_stage;
  double embedding_copies = 1.0;  ///< embedding tables that count, for each stage that has one
};

/// measured, vidur. Why each choice of `measured` is made: docs/models/profiled.md.
[[nodiscard]] std::span<const ProfileConvention> profile_conventions();
/// Pre: `name` is one of theirs.
[[nodiscard]] const ProfileConvention& profile_convention_named(std::string_view name);

}  // namespace dfsweep::inference
