#include "models/taskgraph/strategies/layerwise.hpp"

#include <cmath>
#include <limits>

#include "models/expect.hpp"
#include "models/taskgraph/strategies/expert_work.hpp"
#include "models/taskgraph/strategies/layer_shapes.hpp"
#include "models/taskgraph/work/measured_products.hpp"

namespace dfsweep::taskgraph {

namespace {

LayerOnDevice layer_of(const Setting& s, double tile) {
  return s.convention->layer(s.model, s.batch, tile, s.device.word);
}

LayerChain chain_of(const Setting& s) {
  const LayerOnDevice layer = layer_of(s, 1.0);
  const double tokens = s.batch.tokens();
  const double by_tile = is_given(s.token_tile) ? std::ceil(tokens / s.token_tile) : 1.0;
  return {s.model.layers,
          std::min(layerwise_devices(s), s.model.layers),
          tokens,
          std::min(std::max(s.micro_batches, by_tile), tokens),
          s.cache_capacity,
          layer.weights + layer.buffers,
          layer.activations_of_token,
          s.model.experts > 0.0 ? tokens_for_all_experts(s.model) : 0.0};
}

/// Operands from the cache. Tables were measured with operands in DRAM, so rooflines are used.
DeviceRates cached_rates(const Setting& s) {
  DeviceRates device = without_tables(s.device);
  device.per_byte = s.per_cache_byte;
  return device;
}

[[gnu::always_inline]] inline PartTimes layer_times(const LayerOnDevice& layer, const Setting& s,
                                                    const DeviceRates& device) {
  return attention_times(layer.attention, s, device) + ffn_times(layer.ffn, s, device);
}

PartTimes link_times(const Setting& s, double tile) {
  return only(Part::communication, transfer_time(tile * s.model.hidden * s.device.word, 1.0, s.outer_link));
}

/// Times by tokens of a tile. The function of the convention is an argument of the template, so that it is inlined.
template <LayerOnDevice (*layer)(const Transformer&, const Batch&, double, Bytes)>
struct TileTimesOf {
  const Setting& setting;
  DeviceRates device;
  [[nodiscard]] TileTimes operator()(double tile) const {
    const LayerOnDevice work = layer(setting.model, setting.batch, tile, setting.device.word);
    return {layer_times(work, setting, device).total(), link_times(setting, tile).total()};
  }
};

/// The tiling that `search` finds with the times of the convention.
template <class Search>
Tiling with_tile_times(const Setting& s, const DeviceRates& device, const Search& search) {
  if (s.convention->layer == sharded_layer) return search(TileTimesOf<sharded_layer>{s, device});
  DFSWEEP_EXPECT(s.convention->layer == source_layer);
  return search(TileTimesOf<source_layer>{s, device});
}

/// The largest tiles on all devices; NaN where tables do not cover a product. Tables need whole tokens.
template <class TimesOf>
Tiling largest_tiles(const LayerChain& chain, const TimesOf& times) {
  Tiling tiling{0.0, std::ceil(chain.layers / chain.devices), chain.fewest_tiles, Seconds{}};
  tiling.groups = std::ceil(chain.layers / tiling.layers);
  tiling.step = step_of(chain, tiling, times(std::ceil(chain.tokens / tiling.tiles)));
  return tiling;
}

Tiling streamed_tiling(const Setting& s, LayerChain chain) {
  chain.capacity = Bytes{std::numeric_limits<double>::infinity()};
  return with_tile_times(s, s.device, [&](const auto& times) {
    if (s.device.measured != nullptr) return largest_tiles(chain, times);
    return s.placement == Placement::fastest ? fastest_groups(chain, times) : best_tiles(chain, chain.devices, times);
  });
}

Tiling cached_tiling(const Setting& s, const LayerChain& chain) {
  return with_tile_times(s, cached_rates(s), [&](const auto& times) {
    return s.placement == Placement::fastest ? fastest_groups(chain, times) : fewest_groups(chain, times);
  });
}

/// Sets the times of a tile; whole tokens for measured tables.
void set_times(const Setting& s, bool is_cached, LayerPlacement& p) {
  p.tile = s.batch.tokens() / p.tiling.tiles;
  const bool is_measured = !is_cached && s.device.measured != nullptr;
  if (is_measured) p.tile = std::ceil(p.tile);
  p.layer = layer_times(layer_of(s, p.tile), s, is_cached ? cached_rates(s) : s.device);
  p.link = link_times(s, p.tile);
}

/// Whether the layers come from DRAM although they fit in the cache, because that is faster. Leaves no trace in the
/// coverage of the point where the answer is no.
bool is_streaming_faster(const Setting& s, const LayerChain& chain, Tiling& tiling) {
  if (s.spill == Spill::none || s.placement != Placement::fastest) return false;
  MeasuredPoint* const measured = s.device.measured;
  const MeasuredPoint before = measured == nullptr ? MeasuredPoint{} : *measured;
  const Tiling streamed = streamed_tiling(s, chain);
  if (streamed.step < tiling.step) {
    tiling = streamed;
    return true;
  }
  if (measured != nullptr) *measured = before;
  return false;
}

}  // namespace

double layerwise_devices(const Setting& s) {
  return is_given(s.device_count) ? s.device_count : s.tensor_parallel * s.pipeline_parallel;
}

LayerPlacement place_layers(const Setting& s) {
  LayerPlacement p;
  p.obstacle = model_obstacle(s);
  if (p.obstacle != Obstacle::none) return p;
  const LayerChain chain = chain_of(s);
  p.tiling = cached_tiling(s, chain);
  bool is_cached = p.tiling.groups > 0.0;
  if (!is_cached && s.spill == Spill::none) {
    p.obstacle = Obstacle::cache;
    p.cache_fit = s.cache_capacity / bytes_of_group(chain, std::ceil(chain.layers / chain.devices), 1.0);
    return p;
  }
  if (!is_cached)
    p.tiling = streamed_tiling(s, chain);
  else if (is_streaming_faster(s, chain, p.tiling))
    is_cached = false;
  set_times(s, is_cached, p);
  p.cache_fit = s.cache_capacity / bytes_of_group(chain, p.tiling.layers, std::ceil(p.tile));
  return p;
}

StepEstimate layerwise_estimate(const Setting& s, const LayerPlacement& p) {
  StepEstimate estimate;
  const double groups = p.tiling.groups;
  const double last = p.layers_of(groups - 1.0, s.model.layers);
  Stations stations;
  stations.add(p.tiling.layers * p.layer, 1.0, last < p.tiling.layers ? groups - 1.0 : groups);
  if (last < p.tiling.layers) stations.add(last * p.layer, 1.0);
  stations.add(p.link, 0.0, groups - 1.0);
  estimate.cache_fit = p.cache_fit;
  estimate.times = stations.makespan(p.tiling.tiles, 1.0);
  estimate.step = estimate.times.total();
  estimate.critical_path = stations.sum().total();
  estimate.devices = groups;
  estimate.busy = stations.busy(p.tiling.tiles, 1.0, estimate.step);
  estimate.token_tile = std::ceil(p.tile);
  estimate.layer_groups = groups;
  return estimate;
}

StepEstimate layerwise(const Setting& s) {
  const LayerPlacement p = place_layers(s);
  if (p.obstacle == Obstacle::none) return layerwise_estimate(s, p);
  StepEstimate estimate;
  estimate.obstacle = p.obstacle;
  estimate.cache_fit = p.cache_fit;
  return estimate;
}

}  // namespace dfsweep::taskgraph
