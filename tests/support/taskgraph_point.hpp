/// TaskGraphPoint: a point of the estimator `taskgraph` with a device whose rates make hand calculations easy.
#pragma once

#include "models/taskgraph/estimator.hpp"
#include "tests/support/estimator_sweep.hpp"

namespace dfsweep::testing {

/// A device of 1 PFLOP/s with 4 TB/s and 50 MB of cache; links of 500 GB/s and 1 us.
class TaskGraphPoint : public EstimatorSweep {
 public:
  TaskGraphPoint() : EstimatorSweep(taskgraph::make_taskgraph_estimator) {
    Entry device;
    device.name = "chip";
    device.numbers = {{"peak_flops", 1e15}, {"memory_bandwidth", 4e12}, {"sram_capacity", 50e6}};
    Entry links;
    links.name = "links";
    links.numbers = {{"bandwidth", 5e11}, {"latency", 1e-6}};
    set("device", device).set("interconnect", links);
  }
};

/// The reference set-up of tensor_pipeline and attention_pool: 4 layers, batch 1024, hidden 4096, 32 heads of 128, FFN
/// 16384, TP 8, PP 2, here with sequences of 1024 tokens; a pool of 5.
inline TaskGraphPoint reference_point() {
  TaskGraphPoint point;
  point.set("layers", 4).set("hidden", 4096).set("heads", 32).set("head_dim", 128).set("ffn_hidden", 16384);
  point.set("tensor_parallel", 8).set("pipeline_parallel", 2).set("pool_devices", 5);
  point.set("batch", 1024).set("sequence_length", 1024);
  return point;
}

/// The reference set-up of layerwise: 16 layers, hidden and MLP 16384, 32 heads of 128, batch 128, 10 000 tokens; TP 8
/// x PP 2, so 16 devices.
inline TaskGraphPoint layerwise_point() {
  TaskGraphPoint point;
  point.set("layers", 16).set("hidden", 16384).set("heads", 32).set("head_dim", 128).set("ffn_hidden", 16384);
  point.set("tensor_parallel", 8).set("pipeline_parallel", 2).set("strategy", "layerwise");
  point.set("batch", 128).set("sequence_length", 10000);
  return point;
}

}  // namespace dfsweep::testing
