/// Each time is one look-up in a surface.
#include "models/serving/step/priced_times.hpp"

#include <algorithm>
#include <array>

namespace dfsweep::serving {

namespace {

using queueing::StepLoad;

template <std::size_t Axes>
Seconds price_at(const PricedSurface<Axes>& surface, std::array<double, Axes> keys) {
  const double below = std::min(1.0, keys[0]);
  keys[0] = std::max(1.0, keys[0]);
  return Seconds{below * surface.seconds.at(keys)};
}

template <std::size_t Axes>
void add(PricedTime& sum, Seconds time, const PricedSurface<Axes>& surface, const std::array<double, Axes>& keys) {
  sum.time += time;
  sum.error += surface.errors.at(keys) * time;
}

/// Prompts of a step, the tokens of each, and the mean tokens before these. Pre: there are tokens.
std::array<double, 3> prompt_keys(const StepLoad& rank) {
  const double count = std::max(1.0, rank.prompts);
  const double tokens = rank.prompt_tokens / count;
  return {count, tokens, std::max(0.0, rank.prompt_pairs / rank.prompt_tokens - tokens / 2)};
}

/// Sequences and their mean context. Pre: there are sequences.
std::array<double, 2> decode_keys(const StepLoad& rank) {
  return {rank.sequences, rank.context / rank.sequences};
}

}  // namespace

Seconds priced_rank_products(const StepPrices& prices, double tokens) {
  return prices.rank_tokens ? Seconds{prices.rank_tokens->seconds.at({tokens})} : Seconds{};
}

Seconds priced_exchanges(const StepPrices& prices, double tokens) {
  return price_at(*prices.exchanges, {tokens});
}

Seconds priced_experts(const StepPrices& prices, double tokens) {
  return price_at(*prices.experts, {tokens});
}

Seconds priced_output(const StepPrices& prices, double sampled) {
  return price_at(*prices.output, {sampled});
}

Seconds priced_prompt_attention(const StepPrices& prices, const StepLoad& rank) {
  return rank.prompt_tokens > 0 ? price_at(*prices.prompts, prompt_keys(rank)) : Seconds{};
}

Seconds priced_decode_attention(const Costs& costs, const StepLoad& rank, double positions, double step_tokens) {
  if (!(rank.sequences > 0)) return {};
  const Seconds one_token = price_at(*costs.prices->decoding, decode_keys(rank));
  return step_tokens > 1 ? std::max(one_token, step_tokens * positions * costs.decode_pair) : one_token;
}

PricedTime priced_time(const Costs& costs, const StepLoad& rank, double tokens, double step_tokens) {
  const StepPrices& prices = *costs.prices;
  const double decoded = step_tokens * rank.sequences;
  PricedTime sum;
  if (const double all = rank.prompt_tokens + decoded; prices.rank_tokens)
    add(sum, priced_rank_products(prices, all), *prices.rank_tokens, {all});
  if (prices.experts) add(sum, priced_experts(prices, tokens), *prices.experts, {tokens});
  if (const double sampled = rank.prompts + decoded; prices.output)
    add(sum, priced_output(prices, sampled), *prices.output, {sampled});
  if (prices.prompts && rank.prompt_tokens > 0)
    add(sum, priced_prompt_attention(prices, rank), *prices.prompts, prompt_keys(rank));
  if (prices.decoding && rank.sequences > 0) {
    const double positions = within_window(costs, rank.context, rank.sequences);
    add(sum, priced_decode_attention(costs, rank, positions, step_tokens), *prices.decoding, decode_keys(rank));
  }
  return sum;
}

}  // namespace dfsweep::serving
