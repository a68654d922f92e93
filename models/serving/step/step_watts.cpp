#include "models/serving/step/step_watts.hpp"

namespace dfsweep::serving {

namespace {

constexpr double output_bytes = 2.0;   ///< of a weight of the output layer
constexpr double narrow_bytes = 1.25;  ///< of a weight with its share of block scales: below, it has 8 or 4 bits

}  // namespace

DecodeTraffic traffic_of(const Replica& r) {
  const Served& m = r.model;
  DecodeTraffic traffic;
  traffic.power = r.efficiency.power;
  traffic.bandwidth = r.accelerator.memory_bandwidth;
  traffic.weights = Bytes{
      (m.attention_weights * r.bytes.attention + m.dense_weights * r.bytes.weight + m.output_weights * output_bytes) /
      r.tensor};
  const double expanded = r.bytes.weight < narrow_bytes ? traffic.power.narrow : 1.0;
  traffic.experts = Bytes{m.expert_weights * r.bytes.weight * expanded / (r.tensor * r.attention_data)};
  traffic.cache = cache_of_token(r);
  traffic.state = 2 * state_of_sequence(r);
  traffic.kernels = (m.layers - m.expert_layers) * traffic.power.layer + m.expert_layers * traffic.power.expert_layer;
  traffic.routed = m.expert_layers * m.experts_per_token * m.hidden / r.expert * traffic.power.routed;
  return traffic;
}

}  // namespace dfsweep::serving
