/// Capacity: what a device holds, and how many sequences its memory has room for.
/// Source: docs/models/serving.md, memory.
#pragma once

#include <cstdint>

#include "models/quantity_lanes.hpp"
#include "models/serving/step/costs.hpp"
#include "models/units.hpp"

namespace dfsweep::serving {

/// What one request keeps in the cache when it ends.
struct RequestTokens {
  double shared = 0.0;  ///< of a prompt that all requests share; kept once
  double prompt = 0.0;  ///< of its own prompt, kept once for all of its beams
  double output = 0.0;
  double beams = 1.0;
  [[nodiscard]] double own() const { return prompt + beams * output; }
};

/// What a share of the memory for caches is a share of.
enum class MemoryShare : std::uint8_t {
  all,   ///< of the memory, from which weights and buffers are taken: vLLM, SGLang
  left,  ///< of what weights and buffers leave: TensorRT-LLM
};

/// On the device of a replica that needs most.
struct Capacity {
  Bytes memory;  ///< available
  Bytes weights;
  Bytes buffers;             ///< reserved, and activations of a step
  Bytes token;               ///< cache of one token
  Bytes state{};             ///< states of linear attention of one sequence
  double ranks = 1.0;        ///< of attention; each has whole sequences, and room for one at least
  double cache_share = 1.0;  ///< of what `share_of` says, that the cache may use
  MemoryShare share_of = MemoryShare::left;
};

/// A stage has ceil(layers / p) layers and, with several stages, either the embedding or the output layer; these are
/// kept in 16 bits, other weights in their own format. Every attention rank has its own copy of all weights but those
/// of experts, and the cache of a sequence is on one rank. Buffers: what is reserved, and 8 bytes for each hidden
/// number of a chunk.
[[nodiscard]] Capacity capacity_of(const Replica& replica, double chunk_tokens);

/// Draft and target on the same devices.
[[nodiscard]] Capacity operator+(Capacity target, const Capacity& draft);

/// Memory of a rank's device for caches and states: share memory - weights - buffers, or share (memory - weights -
/// buffers); negative where weights do not fit.
[[nodiscard]] Bytes cache_room(const Capacity& capacity);
/// Tokens that the cache of a rank has room for beside the states of `sequences` sequences; at least 0.
[[nodiscard]] double cache_tokens(const Capacity& capacity, double sequences);

/// Sequences (not whole) of all ranks that fit: ranks (share (memory - weights - buffers) - shared token) / (own token
/// + beams state); below 1 where a device does not hold one, not above zero where weights do not fit.
[[nodiscard]] double most_requests(const Capacity& capacity, const RequestTokens& tokens);

/// Cache and states of one request of a rank.
[[nodiscard]] inline Bytes bytes_of_request(const Capacity& capacity, const RequestTokens& tokens) {
  return tokens.own() * capacity.token + tokens.beams * capacity.state;
}
/// Cache and states of requests, of a device.
template <class Number>
[[nodiscard]] InLanes<Bytes, Number> cache_bytes(const Capacity& capacity, const RequestTokens& tokens,
                                                 const Number& requests) {
  return tokens.shared * capacity.token + greater(requests / capacity.ranks, 1.0) * bytes_of_request(capacity, tokens);
}
/// Weights, buffers and `cache`.
template <class CacheBytes>
[[nodiscard]] CacheBytes memory_used(const Capacity& capacity, const CacheBytes& cache) {
  return capacity.weights + capacity.buffers + cache;
}
[[nodiscard]] inline Bytes memory_used(const Capacity& capacity, const RequestTokens& tokens, double requests) {
  return memory_used(capacity, cache_bytes(capacity, tokens, requests));
}

}  // namespace dfsweep::serving
