/// Setting: input of a strategy at a point; StepEstimate: its result.
#pragma once

#include <cstdint>

#include "models/absent.hpp"
#include "models/taskgraph/strategies/convention.hpp"
#include "models/taskgraph/strategies/expert_work.hpp"
#include "models/taskgraph/strategies/operators.hpp"
#include "models/taskgraph/strategies/stations.hpp"

namespace dfsweep::taskgraph {

/// What happens to layers that do not fit in the cache.
enum class Spill : std::uint8_t {
  none,    ///< the point is infeasible
  stream,  ///< operands come from DRAM for every tile
};

/// Selection among the partitions of layers that fit.
enum class Placement : std::uint8_t {
  fewest_devices,  ///< fewest devices, then the fastest slowest group
  fastest,         ///< the fastest slowest group, on all devices
};

struct Setting {
  Transformer model;
  Batch batch;  ///< batch of a step
  double micro_batches = 1.0;
  double tensor_parallel = 1.0;
  double pipeline_parallel = 1.0;
  double pool_devices = 1.0;
  double device_count = absent;  ///< absent: product of the degrees
  DeviceRates device;
  double utilization = 1.0;  ///< share of the peak rate that products reach; included in device.per_flop
  LinkRates link;            ///< links within a group of devices
  LinkRates outer_link;      ///< links between groups
  Bytes cache_capacity;
  SecondsPerByte per_cache_byte;  ///< 0: without limit
  double token_tile = absent;     ///< absent: chosen by the strategy
  Spill spill = Spill::none;
  Placement placement = Placement::fewest_devices;
  Nodes nodes = Nodes::tasks;
  AttentionTime attention_time = materialized_attention_time;
  const Convention* convention = nullptr;
};

/// Why a point has no estimate.
enum class Obstacle : std::uint8_t {
  none,
  micro_batches,  ///< micro-batches do not divide the batch
  heads,          ///< heads are not a multiple of tensor_parallel
  shared_heads,   ///< heads are not a multiple of key-value heads
  head_dim,       ///< head_dim is not a whole number
  ffn_hidden,     ///< ffn_hidden is not a multiple of tensor_parallel
  stages,         ///< more stages than layers
  device_count,   ///< device_count differs from the product of the degrees
  pool,           ///< no device is left for the pool
  cache,          ///< the layers do not fit in the cache
  no_profile,     ///< measured tables do not cover a product
  no_work,        ///< no task of a graph takes time
  attention,      ///< latent attention, or a window shorter than the context
  experts,        ///< layers of experts beside dense ones, or a convention without experts
  count,
};

struct StepEstimate {
  Obstacle obstacle = Obstacle::none;
  Seconds step;           ///< makespan
  PartTimes times;        ///< parts of the critical chain; they add up to `step`
  Seconds critical_path;  ///< of one micro-batch through the dependences
  double devices = 0.0;
  BusyFractions busy;
  Seconds sequential{absent};
  Seconds overlapped{absent};
  double pool_devices = absent;
  double cache_fit = absent;
  double token_tile = absent;
  double layer_groups = absent;
  double coverage = absent;  ///< worst Coverage of the predictions used; absent: no tables
};

/// Obstacle::attention or Obstacle::experts where the layers are not those that the strategies describe; otherwise
/// none.
[[nodiscard]] constexpr Obstacle model_obstacle(const Setting& s) {
  if (s.model.has_latent_attention || s.model.has_unlike_attention ||
      (s.model.window > 0.0 && s.model.window < s.batch.context))
    return Obstacle::attention;
  const bool has_unlike_layers = s.model.dense_layers > 0.0 || !s.convention->shards_heads;
  return s.model.experts > 0.0 && has_unlike_layers ? Obstacle::experts : Obstacle::none;
}

/// The part of the batch in one micro-batch.
[[nodiscard]] constexpr Batch micro_batch_of(const Setting& s) {
  return {s.batch.sequences / s.micro_batches, s.batch.new_tokens, s.batch.context, s.batch.is_decode};
}

/// Times of the attention of a layer on one device of a group joined by `link`: products, then exchange. The operators
/// between the products are Part::other. Inlined, because a search for tiles asks for the times of a layer tens of
/// times at each point.
[[nodiscard, gnu::always_inline]] inline PartTimes attention_times(const AttentionWork& work, const Setting& setting,
                                                                   const DeviceRates& device) {
  PartTimes times;
  times.of[Part::attention] = products_of_one_input(work.projections[0], work.projections[1], device) +
                              product_time(work.projections[2], device) +
                              attention_core_time(work.core, setting.attention_time, device);
  times.of[Part::communication] = exchange_time(work.exchange, setting.link);
  if (setting.nodes == Nodes::operators) [[unlikely]]
    times.of[Part::other] = operator_time(attention_operators(setting.model, work).words(), device);
  return times;
}

/// The same for the feed-forward network, or the experts.
[[nodiscard, gnu::always_inline]] inline PartTimes ffn_times(const FfnWork& work, const Setting& setting,
                                                             const DeviceRates& device) {
  PartTimes times;
  if (work.routed_tokens > 0.0) [[unlikely]]
    times.of[Part::ffn] = expert_time(expert_work(setting.model, work.routed_tokens, work.exchange.devices), device);
  else
    times.of[Part::ffn] = products_of_one_input(work.products[0], {}, device) + product_time(work.products[1], device);
  times.of[Part::communication] = exchange_time(work.exchange, setting.link);
  if (setting.nodes == Nodes::operators) [[unlikely]]
    times.of[Part::other] = operator_time(ffn_operators(setting.model, work).words(), device);
  return times;
}

}  // namespace dfsweep::taskgraph
