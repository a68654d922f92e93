/// MemoryPlan: what the fullest device of a replica holds, and how many requests fit beside the weights.
#pragma once

#include "models/inference/times/convention.hpp"
#include "models/inference/workload/pipeline.hpp"
#include "models/inference/workload/served_model.hpp"

namespace dfsweep::inference {

struct MemoryPlan {
  double weight_bytes = 0.0;
  double cache_bytes_per_token = 0.0;
};

/// 2 bytes for every weight and every number of the cache, as in the measured tables.
[[nodiscard]] MemoryPlan memory_plan(const ServedModel& model, double tensor_parallel, const Stages& stages,
                                     const ProfileConvention& convention);

/// Bytes of weights and the cache of `cached_tokens` tokens.
[[nodiscard]] inline double memory_of(const MemoryPlan& plan, double cached_tokens) {
  return plan.weight_bytes + plan.cache_bytes_per_token * cached_tokens;
}

/// Requests of `request_tokens` tokens that fit in `usable` bytes: floor((usable - weights) / cache of one), at least
/// 0. Source: [vidur] Section 6.
[[nodiscard]] double requests_that_fit(const MemoryPlan& plan, double usable, double request_tokens);

}  // namespace dfsweep::inference
