/// Batching: how fast a replica serves requests of one kind, one batch after another or in flight.
#pragma once

#include "models/inference/serving/step/times.hpp"

namespace dfsweep::serving {

struct Request {
  double prompt = 0.0;  ///< tokens
  double shared = 0.0;  ///< of these, that all requests share
  double output = 0.0;
  double beams = 1.0;
  double chunk = 0.0;        ///< prompt tokens of a step at most
  double step_tokens = 1.0;  ///< of a sequence in a decode step
  bool operator==(const Request&) const = default;
  /// Half of the answer is there on average.
  [[nodiscard]] double mean_context() const { return prompt + output / 2; }
};

[[nodiscard]] Prompts prompts_of(const Request& request, double count);
[[nodiscard]] Decode decode_of(const Request& request, double count);

/// n requests that start and end together: prefill of all prompts, then output - 1 decode steps.
[[nodiscard]] Seconds static_time(const Costs& costs, const Request& request, double count);

/// A batch in flight: whoever ends is replaced at once.
struct InFlight {
  Seconds prefill;  ///< of the prompts of all n requests
  Seconds step;     ///< a decode step of the n sequences
  Seconds total;    ///< in which n requests are served
};

/// total = prefill + output step - what steps that do both share
///
/// A step with a chunk of prompts and tokens of answers reads weights once and is launched once: each of the
/// min(chunks, output p) such steps saves products(chunk) + products(b) - products(chunk + b) + latencies + host of the
/// device's time.
[[nodiscard]] InFlight in_flight(const Costs& costs, const Request& request, double count);

/// Time of N requests where n are served at once: half as if the n were spread evenly over their answers (N/n rounds,
/// not whole), half as if they moved in step (whole rounds and a rest).
/// `full`: in_flight of n.
[[nodiscard]] Seconds finite_time(const Costs& costs, const Request& request, double count, double requests,
                                  const InFlight& full);

/// The largest batch in [0, most] whose total over output does not exceed `limit`; 0: not even that of one.
[[nodiscard]] double batch_within(const Costs& costs, const Request& request, double most, Seconds limit);

/// The batch at which requests arrive at `load` of the rate of batch `most`.
[[nodiscard]] double batch_at_load(const Costs& costs, const Request& request, double most, double load);

}  // namespace dfsweep::serving
