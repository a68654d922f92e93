/// What a step of an engine handles, and what a model of step times offers to the queueing part.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "models/quantity_lanes.hpp"
#include "models/units.hpp"

namespace dfsweep::queueing {

/// What a step of a replica handles, on one attention rank or summed over several.
template <class Number>
struct BasicStepLoad {
  Number prompt_tokens = 0.0;  ///< tokens of prompts read in this step
  Number prompt_pairs =
      0.0;                 ///< sum over these tokens of the positions that each attends to (causal, with earlier ones)
  Number prompts = 0.0;    ///< prompts that end in this step; each samples a first token
  Number sequences = 0.0;  ///< sequences that decode
  Number context = 0.0;    ///< sum over these of the tokens that each has in the cache
};
using StepLoad = BasicStepLoad<double>;

template <class Number>
[[nodiscard]] constexpr BasicStepLoad<Number> operator+(const BasicStepLoad<Number>& a,
                                                        const BasicStepLoad<Number>& b) {
  return {a.prompt_tokens + b.prompt_tokens, a.prompt_pairs + b.prompt_pairs, a.prompts + b.prompts,
          a.sequences + b.sequences, a.context + b.context};
}

/// The load of `ranks` equal ranks.
template <class Number>
[[nodiscard]] constexpr BasicStepLoad<Number> operator*(const std::type_identity_t<Number>& ranks,
                                                        const BasicStepLoad<Number>& load) {
  return {ranks * load.prompt_tokens, ranks * load.prompt_pairs, ranks * load.prompts, ranks * load.sequences,
          ranks * load.context};
}

/// The load of one lane.
template <class Number>
[[nodiscard]] inline StepLoad load_of_lane(const BasicStepLoad<Number>& load, std::size_t i) {
  return {lane(load.prompt_tokens, i), lane(load.prompt_pairs, i), lane(load.prompts, i), lane(load.sequences, i),
          lane(load.context, i)};
}

/// A model of step times. `rank_time`: what one rank does alone; `step_time`: the whole step, from the slowest rank and
/// the summed load. Both take fractional loads, are thread-safe, never fall where a load grows, and are linear in
/// `context` and `prompt_pairs` where nothing else changes.
template <class S>
concept Steps = requires(const S& steps, const StepLoad& load, Seconds slowest) {
  { steps.rank_time(load) } -> std::convertible_to<Seconds>;
  { steps.step_time(slowest, load) } -> std::convertible_to<Seconds>;
};

/// A model of step times that takes loads in lanes, too, and gives each the bits that it has alone.
template <class S, class Number>
concept LaneSteps = requires(const S& steps, const BasicStepLoad<Number>& load, SecondsOf<Number> slowest) {
  { steps.rank_time(load) } -> std::convertible_to<SecondsOf<Number>>;
  { steps.step_time(slowest, load) } -> std::convertible_to<SecondsOf<Number>>;
};

/// Seconds of a step from the loads of its slowest rank and of all ranks. Models that know nothing of lanes are asked
/// lane by lane.
template <Steps S, class Number>
[[nodiscard]] inline Number step_seconds(const S& steps, const BasicStepLoad<Number>& slowest,
                                         const BasicStepLoad<Number>& all) {
  if constexpr (LaneSteps<S, Number>) {
    return SecondsOf<Number>{steps.step_time(SecondsOf<Number>{steps.rank_time(slowest)}, all)}.value();
  } else {
    return by_lane<Number>(
        [&](std::size_t i) { return step_seconds(steps, load_of_lane(slowest, i), load_of_lane(all, i)); });
  }
}

/// Time of a step in which `ranks` attention ranks carry the same load.
template <Steps S>
[[nodiscard]] inline Seconds even_step_time(const S& steps, double ranks, const StepLoad& rank) {
  return steps.step_time(steps.rank_time(rank), ranks * rank);
}

}  // namespace dfsweep::queueing
