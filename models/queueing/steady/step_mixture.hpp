/// What the steps of servers are made of that read prompts and decode, at a point of the closed form.
/// Source of all formulas: docs/models/queueing.md
#pragma once

#include "models/lanes.hpp"

namespace dfsweep::queueing {

/// What steps are made of where n sequences decode on a rank. Quotients that several formulas have are kept.
template <class Number>
struct StepMixture {
  Number busy = 0.0;          ///< share of the time that others are there
  Number decode = 0.0;        ///< s of a step that only decodes
  Number read = 0.0;          ///< s of a step with prompts
  Number both = 0.0;          ///< s of one with answers too, no shorter than a step that only decodes
  Number reading = 0.0;       ///< s of the mean step with prompts, where answers lengthen those that have them
  Number arrivals = 0.0;      ///< prompts of others per decode step
  Number hold = 0.0;          ///< decode steps that these wait for others
  Number chunks = 0.0;        ///< chunks of a prompt, not whole
  Number pieces = 1.0;        ///< steps of a prompt that is longer than a chunk
  Number places = 1.0;        ///< prompts that are read at once at most
  Number per_place = 1.0;     ///< 1 / places
  Number at_once = 1.0;       ///< prompts that are read at once
  Number per_together = 1.0;  ///< 1 / prompts of a step, of which long ones are a part
  Number share = 0.0;         ///< steps with prompts per decode step
};

/// Sequences of others that a step of a replica has on average, where x of them decode on average over time: where they
/// are less than one, fewer, because a step with answers is r times as long as one of prompts alone. But who starts and
/// ends with the steps of others meets them in the share q of their own steps that decode:
///
///     max(x / (r - x (r - 1)), min(x, q))                         x < 1, else x
template <class Number>
[[nodiscard]] inline Number met_in_steps(const Number& decoding, double longer_steps, double decoding_share) {
  const Number longer = longer_steps - lesser(1.0, decoding) * (longer_steps - 1.0);
  return greater(decoding / longer, lesser(decoding, decoding_share));
}

/// Mean time that a system with infinitely many servers and x requests on average is busy without a break, over that of
/// a request: (exp(x) - 1) / x, to the third power of x.
template <class Number>
[[nodiscard]] inline Number busy_growth(const Number& x) {
  return 1.0 + x * (1.0 / 2.0 + x * (1.0 / 6.0 + x / 24.0));
}

/// Seconds by which prompts that came after a request's own hold up its answer more than those of a mean moment do.
/// They are there when the own one ends: steps have prompts with the share `full` at first, and with that of all steps
/// later. `per_step`: 1 / s of the mean step; `waiting`: prompts of a replica that are not read yet.
template <class Number>
[[nodiscard]] inline Number left_behind(const StepMixture<Number>& mix, const Number& per_step, const Number& full,
                                        const Number& waiting, double output_steps) {
  // Of steps in which prompts wait for others, only the last one reads them.
  const Number more = lesser(full, 1.0 / (1.0 + mix.hold)) - mix.share;
  const MaskOf<Number> holds_up = (more > 0.0) & (mix.read > mix.decode);
  if (!any(holds_up)) return 0.0;
  const Number fading = output_steps * mix.decode * per_step;
  const Number steps = output_steps * mix.per_together / (mix.per_together + fading);
  // No more than those that wait can be left.
  const Number left = waiting * mix.pieces * mix.per_together;
  return choose(holds_up, lesser(lesser(more, 1.0) * steps, left) * (mix.read - mix.decode), 0.0);
}

/// The same of engines that read prompts alone: all that came since the request, `before` seconds ago, are read before
/// it decodes on.
template <class Number>
[[nodiscard]] inline Number left_in_front(const StepMixture<Number>& mix, const Number& per_step,
                                          const Number& before) {
  return mix.arrivals * per_step * greater(0.0, before - mix.decode) * mix.read * mix.pieces * mix.per_place;
}

}  // namespace dfsweep::queueing
