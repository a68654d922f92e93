/// SharedValues: what the formulas of servers that read prompts and decode take from a deployment and its requests,
/// whatever their population.
#pragma once

#include <algorithm>
#include <cmath>

#include "models/queueing/deployment.hpp"
#include "models/queueing/steady/form_point.hpp"
#include "models/queueing/steady/mean_request.hpp"
#include "models/queueing/steps_of_answer.hpp"

namespace dfsweep::queueing {

/// Source of all formulas: docs/models/queueing.md
class SharedValues {
 public:
  /// `cached`: share of carried tokens that are not read again. Pre: the deployment outlives the object.
  SharedValues(const Deployment& deployment, const MeanRequest& request, double cached)
      : rules_(deployment.rules),
        ranks_(deployment.attention_ranks),
        per_rank_(1.0 / ranks_),
        output_steps_(steps_of_answer(request.output, request.output_variation_squared, deployment.tokens_per_step)),
        read_(request.prompt - request.shared - cached * (request.carried)),
        prompts_per_step_(1.0 / output_steps_),
        per_read_(1.0 / read_),
        pairs_(request.pairs + (1.0 - cached) * request.carried_pairs),
        prompt_(request.prompt),
        context_(request.prompt + 0.5 * request.output * (1.0 + request.output_variation_squared)),
        limit_(running_limit(deployment, request)),
        alone_(rules_.prompts == PromptRule::alone),
        unused_(rules_.prompts == PromptRule::whole ? std::min(0.5 * read_, std::max(0.0, rules_.chunk_tokens - read_))
                                                    : 0.0),
        varied_(1.0 + request.prompt_variance * per_read_ * per_read_),
        spread_(squared_excess_of_largest(ranks_) / ranks_ * varied_) {
    const bool until_all = ranks_ > 1.0 && rules_.rank_wait_steps > 0.0;  // each rank has a prompt
    hold_ = alone_ ? 0.0 : until_all ? rules_.rank_wait_steps : rules_.batch_wait_steps;
    hold_enough_ = more_until_enough();
    if (until_all) hold_enough_ = ranks_ * std::max(1.0, rules_.batch_wait_share * rules_.chunk_tokens * per_read_);
    if (!(hold_enough_ > 0.0)) hold_ = 0.0;
    if (ranks_ > 1.0 && rules_.prompts == PromptRule::whole)
      longer_ = per_read_ * std::sqrt(request.prompt_variance * squared_excess_of_largest(ranks_)) / (ranks_ - 1.0);
    gather_ = alone_ ? std::max(1.0, rules_.receive_interval_steps) : 1.0;
    const bool is_whole = rules_.prompts == PromptRule::whole;
    const double beside_one = is_whole ? read_ : std::max(1.0, rules_.chunk_tokens - 1.0);
    decoding_share_ = output_steps_ / (output_steps_ + std::max(1.0, read_ / beside_one));
  }

 protected:
  const EngineRules& rules_;
  double ranks_;
  double per_rank_;
  double output_steps_;      ///< decode steps of an answer after its first token
  double read_;              ///< tokens of a prompt that are read
  double prompts_per_step_;  ///< that a sequence which decodes brings
  double per_read_;
  double pairs_;
  double prompt_;  ///< tokens of a prompt
  double context_;
  double limit_;
  bool alone_;
  double unused_;  ///< of a chunk, because whole prompts do not fill it
  double varied_;  ///< mean square of the tokens of prompts over the square of their mean
  double spread_;
  double longer_ = 0.0;       ///< by which the longest prompt of several ranks exceeds the mean, for each further rank
  double hold_ = 0.0;         ///< decode steps that prompts wait for others at most
  double hold_enough_ = 0.0;  ///< prompts of a replica after the first one until these do not wait any longer
  double gather_ = 1.0;       ///< decode steps between two looks
  double decoding_share_ = 1.0;  ///< of the steps of a request beside another one that decodes, those that decode

 private:
  /// Prompts after the first one until those of a rank no longer wait for others.
  [[nodiscard]] double more_until_enough() const {
    const double of_rank = std::max(1.0, rules_.batch_wait_share * rules_.chunk_tokens * per_read_);
    if (ranks_ <= 1.0) return of_rank - 1.0;
    const double root = 0.5 * ranks_ * (std::sqrt(spread_ + 4.0 * of_rank / ranks_) - std::sqrt(spread_));
    return of_rank > 1.0 ? std::max(0.0, root * root - 1.0) : 0.0;
  }
};

}  // namespace dfsweep::queueing
