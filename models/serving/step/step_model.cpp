#include "models/serving/step/step_model.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::serving {

namespace {

using queueing::StepLoad;

/// The sequences of a load without its prompts.
StepLoad sequences_of(const StepLoad& load) {
  return {.sequences = load.sequences, .context = load.context};
}

/// The prompts of a load, with the sequences of one of p groups: sequences / p, at least one where there is one.
StepLoad group_of(const StepLoad& load, double stages) {
  if (!(load.sequences > 0)) return load;
  StepLoad group = load;
  group.sequences = std::max(std::min(1.0, load.sequences), load.sequences / stages);
  group.context = load.context * (group.sequences / load.sequences);
  return group;
}

/// Of p groups of sequences one has the prompts of the step; all pass through p stages at the same time. `pass`: what a
/// load takes in one pass.
template <class Pass>
auto staged(double stages, const StepLoad& load, const Pass& pass) {
  if (!(stages > 1)) return pass(load);
  const StepLoad group = group_of(load, stages);
  const auto with_prompts = pass(group);
  if (!(load.sequences > 0)) return (1 / stages) * with_prompts;
  if (!(load.prompt_tokens > 0)) return with_prompts;
  return (1 / stages) * (with_prompts + (stages - 1) * pass(sequences_of(group)));
}

/// The sum over the passes of a step; pass_of(costs, load, tokens of a sequence). The draft model reads prompts in its
/// first pass and samples nothing from them.
template <class PassOf>
auto over_passes(const StepModel::Passes& passes, const StepLoad& load, const PassOf& pass_of) {
  const auto staged_pass = [&](const Costs& costs, const StepLoad& all, double step_tokens) {
    return staged(costs.pipeline, all, [&](const StepLoad& group) { return pass_of(costs, group, step_tokens); });
  };
  auto sum = staged_pass(passes.target, load, passes.verified);
  if (!passes.draft) return sum;
  StepLoad read = load;
  read.prompts = 0;
  const StepLoad drafted = sequences_of(load);
  bool reads_prompts = load.prompt_tokens > 0;
  for (const StepModel::DraftPass& pass : passes.drafts) {
    double count = pass.count;
    if (reads_prompts) {
      sum = sum + staged_pass(*passes.draft, read, pass.tokens);
      reads_prompts = false;
      --count;
    }
    if (load.sequences > 0) sum = sum + count * staged_pass(*passes.draft, drafted, pass.tokens);
  }
  return sum;
}

double tokens_in(const StepLoad& load, double step_tokens) {
  return load.prompt_tokens + step_tokens * load.sequences;
}

/// Passes of the draft model of one window: a sequence drafts a token each, a tree the successors of the last level.
std::vector<StepModel::DraftPass> draft_passes(const Drafting& drafting) {
  if (drafting.form == Speculation::sequence) return {{.tokens = 1.0, .count = drafting.window}};
  std::vector<StepModel::DraftPass> passes;
  for (double pass = 1; pass <= drafting.window; ++pass) passes.push_back({.tokens = drafted_from(pass), .count = 1});
  return passes;
}

}  // namespace

StepModel::StepModel(const Costs& target) : StepModel(target, {}, {}) {}

StepModel::StepModel(const Costs& target, const Drafting& drafting, const std::optional<Costs>& draft)
    : launches_(target.prompt_launch), tokens_per_step_(std::max(1.0, drafting.accepted_tokens)) {
  passes_.target = target;
  passes_.verified = drafting.verified_tokens;
  if (drafting.form != Speculation::none && draft && drafting.window >= 1) {
    passes_.draft = draft;
    passes_.drafts = draft_passes(drafting);
    launches_ += draft->prompt_launch;
  }
  launches_ = launches_ / target.pipeline;
  is_one_pass_ = !passes_.draft && !(target.pipeline > 1);
}

Seconds StepModel::rank_time_of_passes(const StepLoad& rank) const {
  return over_passes(passes_, rank, [](const Costs& costs, const StepLoad& load, double step_tokens) {
    return rank_pass_time(costs, load, step_tokens);
  });
}

Seconds StepModel::shared_time_of_passes(const StepLoad& all) const {
  return over_passes(passes_, all, [](const Costs& costs, const StepLoad& load, double step_tokens) {
    return shared_pass_time(costs, tokens_in(load, step_tokens));
  });
}

Parts StepModel::step_parts(const StepLoad& rank) const {
  Parts parts = over_passes(passes_, rank, [](const Costs& costs, const StepLoad& load, double step_tokens) {
    return rank_pass_parts(costs, load, step_tokens) +
           shared_pass_parts(costs, costs.ranks * tokens_in(load, step_tokens));
  });
  if (rank.prompt_tokens > 0) parts.host += launches_;
  return parts;
}

Flop StepModel::step_flop(const StepLoad& all) const {
  const Costs& c = passes_.target;
  const double answers = tokens_per_step_ * all.sequences;
  const double pairs = within_window(c, all.prompt_pairs, all.prompt_tokens) +
                       tokens_per_step_ * within_window(c, all.context, all.sequences);
  return Flop{(all.prompt_tokens + answers) * c.flop_token + (all.prompts + answers) * c.flop_output +
              pairs * c.flop_pair};
}

Seconds StepModel::fill_time(const StepLoad& rank) const {
  const Costs& c = passes_.target;
  if (!(c.pipeline > 1) || !(rank.prompt_tokens > 0)) return {};
  const auto pass = [&](const StepLoad& load) {
    return rank_pass_time(c, load, passes_.verified) + shared_pass_time(c, c.ranks * tokens_in(load, passes_.verified));
  };
  const StepLoad group = group_of(rank, c.pipeline);
  const Seconds others = rank.sequences > 0 ? pass(sequences_of(group)) : Seconds{};
  return (1 - 1 / c.pipeline) * (pass(group) - others);
}

}  // namespace dfsweep::serving
