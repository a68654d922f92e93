/// Counts of a layer of experts.
#include "models/transformer/expert_layer.hpp"

#include <algorithm>
#include <cmath>

#include "models/short_number.hpp"

namespace dfsweep {

ExpertCounts expert_counts(const Architecture& a, double tokens) {
  const Experts& e = a.experts;
  ExpertCounts c;
  c.visits = tokens * e.per_token;
  c.experts = std::min(e.count, c.visits);
  c.tokens_per_expert = std::ceil(c.visits / c.experts);
  c.router_parameters = a.hidden * e.count;
  c.routed_parameters = e.count * expert_parameters(a);
  c.shared_parameters = a.ffn_matrices * a.hidden * e.shared_ffn_hidden;
  c.router = Flop{2 * tokens * c.router_parameters};
  c.routed = Flop{2 * c.visits * expert_parameters(a)};
  c.shared = Flop{2 * tokens * c.shared_parameters};
  c.combine = Flop{2 * c.visits * a.hidden};
  c.dispatched = c.visits * a.hidden;
  return c;
}

std::string other_attention(const Architecture& a, double sequence) {
  if (a.latent.is_used()) return "the model has latent attention";
  if (a.linear.layers > 0) return "the model has layers of linear attention";
  if (a.indexer.heads > 0) return "the model has sparse attention";
  if (a.gated_attention) return "the model has gates of attention";
  if (a.windowed_layers > 0 && a.window < sequence)
    return "the model has windows of " + short_number(a.window) + " tokens, shorter than the sequence of " +
           short_number(sequence);
  return {};
}

}  // namespace dfsweep
