/// Demand on a deployment: who sends requests, when, and how long they are.
#pragma once

#include <cstdint>

#include "models/queueing/lengths.hpp"
#include "models/units.hpp"

namespace dfsweep::queueing {

/// When requests (with several turns: conversations) come.
enum class ArrivalLaw {
  closed,   ///< a fixed number of users, each sending its next request `think` after its last token
  poisson,  ///< exponential gaps
  gamma,    ///< gamma gaps with coefficient of variation `variation`
  uniform,  ///< equal gaps
  burst,    ///< `group` at once, groups equally spaced; a group of 0 is all requests at time 0
};

/// Pre: rate > 0 where the law is open, variation > 0.
struct Arrivals {
  ArrivalLaw law = ArrivalLaw::closed;
  double users = 1.0;               ///< closed: of the whole deployment, a whole number where it is simulated
  double requests_per_user = 10.0;  ///< closed: conversations are cut where this number is reached
  Frequency rate;                   ///< open: requests per second of the whole deployment, all turns counted
  double variation = 1.0;           ///< gamma
  std::uint64_t group = 0;          ///< burst
  std::uint64_t requests = 1000;    ///< open: how many are simulated
};

/// A stream of requests. Request i of a seed has the same lengths whatever else changes (common random numbers).
/// Turns: the prompt of a later turn is its own new tokens after the whole former conversation, whose cache is kept
/// while there is room. Shared tokens: the first tokens of every conversation, cached once on each rank and never read.
struct Workload {
  LengthDistribution prompt;  ///< new tokens of a turn; of the first turn with the shared tokens
  LengthDistribution output;
  Arrivals arrivals;
  Seconds think;                      ///< from the last token to the user's next request (also between turns)
  std::uint32_t turns = 1;            ///< requests of a conversation
  double shared_prompt_tokens = 0.0;  ///< of each first prompt; at least one token of it is left to read
  std::uint64_t seed = 0;
};

}  // namespace dfsweep::queueing
