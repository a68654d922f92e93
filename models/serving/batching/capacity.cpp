#include "models/serving/batching/capacity.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::serving {

namespace {

constexpr double embedding_bytes = 2.0;  ///< of a number
constexpr double buffer_bytes = 8.0;     ///< for each hidden number of a chunk: inputs, outputs and their copies

}  // namespace

Capacity capacity_of(const Replica& r, double chunk_tokens) {
  const Served& m = r.model;
  const bool is_data = r.attention == AttentionParallel::data;
  const double stage = std::ceil(m.layers / r.pipeline) / m.layers;
  const double layers =
      stage * (m.attention_weights * (is_data ? r.tensor : 1) + m.dense_weights + m.expert_weights) / r.tensor;
  const double embeddings = (r.pipeline > 1 ? m.output_weights : m.embedding_weights) / r.tensor;
  Capacity c;
  c.memory = r.accelerator.memory_capacity;
  c.weights = Bytes{layers * r.bytes.weight + embeddings * embedding_bytes};
  c.buffers = r.efficiency.memory.reserved + Bytes{buffer_bytes * m.hidden * chunk_tokens};
  c.token = stage / (is_data ? r.tensor : 1) * cache_of_token(r);
  c.cache_devices = is_data ? r.tensor : 1;
  c.cache_share = r.efficiency.memory.cache_share;
  return c;
}

Capacity operator+(Capacity target, const Capacity& draft) {
  target.weights += draft.weights;
  target.token += draft.token;
  return target;
}

double most_requests(const Capacity& c, const RequestTokens& tokens) {
  const Bytes left = c.memory - c.weights - c.buffers;
  const double requests = (c.cache_share * left / c.token - tokens.shared) / tokens.own();
  return requests < c.cache_devices ? requests / c.cache_devices : requests;
}

Bytes cache_bytes(const Capacity& c, const RequestTokens& tokens, double requests) {
  return (tokens.shared + std::max(requests, c.cache_devices) * tokens.own()) * c.token;
}

}  // namespace dfsweep::serving
