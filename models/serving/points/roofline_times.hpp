/// RooflineTimes: times of batches of a deployment, of one size or of several in lanes.
#pragma once

#include "models/serving/batching/batching.hpp"
#include "models/serving/points/figure_writing.hpp"

namespace dfsweep::serving {

struct RooflineTimes {
  const Deployment& deployment;
  Request request;  ///< with the deployment's chunk
  Batching batching = Batching::in_flight;
  Seconds& alone;  ///< until the prompt of one request is read, without others; NaN: not needed yet

  /// Of batches of `count` requests. Compiled as one function, whose parts share most of what they compute.
  template <class Number>
  [[nodiscard, gnu::flatten]] BasicBatchTimes<Number> operator()(const Number& count) const {
    const BasicDraftTimes<Number> drafts{drafts_time(count), deployment.steps.draft()};
    if (batching == Batching::static_batch) return static_batch(deployment.costs, request, count, drafts);
    if (!is_given(alone)) alone = lone_prompts_time(deployment, prompts_of(request, 1.0));
    return in_flight(deployment.costs, request, count, alone, drafts);
  }

 private:
  /// Of a decode step.
  template <class Number>
  [[nodiscard]] SecondsOf<Number> drafts_time(const Number& count) const {
    if (!(request.accepted > 1 || request.step_tokens > 1)) return {};
    return times_by_lane<Number>([&](std::size_t i) { return window_of(deployment, request, lane(count, i)).draft; });
  }
};

}  // namespace dfsweep::serving
