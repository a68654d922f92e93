/// Rules: the numbers and choices that a simulated run depends on, besides its requests and the times of batches.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "models/units.hpp"

namespace dfsweep::vidur {

/// How a replica forms its batches.
enum class Scheduler : std::uint8_t {
  vllm,               ///< batches of whole prompts first, otherwise of decodes
  sarathi,            ///< decodes and chunks of prompts together, within a budget of tokens
  orca,               ///< decodes and whole prompts together, with reserved memory
  fastertransformer,  ///< a batch runs until all its requests are complete
  lightllm,           ///< decodes, and after some steps a batch of prompts that fit until their completion
};
inline constexpr std::string_view scheduler_names[] = {"vllm", "sarathi", "orca", "fastertransformer", "lightllm"};

/// Which replica a request goes to.
enum class Routing : std::uint8_t {
  round_robin,
  least_outstanding,  ///< the shortest queue of waiting requests; running requests do not count
  random,
};
inline constexpr std::string_view routing_names[] = {"round_robin", "least_outstanding", "random"};

/// Pre: all counts but `reserved_limit` and `blocks` are positive; Scheduler::lightllm has block_tokens = 1 and
/// stages = 1. Defaults are those of [vidur].
struct Rules {
  Scheduler scheduler = Scheduler::vllm;
  Routing routing = Routing::round_robin;
  std::uint32_t replicas = 1;
  std::uint32_t stages = 1;             ///< stages of the pipeline of a replica; at most as many batches are in flight
  std::uint32_t blocks = 0;             ///< blocks of the cache of a replica
  std::uint32_t block_tokens = 16;      ///< tokens per block
  std::uint32_t batch_limit = 128;      ///< most requests that a replica runs
  std::uint32_t reserved_limit = 0;     ///< requests of the longest length that fit into the memory of a replica
  std::uint32_t request_tokens = 4096;  ///< length for which orca and fastertransformer reserve memory
  std::uint32_t chunk_tokens = 512;     ///< tokens of a batch of sarathi
  std::uint32_t prompt_tokens = 4096;   ///< tokens of a batch of prompts of vllm and lightllm
  std::uint32_t waiting_steps = 10;     ///< steps of lightllm between two batches of prompts
  double watermark = 0.01;              ///< share of the blocks that a new request of vllm and sarathi leaves free
  Seconds time_limit{std::numeric_limits<double>::infinity()};
};

/// How a run ended.
enum class Ending : std::uint8_t {
  complete,       ///< all requests are complete
  not_empty,      ///< nothing happens any more, but requests wait or hold memory
  time_limit,     ///< the time limit came first
  out_of_blocks,  ///< a step of lightllm needs more blocks than are free
  no_time,        ///< the time of a batch is unknown or not positive
};

}  // namespace dfsweep::vidur
