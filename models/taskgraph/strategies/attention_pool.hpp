/// Strategy attention_pool: the attention of every layer runs on a pool of devices, the feed-forward network on base
/// devices.
#pragma once

#include "models/taskgraph/strategies/setting.hpp"

namespace dfsweep::taskgraph {

/// The stations of a micro-batch in every layer, in this order.
struct PoolStations {
  PartTimes send;     ///< from the base devices to the pool
  PartTimes pool;     ///< attention, with the exchange of keys and values
  PartTimes receive;  ///< from the pool to the base devices
  PartTimes base;     ///< feed-forward network, with its exchanges
};

/// The base devices are those of tensor_parallel. Activations use as many links as the smaller group has devices;
/// sending and receiving are independent. Pre: micro-batches divide the batch.
[[nodiscard]] PoolStations pool_stations(const Setting& setting);

/// With one micro-batch, everything is in sequence. With several, the pool works on one while the base devices work on
/// another. `sequential` is the time of the whole batch in sequence. `overlapped` is, per layer, the larger of
/// attention and feed-forward network, plus communication, as in the study from which the strategy is taken. Two
/// micro-batches come close to it; more can be faster, because communication overlaps as well.
[[nodiscard]] StepEstimate attention_pool(const Setting& setting);

/// Objective for the best number of pool devices.
enum class PoolObjective : std::uint8_t { step_time, token_rate_per_device };

/// The best of 1 to `most` pool devices, or the number that device_count leaves. Ties: the fewest devices. A number
/// without an estimate is chosen only where all have none.
[[nodiscard]] StepEstimate best_attention_pool(const Setting& setting, double most, PoolObjective objective);

}  // namespace dfsweep::taskgraph
