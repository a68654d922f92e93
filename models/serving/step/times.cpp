#include "models/serving/step/times.hpp"

#include <algorithm>
#include <cmath>

#include "models/serving/step/priced_times.hpp"

namespace dfsweep::serving {

namespace {

using detail::expert_rows, detail::sampled_tokens, detail::tokens_of;
using queueing::StepLoad;

/// Mean positions before a token of a prompt.
double prompt_context(const Prompts& prompts) {
  return prompts.shared + prompts.tokens / 2;
}

/// Prompts of the rank that has most; a prompt is on one rank.
double prompts_of_rank(const Costs& costs, const Prompts& prompts) {
  return std::max(std::min(1.0, prompts.count), prompts.count / costs.ranks);
}

/// A step with prompts of the fullest rank.
StepLoad prompt_load(const Costs& costs, const Prompts& prompts) {
  const double tokens = prompt_step_tokens(costs, prompts).rank;
  return {.prompt_tokens = tokens,
          .prompt_pairs = tokens * prompt_context(prompts),
          .prompts = prompts_of_rank(costs, prompts) / prompt_steps(costs, prompts)};
}

/// A step with the sequences of the fullest rank.
StepLoad decode_load(const Costs& costs, const Decode& decode) {
  const double sequences = std::max(1.0, stage_sequences(costs, decode) / costs.ranks);
  return {.sequences = sequences, .context = sequences * decode.context};
}

}  // namespace

Parts operator+(const Parts& a, const Parts& b) {
  return {a.compute + b.compute, a.memory + b.memory, a.network + b.network, a.host + b.host};
}

Parts operator*(double times, const Parts& parts) {
  return {times * parts.compute, times * parts.memory, times * parts.network, times * parts.host};
}

double positions_read(const Costs& costs, double context) {
  return within_window(costs, context, 1.0);
}

Parts rank_pass_parts(const Costs& costs, const StepLoad& rank, double step_tokens) {
  const double tokens = tokens_of(rank, step_tokens);
  const double sampled = sampled_tokens(rank, step_tokens);
  const double positions = within_window(costs, rank.context, rank.sequences);
  Parts parts;
  parts.compute = (tokens + costs.half_rows) * (costs.attention.token + costs.dense.token) +
                  positions * (step_tokens * costs.decode_pair) + rank.context * (step_tokens * costs.index_pair) +
                  within_window(costs, rank.prompt_pairs, rank.prompt_tokens) * costs.pair +
                  rank.prompt_pairs * costs.index_pair + sampled * costs.output.token;
  parts.memory = costs.attention.weights + costs.dense.weights + positions * costs.position +
                 rank.context * costs.index_position + rank.sequences * costs.state +
                 std::min(1.0, sampled) * costs.output.weights + sampled * costs.logits + tokens * costs.activations;
  parts.network = tokens * costs.exchange;
  if (is_priced(costs, StepPart::exchanges)) parts.network += priced_exchanges(*costs.prices, tokens);
  parts.host = costs.pipeline * rank.sequences * costs.host_sequence;
  return parts;
}

Parts shared_pass_parts(const Costs& costs, double tokens) {
  Parts parts;
  if (costs.touch.count > 0) {
    const double touched = touched_experts(costs.touch, tokens);
    parts.compute = expert_rows(costs.touch, tokens, touched) * costs.experts.token;
    parts.memory = fullest_experts(costs.touch, tokens, touched) * costs.experts.weights;
  }
  parts.network = tokens * costs.expert_exchange + costs.exchange_step;
  parts.host = costs.host;
  return parts;
}

double prompt_steps(const Costs& costs, const Prompts& prompts) {
  return std::max(1.0, prompts_of_rank(costs, prompts) * prompts.tokens / prompts.chunk);
}

StepTokens prompt_step_tokens(const Costs& costs, const Prompts& prompts) {
  const double on_rank = prompts_of_rank(costs, prompts);
  const double rank = std::min(on_rank * prompts.tokens, prompts.chunk);
  return {rank, rank * (prompts.count / on_rank)};
}

Seconds prompt_work(const Costs& costs, const Prompts& prompts) {
  const Seconds products = products_time(costs, prompt_step_tokens(costs, prompts));
  return launched(prompt_steps(costs, prompts) * costs.prompt_launch, prompt_device_time(costs, prompts, products));
}

Seconds prompt_device_time(const Costs& costs, const Prompts& prompts, Seconds products) {
  return prompt_steps(costs, prompts) * (products + rank_rest_time(costs, prompt_load(costs, prompts), 1) +
                                         shared_rest_time(costs, prompt_step_tokens(costs, prompts).all));
}

Parts prompt_parts(const Costs& costs, const Prompts& prompts) {
  Parts step = rank_pass_parts(costs, prompt_load(costs, prompts), 1) +
               shared_pass_parts(costs, prompt_step_tokens(costs, prompts).all);
  step.host += costs.prompt_launch;
  return prompt_steps(costs, prompts) * step;
}

Seconds prefill_time(const Costs& costs, const Prompts& prompts) {
  return prompt_work(costs, prompts) / costs.pipeline;
}

Seconds lone_prefill_time(const Costs& costs, const Prompts& prompts) {
  const double steps = prompt_steps(costs, prompts);
  return (steps + costs.pipeline - 1) / (steps * costs.pipeline) * prompt_work(costs, prompts);
}

PricedTime prompt_priced_time(const Costs& costs, const Prompts& prompts) {
  return prompt_steps(costs, prompts) *
         priced_time(costs, prompt_load(costs, prompts), prompt_step_tokens(costs, prompts).all, 1);
}

double stage_sequences(const Costs& costs, const Decode& decode) {
  return std::max(1.0, decode.sequences / costs.pipeline);
}

StepTokens decode_step_tokens(const Costs& costs, const Decode& decode) {
  return decode.step_tokens * StepTokens{decode_load(costs, decode).sequences, stage_sequences(costs, decode)};
}

Seconds decode_time(const Costs& costs, const Decode& decode) {
  return decode_time(costs, decode, products_time(costs, decode_step_tokens(costs, decode)));
}

Seconds decode_time(const Costs& costs, const Decode& decode, Seconds products) {
  return products + rank_rest_time(costs, decode_load(costs, decode), decode.step_tokens) +
         shared_rest_time(costs, decode_step_tokens(costs, decode).all);
}

Parts decode_parts(const Costs& costs, const Decode& decode) {
  return rank_pass_parts(costs, decode_load(costs, decode), decode.step_tokens) +
         shared_pass_parts(costs, decode_step_tokens(costs, decode).all);
}

PricedTime decode_priced_time(const Costs& costs, const Decode& decode) {
  return priced_time(costs, decode_load(costs, decode), decode_step_tokens(costs, decode).all, decode.step_tokens);
}

Flop prompt_flop(const Costs& costs, const Prompts& prompts) {
  return Flop{prompts.all_tokens() *
              (costs.flop_token + positions_read(costs, prompt_context(prompts)) * costs.flop_pair)};
}

Flop decode_flop(const Costs& costs, const Decode& decode) {
  const double tokens = decode.sequences * decode.step_tokens;
  return Flop{tokens *
              (costs.flop_token + costs.flop_output + positions_read(costs, decode.context) * costs.flop_pair)};
}

}  // namespace dfsweep::serving
