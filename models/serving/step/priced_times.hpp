/// PricedTimes: parts of a pass whose times come from measured tables.
///
/// Tables begin at one token or sequence; a fraction of one takes the same fraction of the time.
/// Source: docs/models/serving.md, measured operators.
#pragma once

#include "models/queueing/step_load.hpp"
#include "models/serving/step/costs.hpp"

namespace dfsweep::serving {

/// Products of a rank's tokens with the matrices that are priced, and all-reduces.
[[nodiscard]] Seconds priced_rank_products(const StepPrices& prices, double tokens);
/// Pre, of each of these: the part has prices.
[[nodiscard]] Seconds priced_exchanges(const StepPrices& prices, double tokens);
[[nodiscard]] Seconds priced_experts(const StepPrices& prices, double tokens);
[[nodiscard]] Seconds priced_output(const StepPrices& prices, double sampled);
/// Requests of equal length, each behind the same number of earlier tokens.
[[nodiscard]] Seconds priced_prompt_attention(const StepPrices& prices, const queueing::StepLoad& rank);
/// Of v tokens of a sequence, which tables do not have: that of one token, or v times the closed form's arithmetic
/// where this is more. `positions`: that all sequences read.
[[nodiscard]] Seconds priced_decode_attention(const Costs& costs, const queueing::StepLoad& rank, double positions,
                                              double step_tokens);

/// All priced parts of a pass. `rank`: the load of the fullest rank; `tokens`: of all ranks.
[[nodiscard]] PricedTime priced_time(const Costs& costs, const queueing::StepLoad& rank, double tokens,
                                     double step_tokens);

}  // namespace dfsweep::serving
