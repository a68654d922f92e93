/// Batching: how fast a replica serves requests of one kind, one batch after another or in flight.
/// Source: docs/models/serving.md, batches.
#pragma once

#include <algorithm>
#include <cmath>

#include "models/serving/step/times.hpp"

namespace dfsweep::serving {

struct Request {
  double prompt = 0.0;  ///< tokens
  double shared = 0.0;  ///< of these, that all requests share
  double output = 0.0;
  double beams = 1.0;
  double chunk = 0.0;        ///< prompt tokens of a step at most
  double step_tokens = 1.0;  ///< of a sequence in a decode step
  double accepted = 1.0;     ///< of these, that the answer gains on average
  bool operator==(const Request&) const = default;
  /// Half of the answer is there on average.
  [[nodiscard]] double mean_context() const { return prompt + output / 2; }
};

template <class Number>
[[nodiscard]] BasicPrompts<Number> prompts_of(const Request& r, const Number& count) {
  return {.count = count, .tokens = r.prompt - r.shared, .shared = r.shared, .chunk = r.chunk};
}
template <class Number>
[[nodiscard]] BasicDecode<Number> decode_of(const Request& r, const Number& count) {
  return {.sequences = count * r.beams, .context = r.mean_context(), .step_tokens = r.step_tokens};
}

/// A batch in flight: whoever ends is replaced at once.
struct InFlight {
  Seconds prefill;       ///< of the prompts of all n requests, without answers
  Seconds step;          ///< a decode step of the n sequences
  Seconds first_token;   ///< of a request, from the time when it has a place
  Seconds output_token;  ///< between two tokens of an answer
  Seconds total;         ///< in which a request, and so all n, are served
};

/// A request waits for its own prompt, `alone`, and for those of n - 1 others, of which each takes added / n:
///
///     waited       = min(1, n - 1) / 2, at least 0: half of another's prompt comes before the own one
///     first_token  = (1 + waited) alone
///     output_token = step + (n - 1 - waited) added / n / (output - 1)
///     total        = first_token + (output - 1) output_token
///
/// An answer of one token waits for all prompts.
/// `added`: by how much the prompts of all n prolong the n answers. Source: docs/models/serving.md, batches.
[[nodiscard]] InFlight flight_of_request(const Request& request, double count, Seconds alone, Seconds added,
                                         Seconds step);

/// A step with a chunk of prompts and tokens of answers reads weights once and is launched once, so that prompts add
/// less than they take by themselves. Of d = (output - 1) p steps of answers, s = min(chunks, d) are steps with a chunk
/// too; of the device's time they save
///
///     s (products(chunk) + products(b) - products(chunk + b) + latencies + host)
///
/// or more, where chunks are more than d and take the tokens of answers evenly: products(chunk + b d / chunks) each.
/// Where a step yields a tokens of each sequence, d = (output - 1) p / a and a token takes 1/a of a step.
/// `alone`: lone_prefill_time of one, of both models where one drafts; `drafts`: what a step of the n sequences takes
/// for drafts, before the target's. `draft`: costs of the model that drafts, which reads the prompts too; or null.
[[nodiscard]] InFlight in_flight(const Costs& costs, const Request& request, double count, Seconds alone,
                                 Seconds drafts = {}, const Costs* draft = nullptr);

/// Time of N requests where at most n are served at once, in r = N/n rounds: half as if the n were spread evenly over
/// their answers (r rounds, not whole), half as if they moved in step (whole rounds of equally many):
///
///     ( N total(n) / n + N total(m) / m ) / 2,     m = N / ceil(r)
///
/// `full`: total of n; `flight_of(m)`: InFlight of m. Source: docs/models/serving.md, batches.
template <class FlightOf>
[[nodiscard]] Seconds finite_time(double count, double requests, Seconds full, const FlightOf& flight_of) {
  const double rounds = requests / count;
  const double whole = std::ceil(rounds);
  if (whole == rounds) return rounds * full;
  return 0.5 * (rounds * full + whole * flight_of(requests / whole).total);
}

/// The largest n in [0, high] with holds(n), to a part in 10^9; 0 where none. Pre: holds falls from true to false.
template <class Holds>
[[nodiscard]] double largest_batch(double high, const Holds& holds) {
  if (holds(high)) return high;
  double low = 0.0;
  while (high - low > 1e-9 * high) {
    const double middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

/// The largest batch in [0, most] where `token_time(n)` does not exceed `limit`; 0: not even that of one.
template <class TokenTime>
[[nodiscard]] double batch_within(double most, Seconds limit, const TokenTime& token_time) {
  return largest_batch(most, [&](double n) { return token_time(std::max(n, 1e-9)) <= limit; });
}

}  // namespace dfsweep::serving
