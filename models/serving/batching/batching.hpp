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

/// Times of a batch of n requests, and of each of them.
template <class Number>
struct BasicBatchTimes {
  using Time = SecondsOf<Number>;
  Time prefill;       ///< of the prompts of all n requests, without answers
  Time step;          ///< a decode step of the n sequences, for each token that it yields of a sequence
  Time first_token;   ///< of a request, from the time when it has a place
  Time output_token;  ///< between two tokens of an answer
  Time total;         ///< in which a request, and so all n, are served
};
using BatchTimes = BasicBatchTimes<double>;

/// What a model that drafts adds; nothing without one.
template <class Number>
struct BasicDraftTimes {
  SecondsOf<Number> step;        ///< drafts of a step of the n sequences, before the target's pass
  const Costs* costs = nullptr;  ///< of the model that drafts, which reads the prompts too; or null
};
using DraftTimes = BasicDraftTimes<double>;

/// All start and end together: prompts of all are read, which takes `first_token` where nothing else is read, then
/// answers of all are written.
template <class Number>
[[nodiscard]] BasicBatchTimes<Number> static_batch_of(const Request& request, const SecondsOf<Number>& prefill,
                                                      const SecondsOf<Number>& first_token,
                                                      const SecondsOf<Number>& step) {
  return {prefill, step, first_token, step, first_token + (request.output - 1) * step};
}
template <class Number>
[[nodiscard]] BasicBatchTimes<Number> static_batch(const Costs& costs, const Request& request, const Number& count,
                                                   const BasicDraftTimes<Number>& drafts = {});

/// In flight, whoever ends is replaced at once. A request waits for its own prompt, `alone`, and for those of n - 1
/// others, of which each takes added / n:
///
///     waited       = min(1, n - 1) / 2, at least 0: half of another's prompt comes before the own one
///     first_token  = (1 + waited) alone
///     output_token = step + (n - 1 - waited) added / n / (output - 1)
///     total        = first_token + (output - 1) output_token
///
/// An answer of one token waits for all prompts.
/// `added`: by how much the prompts of all n prolong the n answers. Source: docs/models/serving.md, batches.
template <class Number>
[[nodiscard]] BasicBatchTimes<Number> flight_of_request(const Request& request, const Number& count, Seconds alone,
                                                        const SecondsOf<Number>& added, const SecondsOf<Number>& step);

/// The steps that read the prompts of a batch, whatever is answered.
template <class Number>
struct BasicPromptSteps {
  BasicStepTokens<Number> chunk;
  Number chunks = 0.0;
  SecondsOf<Number> products;  ///< of a chunk
  SecondsOf<Number> device;    ///< of all chunks
  SecondsOf<Number> all;       ///< with launches, in a full pipeline
};
using PromptSteps = BasicPromptSteps<double>;
template <class Number>
[[nodiscard]] BasicPromptSteps<Number> prompt_steps_of(const Costs& costs, const BasicPrompts<Number>& prompts);

/// A step with a chunk of prompts and tokens of answers reads weights once and is launched once, so that prompts add
/// less than they take by themselves. Of d = (output - 1) p steps of answers, s = min(chunks, d) are steps with a chunk
/// too; of the device's time they save
///
///     s (products(chunk) + products(b) - products(chunk + b) + latencies + host)
///
/// or more, where chunks are more than d and take the tokens of answers evenly: products(chunk + b d / chunks) each.
/// Where a step yields a tokens of each sequence, d = (output - 1) p / a and a token takes 1/a of a step.
/// `alone`: lone_prefill_time of one, of both models where one drafts; `prompts`: prompt_steps_of() all.
template <class Number>
[[nodiscard]] BasicBatchTimes<Number> in_flight(const Costs& costs, const Request& request, const Number& count,
                                                Seconds alone, const BasicPromptSteps<Number>& prompts,
                                                const BasicDraftTimes<Number>& drafts);
template <class Number>
[[nodiscard]] BasicBatchTimes<Number> in_flight(const Costs& costs, const Request& request, const Number& count,
                                                Seconds alone, const BasicDraftTimes<Number>& drafts = {}) {
  return in_flight(costs, request, count, alone, prompt_steps_of(costs, prompts_of(request, count)), drafts);
}

/// Time of N requests where at most n are served at once, in r = N/n rounds: half as if the n were spread evenly over
/// their answers (r rounds, not whole), half as if they moved in step (whole rounds of equally many):
///
///     ( N total(n) / n + N total(m) / m ) / 2,     m = N / ceil(r)
///
/// `full`: total of n; `flight_of(m)`: times of m in flight. Source: docs/models/serving.md, batches.
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

