/// ExpertLayer: what a layer of experts computes, moves and stores where a dense layer has its feed-forward network.
#pragma once

#include <string>

#include "models/transformer/architecture.hpp"
#include "models/units.hpp"

namespace dfsweep {

/// Counts of one layer for some tokens, all devices together, forward. Numbers are words, not bytes.
struct ExpertCounts {
  double visits = 0.0;             ///< pairs of a token and a routed expert: t k
  double experts = 0.0;            ///< routed experts that have work: min(E, t k)
  double tokens_per_expert = 0.0;  ///< of the busiest expert under balanced routing: ceil(t k / experts)
  Flop router;                     ///< scores of all experts: 2 t h E
  Flop routed;                     ///< products of the routed experts: 2 t k times the parameters of one
  Flop shared;                     ///< products of the shared experts: 2 t times their parameters
  Flop combine;                    ///< weighted sum of the results of a token: 2 t k h
  double dispatched = 0.0;         ///< numbers sent to the routed experts, and again back from them: t k h
  double router_parameters = 0.0;  ///< h E
  double routed_parameters = 0.0;  ///< E times the parameters of one, whatever k is
  double shared_parameters = 0.0;  ///< of all shared experts, without the router
};

/// Whether tokens are routed. One expert is a dense layer.
[[nodiscard]] inline bool has_routing(const Architecture& a) {
  return a.experts.count > 1.0;
}

/// With E experts, k of them per token, t `tokens` and width h. The softmax of the scores is not counted.
/// Pre: has_routing(a), tokens >= 1.
[[nodiscard]] ExpertCounts expert_counts(const Architecture& a, double tokens);

/// Why attention over the whole sequence does not describe the model: latent, linear, sparse or gated attention, or a
/// window shorter than `sequence` tokens. Empty where it does.
[[nodiscard]] std::string other_attention(const Architecture& a, double sequence);

}  // namespace dfsweep
