/// What a step of an engine handles, and what a model of step times offers to the queueing part.
#pragma once

#include <concepts>

#include "models/units.hpp"

namespace dfsweep::queueing {

/// What a step of a replica handles, on one attention rank or summed over several.
struct StepLoad {
  double prompt_tokens = 0.0;  ///< tokens of prompts read in this step
  double prompt_pairs =
      0.0;                 ///< sum over these tokens of the positions that each attends to (causal, with earlier ones)
  double prompts = 0.0;    ///< prompts that end in this step; each samples a first token
  double sequences = 0.0;  ///< sequences that decode
  double context = 0.0;    ///< sum over these of the tokens that each has in the cache
};

[[nodiscard]] constexpr StepLoad operator+(const StepLoad& a, const StepLoad& b) {
  return {a.prompt_tokens + b.prompt_tokens, a.prompt_pairs + b.prompt_pairs, a.prompts + b.prompts,
          a.sequences + b.sequences, a.context + b.context};
}

/// The load of `ranks` equal ranks.
[[nodiscard]] constexpr StepLoad operator*(double ranks, const StepLoad& load) {
  return {ranks * load.prompt_tokens, ranks * load.prompt_pairs, ranks * load.prompts, ranks * load.sequences,
          ranks * load.context};
}

/// A model of step times. `rank_time`: what one rank does alone; `step_time`: the whole step, from the slowest rank and
/// the summed load. Both take fractional loads, are thread-safe, never fall where a load grows, and are linear in
/// `context` and `prompt_pairs` where nothing else changes.
template <class S>
concept Steps = requires(const S& steps, const StepLoad& load, Seconds slowest) {
  { steps.rank_time(load) } -> std::convertible_to<Seconds>;
  { steps.step_time(slowest, load) } -> std::convertible_to<Seconds>;
};

/// Time of a step in which `ranks` attention ranks carry the same load.
template <Steps S>
[[nodiscard]] Seconds even_step_time(const S& steps, double ranks, const StepLoad& rank) {
  return steps.step_time(steps.rank_time(rank), ranks * rank);
}

}  // namespace dfsweep::queueing
