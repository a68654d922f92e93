/// Times: how long a replica takes for prompts and for decode steps.
#pragma once

#include <cstddef>
#include <type_traits>

#include "models/quantity_lanes.hpp"
#include "models/queueing/step_load.hpp"
#include "models/serving/step/costs.hpp"
#include "models/serving/step/pass_times.hpp"

namespace dfsweep::serving {

/// What a step is spent on, each as if alone; products wait for the larger of two, so the sum exceeds the step.
template <class Number>
struct BasicParts {
  SecondsOf<Number> compute;
  SecondsOf<Number> memory;
  SecondsOf<Number> network;
  SecondsOf<Number> host;
};
using Parts = BasicParts<double>;
template <class Number>
[[nodiscard]] BasicParts<Number> operator+(const BasicParts<Number>& a, const BasicParts<Number>& b) {
  return {a.compute + b.compute, a.memory + b.memory, a.network + b.network, a.host + b.host};
}
template <class Number>
[[nodiscard]] BasicParts<Number> operator*(const std::type_identity_t<Number>& times, const BasicParts<Number>& parts) {
  return {times * parts.compute, times * parts.memory, times * parts.network, times * parts.host};
}

/// Positions that a token reads of `context` before it, as a mean over layers: windowed ones look back w at most.
[[nodiscard]] inline double positions_read(const Costs& costs, double context) {
  return within_window(costs, context, 1.0);
}

/// The parts of a pass of a rank, and of all ranks together.
template <class Number>
[[nodiscard]] BasicParts<Number> rank_pass_parts(const Costs& costs, const queueing::BasicStepLoad<Number>& rank,
                                                 double step_tokens);
template <class Number>
[[nodiscard]] BasicParts<Number> shared_pass_parts(const Costs& costs, const Number& tokens);

/// Prompts that a replica reads together. A prompt is read by one attention rank.
template <class Number>
struct BasicPrompts {
  Number count = 1.0;
  double tokens = 0.0;  ///< of each, that are computed
  double shared = 0.0;  ///< tokens before these, whose cache is there
  double chunk = 0.0;   ///< tokens that a rank reads in a step at most
  [[nodiscard]] Number all_tokens() const { return count * tokens; }
  /// Mean positions before a token of a prompt.
  [[nodiscard]] double context() const { return shared + tokens / 2; }
};
using Prompts = BasicPrompts<double>;

/// Steps that the fullest rank takes: max(1, its tokens / chunk), a whole number or not.
template <class Number>
[[nodiscard]] Number prompt_steps(const Costs& costs, const BasicPrompts<Number>& prompts);
template <class Number>
[[nodiscard]] BasicStepTokens<Number> prompt_step_tokens(const Costs& costs, const BasicPrompts<Number>& prompts);

/// Device time for all tokens of the prompts, of all stages: of each step the pass of its tokens, rank and shared,
///
///     G = steps (rank_pass + shared_pass)
///     t = (G^4 + (steps launches)^4)^(1/4)
///
/// A token attends to the shared ones and to half of its prompt on average; windows cut that. Source:
/// docs/models/serving.md, a step.
template <class Number>
[[nodiscard]] SecondsOf<Number> prompt_work(const Costs& costs, const BasicPrompts<Number>& prompts);
/// G, where products_time of a step's tokens is known.
template <class Number>
[[nodiscard]] SecondsOf<Number> prompt_device_time(const Costs& costs, const BasicPrompts<Number>& prompts,
                                                   const SecondsOf<Number>& products);
template <class Number>
[[nodiscard]] BasicParts<Number> prompt_parts(const Costs& costs, const BasicPrompts<Number>& prompts);
/// Of prompt_work, what is priced from measured tables. Pre, here and of decode_priced_time: the costs have prices.
[[nodiscard]] PricedTime prompt_priced_time(const Costs& costs, const Prompts& prompts);

/// Until the prompts are read where stages are full of other prompts: work / p.
template <class Number>
[[nodiscard]] SecondsOf<Number> prefill_time(const Costs& costs, const BasicPrompts<Number>& prompts) {
  return prompt_work(costs, prompts) / costs.pipeline;
}
/// Until they are read where they are alone: chunks follow one another through the stages, work (steps + p - 1) /
/// (steps p).
template <class Number>
[[nodiscard]] SecondsOf<Number> lone_prefill_time(const Costs& costs, const BasicPrompts<Number>& prompts);

/// Sequences that a replica decodes together.
template <class Number>
struct BasicDecode {
  Number sequences = 1.0;
  double context = 0.0;      ///< tokens of a sequence before the step
  double step_tokens = 1.0;  ///< that a step handles of each sequence
};
using Decode = BasicDecode<double>;

/// Sequences of a stage at once: sequences / p, at least 1.
template <class Number>
[[nodiscard]] Number stage_sequences(const Costs& costs, const BasicDecode<Number>& decode) {
  return greater(1.0, decode.sequences / costs.pipeline);
}
/// Tokens of a step of a stage; a rank has no fewer than one sequence.
template <class Number>
[[nodiscard]] BasicStepTokens<Number> decode_step_tokens(const Costs& costs, const BasicDecode<Number>& decode);

/// Time of a step through all layers, while p - 1 other groups of sequences are in the other stages: the pass of the
/// sequences of a stage, rank and shared.
[[nodiscard]] Seconds decode_time(const Costs& costs, const Decode& decode);
/// The same where products_time of the step's tokens is known.
template <class Number>
[[nodiscard]] SecondsOf<Number> decode_time(const Costs& costs, const BasicDecode<Number>& decode,
                                            const SecondsOf<Number>& products);
template <class Number>
[[nodiscard]] BasicParts<Number> decode_parts(const Costs& costs, const BasicDecode<Number>& decode);
/// Of decode_time, what is priced from measured tables.
[[nodiscard]] PricedTime decode_priced_time(const Costs& costs, const Decode& decode);

/// FLOP of the model for the prompts, without the output layer, and for a step of all sequences.
template <class Number>
[[nodiscard]] InLanes<Flop, Number> prompt_flop(const Costs& costs, const BasicPrompts<Number>& prompts) {
  return InLanes<Flop, Number>{prompts.all_tokens() *
                               (costs.flop_token + positions_read(costs, prompts.context()) * costs.flop_pair)};
}
template <class Number>
[[nodiscard]] InLanes<Flop, Number> decode_flop(const Costs& costs, const BasicDecode<Number>& decode) {
  const Number tokens = decode.sequences * decode.step_tokens;
  return InLanes<Flop, Number>{
      tokens * (costs.flop_token + costs.flop_output + positions_read(costs, decode.context) * costs.flop_pair)};
}

namespace detail {

/// Prompts of the rank that has most; a prompt is on one rank.
template <class Number>
[[nodiscard]] Number prompts_of_rank(const Costs& costs, const BasicPrompts<Number>& prompts) {
  return greater(lesser(1.0, prompts.count), prompts.count / costs.ranks);
}

/// A step with prompts of the fullest rank.
template <class Number>
[[nodiscard]] queueing::BasicStepLoad<Number> prompt_load(const Costs& costs, const BasicPrompts<Number>& prompts) {
  const Number tokens = prompt_step_tokens(costs, prompts).rank;
  return {.prompt_tokens = tokens,
          .prompt_pairs = tokens * prompts.context(),
          .prompts = prompts_of_rank(costs, prompts) / prompt_steps(costs, prompts)};
}

/// A step with the sequences of the fullest rank.
template <class Number>
[[nodiscard]] queueing::BasicStepLoad<Number> decode_load(const Costs& costs, const BasicDecode<Number>& decode) {
  const Number sequences = greater(1.0, stage_sequences(costs, decode) / costs.ranks);
  return {.sequences = sequences, .context = sequences * decode.context};
}

}  // namespace detail

template <class Number>
BasicParts<Number> rank_pass_parts(const Costs& costs, const queueing::BasicStepLoad<Number>& rank,
                                   double step_tokens) {
  const Number tokens = detail::tokens_of(rank, step_tokens);
  const Number sampled = detail::sampled_tokens(rank, step_tokens);
  const Number positions = within_window(costs, rank.context, rank.sequences);
  BasicParts<Number> parts;
  parts.compute = (tokens + costs.half_rows) * (costs.attention.token + costs.dense.token) +
                  positions * (step_tokens * costs.decode_pair) + rank.context * (step_tokens * costs.index_pair) +
                  within_window(costs, rank.prompt_pairs, rank.prompt_tokens) * costs.pair +
                  rank.prompt_pairs * costs.index_pair + sampled * costs.output.token;
  parts.memory = costs.attention.weights + costs.dense.weights + positions * costs.position +
                 rank.context * costs.index_position + rank.sequences * costs.state +
                 lesser(1.0, sampled) * costs.output.weights + sampled * costs.logits + tokens * costs.activations;
  parts.network = tokens * costs.exchange;
  if (is_priced(costs, StepPart::exchanges))
    parts.network +=
        times_by_lane<Number>([&](std::size_t i) { return priced_exchanges(*costs.prices, lane(tokens, i)); });
  parts.host = costs.pipeline * rank.sequences * costs.host_sequence;
  return parts;
}

template <class Number>
BasicParts<Number> shared_pass_parts(const Costs& costs, const Number& tokens) {
  BasicParts<Number> parts;
  if (costs.touch.count > 0) {
    const Number touched = touched_experts(costs.touch, tokens);
    parts.compute = detail::expert_rows(costs.touch, tokens, touched) * costs.experts.token;
    parts.memory = fullest_experts(costs.touch, tokens, touched) * costs.experts.weights;
  }
  parts.network = costs.exchange_step;
  parts.host = costs.host;
  return parts;
}

template <class Number>
Number prompt_steps(const Costs& costs, const BasicPrompts<Number>& prompts) {
  return greater(1.0, detail::prompts_of_rank(costs, prompts) * prompts.tokens / prompts.chunk);
}

template <class Number>
BasicStepTokens<Number> prompt_step_tokens(const Costs& costs, const BasicPrompts<Number>& prompts) {
  const Number on_rank = detail::prompts_of_rank(costs, prompts);
  const Number rank = lesser(on_rank * prompts.tokens, prompts.chunk);
  return {rank, rank * (prompts.count / on_rank)};
}

template <class Number>
SecondsOf<Number> prompt_work(const Costs& costs, const BasicPrompts<Number>& prompts) {
  const SecondsOf<Number> products = products_time(costs, prompt_step_tokens(costs, prompts));
  const SecondsOf<Number> device = prompt_device_time<Number>(costs, prompts, products);
  return launched<SecondsOf<Number>>(prompt_steps(costs, prompts) * costs.prompt_launch, device);
}

template <class Number>
SecondsOf<Number> prompt_device_time(const Costs& costs, const BasicPrompts<Number>& prompts,
                                     const SecondsOf<Number>& products) {
  return prompt_steps(costs, prompts) *
         (products + rank_rest_time(costs, detail::prompt_load(costs, prompts), 1) + shared_rest_time(costs));
}

template <class Number>
SecondsOf<Number> lone_prefill_time(const Costs& costs, const BasicPrompts<Number>& prompts) {
  const Number steps = prompt_steps(costs, prompts);
  return (steps + costs.pipeline - 1) / (steps * costs.pipeline) * prompt_work(costs, prompts);
}

template <class Number>
BasicParts<Number> prompt_parts(const Costs& costs, const BasicPrompts<Number>& prompts) {
  BasicParts<Number> step = rank_pass_parts(costs, detail::prompt_load(costs, prompts), 1) +
                            shared_pass_parts(costs, prompt_step_tokens(costs, prompts).all);
  step.host += costs.prompt_launch;
  return prompt_steps(costs, prompts) * step;
}

template <class Number>
BasicStepTokens<Number> decode_step_tokens(const Costs& costs, const BasicDecode<Number>& decode) {
  const BasicStepTokens<Number> sequences{detail::decode_load(costs, decode).sequences, stage_sequences(costs, decode)};
  return decode.step_tokens * sequences;
}

template <class Number>
SecondsOf<Number> decode_time(const Costs& costs, const BasicDecode<Number>& decode,
                              const SecondsOf<Number>& products) {
  return products + rank_rest_time(costs, detail::decode_load(costs, decode), decode.step_tokens) +
         shared_rest_time(costs);
}

template <class Number>
BasicParts<Number> decode_parts(const Costs& costs, const BasicDecode<Number>& decode) {
  return rank_pass_parts(costs, detail::decode_load(costs, decode), decode.step_tokens) +
         shared_pass_parts(costs, decode_step_tokens(costs, decode).all);
}

}  // namespace dfsweep::serving
