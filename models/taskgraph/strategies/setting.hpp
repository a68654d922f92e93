/// Setting: everything a strategy needs to know about a point; StepEstimate: what it says.
#pragma once

#include <cstdint>

#include "models/absent.hpp"
#include "models/taskgraph/strategies/convention.hpp"
#include "models/taskgraph/strategies/stations.hpp"

namespace dfsweep::taskgraph {

/// What happens to layers that do not fit the cache.
enum class Spill : std::uint8_t {
  none,    ///< the point is infeasible
  stream,  ///< operands come from DRAM for every tile
};

/// Which of the partitions of layers that fit is taken.
enum class Placement : std::uint8_t {
  fewest_devices,  ///< and of those the one whose slowest group is fastest
  fastest,         ///< the one whose slowest group is fastest, on all devices
};

struct Setting {
  Transformer model;
  Batch batch;  ///< of a step
  double micro_batches = 1.0;
  double tensor_parallel = 1.0;
  double pipeline_parallel = 1.0;
  double pool_devices = 1.0;
  double device_count = absent;  ///< absent: as many as the degrees make
  DeviceRates device;
  double utilization = 1.0;  ///< share of a peak rate that products reach; within device.per_flop
  LinkRates link;            ///< inside a group of devices
  LinkRates outer_link;      ///< between groups
  Bytes cache_capacity;
  SecondsPerByte per_cache_byte;  ///< 0: without limit
  double token_tile = absent;     ///< absent: chosen
  Spill spill = Spill::none;
  Placement placement = Placement::fewest_devices;
  AttentionTime attention_time = materialized_attention_time;
  const Convention* convention = nullptr;
};

/// Why a point has no estimate.
enum class Obstacle : std::uint8_t {
  none,
  micro_batches,  ///< do not divide the batch
  heads,          ///< are not a multiple of tensor_parallel
  shared_heads,   ///< are not a multiple of the heads of keys and values
  head_dim,       ///< is no whole number
  ffn_hidden,     ///< is not
  stages,         ///< more than layers
  device_count,   ///< is not what the degrees make
  pool,           ///< no device is left for it
  cache,          ///< the layers do not fit
  no_profile,     ///< measured tables do not know a product
  count,
};

struct StepEstimate {
  Obstacle obstacle = Obstacle::none;
  Seconds step;           ///< makespan
  PartTimes times;        ///< of the chain that decides it; they add up to it
  Seconds critical_path;  ///< of one micro-batch through the dependences alone
  double devices = 0.0;
  BusyFractions busy;
  Seconds sequential{absent};
  Seconds overlapped{absent};
  double pool_devices = absent;
  double cache_fit = absent;
  double token_tile = absent;
  double layer_groups = absent;
  double coverage = absent;  ///< worst inference::Coverage of what was asked for; absent: no tables
};

/// The part of the batch that is one micro-batch.
[[nodiscard]] constexpr Batch micro_batch_of(const Setting& s) {
  return {s.batch.sequences / s.micro_batches, s.batch.new_tokens, s.batch.context};
}

/// A layer's attention on one device of a group that `link` joins: products, then exchange.
[[nodiscard]] PartTimes attention_times(const AttentionWork& work, const Setting& setting, const DeviceRates& device);
[[nodiscard]] PartTimes ffn_times(const FfnWork& work, const Setting& setting, const DeviceRates& device);

}  // namespace dfsweep::taskgraph
