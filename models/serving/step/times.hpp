/// Times: how long a replica takes for prompts and for decode steps.
#pragma once

#include "models/serving/step/costs.hpp"

namespace dfsweep::serving {

/// What a step is spent on, each as if alone; products wait for the larger of two, so the sum exceeds the step.
struct Parts {
  Seconds compute;
  Seconds memory;
  Seconds network;
  Seconds host;
};
[[nodiscard]] Parts operator+(const Parts& a, const Parts& b);
[[nodiscard]] Parts operator*(double times, const Parts& parts);

/// Positions that a token reads of `context` before it, as a mean over layers: windowed ones look back w at most.
[[nodiscard]] double positions_read(const Costs& costs, double context);

/// All matrix products of a step of m tokens: for attention, dense and expert matrices
///
///     sqrt( (token (m + half_rows))^2 + weights^2 )
///
/// where expert weights count by the share of experts that the tokens touch, 1 - (1 - k/E)^m.
[[nodiscard]] Seconds products_time(const Costs& costs, double tokens);

/// Prompts that a replica reads together.
struct Prompts {
  double count = 1.0;
  double tokens = 0.0;  ///< of each, that are computed
  double shared = 0.0;  ///< tokens before these, whose cache is there
  double chunk = 0.0;   ///< tokens of a step at most
  [[nodiscard]] double all_tokens() const { return count * tokens; }
  /// max(1, tokens / chunk), a whole number or not.
  [[nodiscard]] double steps() const;
  [[nodiscard]] double step_tokens() const;
};

/// Device time for all tokens of the prompts, of all stages:
///
///     G = steps products(tokens / steps) + tokens positions pair + tokens (exchange + activations)
///         + steps (latencies + host)
///     t = (G^4 + (steps launches)^4)^(1/4)
///
/// positions: shared ones, and half of a prompt; windowed layers compute at most 2 w of it. Source:
/// docs/models/serving.md, a step.
[[nodiscard]] Seconds prompt_work(const Costs& costs, const Prompts& prompts);
/// G, where products_time of a step's tokens is known.
[[nodiscard]] Seconds prompt_device_time(const Costs& costs, const Prompts& prompts, Seconds products);
/// t, where G is known.
[[nodiscard]] Seconds launched(const Costs& costs, double steps, Seconds device_time);
[[nodiscard]] Parts prompt_parts(const Costs& costs, const Prompts& prompts);

/// Until the prompts are read where stages are full of other prompts: work / p.
[[nodiscard]] Seconds prefill_time(const Costs& costs, const Prompts& prompts);
/// Until they are read where they are alone: chunks follow one another through the stages, work (steps + p - 1) /
/// (steps p).
[[nodiscard]] Seconds lone_prefill_time(const Costs& costs, const Prompts& prompts);

/// Sequences that a replica decodes together.
struct Decode {
  double sequences = 1.0;
  double context = 0.0;      ///< tokens of a sequence before the step
  double step_tokens = 1.0;  ///< that a step handles of each sequence
};

/// Sequences of a stage at once: sequences / p, at least 1.
[[nodiscard]] double stage_sequences(const Costs& costs, const Decode& decode);

/// Time of a step through all layers, while p - 1 other groups of sequences are in the other stages; b sequences of a
/// stage, v tokens of each:
///
///     products(b v) + max(b, t') positions max(position, v pair) + max(output weights, b v output token)
///     + b v (logits + exchange + activations) + latencies + host + sequences host_sequence
///
/// t': devices over which sequences are spread; one that has a sequence reads the whole of it. Scores of many tokens
/// take longer than the cache that they share.
[[nodiscard]] Seconds decode_time(const Costs& costs, const Decode& decode);
/// The same where products_time of b v tokens is known.
[[nodiscard]] Seconds decode_time(const Costs& costs, const Decode& decode, Seconds products);
[[nodiscard]] Parts decode_parts(const Costs& costs, const Decode& decode);

/// FLOP of the model for the prompts, without the output layer, and for a step of all sequences.
[[nodiscard]] Flop prompt_flop(const Costs& costs, const Prompts& prompts);
[[nodiscard]] Flop decode_flop(const Costs& costs, const Decode& decode);

}  // namespace dfsweep::serving
