/// Times of one pass of a step through all layers; a simulation asks for them at every step, and a closed form several
/// times for every point, so that they are inline. Source: docs/models/serving.md, a step.
#pragma once

#include <algorithm>
#include <cmath>

#include "models/queueing/step_load.hpp"
#include "models/serving/step/costs.hpp"
#include "models/serving/step/priced_times.hpp"

namespace dfsweep::serving {

namespace detail {

/// sqrt(a^2 + b^2): near the larger of two times that overlap.
[[nodiscard]] inline Seconds overlapped(Seconds a, Seconds b) {
  return Seconds{std::sqrt(a.value() * a.value() + b.value() * b.value())};
}

/// (1 + x/s)^-s, of which x/s is given; s = 2 is that of most stacks.
[[nodiscard]] inline double untouched(double by_skew, double skew) {
  const double base = 1 + by_skew;
  return skew == 2 ? 1 / (base * base) : std::exp2(-skew * std::log2(base));
}

/// Tokens that the output layer yields.
[[nodiscard]] inline double sampled_tokens(const queueing::StepLoad& rank, double step_tokens) {
  return rank.prompts + step_tokens * rank.sequences;
}

[[nodiscard]] inline double tokens_of(const queueing::StepLoad& rank, double step_tokens) {
  return rank.prompt_tokens + step_tokens * rank.sequences;
}

/// Tokens and rows that touched experts leave empty.
[[nodiscard]] inline double expert_rows(const ExpertTouch& touch, double tokens, double touched) {
  return tokens + touch.empty_rows * touched;
}

/// Attention of sequences that decode over what they have in the cache.
[[nodiscard]] inline Seconds decode_attention_time(const Costs& costs, const queueing::StepLoad& rank,
                                                   double step_tokens) {
  const double positions = within_window(costs, rank.context, rank.sequences);
  if (is_priced(costs, StepPart::decoding)) return priced_decode_attention(costs, rank, positions, step_tokens);
  return positions * std::max(costs.position, step_tokens * costs.decode_pair);
}

[[nodiscard]] inline Seconds prompt_attention_time(const Costs& costs, const queueing::StepLoad& rank) {
  if (is_priced(costs, StepPart::prompts)) return priced_prompt_attention(*costs.prices, rank);
  return within_window(costs, rank.prompt_pairs, rank.prompt_tokens) * costs.pair;
}

[[nodiscard]] inline Seconds output_time(const Costs& costs, double sampled) {
  if (is_priced(costs, StepPart::output)) return priced_output(*costs.prices, sampled);
  return std::max(std::min(1.0, sampled) * costs.output.weights, sampled * costs.output.token);
}

[[nodiscard]] inline Seconds attention_products_time(const Costs& costs, double tokens) {
  return overlapped((tokens + costs.half_rows) * costs.attention.token, costs.attention.weights);
}
[[nodiscard]] inline Seconds dense_products_time(const Costs& costs, double tokens) {
  return overlapped((tokens + costs.half_rows) * costs.dense.token, costs.dense.weights);
}

/// Products with matrices of which tables price some.
[[nodiscard]] inline Seconds partly_priced_products(const Costs& costs, double tokens) {
  Seconds time = priced_rank_products(*costs.prices, tokens);
  if (!is_priced(costs, StepPart::attention_products)) time += attention_products_time(costs, tokens);
  if (!is_priced(costs, StepPart::dense_products)) time += dense_products_time(costs, tokens);
  return time;
}

}  // namespace detail

/// Share of the experts that M tokens of all ranks touch, at least that of one token:
///
///     1 - (1 + M k / (E s))^-s
///
/// The limit of a large s, 1 - exp(-M k/E), is that of equally popular experts. s = 0: the same k experts for all.
[[nodiscard]] inline double touched_experts(const ExpertTouch& touch, double tokens) {
  const double of_one = std::min(1.0, tokens) * touch.visited;
  if (!(touch.skew > 0)) return of_one;
  return std::max(of_one, 1 - detail::untouched(tokens * touch.visited_by_skew, touch.skew));
}

/// Share of its n = E/e experts that the group reads that is touched most, of mu = n touched on average:
///
///     min(n, M k, mu + sqrt(2 mu (1 - mu/n) ln e)) / n
///
/// The root is that of the largest of e normal numbers with the variance of mu of n.
[[nodiscard]] inline double fullest_experts(const ExpertTouch& touch, double tokens, double touched) {
  if (!(touch.groups > 1)) return touched;
  const double excess = std::sqrt(touch.variance * touched * (1 - touched));
  return std::min(std::min(1.0, tokens * touch.visited_of_group), touched + excess);
}

/// Tokens of a step: of the fullest attention rank, and of all ranks.
struct StepTokens {
  double rank = 0.0;
  double all = 0.0;
};
[[nodiscard]] constexpr StepTokens operator+(StepTokens a, StepTokens b) {
  return {a.rank + b.rank, a.all + b.all};
}
[[nodiscard]] constexpr StepTokens operator*(double times, StepTokens tokens) {
  return {times * tokens.rank, times * tokens.all};
}

/// Where the costs have prices from measured tables, these replace the closed forms below, and all-reduces count as
/// products of the tokens of a rank.

/// Products of m tokens of a rank with the matrices of attention and of dense networks, for each
///
///     sqrt( (token (m + half_rows))^2 + weights^2 )
[[nodiscard]] inline Seconds rank_products_time(const Costs& costs, double tokens) {
  if (costs.prices != nullptr) return detail::partly_priced_products(costs, tokens);
  return detail::attention_products_time(costs, tokens) + detail::dense_products_time(costs, tokens);
}
/// Products of M tokens of all ranks with experts, whose empty rows are those of each expert that is touched:
///
///     sqrt( (token (M + half_expert touched E/k))^2 + (weights fullest)^2 )
[[nodiscard]] inline Seconds expert_products_time(const Costs& costs, double tokens) {
  if (!(costs.touch.count > 0)) return {};
  if (is_priced(costs, StepPart::experts)) return priced_experts(*costs.prices, tokens);
  const double touched = touched_experts(costs.touch, tokens);
  return detail::overlapped(detail::expert_rows(costs.touch, tokens, touched) * costs.experts.token,
                            fullest_experts(costs.touch, tokens, touched) * costs.experts.weights);
}
/// Both.
[[nodiscard]] inline Seconds products_time(const Costs& costs, StepTokens tokens) {
  return rank_products_time(costs, tokens.rank) + expert_products_time(costs, tokens.all);
}

/// What a rank adds to its products in a pass through all layers, with v tokens of each sequence that decodes; o =
/// prompts + v sequences tokens are sampled:
///
///     positions max(position, v decode_pair) + context max(index_position, v index_pair) + sequences state
///     + prompt pairs pair + all prompt pairs index_pair + tokens (exchange + activations)
///     + max(min(1, o) output weights, o output token) + o logits + p sequences host_sequence
[[nodiscard]] inline Seconds rank_rest_time(const Costs& costs, const queueing::StepLoad& rank, double step_tokens) {
  const double sampled = detail::sampled_tokens(rank, step_tokens);
  const Seconds decoded = detail::decode_attention_time(costs, rank, step_tokens) +
                          rank.context * std::max(costs.index_position, step_tokens * costs.index_pair) +
                          rank.sequences * (costs.state + costs.pipeline * costs.host_sequence);
  const Seconds prompts = detail::prompt_attention_time(costs, rank) + rank.prompt_pairs * costs.index_pair;
  const Seconds output = detail::output_time(costs, sampled) + sampled * costs.logits;
  return decoded + prompts + output + detail::tokens_of(rank, step_tokens) * (costs.exchange + costs.activations);
}
/// What all ranks add to the products of experts: latencies + host.
[[nodiscard]] inline Seconds shared_rest_time(const Costs& costs) {
  return costs.exchange_step + costs.host;
}
/// All that a rank, and that all ranks together, take in a pass: products and rest.
[[nodiscard]] inline Seconds rank_pass_time(const Costs& costs, const queueing::StepLoad& rank, double step_tokens) {
  return rank_products_time(costs, detail::tokens_of(rank, step_tokens)) + rank_rest_time(costs, rank, step_tokens);
}
[[nodiscard]] inline Seconds shared_pass_time(const Costs& costs, double tokens) {
  return expert_products_time(costs, tokens) + shared_rest_time(costs);
}

/// (G^4 + launches^4)^(1/4).
[[nodiscard]] inline Seconds launched(Seconds launches, Seconds device_time) {
  if (!(launches > Seconds{})) return device_time;
  const double a = device_time.value() * device_time.value();
  const double b = launches.value() * launches.value();
  return Seconds{std::sqrt(std::sqrt(a * a + b * b))};
}

}  // namespace dfsweep::serving
