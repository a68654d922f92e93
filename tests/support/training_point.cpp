#include "tests/support/training_point.hpp"

namespace dfsweep::testing {

Architecture small_decoder() {
  Architecture a;
  a.layers = 8;
  a.hidden = 4096;
  a.heads = 32;
  a.key_value_heads = 8;
  a.head_dim = 128;
  a.ffn_hidden = 14336;
  a.ffn_matrices = 3;
  a.vocabulary = 32000;
  return a;
}

Architecture small_expert_decoder() {
  Architecture a = small_decoder();
  a.experts = {.count = 8, .per_token = 2, .ffn_hidden = 4096, .shared_ffn_hidden = 4096, .dense_layers = 2};
  return a;
}

training::TrainingPoint training_point() {
  training::TrainingPoint point;
  point.architecture = small_decoder();
  point.execution.parallel.tensor = 2;
  point.execution.parallel.data = 8;
  point.execution.batch = {.global = 32, .micro = 1, .sequence = 4096};
  point.accelerator.peak_16bit = Throughput{1e15};
  point.accelerator.peak_8bit = Throughput{2e15};
  point.accelerator.memory_bandwidth = Bandwidth{4e12};
  point.accelerator.memory_capacity = Bytes{80e9};
  point.accelerator.host_bandwidth = Bandwidth{50e9};
  point.accelerator.host_capacity = Bytes{200e9};
  point.network.enclosures = {.node = 8, .pod = 0};
  point.network.inside = {Bandwidth{400e9}, Seconds{1e-6}};
  point.network.across = {Bandwidth{50e9}, Seconds{5e-6}};
  return point;
}

Software ideal_software() {
  Software s;
  s.matrix = {.peak_share = 1,
              .share_8bit = 1,
              .share_4bit = 1,
              .half_rows = 0,
              .half_columns = 0,
              .half_depth = 0,
              .half_rows_grouped = 0,
              .misaligned = 1,
              .memory_share = 1e9,
              .launch = Seconds{},
              .cast_bytes = 0};
  s.attention = {.peak_share = 1, .half_keys = 0, .odd_head = 1, .score_bytes = 0};
  s.elementwise = {.hidden = 0, .routing = 0, .logit_bytes = 0};
  s.links.inside = s.links.across = s.links.expert = s.links.tensor_visible = s.links.expert_visible = 1;
  s.links.stage_visible = 1;
  s.links.gradient_hidden = 0;
  s.links.gradient_exposed = 1;
  s.links.gather_hidden = 0;
  s.host = {Seconds{}, Seconds{}, Seconds{}, Seconds{}, 64};
  s.step = {
      .fixed = Seconds{}, .fixed_graph = Seconds{}, .fixed_adapters = Seconds{}, .optimizer_bytes = 0, .straggler = 0};
  return s;
}

}  // namespace dfsweep::testing
