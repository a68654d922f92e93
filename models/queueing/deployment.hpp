/// The servers that requests meet: replicas with attention ranks, their caches, and pools for prompts and answers.
#pragma once

#include <cstdint>
#include <limits>

#include "models/queueing/engine_rules.hpp"
#include "models/units.hpp"

namespace dfsweep::queueing {

/// A second tier of the cache, per rank; it keeps conversations that the first one had to give up.
struct HostCache {
  double tokens = 0.0;
  Seconds per_token;  ///< of loading a token back
};

/// Equal replicas of one engine. A request goes to the rank with the fewest requests, or to the one that holds its
/// conversation.
struct Deployment {
  std::uint32_t replicas = 1;
  std::uint32_t attention_ranks = 1;                              ///< of a replica; they step together
  double cache_tokens = std::numeric_limits<double>::infinity();  ///< of a rank
  double tokens_per_step = 1.0;  ///< tokens that a decode step gives each sequence (speculation), >= 1
  HostCache host;
  EngineRules rules;
  ClientTimes client;
};

/// Prompts and answers on servers of their own. Prompt workers read whole prompts, up to a chunk at once, and hand the
/// cache over; `decode` gives the servers of answers, the client's times and the lag.
struct Pools {
  std::uint32_t prompt_replicas = 1;
  std::uint32_t prompt_ranks = 1;       ///< of a prompt replica
  double prompt_chunk_tokens = 8192.0;  ///< of a step and rank
  Seconds handover_per_token;           ///< of a prompt, between the pools, beside the client's `handover`
  Deployment decode;
};

}  // namespace dfsweep::queueing
