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
  const double stage = std::ceil(m.layers / r.pipeline) / m.layers;
  const double attention = m.attention_weights / r.tensor * r.bytes.attention;
  const double networks = m.dense_weights / r.tensor + m.expert_weights / (r.tensor * r.attention_data);
  const double embeddings = (r.pipeline > 1 ? m.output_weights : m.embedding_weights) / r.tensor;
  Capacity c;
  c.memory = r.accelerator.memory_capacity;
  c.weights = Bytes{stage * (attention + networks * r.bytes.weight) + embeddings * embedding_bytes};
  c.buffers = r.efficiency.memory.reserved + Bytes{buffer_bytes * m.hidden * chunk_tokens};
  c.token = stage * cache_of_token(r);
  c.state = stage * state_of_sequence(r);
  c.ranks = r.attention_data;
  c.cache_share = r.efficiency.memory.cache_share;
  return c;
}

Capacity operator+(Capacity target, const Capacity& draft) {
  target.weights += draft.weights;
  target.token += draft.token;
  target.state += draft.state;
  return target;
}

Bytes cache_room(const Capacity& c) {
  if (c.share_of == MemoryShare::all) return c.cache_share * c.memory - c.weights - c.buffers;
  return c.cache_share * (c.memory - c.weights - c.buffers);
}

double cache_tokens(const Capacity& c, double sequences) {
  const Bytes left = cache_room(c) - sequences * c.state;
  return left > Bytes{} ? left / c.token : 0.0;
}

double most_requests(const Capacity& c, const RequestTokens& tokens) {
  const Bytes room = cache_room(c) - tokens.shared * c.token;
  const double of_rank = room / bytes_of_request(c, tokens);
  return of_rank < 1 ? of_rank : c.ranks * of_rank;
}

}  // namespace dfsweep::serving
