/// Points of the estimator `serving` that tests share, by parameter names.
#pragma once

#include "models/profiled/estimator.hpp"
#include "models/serving/estimator.hpp"
#include "tests/support/estimator_sweep.hpp"

namespace dfsweep::testing {

inline std::unique_ptr<Estimator> make_serving() {
  return serving::make_serving_estimator(profiled::make_step_times);
}

inline Entry serving_decoder(const char* name, double layers, double hidden) {
  Entry entry;
  entry.name = name;
  entry.texts["kind"] = "transformer";
  entry.numbers = {{"layers", layers}, {"hidden", hidden},     {"heads", hidden / 128},
                   {"head_dim", 128},  {"key_value_heads", 8}, {"ffn_hidden", 3.5 * hidden},
                   {"gated_ffn", 1},   {"vocabulary", 32000}};
  return entry;
}

inline Entry serving_node(double bandwidth = 4e12) {
  Entry entry;
  entry.name = "node";
  entry.numbers = {{"peak_flops", 1e15},
                   {"peak_flops_8bit", 2e15},
                   {"memory_bandwidth", bandwidth},
                   {"memory_capacity", 80e9},
                   {"node_devices", 8},
                   {"node_bandwidth", 400e9},
                   {"node_latency", 1e-6},
                   {"network_bandwidth", 50e9},
                   {"network_latency", 5e-6},
                   {"power", 1000},
                   {"price", 30000}};
  return entry;
}

/// 32 layers of 4096 on two devices of a node.
inline EstimatorSweep serving_sweep() {
  EstimatorSweep s(make_serving);
  s.set("model", serving_decoder("seven", 32, 4096)).set("system", serving_node()).set("tensor_parallel", 2);
  s.set("prompt_tokens", 1000).set("output_tokens", 200);
  return s;
}

}  // namespace dfsweep::testing
