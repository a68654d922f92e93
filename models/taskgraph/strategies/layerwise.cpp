#include "models/taskgraph/strategies/layerwise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dfsweep::taskgraph {

namespace {

/// The largest allowed tile.
double most_tokens(const Setting& s) {
  const double micro_batch = std::ceil(s.batch.tokens() / s.micro_batches);
  return is_given(s.token_tile) ? std::min(s.token_tile, micro_batch) : micro_batch;
}

LayerOnDevice layer_of(const Setting& s, double tile) {
  return s.convention->layer(s.model, s.batch, tile, s.device.word);
}

void set_needs(const Setting& s, LayerPlacement& p) {
  const LayerOnDevice layer = layer_of(s, 1.0);
  const LayerNeeds needs{layer.weights + layer.buffers, layer.activations_of_token, Seconds{}};
  p.needs.assign(static_cast<std::size_t>(s.model.layers), needs);
}

/// Sets the times of a tile with operands from the cache or from DRAM.
void set_times(const Setting& s, LayerPlacement& p) {
  DeviceRates device = s.device;
  if (p.is_cached) {  // tables were measured with operands in DRAM
    device = without_tables(device);
    device.per_byte = s.per_cache_byte;
  }
  const LayerOnDevice layer = layer_of(s, p.tile);
  p.layer = attention_times(layer.attention, s, device) + ffn_times(layer.ffn, s, device);
  for (LayerNeeds& needs : p.needs) needs.time = p.layer.total();
}

Bytes fullest(const LayerPlacement& p) {
  Bytes most{};
  std::size_t first = 0;
  for (std::size_t g = 0; g < p.groups; ++g) {
    most = std::max(most, bytes_of_group(std::span(p.needs).subspan(first, p.ends[g] - first), p.tile));
    first = p.ends[g];
  }
  return most;
}

void partition(const Setting& s, LayerPlacement& p, std::size_t devices) {
  const Bytes capacity = p.is_cached ? s.cache_capacity : Bytes{std::numeric_limits<double>::infinity()};
  const bool takes_fewest = p.is_cached && s.placement == Placement::fewest_devices;
  const std::size_t groups = takes_fewest ? fewest_groups(p.needs, {capacity, p.tile}) : devices;
  p.ends.resize(std::max(p.ends.size(), groups));
  p.groups = smallest_slowest(p.needs, {capacity, p.tile}, groups, p.ends);
}

/// Adds the groups as stations; neighbouring groups with equal numbers of layers become one station with copies.
void add_groups(const LayerPlacement& p, Stations& stations) {
  const auto layers_of = [&p](std::size_t g) { return p.ends[g] - (g == 0 ? 0 : p.ends[g - 1]); };
  for (std::size_t g = 0; g < p.groups;) {
    const std::size_t first = g;
    const std::uint32_t layers = layers_of(g);
    while (g < p.groups && layers_of(g) == layers) ++g;
    stations.add(layers * p.layer, 1.0, static_cast<double>(g - first));
  }
}

/// Capacity over a lower bound on the need of the fullest of `devices` devices.
double least_fit(const Setting& s, const LayerPlacement& p, std::size_t devices) {
  const std::size_t share = (p.needs.size() + devices - 1) / devices;
  return s.cache_capacity / bytes_of_group(std::span(p.needs).first(share), 1.0);
}

}  // namespace

double layerwise_devices(const Setting& s) {
  return is_given(s.device_count) ? s.device_count : s.tensor_parallel * s.pipeline_parallel;
}

void place_layers(const Setting& s, LayerPlacement& p) {
  p.obstacle = Obstacle::none;
  set_needs(s, p);
  const auto devices = std::min(static_cast<std::size_t>(layerwise_devices(s)), p.needs.size());
  const double most = most_tokens(s);
  const double cached_tile = largest_tile(p.needs, s.cache_capacity, devices, most);
  p.is_cached = cached_tile > 0.0;
  if (!p.is_cached && s.spill == Spill::none) {
    p.obstacle = Obstacle::cache;
    p.cache_fit = least_fit(s, p, devices);
    return;
  }
  const double tile = p.is_cached ? cached_tile : most;
  p.tiles = std::ceil(s.batch.tokens() / tile);
  p.tile = std::ceil(s.batch.tokens() / p.tiles);
  set_times(s, p);
  partition(s, p, devices);
  p.cache_fit = s.cache_capacity / fullest(p);
}

StepEstimate layerwise(const Setting& s, LayerPlacement& p) {
  StepEstimate estimate;
  place_layers(s, p);
  estimate.obstacle = p.obstacle;
  estimate.cache_fit = p.cache_fit;
  if (p.obstacle != Obstacle::none) return estimate;
  Stations stations;
  add_groups(p, stations);
  const Bytes sent = p.tile * s.model.hidden * s.device.word;
  stations.add(only(Part::communication, transfer_time(sent, 1.0, s.outer_link)), 0.0,
               static_cast<double>(p.groups - 1));
  estimate.times = stations.makespan(p.tiles, 1.0);
  estimate.step = estimate.times.total();
  estimate.critical_path = stations.sum().total();
  estimate.devices = static_cast<double>(p.groups);
  estimate.busy = stations.busy(p.tiles, 1.0, estimate.step);
  estimate.token_tile = p.tile;
  estimate.layer_groups = static_cast<double>(p.groups);
  return estimate;
}

}  // namespace dfsweep::taskgraph
