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
  bool operator==(const Request&) const = default;
  /// Half of the answer is there on average.
  [[nodiscard]] double mean_context() const { return prompt + output / 2; }
};

[[nodiscard]] Prompts prompts_of(const Request& request, double count);
[[nodiscard]] Decode decode_of(const Request& request, double count);

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
/// not whole), half as if they moved in step (whole rounds and a rest). `full`: of n; `flight_of(m)`: InFlight of m.
template <class FlightOf>
[[nodiscard]] Seconds finite_time(double count, double requests, const InFlight& full, const FlightOf& flight_of) {
  const double rounds = requests / count;
  const double whole = std::ceil(rounds) - 1;
  const double rest = requests - whole * count;
  const Seconds last = rest == count ? full.total : flight_of(rest).total;
  return 0.5 * ((std::max(rounds, 1.0) + whole) * full.total + last);
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

/// The largest batch in [0, most] whose total over output does not exceed `limit`; 0: not even that of one.
template <class FlightOf>
[[nodiscard]] double batch_within(double output, double most, Seconds limit, const FlightOf& flight_of) {
  return largest_batch(most, [&](double n) { return flight_of(std::max(n, 1e-9)).total <= output * limit; });
}

/// The batch at which requests arrive at `load` of the rate of batch `most`.
template <class FlightOf>
[[nodiscard]] double batch_at_load(double most, double load, const FlightOf& flight_of) {
  const double rate = load * most / flight_of(most).total.value();
  return largest_batch(most, [&](double n) { return n <= rate * flight_of(std::max(n, 1e-9)).total.value(); });
}

}  // namespace dfsweep::serving