namespace detail {

/// Products of `chunks` chunks of prompts of which some carry answers of b tokens: as many as the steps of answers, or
/// all of them, evenly, where these are more and that is faster.
/// `of_chunk`: products_time of a chunk.
template <class Number>
[[nodiscard]] SecondsOf<Number> products_of_both(const Costs& costs, const BasicStepTokens<Number>& chunk,
                                                 const SecondsOf<Number>& of_chunk, const Number& chunks,
                                                 const BasicStepTokens<Number>& tokens, double steps) {
  using Time = SecondsOf<Number>;
  const Number both = lesser(chunks, steps);
  const Time apart = (chunks - both) * of_chunk + both * products_time(costs, chunk + tokens);
  const MaskOf<Number> are_more = !(chunks <= steps);
  if (!any(are_more)) return apart;
  const Time even = chunks * products_time(costs, chunk + steps / chunks * tokens);
  return choose(are_more, Time{lesser(apart.value(), even.value())}, apart);
}

/// Of all prompts of a batch.
template <class Number>
struct PromptTimes {
  SecondsOf<Number> all;    ///< without answers
  SecondsOf<Number> added;  ///< by which they prolong the answers
};

/// `of_step`: products_time of a step that decodes.
template <class Number>
[[nodiscard]] PromptTimes<Number> prompt_times(const Costs& costs, const Request& r, const BasicDecode<Number>& decode,
                                               const SecondsOf<Number>& of_step,
                                               const BasicPromptSteps<Number>& prompts) {
  using Time = SecondsOf<Number>;
  const BasicStepTokens<Number> tokens = decode_step_tokens(costs, decode);
  const double steps = (r.output - 1) / r.accepted * costs.pipeline;
  const Number& chunks = prompts.chunks;
  const Time saved =
      difference<Time>(chunks * prompts.products + lesser(chunks, steps) * (of_step + costs.exchange_step + costs.host),
                       products_of_both(costs, prompts.chunk, prompts.products, chunks, tokens, steps));
  const Time launches = chunks * costs.prompt_launch;
  return {prompts.all, launched<Time>(launches, difference<Time>(prompts.device, saved)) / costs.pipeline};
}

}  // namespace detail

template <class Number>
BasicBatchTimes<Number> static_batch(const Costs& costs, const Request& r, const Number& count,
                                     const BasicDraftTimes<Number>& drafts) {
  const BasicPrompts<Number> prompts = prompts_of(r, count);
  const BasicDecode<Number> decode = decode_of(r, count);
  const SecondsOf<Number> of_step = products_time(costs, decode_step_tokens(costs, decode));
  SecondsOf<Number> prefill = prefill_time(costs, prompts);
  SecondsOf<Number> first_token = lone_prefill_time(costs, prompts);
  if (drafts.costs != nullptr) {
    prefill += prefill_time(*drafts.costs, prompts);
    first_token += lone_prefill_time(*drafts.costs, prompts);
  }
  return static_batch_of<Number>(r, prefill, first_token,
                                 (1 / r.accepted) * (decode_time(costs, decode, of_step) + drafts.step));
}

template <class Number>
BasicBatchTimes<Number> flight_of_request(const Request& r, const Number& count, Seconds alone,
                                          const SecondsOf<Number>& added, const SecondsOf<Number>& step) {
  const Number others = greater(0.0, count - 1);
  const Number waited = lesser(1.0, others) / 2;
  const double later_tokens = r.output - 1;
  const SecondsOf<Number> later = (others - waited) / greater(1.0, count) * added;
  BasicBatchTimes<Number> flight;
  flight.step = flight.output_token = step;
  flight.first_token = (1 + waited) * alone;
  if (later_tokens > 0)
    flight.output_token += later / later_tokens;
  else
    flight.first_token += later;
  flight.total = flight.first_token + later_tokens * flight.output_token;
  return flight;
}

template <class Number>
BasicPromptSteps<Number> prompt_steps_of(const Costs& costs, const BasicPrompts<Number>& prompts) {
  using Time = SecondsOf<Number>;
  BasicPromptSteps<Number> steps;
  steps.chunk = prompt_step_tokens(costs, prompts);
  steps.chunks = prompt_steps(costs, prompts);
  steps.products = products_time(costs, steps.chunk);
  steps.device = prompt_device_time(costs, prompts, steps.products);
  const Time launches = steps.chunks * costs.prompt_launch;
  steps.all = launched<Time>(launches, steps.device) / costs.pipeline;
  return steps;
}

template <class Number>
BasicBatchTimes<Number> in_flight(const Costs& costs, const Request& r, const Number& count, Seconds alone,
                                  const BasicPromptSteps<Number>& steps, const BasicDraftTimes<Number>& drafts) {
  const BasicDecode<Number> decode = decode_of(r, count);
  const SecondsOf<Number> of_step = products_time(costs, decode_step_tokens(costs, decode));
  detail::PromptTimes<Number> prompts = detail::prompt_times(costs, r, decode, of_step, steps);
  if (drafts.costs != nullptr) {
    const Costs& draft = *drafts.costs;
    BasicDecode<Number> drafted = decode;
    drafted.step_tokens = 1.0;
    const SecondsOf<Number> of_pass = products_time(draft, decode_step_tokens(draft, drafted));
    const detail::PromptTimes<Number> of_draft =
        detail::prompt_times(draft, r, drafted, of_pass, prompt_steps_of(draft, prompts_of(r, count)));
    prompts.all += of_draft.all;
    prompts.added += of_draft.added;
  }
  BasicBatchTimes<Number> flight = flight_of_request(
      r, count, alone, prompts.added, (1 / r.accepted) * (decode_time(costs, decode, of_step) + drafts.step));
  flight.prefill = prompts.all;
  return flight;
}

}  // namespace dfsweep::serving
