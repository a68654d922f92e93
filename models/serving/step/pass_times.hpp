/// Times of one pass of a step through all layers; a simulation asks for them at every step, and a closed form several
/// times for every point, so that they are inline. Source: docs/models/serving.md, a step.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "models/queueing/step_load.hpp"
#include "models/serving/step/costs.hpp"
#include "models/serving/step/priced_times.hpp"

namespace dfsweep::serving {

namespace detail {

/// sqrt(a^2 + b^2): near the larger of two times that overlap.
template <class Time>
[[nodiscard]] inline Time overlapped(const Time& a, const std::type_identity_t<Time>& b) {
  return Time{square_root(a.value() * a.value() + b.value() * b.value())};
}

template <class Time>
[[nodiscard]] inline Time difference(const Time& a, const std::type_identity_t<Time>& b) {
  return Time{a.value() - b.value()};
}

/// (1 + x/s)^-s, of which x/s is given; s = 2 is that of most stacks.
template <class Number>
[[nodiscard]] inline Number untouched(const Number& by_skew, double skew) {
  const Number base = 1 + by_skew;
  if (skew == 2) return 1 / (base * base);
  return by_lane<Number>([&](std::size_t i) { return std::exp2(-skew * std::log2(lane(base, i))); });
}

/// Tokens that the output layer yields.
template <class Number>
[[nodiscard]] inline Number sampled_tokens(const queueing::BasicStepLoad<Number>& rank, double step_tokens) {
  return rank.prompts + step_tokens * rank.sequences;
}

template <class Number>
[[nodiscard]] inline Number tokens_of(const queueing::BasicStepLoad<Number>& rank, double step_tokens) {
  return rank.prompt_tokens + step_tokens * rank.sequences;
}

/// Tokens and rows that touched experts leave empty.
template <class Number>
[[nodiscard]] inline Number expert_rows(const ExpertTouch& touch, const Number& tokens, const Number& touched) {
  return tokens + touch.empty_rows * touched;
}

/// The functions below whose costs may have prices are compiled for costs without any too, which most have.

/// Attention of sequences that decode over what they have in the cache.
template <bool has_prices, class Number>
[[nodiscard]] inline SecondsOf<Number> decode_attention_time(const Costs& costs,
                                                             const queueing::BasicStepLoad<Number>& rank,
                                                             double step_tokens) {
  const Number positions = within_window(costs, rank.context, rank.sequences);
  if (has_prices && is_priced(costs, StepPart::decoding))
    return times_by_lane<Number>([&](std::size_t i) {
      return priced_decode_attention(costs, load_of_lane(rank, i), lane(positions, i), step_tokens);
    });
  return positions * std::max(costs.position, step_tokens * costs.decode_pair);
}

template <bool has_prices, class Number>
[[nodiscard]] inline SecondsOf<Number> prompt_attention_time(const Costs& costs,
                                                             const queueing::BasicStepLoad<Number>& rank) {
  if (has_prices && is_priced(costs, StepPart::prompts))
    return times_by_lane<Number>(
        [&](std::size_t i) { return priced_prompt_attention(*costs.prices, load_of_lane(rank, i)); });
  return within_window(costs, rank.prompt_pairs, rank.prompt_tokens) * costs.pair;
}

template <bool has_prices, class Number>
[[nodiscard]] inline SecondsOf<Number> output_time(const Costs& costs, const Number& sampled) {
  if (has_prices && is_priced(costs, StepPart::output))
    return times_by_lane<Number>([&](std::size_t i) { return priced_output(*costs.prices, lane(sampled, i)); });
  return greater(lesser(1.0, sampled) * costs.output.weights, sampled * costs.output.token);
}

/// rank_rest_time().
template <bool has_prices, class Number>
[[nodiscard]] inline SecondsOf<Number> rank_rest_time_of(const Costs& costs,
                                                         const queueing::BasicStepLoad<Number>& rank,
                                                         double step_tokens) {
  using Time = SecondsOf<Number>;
  const Number sampled = sampled_tokens(rank, step_tokens);
  const Time decoded = decode_attention_time<has_prices>(costs, rank, step_tokens) +
                       rank.context * std::max(costs.index_position, step_tokens * costs.index_pair) +
                       rank.sequences * (costs.state + costs.pipeline * costs.host_sequence);
  const Time prompts = prompt_attention_time<has_prices>(costs, rank) + rank.prompt_pairs * costs.index_pair;
  const Time output = output_time<has_prices>(costs, sampled) + sampled * costs.logits;
  return decoded + prompts + output + tokens_of(rank, step_tokens) * (costs.exchange + costs.activations);
}

template <class Number>
[[nodiscard]] inline SecondsOf<Number> attention_products_time(const Costs& costs, const Number& tokens) {
  return overlapped((tokens + costs.half_rows) * costs.attention.token, costs.attention.weights);
}
template <class Number>
[[nodiscard]] inline SecondsOf<Number> dense_products_time(const Costs& costs, const Number& tokens) {
  return overlapped((tokens + costs.half_rows) * costs.dense.token, costs.dense.weights);
}

/// Products with matrices of which tables price some.
template <class Number>
[[nodiscard]] inline SecondsOf<Number> partly_priced_products(const Costs& costs, const Number& tokens) {
  auto time =
      times_by_lane<Number>([&](std::size_t i) { return priced_rank_products(*costs.prices, lane(tokens, i)); });
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
template <class Number>
[[nodiscard]] inline Number touched_experts(const ExpertTouch& touch, const Number& tokens) {
  const Number of_one = lesser(1.0, tokens) * touch.visited;
  if (!(touch.skew > 0)) return of_one;
  return greater(of_one, 1 - detail::untouched<Number>(tokens * touch.visited_by_skew, touch.skew));
}

/// Share of its n = E/e experts that the group reads that is touched most, of mu = n touched on average:
///
///     min(n, M k, mu + sqrt(2 mu (1 - mu/n) ln e)) / n
///
/// The root is that of the largest of e normal numbers with the variance of mu of n.
template <class Number>
[[nodiscard]] inline Number fullest_experts(const ExpertTouch& touch, const Number& tokens, const Number& touched) {
  if (!(touch.groups > 1)) return touched;
  const Number excess = square_root(touch.variance * touched * (1 - touched));
  return lesser(lesser(1.0, tokens * touch.visited_of_group), touched + excess);
}

/// Tokens of a step: of the fullest attention rank, and of all ranks.
template <class Number>
struct BasicStepTokens {
  Number rank = 0.0;
  Number all = 0.0;
};
using StepTokens = BasicStepTokens<double>;
template <class Number>
[[nodiscard]] constexpr BasicStepTokens<Number> operator+(const BasicStepTokens<Number>& a,
                                                          const BasicStepTokens<Number>& b) {
  return {a.rank + b.rank, a.all + b.all};
}
template <class Number>
[[nodiscard]] constexpr BasicStepTokens<Number> operator*(const std::type_identity_t<Number>& times,
                                                          const BasicStepTokens<Number>& tokens) {
  return {times * tokens.rank, times * tokens.all};
}

/// Where the costs have prices from measured tables, these replace the closed forms below, and all-reduces count as
/// products of the tokens of a rank.

/// Products of m tokens of a rank with the matrices of attention and of dense networks, for each
///
///     sqrt( (token (m + half_rows))^2 + weights^2 )
template <class Number>
[[nodiscard]] inline SecondsOf<Number> rank_products_time(const Costs& costs, const Number& tokens) {
  if (costs.prices != nullptr) return detail::partly_priced_products(costs, tokens);
  return detail::attention_products_time(costs, tokens) + detail::dense_products_time(costs, tokens);
}
/// Products of M tokens of all ranks with experts, whose empty rows are those of each expert that is touched:
///
///     sqrt( (token (M + half_expert touched E/k))^2 + (weights fullest)^2 )
template <class Number>
[[nodiscard]] inline SecondsOf<Number> expert_products_time(const Costs& costs, const Number& tokens) {
  if (!(costs.touch.count > 0)) return {};
  if (is_priced(costs, StepPart::experts))
    return times_by_lane<Number>([&](std::size_t i) { return priced_experts(*costs.prices, lane(tokens, i)); });
  const Number touched = touched_experts(costs.touch, tokens);
  return detail::overlapped(detail::expert_rows(costs.touch, tokens, touched) * costs.experts.token,
                            fullest_experts(costs.touch, tokens, touched) * costs.experts.weights);
}
/// Both.
template <class Number>
[[nodiscard]] inline SecondsOf<Number> products_time(const Costs& costs, const BasicStepTokens<Number>& tokens) {
  return rank_products_time(costs, tokens.rank) + expert_products_time(costs, tokens.all);
}

/// What a rank adds to its products in a pass through all layers, with v tokens of each sequence that decodes; o =
/// prompts + v sequences tokens are sampled:
///
///     positions max(position, v decode_pair) + context max(index_position, v index_pair) + sequences state
///     + prompt pairs pair + all prompt pairs index_pair + tokens (exchange + activations)
///     + max(min(1, o) output weights, o output token) + o logits + p sequences host_sequence
template <class Number>
[[nodiscard]] inline SecondsOf<Number> rank_rest_time(const Costs& costs, const queueing::BasicStepLoad<Number>& rank,
                                                      double step_tokens) {
  if (costs.prices != nullptr) return detail::rank_rest_time_of<true>(costs, rank, step_tokens);
  return detail::rank_rest_time_of<false>(costs, rank, step_tokens);
}
/// What all ranks add to the products of experts: latencies + host.
[[nodiscard]] inline Seconds shared_rest_time(const Costs& costs) {
  return costs.exchange_step + costs.host;
}
/// All that a rank, and that all ranks together, take in a pass: products and rest.
template <class Number>
[[nodiscard]] inline SecondsOf<Number> rank_pass_time(const Costs& costs, const queueing::BasicStepLoad<Number>& rank,
                                                      double step_tokens) {
  return rank_products_time(costs, detail::tokens_of(rank, step_tokens)) + rank_rest_time(costs, rank, step_tokens);
}
template <class Number>
[[nodiscard]] inline SecondsOf<Number> shared_pass_time(const Costs& costs, const Number& tokens) {
  return expert_products_time(costs, tokens) + shared_rest_time(costs);
}

/// (G^4 + launches^4)^(1/4).
template <class Time>
[[nodiscard]] inline Time launched(const std::type_identity_t<Time>& launches, const Time& device_time) {
  const auto launches_at_all = launches.value() > 0.0;
  if (!any(launches_at_all)) return device_time;
  const auto a = device_time.value() * device_time.value();
  const auto b = launches.value() * launches.value();
  return choose(launches_at_all, Time{square_root(square_root(a * a + b * b))}, device_time);
}

}  // namespace dfsweep::serving
