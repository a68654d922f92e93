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

/// Shares of the computing of a step that can hide gradients.
struct GradientWindow {
  double micro_batches = 1.0;
  double of_one = 0.0;  ///< that of one micro-batch
  double last = 0.0;    ///< after the last weights have their first gradients
};

/// A share of one micro-batch; with v chunks on each of p stages, the chunks of the last min(m, p) micro-batches after
/// the first one that is done.
[[nodiscard]] GradientWindow gradient_window(const TrainingPoint& point);

/// A forward pass gathers weights that are sharded once for each micro-batch, and exchanges no gradients.
/// `computing`: time of all micro-batches. Exchanges of every micro-batch: a share `gather_hidden` runs beside
/// computing (smooth maximum), the rest is added. Sharded gradients are scattered by every micro-batch, others are
/// exchanged once a step: each hidden by at most `gradient_hidden` of what is left of one micro-batch, at least
/// `gradient_exposed` of it stays. Computing and the result together never fall as computing or a link gets slower,
/// because no part of computing hides two exchanges.
[[nodiscard]] Seconds visible_weight_exchange(const TrainingPoint& point, const WeightExchange& exchange,
                                              const GradientWindow& window, Seconds computing);

/// With the exchange of the point.
[[nodiscard]] Seconds visible_weight_exchange(const TrainingPoint& point, Seconds computing);

}  // namespace dfsweep::training
