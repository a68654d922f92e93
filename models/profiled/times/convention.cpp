/// The two conventions. Why each choice of `measured` is made: docs/models/profiled.md, "Conventions".
#include "models/profiled/times/convention.hpp"

#include <array>

#include "models/expect.hpp"

namespace dfsweep::profiled {

namespace {

constexpr ProfileConvention measured() {
  ProfileConvention c;
  c.name = "measured";
  c.meaning = "exact at measured keys, requests with their own contexts, memory per device";
  return c;
}

/// [vidur] Sections 1 to 6
constexpr ProfileConvention vidur() {
  ProfileConvention c;
  c.name = "vidur";
  c.meaning = "random forests, mean contexts, all prompts as one, rounding to 8 and 64 tokens";
  c.method = PredictionMethod::forest;
  c.empty_cell = EmptyCell::zero;
  c.decode = decode_at_mean_context;
  c.prefill = prefill_as_one_prompt;
  c.token_granularity = 8.0;
  c.context_granularity = 64.0;
  c.batching_overhead = 0.1;
  c.additions_per_block = 1.0;
  c.head = HeadCost::none;
  c.crosses = crosses_if_several_nodes;
  c.pipeline_shape = PipelineShape::even;
  c.memory_check = MemoryCheck::one_request;
  c.cached_layers = CachedLayers::of_model;
  c.embedding_copies = 0.0;
  return c;
}

constexpr std::array all_conventions{measured(), vidur()};

}  // namespace

std::span<const ProfileConvention> profile_conventions() {
  return all_conventions;
}

const ProfileConvention& profile_convention_named(std::string_view name) {
  for (const ProfileConvention& convention : all_conventions)
    if (convention.name == name) return convention;
  broken_promise("a convention with this name exists", __FILE__, __LINE__);
}

}  // namespace dfsweep::profiled
