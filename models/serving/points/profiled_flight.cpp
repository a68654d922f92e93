#include "models/serving/points/profiled_flight.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::serving {

namespace {

/// A step with a chunk of prompts, and how many such steps there are.
struct Chunks {
  RequestGroup group;
  double steps = 1.0;
};

Chunks chunks_of(const Request& request, double count) {
  const Prompts prompts = prompts_of(request, count);
  Chunks chunks;
  if (prompts.tokens >= prompts.chunk) {
    chunks.group = {1.0, prompts.chunk, prompts.shared + std::floor((prompts.tokens - prompts.chunk) / 2)};
  } else {
    const double together =
        std::clamp(std::floor(prompts.chunk / prompts.tokens), 1.0, std::max(1.0, std::floor(count)));
    chunks.group = {together, prompts.tokens, prompts.shared};
  }
  chunks.steps = prompts.all_tokens() / (chunks.group.count * chunks.group.tokens);
  return chunks;
}

}  // namespace

std::optional<BatchTimes> profiled_flight(const ProfiledPlace& place, const Costs& costs, const Request& request,
                                          double count) {
  const Chunks chunks = chunks_of(request, count);
  const Decode decode = decode_of(request, count);
  const double sequences = std::max(1.0, std::round(stage_sequences(costs, decode)));
  const auto prompts = place.steps.step(place.points, place.i, {.decode = {}, .prefill = {chunks.group}});
  const auto answers = place.steps.step(place.points, place.i,
                                        {.decode = {{sequences, 1.0, std::round(decode.context)}}, .prefill = {}});
  const auto alone = profiled_prompt(place, request, 1);
  if (!prompts || !answers || !alone) return std::nullopt;
  const Seconds prefill = chunks.steps * prompts->slowest;
  const Seconds step = answers->through + decode.sequences * costs.host_sequence;
  BatchTimes flight = flight_of_request(request, count, *alone, prefill, step);
  flight.prefill = prefill;
  return flight;
}

std::optional<BatchTimes> profiled_static_batch(const ProfiledPlace& place, const Costs& costs, const Request& request,
                                                double count) {
  const auto flight = profiled_flight(place, costs, request, count);
  const auto first_token = profiled_prompt(place, request, count);
  if (!flight || !first_token) return std::nullopt;
  return static_batch_of<double>(request, flight->prefill, *first_token, flight->step);
}

std::optional<Seconds> profiled_prompt(const ProfiledPlace& place, const Request& request, double count) {
  const Chunks chunks = chunks_of(request, count);
  const auto prompts = place.steps.step(place.points, place.i, {.decode = {}, .prefill = {chunks.group}});
  if (!prompts) return std::nullopt;
  return prompts->through + std::max(0.0, chunks.steps - 1) * prompts->slowest;
}

ProfiledSteps::ProfiledSteps(const ProfiledPlace& place, const Costs& costs, const Request& request)
    : place_(place), costs_(costs), prompt_token_{absent} {
  const Chunks chunks = chunks_of(request, 1);
  const auto prompts = place.steps.step(place.points, place.i, {.decode = {}, .prefill = {chunks.group}});
  if (prompts) prompt_token_ = prompts->slowest / (chunks.group.count * chunks.group.tokens);
}

bool ProfiledSteps::is_complete() const {
  return is_given(prompt_token_) && is_given(decode(1, 1));
}

Seconds ProfiledSteps::decode(double sequences, double context) const {
  const RequestGroup group{sequences, 1.0, std::max(1.0, std::round(context))};
  const auto step = place_.steps.step(place_.points, place_.i, {.decode = {group}, .prefill = {}});
  return step ? step->through : Seconds{absent};
}

Seconds ProfiledSteps::rank_time(const queueing::StepLoad& rank) const {
  Seconds time;
  if (rank.prompt_tokens > 0) time += rank.prompt_tokens * prompt_token_;
  if (!(rank.sequences > 0)) return time;
  const double stage = std::max(1.0, rank.sequences / costs_.pipeline);
  const double context = rank.context / rank.sequences;
  const double below = std::floor(stage);
  const Seconds low = decode(below, context);
  const Seconds between = stage > below ? (stage - below) * (decode(below + 1, context) - low) : Seconds{};
  return time + low + between + rank.sequences * costs_.host_sequence;
}

}  // namespace dfsweep::serving
