/// Weight exchange: what exchanging gradients and sharded weights adds to a step beside the computing that hides it.
/// Source: docs/models/training.md.
#pragma once

#include "models/training/communication/data_exchange.hpp"
#include "models/training/step/point.hpp"

namespace dfsweep::training {

/// Exchanges of the weights and gradients of a device, if nothing hid them.
struct WeightExchange {
  DataExchange dense;
  DataExchange experts;
};

/// Of dense weights and of experts. Zero where no gradients are exchanged and no weights gathered.
[[nodiscard]] WeightExchange weight_exchange(const TrainingPoint& point);

/// A forward pass gathers weights that are sharded once for each micro-batch, and exchanges no gradients.
/// `computing`: time of all micro-batches. Exchanges of every micro-batch: a share `gather_hidden` runs beside
/// computing (smooth maximum), the rest is added. Sharded gradients are scattered by every micro-batch, others are
/// exchanged once a step: each hidden by at most `gradient_hidden` of what is left of one micro-batch, at least
/// `gradient_exposed` of it stays. Computing and the result together never fall as computing or a link gets slower,
/// because no part of computing hides two exchanges.
[[nodiscard]] Seconds visible_weight_exchange(const TrainingPoint& point, const WeightExchange& exchange,
                                              Seconds computing);

/// With the exchange of the point.
[[nodiscard]] Seconds visible_weight_exchange(const TrainingPoint& point, Seconds computing);

}  // namespace dfsweep::training
