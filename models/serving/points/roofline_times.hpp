/// RooflineTimes: times of batches of a deployment, of one size or of several in lanes.
#pragma once

#include "models/serving/batching/batching.hpp"
#include "models/serving/points/figure_writing.hpp"

namespace dfsweep::serving {

/// What points of a deployment share that have the same prompts, whatever is answered.
class KeptPrompts {
 public:
  Seconds alone{absent};  ///< until the prompt of one request is read, without others; NaN: not needed yet
  void forget() {
    alone = Seconds{absent};
    steps_count_ = parts_count_ = 0.0;
  }
  /// prompt_steps_of() and prompt_parts() of the prompts of `count` requests.
  [[nodiscard]] const PromptSteps& steps_of(const Costs& costs, const Request& request, double count) {
    if (steps_count_ != count) {
      steps_ = prompt_steps_of(costs, prompts_of(request, count));
      steps_count_ = count;
    }
    return steps_;
  }
  [[nodiscard]] const Parts& parts_of(const Costs& costs, const Request& request, double count) {
    if (parts_count_ != count) {
      parts_ = prompt_parts(costs, prompts_of(request, count));
      parts_count_ = count;
    }
    return parts_;
  }

 private:
  double steps_count_ = 0.0;  ///< of `steps_`; 0: none
  double parts_count_ = 0.0;  ///< likewise
  PromptSteps steps_;
  Parts parts_;
};

struct RooflineTimes {
  const Deployment& deployment;
  Request request;  ///< with the deployment's chunk
  Batching batching = Batching::in_flight;
  KeptPrompts& kept;

  /// Of batches of `count` requests. Compiled as one function, whose parts share most of what they compute.
  template <class Number>
  [[nodiscard, gnu::flatten]] BasicBatchTimes<Number> operator()(const Number& count) const {
    const BasicDraftTimes<Number> drafts{drafts_time(count), deployment.steps.draft()};
    if (batching == Batching::static_batch) return static_batch(deployment.costs, request, count, drafts);
    if (!is_given(kept.alone)) kept.alone = lone_prompts_time(deployment, prompts_of(request, 1.0));
    return in_flight(deployment.costs, request, count, kept.alone, prompt_steps(count), drafts);
  }

 private:
  template <class Number>
  [[nodiscard]] BasicPromptSteps<Number> prompt_steps(const Number& count) const {
    return prompt_steps_of(deployment.costs, prompts_of(request, count));
  }
  [[nodiscard]] const PromptSteps& prompt_steps(double count) const {
    return kept.steps_of(deployment.costs, request, count);
  }
  /// Of a decode step.
  template <class Number>
  [[nodiscard]] SecondsOf<Number> drafts_time(const Number& count) const {
    if (!(request.accepted > 1 || request.step_tokens > 1)) return {};
    return times_by_lane<Number>([&](std::size_t i) { return window_of(deployment, request, lane(count, i)).draft; });
  }
};

}  // namespace dfsweep::serving
