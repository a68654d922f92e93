#include "models/taskgraph/strategies/attention_pool.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::taskgraph {

namespace {

/// Transfer of the activations of all tokens of a micro-batch between the two groups.
PartTimes crossing(const Setting& s, const Batch& batch) {
  const Bytes size = batch.tokens() * s.model.hidden * s.device.word;
  return only(Part::communication, transfer_time(size, std::min(s.tensor_parallel, s.pool_devices), s.outer_link));
}

PoolStations stations_of(const Setting& s, const Batch& batch) {
  const Convention& c = *s.convention;
  const Bytes word = s.device.word;
  const PartTimes across = crossing(s, batch);
  const AttentionWork attention = c.pool_attention(s.model, batch, s.pool_devices, s.tensor_parallel, word);
  return {across, attention_times(attention, s, s.device), across,
          ffn_times(c.ffn(s.model, batch, s.tensor_parallel, word), s, s.device)};
}

Obstacle obstacle_of(const Setting& s) {
  if (const Obstacle obstacle = model_obstacle(s); obstacle != Obstacle::none) return obstacle;
  if (std::fmod(s.batch.sequences, s.micro_batches) != 0.0) return Obstacle::micro_batches;
  const auto shards = [&s](double width) { return width == 0.0 || std::fmod(width, s.tensor_parallel) == 0.0; };
  if (s.convention->shards_heads && !(shards(s.model.ffn_hidden) && shards(s.model.shared_ffn_hidden)))
    return Obstacle::ffn_hidden;
  if (s.pool_devices < 1.0) return Obstacle::pool;
  const double devices = s.tensor_parallel + s.pool_devices;
  return is_given(s.device_count) && s.device_count != devices ? Obstacle::device_count : Obstacle::none;
}

/// The objective to minimise.
double cost_of(const StepEstimate& estimate, PoolObjective objective) {
  const double time = estimate.step.value();
  return objective == PoolObjective::step_time ? time : time * estimate.devices;
}

/// Pre: nothing is in the way of the setting.
StepEstimate step_of_pool(const Setting& s) {
  StepEstimate estimate;
  estimate.devices = s.tensor_parallel + s.pool_devices;
  estimate.pool_devices = s.pool_devices;
  const PoolStations p = stations_of(s, micro_batch_of(s));
  Stations stations;
  stations.add(p.send, 0.0);
  stations.add(p.pool, s.pool_devices);
  stations.add(p.receive, 0.0);
  stations.add(p.base, s.tensor_parallel);
  const double layers = s.model.layers;
  estimate.times = stations.makespan(s.micro_batches, layers);
  estimate.step = estimate.times.total();
  estimate.critical_path = layers * stations.sum().total();
  estimate.busy = stations.busy(s.micro_batches, layers, estimate.step);
  const PoolStations whole = stations_of(s, s.batch);
  const Seconds across = whole.send.total() + whole.receive.total();
  estimate.sequential = layers * (across + whole.pool.total() + whole.base.total());
  estimate.overlapped = layers * (across + std::max(whole.pool.total(), whole.base.total()));
  return estimate;
}

}  // namespace

PoolStations pool_stations(const Setting& s) {
  return stations_of(s, micro_batch_of(s));
}

StepEstimate attention_pool(const Setting& s) {
  const Obstacle obstacle = obstacle_of(s);
  if (obstacle == Obstacle::none) return step_of_pool(s);
  StepEstimate estimate;
  estimate.devices = s.tensor_parallel + s.pool_devices;
  estimate.pool_devices = s.pool_devices;
  estimate.obstacle = obstacle;
  return estimate;
}

StepEstimate best_attention_pool(const Setting& setting, double most, PoolObjective objective) {
  Setting s = setting;
  const bool is_fixed = is_given(s.device_count);
  s.pool_devices = is_fixed ? s.device_count - s.tensor_parallel : 1.0;
  StepEstimate best = attention_pool(s);
  if (is_fixed || best.obstacle != Obstacle::none) return best;
  for (s.pool_devices = 2.0; s.pool_devices <= most; s.pool_devices += 1.0) {
    const StepEstimate estimate = step_of_pool(s);  // further pool devices bring no obstacle
    const bool is_first_known = !is_given(best.step);
    if (is_first_known || cost_of(estimate, objective) < cost_of(best, objective)) best = estimate;
  }
  return best;
}

}  // namespace dfsweep::taskgraph
