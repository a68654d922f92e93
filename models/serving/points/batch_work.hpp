/// Work of a batch: times of its steps and prompts, what they are spent on, and the watts that they draw; of one point,
/// or of several in lanes.
#pragma once

#include <algorithm>
#include <cstddef>

#include "models/serving/points/service.hpp"
#include "models/serving/step/step_watts.hpp"

namespace dfsweep::serving {

/// Metrics that are computed only on request, because they are expensive.
struct WantedParts {
  bool phase = false;     ///< times of the phase
  bool flops = false;     ///< model FLOP utilization of the phase; `phase` is wanted too
  bool capacity = false;  ///< the highest rate that keeps the limits
  bool watts = false;     ///< average power, and what follows from it
  bool coverage = false;  ///< of measured operators, and the error that they expect
  bool steps = false;     ///< what a mean step takes
  bool prompts = false;   ///< what its prompts take
  [[nodiscard]] bool works() const { return flops || watts; }  ///< which take both of these
  [[nodiscard]] bool pace() const { return steps || prompts || works(); }
};

/// Requests of a replica at once while there are any.
template <class Number>
[[nodiscard]] Number together(const Number& batch) {
  return greater(batch, 1.0);
}

/// Until prompts are read by the target and by the draft model, where there is one, in a full pipeline.
template <class Number>
[[nodiscard]] SecondsOf<Number> prompts_time(const Deployment& d, const BasicPrompts<Number>& prompts) {
  const SecondsOf<Number> target = prefill_time(d.costs, prompts);
  return d.steps.draft() != nullptr ? target + prefill_time(*d.steps.draft(), prompts) : target;
}

/// Time of a decode step of equal ranks, with its drafts.
template <class Number>
[[nodiscard]] SecondsOf<Number> window_time(const Deployment& d, const BasicDecode<Number>& decode) {
  const Number sequences = decode.sequences / d.ranks;
  const queueing::BasicStepLoad<Number> rank{.sequences = sequences, .context = sequences * decode.context};
  return d.steps.step_time(d.steps.rank_time(rank), d.ranks * rank);
}

/// A mean step of `batch` requests at once, of which each token takes `step`, and their prompts, where they are wanted.
template <class Number>
struct BasicPace {
  Number batch = 1.0;
  SecondsOf<Number> step;
  SecondsOf<Number> prefill;
};
template <class Number>
[[nodiscard]] BasicPace<Number> pace_of(WantedParts wanted, const Deployment& d, const Request& request,
                                        const Number& batch) {
  BasicPace<Number> pace{batch, (1 / request.accepted) * window_time(d, decode_of(request, batch)), {}};
  if (wanted.prompts || wanted.works()) pace.prefill = prompts_time(d, prompts_of(request, batch));
  return pace;
}

/// What a phase is spent on, and the share of the peak that it reaches.
template <class Number>
struct BasicPhaseWork {
  BasicParts<Number> parts;
  Number flop_share = 0.0;
};
using PhaseWork = BasicPhaseWork<double>;

/// Decode steps of a phase, if each yields one token.
[[nodiscard]] inline double steps_of_phase(const Request& request, Phase phase) {
  return phase == Phase::request ? request.output - 1 : phase == Phase::decode ? 1.0 : 0.0;
}
/// `prompts`: prompt_parts() of its prompts, where it reads any.
template <class Number>
[[nodiscard]] BasicPhaseWork<Number> phase_work(const Deployment& d, const Request& request, Phase phase,
                                                const BasicPace<Number>& pace, const BasicParts<Number>& prompts) {
  const double steps = steps_of_phase(request, phase);
  BasicPhaseWork<Number> work;
  if (steps > 0) {
    const BasicDecode<Number> decode = decode_of(request, pace.batch);
    work.parts = steps / request.accepted * decode_parts(d.costs, decode);
  }
  if (phase != Phase::decode) work.parts = work.parts + (1 / d.costs.pipeline) * prompts;
  return work;
}
template <class Number>
[[nodiscard]] BasicPhaseWork<Number> phase_work(const Deployment& d, const Request& request, Phase phase,
                                                const BasicPace<Number>& pace) {
  BasicParts<Number> prompts;
  if (phase != Phase::decode) prompts = prompt_parts(d.costs, prompts_of(request, pace.batch));
  return phase_work(d, request, phase, pace, prompts);
}

/// Share of the peak that the model's FLOP of a phase reach.
template <class Number>
[[nodiscard]] Number flop_share_of(const Deployment& d, const Request& request, Phase phase,
                                   const BasicPace<Number>& pace) {
  const double steps = steps_of_phase(request, phase);
  SecondsOf<Number> time;
  InLanes<Flop, Number> flop;
  if (steps > 0) {
    BasicDecode<Number> decode = decode_of(request, pace.batch);
    time = steps * pace.step;
    decode.step_tokens = std::min(decode.step_tokens, request.accepted);  // what is not accepted is no work
    flop = steps / request.accepted * decode_flop(d.costs, decode);
  }
  if (phase != Phase::decode) {
    time += pace.prefill;
    flop += prompt_flop(d.costs, prompts_of(request, pace.batch));
  }
  return flop / (time * d.costs.peak);
}

/// What a batch does at a point, as far as it is wanted; else NaN.
template <class Number>
struct BasicBatchWork {
  BasicPhaseWork<Number> phase;
  InLanes<Watts, Number> average{Watts{absent}};  ///< of a device
};

/// Average watts of a device, of all pools. `request_rate`: of all replicas, 1/s.
template <class Number>
[[nodiscard]] InLanes<Watts, Number> average_watts(const Deployment& d, const OperatingPoint& o,
                                                   const BasicPace<Number>& pace, const Number& request_rate) {
  const Number rate = request_rate / o.replicas / pace.batch;
  const BasicDecode<Number> decode = decode_of(o.request, pace.batch);
  const cost::PowerRange device{d.bill.idle, d.bill.limit};
  cost::BasicServingWork<Number> work = decode_work<Number>(d.traffic, d.costs, decode, o.request.accepted * pace.step);
  work.decoding = rate * (o.request.output - 1) * pace.step.value();  // `step`: of a token that a sequence yields
  work.prompts = d.prefill ? Number(0.0) : rate * pace.prefill.value();
  const Number busy = work.decoding + work.prompts;
  const MaskOf<Number> is_full = busy > 1;
  if (any(is_full)) {
    work.decoding = choose(is_full, work.decoding / busy, work.decoding);
    work.prompts = choose(is_full, work.prompts / busy, work.prompts);
  }
  const InLanes<Watts, Number> answers = cost::serving_power(d.traffic.power, device, work);
  if (!d.prefill) return answers;
  cost::BasicServingWork<Number> reading;
  reading.decoding = 0.0;
  reading.prompts = lesser(1.0, request_rate / o.prefill_replicas / pace.batch * pace.prefill.value());
  const InLanes<Watts, Number> prompts = cost::serving_power(d.traffic.power, device, reading);
  const double of_answers = o.replicas * d.devices;
  const double of_prompts = o.prefill_replicas * d.prefill->devices;
  return 1 / (of_answers + of_prompts) * (of_answers * answers + of_prompts * prompts);
}

}  // namespace dfsweep::serving
