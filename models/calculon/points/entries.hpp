/// Models and systems of the catalogue as the Calculon model needs them.
#pragma once

#include <optional>

#include "models/calculon/formulas/execution.hpp"
#include "models/decoded.hpp"
#include "models/entry.hpp"

namespace dfsweep::calculon {

/// A transformer of the catalogue. Only multihead attention and feed-forward networks without a gate are known to the
/// Calculon model; those of others are taken as if they had neither.
struct TrainedModel {
  ModelShape shape;
  std::int64_t global_batch = 0;  ///< sequences of a step; 0: unknown
};
[[nodiscard]] Decoded<TrainedModel> decode_trained_model(const Entry& entry);

struct TrainingSystem {
  System system;
  double price = 0.0;  ///< of a device, USD; NaN: unknown
  double power = 0.0;  ///< of a device, W; NaN: unknown
};
/// An entry of "calculon_systems". Parts "engine" and "memory" (tier 1, then tier 2) and "network" (from the innermost
/// tier) hold what the Calculon model reads.
[[nodiscard]] Decoded<TrainingSystem> decode_training_system(const Entry& entry);

}  // namespace dfsweep::calculon
