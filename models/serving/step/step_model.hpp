/// StepModel: the time of a step of a deployment for the queueing of requests, with stages of a pipeline and drafts of
/// a smaller model inside.
/// Source: docs/models/serving.md, a step.
#pragma once

#include <optional>
#include <vector>

#include "models/queueing/step_load.hpp"
#include "models/serving/step/times.hpp"
#include "models/transformer/speculation.hpp"

namespace dfsweep::serving {

/// How a decode step speculates.
struct Drafting {
  Speculation form = Speculation::none;
  double window = 0.0;           ///< passes of the draft model
  double verified_tokens = 1.0;  ///< of a sequence in the pass of the target
  double accepted_tokens = 1.0;  ///< that a sequence yields in a step on average
};

/// A step of the target, preceded by the passes of the draft where there is one:
///
///     rank_time(r)     sum over passes of what the tokens of a rank take by themselves
///     step_time(x, a)  x + sum over passes of (experts, exchanges, latencies, host); with prompts in the step
///                      ((x + ...)^4 + launches^4)^(1/4)
///
/// Stages: of p groups of sequences that follow one another, b = sequences/p each, one reads the step's prompts too,
///
///     (pass(prompts, b) + (p - 1) pass(b)) / p
///
/// without sequences pass(prompts) / p. Loads may be fractional. Times grow with each number of a load (with
/// `sequences` where their mean context stays), and are linear in `context` and `prompt_pairs` where windows do not cut
/// them. Thread-safe.
class StepModel {
 public:
  /// Steps that take no time.
  StepModel() = default;
  explicit StepModel(const Costs& target);
  /// `draft`: without it the target verifies and nothing drafts.
  StepModel(const Costs& target, const Drafting& drafting, const std::optional<Costs>& draft);

  /// Tokens that a decode step yields of each sequence on average, at least 1.
  [[nodiscard]] double tokens_per_step() const { return tokens_per_step_; }

  /// Attention, dense products, cache reads and sampling of one rank; `rank`: its load.
  template <class Number>
  [[nodiscard]] SecondsOf<Number> rank_time(const queueing::BasicStepLoad<Number>& rank) const {
    if (is_one_pass_) return rank_pass_time(passes_.target, rank, passes_.verified);
    return times_by_lane<Number>([&](std::size_t i) { return rank_time_of_passes(load_of_lane(rank, i)); });
  }
  /// The step. `slowest_rank`: the largest rank_time; `all`: sum of the loads of all ranks.
  template <class Number>
  [[nodiscard]] SecondsOf<Number> step_time(const SecondsOf<Number>& slowest_rank,
                                            const queueing::BasicStepLoad<Number>& all) const {
    using Time = SecondsOf<Number>;
    const Time device = slowest_rank + shared_time(all);
    const MaskOf<Number> reads_prompts = all.prompt_tokens > 0;
    if (!any(reads_prompts)) return device;
    return choose(reads_prompts, launched(launches_, device), device);
  }

  /// What the step of ranks with the same load is spent on, each part as if alone.
  [[nodiscard]] Parts step_parts(const queueing::StepLoad& rank) const;
  /// FLOP of the target for the load of all ranks; drafts, and tokens that are not accepted, are not counted.
  [[nodiscard]] Flop step_flop(const queueing::StepLoad& all) const;
  /// By how much the last stage of a step with prompts ends after the step, whose time is that of a full pipeline.
  [[nodiscard]] Seconds fill_time(const queueing::StepLoad& rank) const;
  /// Peak rate of all devices, in the format of products.
  [[nodiscard]] Throughput peak() const { return passes_.target.peak; }
  /// The model that drafts; null without one.
  [[nodiscard]] const Costs* draft() const { return passes_.draft ? &*passes_.draft : nullptr; }
  /// Attention ranks.
  [[nodiscard]] double ranks() const { return passes_.target.ranks; }

  /// Equal passes of the draft model.
  struct DraftPass {
    double tokens = 1.0;  ///< of a sequence
    double count = 1.0;
  };
  /// The passes of a decode step.
  struct Passes {
    Costs target;
    double verified = 1.0;  ///< tokens of a sequence in the pass of the target
    std::optional<Costs> draft;
    std::vector<DraftPass> drafts;  ///< not empty with a draft
  };

 private:
  template <class Number>
  [[nodiscard]] SecondsOf<Number> shared_time(const queueing::BasicStepLoad<Number>& all) const {
    if (is_one_pass_) return shared_pass_time(passes_.target, detail::tokens_of(all, passes_.verified));
    return times_by_lane<Number>([&](std::size_t i) { return shared_time_of_passes(load_of_lane(all, i)); });
  }
  [[nodiscard]] Seconds rank_time_of_passes(const queueing::StepLoad& rank) const;
  [[nodiscard]] Seconds shared_time_of_passes(const queueing::StepLoad& all) const;

  Passes passes_;
  bool is_one_pass_ = true;  ///< one stage, and no drafts
  Seconds launches_;         ///< of a step with prompts
  double tokens_per_step_ = 1.0;
};

}  // namespace dfsweep::serving
