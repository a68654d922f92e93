/// FLOP of the model: what a step needs whatever way it is executed, for the two ways to count attention.
/// Source: docs/models/training.md.
#pragma once

#include <cstdint>

#include "models/transformer/architecture.hpp"
#include "models/units.hpp"

namespace dfsweep::training {

enum class AttentionCount : std::uint8_t {
  causal,  ///< a token looks at half of the sequence on average
  full,    ///< the whole square, as most published tables count
};

/// Tokens that a token looks at on average: s or s/2; in windowed layers w - w^2/(2s) where w < s, for both counts.
[[nodiscard]] double context_tokens(const Architecture& a, double sequence, AttentionCount count);

/// FLOP of the forward pass per token: 2 Na + 2 L ctx a (dqk + dv), Na the active parameters. No recomputation;
/// prediction layers count, as they are trained with the others.
[[nodiscard]] Flop forward_flop_per_token(const Architecture& a, double sequence, AttentionCount count);

/// Three times the forward pass: the backward pass multiplies with weights and with activations.
[[nodiscard]] Flop training_flop_per_token(const Architecture& a, double sequence, AttentionCount count);

}  // namespace dfsweep::training
