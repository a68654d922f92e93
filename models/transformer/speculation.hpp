/// Speculative decoding: how many tokens a window of drafted tokens yields, and at which rate.
#pragma once

#include <cstdint>

#include "models/units.hpp"

namespace dfsweep {

/// What a smaller model drafts, in the order in which estimators publish the choices.
enum class Speculation : std::uint8_t { none, sequence, tree };
/// How drafted tokens are counted, likewise.
enum class AcceptanceRule : std::uint8_t { exact, linear };

/// Expected tokens of a sequence of k drafted tokens, each right with probability a where those before it are: the
/// accepted prefix and the token that the target adds, sum of a^i for i = 0 to k = (1 - a^(k+1)) / (1 - a).
/// [speculative] Eq. 1
[[nodiscard]] double exact_acceptance(double acceptance, double window);

/// 1 + a k: as if each drafted token were accepted independently of the tokens before it. [dfmodel] section 11
[[nodiscard]] double linear_acceptance(double acceptance, double window);

/// Size of a token tree, 2^k: the last accepted token and k levels with 2^(i-1) drafted tokens. From the second level
/// on, each token has two successors.
[[nodiscard]] double tree_tokens(double window);

/// Tokens that the draft model processes in pass i >= 1: the previous level, max(1, 2^(i-2)).
[[nodiscard]] double drafted_from(double pass);

/// Acceptance from the second level on: a level fails only if both successors are wrong, b = 1 - (1 - a)^2.
[[nodiscard]] double branch_acceptance(double acceptance);

/// Expected tokens of the longest accepted path of a tree, 1 + a (1 + b + ... + b^(k-1)).
[[nodiscard]] double exact_tree_acceptance(double acceptance, double window);

/// 1 + a + (k - 1) b; 1 where k = 0.
[[nodiscard]] double linear_tree_acceptance(double acceptance, double window);

/// The one of the four that form and rule name; a form without speculation counts as a sequence.
[[nodiscard]] double accepted_tokens(Speculation form, AcceptanceRule rule, double acceptance, double window);

/// A window of one sequence.
struct SpeculationWindow {
  double tokens = 1.0;   ///< that it yields on average
  Seconds draft;         ///< passes of the draft model
  Seconds verification;  ///< pass of the target
};

/// Output tokens per second where `sequences` are decoded at once: sequences tokens / (draft + verification).
[[nodiscard]] double speculative_rate(const SpeculationWindow& window, double sequences);

}  // namespace dfsweep
