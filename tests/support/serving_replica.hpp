/// A served transformer and a replica with round numbers that tests share.
#pragma once

#include "models/serving/step/costs.hpp"
#include "models/transformer/architecture.hpp"

namespace dfsweep::testing {

/// 80 layers, hidden 8192, 64 heads of 128 with 8 heads of keys, gated network of 28672, vocabulary 128256.
[[nodiscard]] inline Architecture large_decoder() {
  Architecture a;
  a.layers = 80;
  a.hidden = 8192;
  a.heads = 64;
  a.key_value_heads = 8;
  a.head_dim = 128;
  a.ffn_hidden = 28672;
  a.ffn_matrices = 3;
  a.vocabulary = 128256;
  return a;
}

/// 4 layers, hidden 1024, 8 heads of 128 with 2 heads of keys; 8 experts of 2048, 2 for each token.
[[nodiscard]] inline Architecture small_experts() {
  Architecture a;
  a.layers = 4;
  a.hidden = 1024;
  a.heads = 8;
  a.key_value_heads = 2;
  a.head_dim = 128;
  a.ffn_hidden = 2048;
  a.ffn_matrices = 3;
  a.vocabulary = 1000;
  a.experts.count = 8;
  a.experts.per_token = 2;
  a.experts.ffn_hidden = 2048;
  return a;
}

/// 8 devices of 1 PFLOP/s (2 at 8 bits), 4 TB/s and 80 GB on a switch of 400 GB/s; nodes are 50 GB/s apart.
[[nodiscard]] inline serving::Replica large_replica(double tensor = 8) {
  serving::Replica r;
  r.model = served(large_decoder());
  r.accelerator.peak_16bit = Throughput{1e15};
  r.accelerator.peak_8bit = Throughput{2e15};
  r.accelerator.memory_bandwidth = Bandwidth{4e12};
  r.accelerator.memory_capacity = Bytes{80e9};
  r.network.enclosures.node = 8;
  r.network.inside = {Bandwidth{400e9}, Seconds{1e-6}};
  r.network.across = {Bandwidth{50e9}, Seconds{5e-6}};
  r.tensor = tensor;
  return r;
}

}  // namespace dfsweep::testing
