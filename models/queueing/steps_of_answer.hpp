/// Decode steps of an answer, where a step may yield several of its tokens.
#pragma once

namespace dfsweep::queueing {

/// Mean of ceil((O - 1) / tokens_per_step) over answers of O tokens: the first token comes with the prompt, and the
/// last step may yield more tokens than the answer lacks. O is `output`, or, with a squared coefficient of variation,
/// even on the range around it that has this variation, from one token on. Pre: output >= 1, tokens_per_step >= 1.
[[nodiscard]] double steps_of_answer(double output, double output_variation_squared, double tokens_per_step);

}  // namespace dfsweep::queueing
