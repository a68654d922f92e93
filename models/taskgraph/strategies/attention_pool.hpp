/// Strategy attention_pool: the attention of every layer on a pool of devices, the feed-forward network on others.
#pragma once

#include "models/taskgraph/strategies/setting.hpp"

namespace dfsweep::taskgraph {

/// What a micro-batch passes in every layer, in this order.
struct PoolStations {
  PartTimes send;     ///< from the base devices to the pool
  PartTimes pool;     ///< attention, with the exchange of keys and values
  PartTimes receive;  ///< from the pool to the base devices
  PartTimes base;     ///< feed-forward network, with its exchanges
};

/// The base devices are those of tensor_parallel. Activations travel over as many links as the smaller group has
/// devices; sending and receiving do not disturb one another. Pre: micro-batches divide the batch.
[[nodiscard]] PoolStations pool_stations(const Setting& setting);

/// With one micro-batch, everything is in sequence. With several, the pool works on one while the base devices work on
/// another. `sequential` is the path of the whole batch in sequence; `overlapped` is, per layer, the larger of
/// attention and feed-forward network, plus communication, as the study that the strategy is from has it: two
/// micro-batches come near it, more can do better, since communication hides as well.
[[nodiscard]] StepEstimate attention_pool(const Setting& setting);

/// What the best number of pool devices is best at.
enum class PoolObjective : std::uint8_t { step_time, token_rate_per_device };

/// The best of 1 to `most` pool devices, or the number that device_count leaves. Ties: the fewest. Numbers without an
/// estimate do not count as long as there are others.
[[nodiscard]] StepEstimate best_attention_pool(const Setting& setting, double most, PoolObjective objective);

}  // namespace dfsweep::taskgraph
