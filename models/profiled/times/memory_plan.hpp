/// MemoryPlan: weights and cache of the fullest device of a replica, and the number of requests that fit.
#pragma once

#include "models/profiled/times/convention.hpp"
#include "models/profiled/times/pipeline.hpp"
#include "models/transformer/served_model.hpp"
#include "models/units.hpp"

namespace dfsweep::profiled {

struct MemoryPlan {
  Bytes weights;
  Bytes cache_per_token;
};

/// Uses 2 bytes per weight and per cached number, as in the measured tables.
[[nodiscard]] MemoryPlan memory_plan(const ServedModel& model, double tensor_parallel, const Stages& stages,
                                     const ProfileConvention& convention);

/// Memory of weights and a cache of `cached_tokens` tokens.
[[nodiscard]] inline Bytes memory_of(const MemoryPlan& plan, double cached_tokens) {
  return plan.weights + plan.cache_per_token * cached_tokens;
}

/// Number of requests of `request_tokens` tokens that fit in `usable`: floor((usable - weights) / cache of one), at
/// least
/// 0. Source: [vidur] Section 6.
[[nodiscard]] double requests_that_fit(const MemoryPlan& plan, Bytes usable, double request_tokens);

}  // namespace dfsweep::profiled
