/// FLOP of the model: what a step needs whatever way it is executed, for the two ways to count attention.
/// Source: docs/models/training.md.
#pragma once

#include <cstdint>

#include "models/transformer/architecture.hpp"
#include "models/units.hpp"

namespace dfsweep {

enum class AttentionCount : std::uint8_t {
  causal,  ///< a token attends to half of the sequence on average
  full,    ///< the whole square, as most published tables count
};

/// Average number of tokens to which a token attends: s/2; in windowed layers with w < s it is w - w^2/(2s), as with an
/// indexer that selects w. Twice that where masked pairs count as well: s, and in windowed layers the band on both
/// sides of the diagonal.
[[nodiscard]] double context_tokens(const Architecture& a, double sequence, AttentionCount count);

/// FLOP of the forward pass per token: 2 Na + 2 L ctx a (dqk + dv), Na: active parameters; of an indexer 2 L s/2 ai di
/// more (twice that with masked pairs). L: layers without linear attention, whose states cost little. Without
/// recomputation; prediction layers are included, because they are trained as well.
[[nodiscard]] Flop forward_flop_per_token(const Architecture& a, double sequence, AttentionCount count);

/// Three times the forward pass: the backward pass has one product for weights and one for activations.
[[nodiscard]] Flop training_flop_per_token(const Architecture& a, double sequence, AttentionCount count);

}  // namespace dfsweep
