/// What a simulation says about all requests, from the records of each.
#pragma once

#include <cstdint>

#include "models/queueing/simulation/tally.hpp"

namespace dfsweep::queueing {

/// One finished request, in seconds from time 0.
struct RequestRecord {
  std::uint64_t request = 0;
  double sent = 0.0;
  double received = 0.0;            ///< by the engine
  double started = 0.0;             ///< start of the first step that handles it
  double first_token = 0.0;         ///< at the client
  double finished = 0.0;            ///< at the client
  std::uint32_t prompt_tokens = 0;  ///< new tokens
  std::uint32_t output_tokens = 0;
  std::uint32_t replica = 0;  ///< of the servers that decode
  std::uint32_t rank = 0;     ///< of that replica
};

struct SimulatedLoad {
  TimeSummary first_token;     ///< from sending to the first token at the client
  TimeSummary token_time;      ///< per output token after the first; answers of one token do not count
  TimeSummary latency;         ///< from sending to the last token at the client
  TimeSummary waiting_time;    ///< from arrival at the engine to the start of the first step that handles the request
  std::uint64_t requests = 0;  ///< finished
  std::uint64_t refused = 0;   ///< do not fit the cache even alone; they are in no mean
  double request_rate = 0.0;   ///< 1/s: requests over makespan
  double prompt_token_rate = 0.0;  ///< 1/s, new tokens of prompts
  double output_token_rate = 0.0;  ///< 1/s
  double makespan = 0.0;           ///< s, from time 0 to the last token at a client
  double users = 0.0;              ///< mean number of requests from sending to the last token
  double running = 0.0;            ///< mean number of decoding sequences of a rank
  double cache_use = 0.0;          ///< mean share of a rank's cache that running requests hold; 0 where it is unlimited
  double busy = 0.0;               ///< share of the makespan in which a replica steps (pools: of those that decode)
  std::uint64_t preemptions = 0;
  std::uint64_t reused_tokens = 0;  ///< of former turns, found in a cache
  std::uint64_t steps = 0;          ///< of all replicas
};

class Tallies {
 public:
  void add(const RequestRecord& record);
  void refuse() { ++refused_; }
  /// The answer, without what only the servers know.
  [[nodiscard]] SimulatedLoad summary();

 private:
  TimeTally first_token_;
  TimeTally token_time_;
  TimeTally latency_;
  TimeTally waiting_;
  std::uint64_t refused_ = 0;
  double makespan_ = 0.0;
  double prompt_tokens_ = 0.0;
  double output_tokens_ = 0.0;
};

}  // namespace dfsweep::queueing
