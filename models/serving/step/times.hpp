/// Times: how long a replica takes for prompts and for decode steps.
#pragma once

#include "models/queueing/step_load.hpp"
#include "models/serving/step/costs.hpp"
#include "models/serving/step/pass_times.hpp"

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

/// The parts of a pass of a rank, and of all ranks together.
[[nodiscard]] Parts rank_pass_parts(const Costs& costs, const queueing::StepLoad& rank, double step_tokens);
[[nodiscard]] Parts shared_pass_parts(const Costs& costs, double tokens);

/// Prompts that a replica reads together. A prompt is read by one attention rank.
struct Prompts {
  double count = 1.0;
  double tokens = 0.0;  ///< of each, that are computed
  double shared = 0.0;  ///< tokens before these, whose cache is there
  double chunk = 0.0;   ///< tokens that a rank reads in a step at most
  [[nodiscard]] double all_tokens() const { return count * tokens; }
};

/// Steps that the fullest rank takes: max(1, its tokens / chunk), a whole number or not.
[[nodiscard]] double prompt_steps(const Costs& costs, const Prompts& prompts);
[[nodiscard]] StepTokens prompt_step_tokens(const Costs& costs, const Prompts& prompts);

/// Device time for all tokens of the prompts, of all stages: of each step the pass of its tokens, rank and shared,
///
///     G = steps (rank_pass + shared_pass)
///     t = (G^4 + (steps launches)^4)^(1/4)
///
/// A token attends to the shared ones and to half of its prompt on average; windows cut that. Source:
/// docs/models/serving.md, a step.
[[nodiscard]] Seconds prompt_work(const Costs& costs, const Prompts& prompts);
/// G, where products_time of a step's tokens is known.
[[nodiscard]] Seconds prompt_device_time(const Costs& costs, const Prompts& prompts, Seconds products);
[[nodiscard]] Parts prompt_parts(const Costs& costs, const Prompts& prompts);
/// Of prompt_work, what is priced from measured tables. Pre, here and of decode_priced_time: the costs have prices.
[[nodiscard]] PricedTime prompt_priced_time(const Costs& costs, const Prompts& prompts);

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
/// Tokens of a step of a stage; a rank has no fewer than one sequence.
[[nodiscard]] StepTokens decode_step_tokens(const Costs& costs, const Decode& decode);

/// Time of a step through all layers, while p - 1 other groups of sequences are in the other stages: the pass of the
/// sequences of a stage, rank and shared.
[[nodiscard]] Seconds decode_time(const Costs& costs, const Decode& decode);
/// The same where products_time of the step's tokens is known.
[[nodiscard]] Seconds decode_time(const Costs& costs, const Decode& decode, Seconds products);
[[nodiscard]] Parts decode_parts(const Costs& costs, const Decode& decode);
/// Of decode_time, what is priced from measured tables.
[[nodiscard]] PricedTime decode_priced_time(const Costs& costs, const Decode& decode);

/// FLOP of the model for the prompts, without the output layer, and for a step of all sequences.
[[nodiscard]] Flop prompt_flop(const Costs& costs, const Prompts& prompts);
[[nodiscard]] Flop decode_flop(const Costs& costs, const Decode& decode);

}  // namespace dfsweep::serving
