/// Computation of weights and caches of devices.
#include "models/profiled/times/memory_plan.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::profiled {

MemoryPlan memory_plan(const ServedModel& model, double tensor_parallel, const Stages& stages,
                       const ProfileConvention& convention) {
  const double numbers =
      stages.fullest_layers * layer_weights(model, tensor_parallel) +
      convention.embedding_copies * stages.fullest_embeddings * embedding_weights(model, tensor_parallel);
  const double cached_layers =
      convention.cached_layers == CachedLayers::of_model ? model.layers : stages.fullest_layers;
  return {half_word * numbers, cache_per_token(model, tensor_parallel, cached_layers, half_word)};
}

double requests_that_fit(const MemoryPlan& plan, Bytes usable, double request_tokens) {
  const Bytes cache_of_one = plan.cache_per_token * request_tokens;
  return std::max(std::floor((usable - plan.weights) / cache_of_one), 0.0);
}

}  // namespace dfsweep::profiled
