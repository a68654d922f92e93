/// ExpertWork: what one device does for a layer of routed experts in place of a dense feed-forward network.
#pragma once

#include "models/taskgraph/strategies/transformer.hpp"
#include "models/taskgraph/work/products.hpp"

namespace dfsweep::taskgraph {

/// Every one of t devices holds 1/t of the width of every expert, as of a dense network, so tokens never cross a link
/// to reach an expert; an all-reduce adds up the results. Routing is balanced. For n tokens, E experts of width f, k of
/// them per token, A = min(E, n k) of them with work, hidden size h and g up-projections:
///
///     router (n, h, E);  up g A times, down A times, of n k / A rows and f/t columns;  shared experts (n, h, f_s/t)
///     dispatch: n h numbers read, n k h written;  combine: 2 n k h FLOP, n k h numbers read, n h written
///
/// The weights of all experts with work are read. Source: docs/models/taskgraph.md, experts.
struct ExpertWork {
  Product router;
  Product up;
  Product down;
  Product shared_up;
  Product shared_down;
  double dispatched = 0.0;  ///< numbers read and written
  Flop combine;
  double combined = 0.0;  ///< numbers read and written
};

/// Pre: the model has experts; tokens > 0.
[[nodiscard]] ExpertWork expert_work(const Transformer& model, double tokens, double devices);

/// Tokens from which every expert has work: E / k. The number of experts with work is linear up to there and then
/// constant.
[[nodiscard]] constexpr double tokens_for_all_experts(const Transformer& t) {
  return t.experts / t.experts_per_token;
}

/// Sum of all rooflines; tables do not cover layers of experts.
[[nodiscard]] Seconds expert_time(const ExpertWork& work, const DeviceRates& device);

}  // namespace dfsweep::taskgraph
