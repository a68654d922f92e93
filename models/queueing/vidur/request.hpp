/// Requests of Vidur's simulator: what arrives, and the state of a request from its arrival to its completion.
#pragma once

#include <cstdint>

#include "models/absent.hpp"
#include "models/units.hpp"

namespace dfsweep::vidur {

/// A request as it arrives. Pre: at least one token of prompt and of output.
struct OfferedRequest {
  Seconds arrival;
  std::uint32_t prompt = 1;  ///< tokens
  std::uint32_t output = 1;  ///< tokens
};

using RequestIndex = std::uint32_t;  ///< index into the list of offered requests

/// What decides about a request in flight.
struct RequestState {
  std::uint32_t prompt = 1;  ///< tokens to process before the next output token; after a restart with those generated
  std::uint32_t total = 2;   ///< prompt and output; never changes
  std::uint32_t processed = 0;     ///< tokens of finished batches, and one more for the output token of the prompt
  std::uint32_t batch_tokens = 0;  ///< tokens in the batch that it is in
  std::uint32_t blocks = 0;        ///< blocks of the cache that it holds
  std::uint32_t restarts = 0;
  std::uint32_t arrival_rank = 0;  ///< number of different earlier times of arrival
  bool is_decoding = false;        ///< the prompt is processed
  bool was_scheduled = false;      ///< it has been in a batch

  [[nodiscard]] bool is_complete() const { return processed == total; }
};

/// When something happened to a request, in seconds since the start of the run; NaN where it has not.
struct RequestTimes {
  double arrival = 0.0;
  double scheduled_at = absent;         ///< start of the first batch that it was in
  double prompt_completed_at = absent;  ///< end of the batch that completed the prompt for the first time
  double completed_at = absent;
};

/// Gives a request its tokens at the end of a batch. The batch that completes the prompt also produces the first output
/// token. Source: [vidur] request.py
inline void finish_batch(RequestState& r, RequestTimes& times, double now) {
  r.processed += r.batch_tokens;
  if (r.processed == r.prompt) {
    r.is_decoding = true;
    ++r.processed;
    if (!is_given(times.prompt_completed_at)) times.prompt_completed_at = now;
  }
  if (r.is_complete()) times.completed_at = now;
}

/// Preemption by recomputation: what was processed becomes the prompt. Where this happens within a prompt, the rest of
/// the prompt is generated later, token by token. Source: [vidur] request.py
inline void restart(RequestState& r) {
  r.prompt = r.processed;
  r.processed = 0;
  r.is_decoding = false;
  ++r.restarts;
}

}  // namespace dfsweep::vidur
